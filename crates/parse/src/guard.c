// One parse, within bounds of work and memory.
//
// tree-sitter reports its progress every hundred steps, but after errors one single step may allocate gigabytes: it
// follows all ways through its stack at once. So the bound is checked in the allocator, which every such step calls.
// A parse that reaches the bound is left by `longjmp`, which C allows: between `setjmp` below and the allocator there
// are only frames of tree-sitter and of a grammar's scanner, all of them C. A log says what the parse had allocated,
// and all of that is freed.

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <tree_sitter/api.h>

// tree-sitter's own pointers to its allocator.
extern void *(*ts_current_malloc)(size_t);
extern void *(*ts_current_calloc)(size_t, size_t);
extern void *(*ts_current_realloc)(void *, size_t);
extern void (*ts_current_free)(void *);

// The same struct as `Bounds` in guard.rs.
typedef struct {
  // How many bytes may be allocated, counting freed ones too: a measure of work as much as of memory.
  size_t allocated;
  // How many bytes of text may be handed out.
  size_t read;
  // How often tree-sitter may report its progress.
  size_t progress;
  // How many nodes of its stack tree-sitter may look at after errors.
  size_t walked;
} LocantBounds;

typedef struct {
  const char *text;
  uint32_t length;
  LocantBounds left;
  // Whether the work that this parse is a part of was asked to stop.
  bool (*is_stopped)(void);
} Input;

// What a parse of this thread has allocated and freed, in order: an address for each block that was made, and the
// address with its lowest bit set for each that was freed. Writing this is cheap; only a parse that is left reads it.
typedef struct {
  bool is_on;
  size_t left;
  // How many nodes the stack of the parser may have by now, and how many may still be looked at.
  size_t n_nodes, walk_left;
  uintptr_t *log;
  size_t logged, capacity;
  jmp_buf out;
} Guard;

static _Thread_local Guard guard;

// What a block costs besides its bytes, so that many empty blocks count too.
#define BLOCK 32

// How many bytes of the text are handed out at a time, so that they can be counted.
#define PIECE (1u << 14)

static const uintptr_t FREED = 1;

// At every error tree-sitter looks back over its stack for a state to go on from, and where that stack is long, as after
// many comments or line ends that no rule takes, errors without end take time quadratic in their number and allocate
// nothing but this: a summary for each look. So each look is charged with the nodes that it may have seen. Summaries
// and nodes are told by the sizes of their blocks on the supported machines; a test shows that the sizes still hold.
#define SUMMARY (2 * sizeof(void *))
#define NODE 232

static void give_up(void) {
  longjmp(guard.out, 1);
}

// Some scanners assert what does not hold for every text, and a failed assertion ends the process. Within a parse it only
// ends the parse; anywhere else it does what libc does.
static void failed_assertion(const char *expression, const char *file, unsigned line, const char *function) {
  if (guard.is_on) give_up();
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

// Makes room in the log for two more entries, and takes bytes off what may still be allocated. It is called before a
// block changes hands, so that a parse can be left here without losing one.
static void charge(size_t bytes) {
  if (bytes > guard.left || guard.left - bytes < BLOCK) give_up();
  guard.left -= bytes + BLOCK;
  if (guard.capacity - guard.logged >= 2) return;
  size_t capacity = guard.capacity ? guard.capacity * 2 : 1024;
  uintptr_t *log = realloc(guard.log, capacity * sizeof *log);
  if (!log) give_up();
  guard.log = log;
  guard.capacity = capacity;
}

static void *made(void *block) {
  if (!block) give_up();
  guard.log[guard.logged++] = (uintptr_t)block;
  return block;
}

static void count_walk(size_t size) {
  if (size == NODE) guard.n_nodes++;
  if (size != SUMMARY) return;
  if (guard.n_nodes > guard.walk_left) give_up();
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
    // A realloc that fails leaves the old block as it was.
    if (old) guard.logged--;
    give_up();
  }
  return made(block);
}

static void guarded_free(void *block) {
  if (guard.is_on && block) {
    // A parse frees at most what it made, and each block made room for two entries.
    if (guard.logged == guard.capacity) charge(0);
    guard.log[guard.logged++] = (uintptr_t)block | FREED;
  }
  free(block);
}

// Puts the guarded allocator in place of libc's. A host that has set its own allocator keeps it: then only steps are
// counted.
static void guard_allocations(void) {
  static atomic_flag is_done = ATOMIC_FLAG_INIT;
  if (ts_current_free != free || atomic_flag_test_and_set(&is_done)) return;
  // Both sets of functions hand out blocks of libc, so that a block may be made by the one and freed by the other.
  ts_set_allocator(guarded_malloc, guarded_calloc, guarded_realloc, guarded_free);
}

static int by_address(const void *a, const void *b) {
  uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;
  return left < right ? -1 : left > right;
}

// Frees what a parse that was left had allocated. An address may be handed out many times over; a block is still there
// if it was made once more often than it was freed. Sorted by address, all entries of a block are together.
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
  // An end that comes early would not do: where a piece ends within a character, tree-sitter asks for the rest of it.
  if (piece > input->left.read) give_up();
  input->left.read -= piece;
  *length = piece;
  return input->text + (rest ? at : input->length);
}

static bool is_too_much(TSParseState *state) {
  Input *input = state->payload;
  if (input->left.progress) input->left.progress--;
  return !input->left.progress || input->is_stopped();
}

// Reads UTF-8 as tree-sitter does, but shows every character that is not in Latin-1 as its last one. Some scanners ask
// `isdigit` and the like, which look characters up in a table of 256.
static uint32_t decode_narrow(const uint8_t *text, uint32_t length, int32_t *character) {
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

// Parses a text from its start or after an edit of an older one. NULL when a bound was reached, or the work was
// asked to stop.
TSTree *locant_parse(
  const TSLanguage *language,
  const TSTree *old,
  const char *text,
  uint32_t length,
  bool is_narrow,
  LocantBounds bounds,
  bool (*is_stopped)(void)
) {
  guard_allocations();
  Input state = {.text = text, .length = length, .left = bounds, .is_stopped = is_stopped};
  TSInput input = {
    .payload = &state,
    .read = read_piece,
    .encoding = is_narrow ? TSInputEncodingCustom : TSInputEncodingUTF8,
    .decode = is_narrow ? decode_narrow : NULL,
  };
  TSParseOptions options = {.payload = &state, .progress_callback = is_too_much};
  guard.left = bounds.allocated;
  guard.n_nodes = 0;
  guard.walk_left = bounds.walked;
  if (setjmp(guard.out)) {
    free_logged();
    end_guard();
    return NULL;
  }
  guard.is_on = true;
  // A parser of its own for each text, so that all it owns is in the log.
  TSParser *parser = ts_parser_new();
  ts_parser_set_language(parser, language);
  TSTree *tree = ts_parser_parse_with_options(parser, old, input, options);
  ts_parser_delete(parser);
  end_guard();
  return tree;
}
