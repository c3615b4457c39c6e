// Unpacks the block format of LZ4. The build of this program wrote the packed bytes, so a mistake in them is a mistake
// of the build, and ends the process.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// If a length is 15, more bytes are added to it, up to the first byte that is not 255.
static size_t unpack_length(const unsigned char **from, size_t length) {
  if (length == 15) {
    unsigned char more;
    do {
      more = *(*from)++;
      length += more;
    } while (more == 255);
  }
  return length;
}

// Copies bytes that do not overlap. Most copies are short. If there is enough room after both ends, 32 bytes are
// copied, which takes two instructions. The next copy overwrites the surplus.
static void unpack_copy(unsigned char *to, const unsigned char *from, size_t length, size_t room) {
  if (length <= 32 && room >= 32) {
    memcpy(to, from, 16);
    memcpy(to + 16, from + 16, 16);
  } else {
    memcpy(to, from, length);
  }
}

static void unpack(const unsigned char *from, size_t n_packed, unsigned char *to, size_t n_bytes) {
  const unsigned char *packed_end = from + n_packed;
  unsigned char *end = to + n_bytes;
  for (;;) {
    unsigned char token = *from++;
    size_t length = unpack_length(&from, token >> 4);
    size_t room = (size_t)(end - to), left = (size_t)(packed_end - from);
    if (length > room || length > left) abort();
    unpack_copy(to, from, length, room < left ? room : left);
    to += length;
    from += length;
    if (from == packed_end) break;
    size_t distance = (size_t)(from[0] | from[1] << 8);
    from += 2;
    length = unpack_length(&from, token & 15) + 4;
    if (length > (size_t)(end - to)) abort();
    if (distance >= 32) {
      // A match of 32 bytes from at least 32 bytes back does not overlap its copy.
      size_t step = distance;
      for (; length > step; length -= step, to += step) memcpy(to, to - distance, step);
      unpack_copy(to, to - distance, length, (size_t)(end - to));
      to += length;
    } else {
      // A close match repeats a pattern. With every step, the distance between the pattern and the place of its copy
      // doubles.
      const unsigned char *match = to - distance;
      while (length > 0) {
        size_t step = (size_t)(to - match);
        if (step > length) step = length;
        memcpy(to, match, step);
        to += step;
        length -= step;
      }
    }
  }
  if (to != end) abort();
}
