// Work with tree-sitter, with bounds on its time and memory.
//
// tree-sitter reports its progress every hundred steps. But after errors it follows all ways through its stack at
// once, so a single step may allocate gigabytes. That is why the bound is checked in the allocator: every expensive
// step allocates.
//
// A parse that reaches a bound is abandoned with `longjmp`. This is safe: between `setjmp` below and the allocator
// there are only frames of tree-sitter and of a grammar's scanner, and all of them are C. A log lists what the parse
// had allocated, and all of it is freed.

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <tree_sitter/api.h>
#include "guard.h"

// tree-sitter's own function pointers for its allocator.
extern void *(*ts_current_malloc)(size_t);
extern void *(*ts_current_calloc)(size_t, size_t);
extern void *(*ts_current_realloc)(void *, size_t);
extern void (*ts_current_free)(void *);

// The same struct as `Bounds` in guard.rs.
typedef struct {
  // How many bytes may be allocated, counting freed ones too. This bounds the work as well as the memory.
  size_t allocated;
  // How many bytes of text may be handed to tree-sitter.
  size_t read;
  // How often tree-sitter may report its progress.
  size_t progress;
  // How many nodes of its parse stack tree-sitter may visit after errors.
  size_t walked;
} LocantBounds;

typedef struct {
  const char *text;
  uint32_t length;
  LocantBounds left;
  // Whether the work that this parse belongs to was asked to stop.
  bool (*is_stopped)(void);
} Input;

// The guard around the parse that this thread runs.
typedef struct {
  bool is_on;
  size_t left;
  // The most nodes that the parse stack can have so far, and how many nodes may still be visited.
  size_t n_nodes, walk_left;
  // Everything the parse has allocated and freed, in order: the address of each allocated block, and for each freed
  // block its address with the lowest bit set. Writing the log is cheap. It is read only when a parse is abandoned.
  uintptr_t *log;
  size_t logged, capacity;
  jmp_buf out;
} Guard;

static _Thread_local Guard guard;

// What each block costs in addition to its bytes, so that many empty blocks count too.
#define BLOCK 32

// How many bytes of the text are handed out at a time. The text is handed out in pieces so that reads can be counted.
#define PIECE (1u << 14)

static const uintptr_t FREED = 1;

// At every error, tree-sitter looks back over its parse stack for a state to continue from. The stack can be long, for
// example after many comments or line ends that no rule accepts. Then a text full of errors takes time quadratic in
// their number, yet each look back allocates only one small summary. So each look back is charged with the number of
// nodes that it may have visited. Summaries and nodes are recognized by the sizes of their blocks on the supported
// machines. A test checks that these sizes still hold.
#define SUMMARY (2 * sizeof(void *))
#define NODE 232

_Noreturn void locant_give_up(void) {
  longjmp(guard.out, 1);
}

// Some scanners contain assertions that fail for some texts, and a failed assertion ends the process. During a parse,
// this function ends only the parse. At any other time it does what libc does.
static void failed_assertion(const char *expression, const char *file, unsigned line, const char *function) {
  if (guard.is_on) locant_give_up();
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function ? function : "?", expression);
  abort();
}

#if defined(__APPLE__)
_Noreturn void __assert_rtn(const char *function, const char *file, int line, const char *expression) {
  failed_assertion(expression, file, (unsigned)line, function);
  abort();
}
#elif defined(__linux__)
_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  failed_assertion(expression, file, line, function);
  abort();
}
#endif

// Makes room in the log for two more entries, and subtracts the bytes from what may still be allocated. Every caller
// does this before it allocates or frees, so a parse can be abandoned here without losing track of a block.
static void charge(size_t bytes) {
  if (bytes > guard.left || guard.left - bytes < BLOCK) locant_give_up();
  guard.left -= bytes + BLOCK;
  if (guard.capacity - guard.logged >= 2) return;
  size_t capacity = guard.capacity ? guard.capacity * 2 : 1024;
  uintptr_t *log = realloc(guard.log, capacity * sizeof *log);
  if (!log) locant_give_up();
  guard.log = log;
  guard.capacity = capacity;
}

static void *made(void *block) {
  if (!block) locant_give_up();
  guard.log[guard.logged++] = (uintptr_t)block;
  return block;
}

static void count_walk(size_t size) {
  if (size == NODE) guard.n_nodes++;
  if (size != SUMMARY) return;
  if (guard.n_nodes > guard.walk_left) locant_give_up();
  guard.walk_left -= guard.n_nodes;
}

static void *guarded_malloc(size_t size) {
  if (!guard.is_on) {
    void *block = malloc(size ? size : 1);
    if (!block) abort();
    return block;
  }
  charge(size);
  count_walk(size);
  return made(malloc(size ? size : 1));
}

static void *guarded_calloc(size_t count, size_t size) {
  if (!guard.is_on) {
    void *block = calloc(count ? count : 1, size ? size : 1);
    if (!block) abort();
    return block;
  }
  charge(size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
  return made(calloc(count ? count : 1, size ? size : 1));
}

static void *guarded_realloc(void *old, size_t size) {
  if (!guard.is_on) {
    void *block = realloc(old, size ? size : 1);
    if (!block) abort();
    return block;
  }
  charge(size);
  if (old) guard.log[guard.logged++] = (uintptr_t)old | FREED;
  void *block = realloc(old, size ? size : 1);
  if (!block) {
    // If realloc fails, the old block still exists.
    if (old) guard.logged--;
    locant_give_up();
  }
  return made(block);
}

static void guarded_free(void *block) {
  if (guard.is_on && block) {
    // A parse frees only blocks that it allocated, and each allocation made room for two entries.
    if (guard.logged == guard.capacity) charge(0);
    guard.log[guard.logged++] = (uintptr_t)block | FREED;
  }
  free(block);
}

// Puts the guarded allocator in place of libc's. If the host program has set its own allocator, that one stays, and
// then allocations are not counted.
static void guard_allocations(void) {
  static atomic_flag is_done = ATOMIC_FLAG_INIT;
  if (ts_current_free != free || atomic_flag_test_and_set(&is_done)) return;
  // Both sets of functions use libc's blocks, so a block may be allocated by one set and freed by the other.
  ts_set_allocator(guarded_malloc, guarded_calloc, guarded_realloc, guarded_free);
}

static int by_address(const void *a, const void *b) {
  uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;
  return left < right ? -1 : left > right;
}

// Frees what an abandoned parse had allocated. The same address may have been handed out many times. A block still
// exists if its address was allocated once more than it was freed. Sorting by address puts all entries of a block
// together.
static void free_logged(void) {
  size_t n_kept = 0;
  qsort(guard.log, guard.logged, sizeof *guard.log, by_address);
  for (size_t at = 0; at < guard.logged;) {
    uintptr_t block = guard.log[at] & ~FREED;
    ptrdiff_t n_left = 0;
    for (; at < guard.logged && (guard.log[at] & ~FREED) == block; at++) {
      n_left += guard.log[at] & FREED ? -1 : 1;
    }
    if (n_left > 0) guard.log[n_kept++] = block;
  }
  for (size_t at = 0; at < n_kept; at++) free((void *)guard.log[at]);
}

static void end_guard(void) {
  guard.is_on = false;
  free(guard.log);
  guard.log = NULL;
  guard.logged = guard.capacity = 0;
}

static const char *read_piece(void *payload, uint32_t at, TSPoint point, uint32_t *length) {
  (void)point;
  Input *input = payload;
  uint32_t rest = at < input->length ? input->length - at : 0;
  uint32_t piece = rest < PIECE ? rest : PIECE;
  // Pretending that the text ends here would not work: where a piece ends inside a character, tree-sitter asks again
  // for the rest of the character.
  if (piece > input->left.read) locant_give_up();
  input->left.read -= piece;
  *length = piece;
  return input->text + (rest ? at : input->length);
}

static bool is_too_much(TSParseState *state) {
  Input *input = state->payload;
  if (input->left.progress) input->left.progress--;
  return !input->left.progress || input->is_stopped();
}

// Decodes UTF-8 as tree-sitter does, but replaces every character beyond Latin-1 by U+00FF, the last one of Latin-1.
// Some scanners call `isdigit` and similar functions, which look characters up in a table of 256.
uint32_t locant_decode_narrow(const uint8_t *text, uint32_t length, int32_t *character) {
  uint8_t first = text[0];
  *character = first;
  if (first < 0x80) return 1;
  *character = -1;
  if (first < 0xC2 || first > 0xF4) return 1;
  uint32_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length < size) return 1;
  uint32_t value = first & (0x7F >> size);
  for (uint32_t at = 1; at < size; at++) {
    if ((text[at] & 0xC0) != 0x80) return 1;
    value = value << 6 | (text[at] & 0x3F);
  }
  static const uint32_t LEAST[] = {0x80, 0x800, 0x10000};
  if (value < LEAST[size - 2] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return 1;
  *character = value < 0x100 ? (int32_t)value : 0xFF;
  return size;
}

bool locant_guarded(size_t allocated, size_t walked, void (*work)(void *), void *payload) {
  guard_allocations();
  guard.left = allocated;
  guard.n_nodes = 0;
  guard.walk_left = walked;
  if (setjmp(guard.out)) {
    free_logged();
    end_guard();
    return false;
  }
  guard.is_on = true;
  work(payload);
  end_guard();
  return true;
}

typedef struct {
  const TSLanguage *language;
  const TSTree *old;
  TSInput input;
  TSTree *tree;
} Parse;

static void parse_text(void *payload) {
  Parse *parse = payload;
  TSParseOptions options = {.payload = parse->input.payload, .progress_callback = is_too_much};
  // Each parse has its own parser, so that everything the parser owns is in the log.
  TSParser *parser = ts_parser_new();
  ts_parser_set_language(parser, parse->language);
  parse->tree = ts_parser_parse_with_options(parser, parse->old, parse->input, options);
  ts_parser_delete(parser);
}

// Parses a text, either from scratch or by updating `old`, the edited tree of an earlier version. Returns NULL if a
// bound was reached or the work was asked to stop.
TSTree *locant_parse(
  const TSLanguage *language,
  const TSTree *old,
  const char *text,
  uint32_t length,
  bool is_narrow,
  LocantBounds bounds,
  bool (*is_stopped)(void)
) {
  Input state = {.text = text, .length = length, .left = bounds, .is_stopped = is_stopped};
  TSInput input = {
    .payload = &state,
    .read = read_piece,
    .encoding = is_narrow ? TSInputEncodingCustom : TSInputEncodingUTF8,
    .decode = is_narrow ? locant_decode_narrow : NULL,
  };
  Parse parse = {.language = language, .old = old, .input = input};
  return locant_guarded(bounds.allocated, bounds.walked, parse_text, &parse) ? parse.tree : NULL;
}
