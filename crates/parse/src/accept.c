// Does a grammar accept a text?
//
// tree-sitter builds a tree while it parses, and that takes most of its time. A text without syntax errors can be
// recognized without a tree: this file drives the tables and scanners of a grammar as tree-sitter does, but keeps only
// the states of the parse stack. Where tree-sitter would begin to recover from an error, this gives the alternative
// up. So a text that is accepted here is a text that tree-sitter parses without an error. A text that is not accepted
// may still be one: what is rare or expensive is not tried here.
//
// Where the grammar is ambiguous, tree-sitter follows all alternatives, and so does this, each with a stack of its own.
// Comments and other extras do not change the state of a parse and are never counted as children, so they are not kept
// on the stack.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tree_sitter/api.h>
#include "parser.h"
#include "guard.h"

extern void *(*ts_current_realloc)(void *, size_t);
extern void (*ts_current_free)(void *);

// How many alternatives are followed at once. tree-sitter counts those that have come to the same state as one, and
// drops some if there are more than 6 states, or more than 8 alternatives in one of them. Then this gives up.
#define MOST_ALTERNATIVES 16
#define MOST_STATES 6
#define MOST_IN_ONE_STATE 8

// From this version of its tables on, a grammar may have reserved words.
#define WITH_RESERVED_WORDS 15

static const uint16_t NO_LOOKAHEAD = UINT16_MAX;
static const uint32_t UNDEFINED = UINT32_MAX;

// The state of a grammar's scanner, as the scanner writes it.
typedef struct {
  uint32_t length;
  char bytes[TREE_SITTER_SERIALIZATION_BUFFER_SIZE];
} ScannerState;

// The lexer as grammars and their scanners see it, and what stands behind it. `data` must come first.
typedef struct {
  TSLexer data;
  const uint8_t *text;
  uint32_t length;
  bool is_narrow;
  // Where the lookahead character starts, and how long it is.
  uint32_t at, size;
  // Where the token starts and ends. The end is UNDEFINED until it is marked.
  uint32_t start, end;
  // How many characters may still be read.
  size_t left;
} Lexer;

// One way to read the text up to `at`.
typedef struct {
  uint32_t at;
  // The states of the parse stack, without those of extras. Invariant: not empty.
  uint16_t *states;
  uint32_t size, capacity;
  ScannerState scanner;
} Alternative;

typedef struct {
  TSSymbol symbol;
  // Where it ends.
  uint32_t end;
  bool is_keyword, is_external;
} Token;

// What the table of a grammar says of a symbol in a state. Most of the table is lists that must be searched, and the
// same questions come again and again. State 0 is never asked about: it is the state after an error.
typedef struct {
  TSStateId state;
  TSSymbol symbol;
  uint16_t value;
} Known;

#define MOST_KNOWN 4096

typedef struct {
  const TSLanguage *language;
  Known known[MOST_KNOWN];
  Lexer lexer;
  void *payload;
  Alternative alternatives[MOST_ALTERNATIVES];
  uint32_t n_alternatives;
  // What the scanner has written for the token that was read last.
  ScannerState fresh;
  // How many actions of the parser may still be taken.
  size_t left;
  bool (*is_stopped)(void);
  bool is_accepted;
} Run;

// The lexer.

static void look(Lexer *lexer) {
  if (lexer->at >= lexer->length) {
    lexer->data.lookahead = 0;
    lexer->size = 1;
    return;
  }
  const uint8_t *text = lexer->text + lexer->at;
  if (*text < 0x80) {
    lexer->data.lookahead = *text;
    lexer->size = 1;
  } else if (lexer->is_narrow) {
    lexer->size = locant_decode_narrow(text, lexer->length - lexer->at, &lexer->data.lookahead);
  } else {
    // The text is UTF-8, so the first byte says how long the character is.
    uint32_t size = *text < 0xE0 ? 2 : *text < 0xF0 ? 3 : 4;
    uint32_t value = *text & (0x7F >> size);
    for (uint32_t at = 1; at < size; at++) value = value << 6 | (text[at] & 0x3F);
    lexer->data.lookahead = (int32_t)value;
    lexer->size = size;
  }
}

static void charge_reads(Lexer *lexer, size_t n) {
  if (n > lexer->left) locant_give_up();
  lexer->left -= n;
}

static void lexer_advance(TSLexer *data, bool skip) {
  Lexer *lexer = (Lexer *)data;
  if (lexer->at >= lexer->length) return;
  charge_reads(lexer, 1);
  uint32_t at = lexer->at += lexer->size;
  if (skip) lexer->start = at;
  if (at < lexer->length && lexer->text[at] < 0x80) {
    lexer->data.lookahead = lexer->text[at];
    lexer->size = 1;
  } else {
    look(lexer);
  }
}

static void lexer_mark_end(TSLexer *data) {
  Lexer *lexer = (Lexer *)data;
  lexer->end = lexer->at;
}

// How many characters stand before the lookahead on its line.
static uint32_t lexer_column(TSLexer *data) {
  Lexer *lexer = (Lexer *)data;
  uint32_t column = 0;
  for (uint32_t at = lexer->at; at > 0 && lexer->text[at - 1] != '\n'; at--) {
    charge_reads(lexer, 1);
    column += (lexer->text[at - 1] & 0xC0) != 0x80;
  }
  return column;
}

static bool lexer_at_range_start(const TSLexer *data) {
  const Lexer *lexer = (const Lexer *)data;
  return lexer->at == 0 && lexer->length > 0;
}

static bool lexer_eof(const TSLexer *data) {
  const Lexer *lexer = (const Lexer *)data;
  return lexer->at >= lexer->length;
}

static void lexer_log(const TSLexer *data, const char *message, ...) {
  (void)data;
  (void)message;
}

static void start_token(Lexer *lexer, uint32_t at) {
  lexer->at = lexer->start = at;
  lexer->end = UNDEFINED;
  lexer->data.result_symbol = 0;
  look(lexer);
}

// Ends a token: if its end was not marked, it is where the lexer stands.
static void end_token(Lexer *lexer) {
  if (lexer->end == UNDEFINED) lexer->end = lexer->at;
}

// The tables of a grammar. tree-sitter reads them with the same functions, which it does not export.

static uint16_t searched(const TSLanguage *language, TSStateId state, TSSymbol symbol) {
  if (state < language->large_state_count) {
    return language->parse_table[state * language->symbol_count + symbol];
  }
  const uint16_t *group =
    language->small_parse_table + language->small_parse_table_map[state - language->large_state_count];
  for (uint32_t n_groups = *group++; n_groups > 0; n_groups--) {
    uint16_t value = group[0], n_symbols = group[1];
    group += 2;
    for (uint16_t n = 0; n < n_symbols; n++) {
      if (group[n] == symbol) return value;
    }
    group += n_symbols;
  }
  return 0;
}

// What the table of a grammar says of a symbol in a state: where the actions are for a token, and the next state for
// any other symbol. 0 if the symbol does not fit.
static uint16_t table_value(Run *run, TSStateId state, TSSymbol symbol) {
  Known *known = &run->known[(state * 29u + symbol) % MOST_KNOWN];
  if (known->state != state || known->symbol != symbol) {
    *known = (Known){.state = state, .symbol = symbol, .value = searched(run->language, state, symbol)};
  }
  return known->value;
}

// The actions for a token: how many there are, and the first of them.
static const TSParseActionEntry *actions(
  Run *run, TSStateId state, TSSymbol token, uint32_t *count
) {
  const TSParseActionEntry *entry = &run->language->parse_actions[table_value(run, state, token)];
  *count = entry->entry.count;
  return entry + 1;
}

static TSLexerMode lexer_mode(const TSLanguage *language, TSStateId state) {
  if (language->abi_version >= WITH_RESERVED_WORDS) return language->lex_modes[state];
  TSLexMode mode = ((const TSLexMode *)(const void *)language->lex_modes)[state];
  return (TSLexerMode){.lex_state = mode.lex_state, .external_lex_state = mode.external_lex_state};
}

static bool is_reserved(const TSLanguage *language, TSStateId state, TSSymbol word) {
  uint16_t set = lexer_mode(language, state).reserved_word_set_id;
  if (set == 0) return false;
  const TSSymbol *words = language->reserved_words + set * language->max_reserved_word_set_size;
  for (uint16_t n = 0; n < language->max_reserved_word_set_size && words[n] != 0; n++) {
    if (words[n] == word) return true;
  }
  return false;
}

// The state after a token that is not part of an error; 0 if the token does not fit.
static TSStateId state_after_token(Run *run, TSStateId state, TSSymbol token) {
  uint32_t count;
  const TSParseActionEntry *entry = actions(run, state, token, &count);
  if (count == 0) return 0;
  TSParseAction action = entry[count - 1].action;
  if (action.type != TSParseActionTypeShift) return 0;
  return action.shift.extra ? state : action.shift.state;
}

// The alternatives.

static TSStateId state_of(const Alternative *alternative) {
  return alternative->states[alternative->size - 1];
}

static void push(Alternative *alternative, TSStateId state) {
  if (alternative->size == alternative->capacity) {
    uint32_t capacity = alternative->capacity ? alternative->capacity * 2 : 256;
    alternative->states = ts_current_realloc(alternative->states, capacity * sizeof *alternative->states);
    alternative->capacity = capacity;
  }
  alternative->states[alternative->size++] = state;
}

// Takes work from what may still be done.
static void charge_steps(Run *run, size_t n) {
  if (n > run->left) locant_give_up();
  run->left -= n;
}

static Alternative *copy_of(Run *run, const Alternative *alternative) {
  if (run->n_alternatives == MOST_ALTERNATIVES) locant_give_up();
  Alternative *copy = &run->alternatives[run->n_alternatives++];
  charge_steps(run, alternative->size / 32);
  copy->at = alternative->at;
  copy->size = 0;
  for (uint32_t n = 0; n < alternative->size; n++) push(copy, alternative->states[n]);
  copy->scanner.length = alternative->scanner.length;
  memcpy(copy->scanner.bytes, alternative->scanner.bytes, alternative->scanner.length);
  return copy;
}

// Removes an alternative. Its stack is kept for another one.
static void drop(Run *run, uint32_t index) {
  uint32_t last = --run->n_alternatives;
  if (index == last) return;
  Alternative *dropped = &run->alternatives[index], *moved = &run->alternatives[last];
  uint16_t *states = dropped->states;
  uint32_t capacity = dropped->capacity;
  dropped->at = moved->at;
  dropped->states = moved->states;
  dropped->size = moved->size;
  dropped->capacity = moved->capacity;
  dropped->scanner.length = moved->scanner.length;
  memcpy(dropped->scanner.bytes, moved->scanner.bytes, moved->scanner.length);
  moved->states = states;
  moved->capacity = capacity;
}

static bool is_same(Run *run, const Alternative *one, const Alternative *other) {
  if (one->at != other->at || one->size != other->size || one->scanner.length != other->scanner.length) return false;
  charge_steps(run, one->size / 32);
  return memcmp(one->states, other->states, one->size * sizeof *one->states) == 0 &&
    memcmp(one->scanner.bytes, other->scanner.bytes, one->scanner.length) == 0;
}

static bool have_same_state(const Alternative *one, const Alternative *other) {
  return one->at == other->at && state_of(one) == state_of(other);
}

// Keeps one of the alternatives that have become the same, and gives up if tree-sitter may drop one of the others.
static void join(Run *run) {
  uint32_t n_states = 0;
  for (uint32_t one = 0; one < run->n_alternatives; one++) {
    Alternative *left = &run->alternatives[one];
    uint32_t n_inside = 1;
    bool is_first = true;
    for (uint32_t before = 0; before < one; before++) {
      is_first = is_first && !have_same_state(&run->alternatives[before], left);
    }
    for (uint32_t other = run->n_alternatives - 1; other > one; other--) {
      Alternative *right = &run->alternatives[other];
      if (!have_same_state(left, right)) continue;
      if (is_same(run, left, right)) {
        drop(run, other);
      } else {
        n_inside++;
      }
    }
    n_states += is_first;
    if (n_inside > MOST_IN_ONE_STATE || n_states > MOST_STATES) locant_give_up();
  }
}

// The parser.

// Reads an external token. `run->fresh` is then the state of the scanner after it.
static bool read_external(Run *run, const Alternative *alternative, uint16_t external_state) {
  const TSLanguage *language = run->language;
  Lexer *lexer = &run->lexer;
  const ScannerState *before = &alternative->scanner;
  start_token(lexer, alternative->at);
  language->external_scanner.deserialize(run->payload, before->length ? before->bytes : NULL, before->length);
  const bool *valid = language->external_scanner.states + language->external_token_count * external_state;
  bool is_found = language->external_scanner.scan(run->payload, &lexer->data, valid);
  end_token(lexer);
  if (!is_found) return false;
  run->fresh.length = language->external_scanner.serialize(run->payload, run->fresh.bytes);
  bool is_changed = run->fresh.length != before->length ||
    memcmp(run->fresh.bytes, before->bytes, before->length) != 0;
  if (lexer->end > alternative->at || is_changed) return true;
  // As in tree-sitter: an empty extra would be read again for ever.
  TSSymbol symbol = language->external_scanner.symbol_map[lexer->data.result_symbol];
  TSStateId state = state_of(alternative);
  return state_after_token(run, state, symbol) != state;
}

// Reads the next token of an alternative. Returns whether there is one.
static bool read_token(Run *run, const Alternative *alternative, TSLexerMode mode, Token *token) {
  const TSLanguage *language = run->language;
  Lexer *lexer = &run->lexer;
  TSStateId state = state_of(alternative);
  *token = (Token){0};
  if (mode.external_lex_state != 0 && read_external(run, alternative, mode.external_lex_state)) {
    token->symbol = language->external_scanner.symbol_map[lexer->data.result_symbol];
    token->end = lexer->end;
    token->is_external = true;
    return true;
  }
  start_token(lexer, alternative->at);
  if (!language->lex_fn(&lexer->data, mode.lex_state)) return false;
  end_token(lexer);
  token->symbol = lexer->data.result_symbol;
  token->end = lexer->end;
  if (token->symbol != language->keyword_capture_token || token->symbol == 0) return true;
  start_token(lexer, lexer->start);
  token->is_keyword = language->keyword_lex_fn(&lexer->data, 0);
  end_token(lexer);
  TSSymbol keyword = lexer->data.result_symbol;
  bool is_valid = token->is_keyword && lexer->end == token->end &&
    (table_value(run, state, keyword) != 0 || is_reserved(language, state, keyword));
  if (is_valid) token->symbol = keyword;
  return true;
}

// Replaces the children of a node by the node.
static void reduce(Run *run, Alternative *alternative, TSParseAction action, bool ends_extra) {
  if (action.reduce.child_count >= alternative->size) locant_give_up();
  alternative->size -= action.reduce.child_count;
  TSStateId state = state_of(alternative);
  TSStateId next = table_value(run, state, action.reduce.symbol);
  bool is_extra = ends_extra && next == state;
  if (!is_extra) push(alternative, next);
}

// Follows an alternative until it has taken a token. Returns whether it still fits the text.
static bool follow(Run *run, uint32_t index) {
  const TSLanguage *language = run->language;
  Alternative *alternative = &run->alternatives[index];
  Token token = {0};
  bool needs_token = true, has_token = true;
  for (;;) {
    TSStateId state = state_of(alternative);
    if (needs_token) {
      TSLexerMode mode = lexer_mode(language, state);
      has_token = mode.lex_state != NO_LOOKAHEAD;
      if (has_token && !read_token(run, alternative, mode, &token)) return false;
      needs_token = false;
    }
    charge_steps(run, 1);
    if (run->left % 1024 == 0 && run->is_stopped()) locant_give_up();
    uint32_t count;
    const TSParseActionEntry *entry = actions(run, state, has_token ? token.symbol : 0, &count);
    // After all other actions, the last reduction takes place in this alternative itself, unless it shifts.
    const TSParseAction *last = NULL;
    for (uint32_t n = 0; n < count; n++) {
      const TSParseAction *action = &entry[n].action;
      switch (action->type) {
        case TSParseActionTypeShift:
          if (action->shift.repetition) break;
          if (!has_token) return false;
          if (last) reduce(run, copy_of(run, alternative), *last, !has_token);
          if (!action->shift.extra) push(alternative, action->shift.state);
          alternative->at = token.end;
          if (token.is_external) {
            alternative->scanner.length = run->fresh.length;
            memcpy(alternative->scanner.bytes, run->fresh.bytes, run->fresh.length);
          }
          return true;
        case TSParseActionTypeReduce:
          if (last) reduce(run, copy_of(run, alternative), *last, !has_token);
          last = action;
          break;
        case TSParseActionTypeAccept:
          run->is_accepted = true;
          return true;
        default:
          return false;
      }
    }
    if (last) {
      reduce(run, alternative, *last, !has_token);
      needs_token = !has_token;
      continue;
    }
    // As in tree-sitter: a keyword that does not fit may be a plain word.
    TSSymbol word = language->keyword_capture_token;
    bool may_be_word = has_token && token.is_keyword && token.symbol != word &&
      !is_reserved(language, state, token.symbol) && table_value(run, state, word) != 0;
    if (!may_be_word) return false;
    token.symbol = word;
  }
}

static void run_all(void *payload) {
  Run *run = payload;
  Alternative *first = &run->alternatives[run->n_alternatives++];
  push(first, 1);
  while (!run->is_accepted && run->n_alternatives > 0) {
    uint32_t behind = 0;
    for (uint32_t index = 1; index < run->n_alternatives; index++) {
      if (run->alternatives[index].at < run->alternatives[behind].at) behind = index;
    }
    if (!follow(run, behind)) drop(run, behind);
    if (run->n_alternatives > 1) join(run);
  }
}

static void accept_text(void *payload) {
  Run *run = payload;
  bool has_scanner = run->language->external_scanner.states && run->language->external_scanner.create;
  if (has_scanner) run->payload = run->language->external_scanner.create();
  run_all(run);
  if (has_scanner && run->payload) run->language->external_scanner.destroy(run->payload);
  for (uint32_t n = 0; n < MOST_ALTERNATIVES; n++) ts_current_free(run->alternatives[n].states);
}

// Whether a grammar accepts a text without errors. `text` must be UTF-8 without a byte-order mark. `read` bounds the
// characters that are read, `steps` the actions of the parser, and `allocated` the memory.
bool locant_accepts(
  const TSLanguage *language,
  const char *text,
  uint32_t length,
  bool is_narrow,
  size_t read,
  size_t steps,
  size_t allocated,
  bool (*is_stopped)(void)
) {
  Run run = {.language = language, .left = steps, .is_stopped = is_stopped};
  run.lexer = (Lexer){
    .data = {
      .advance = lexer_advance,
      .mark_end = lexer_mark_end,
      .get_column = lexer_column,
      .is_at_included_range_start = lexer_at_range_start,
      .eof = lexer_eof,
      .log = lexer_log,
    },
    .text = (const uint8_t *)text,
    .length = length,
    .is_narrow = is_narrow,
    .left = read,
  };
  bool is_finished = locant_guarded(allocated, 0, accept_text, &run);
  return is_finished && run.is_accepted;
}
