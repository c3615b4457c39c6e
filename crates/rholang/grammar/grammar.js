/**
 * The grammar of Rholang for tree-sitter. It covers the current language and the older one that is still in use.
 *
 * Levels: A process (`_proc`) is a parallel composition or one of its parts (`_process`). A part that ends with its own
 * token can be an operand (`_operand`). A part that ends with another process (`_open`) cannot: operators that follow
 * belong to that inner process. An `_expression` computes a value. Patterns are written like processes and have no
 * rules of their own. Nodes that are allowed only in patterns are reported when names are bound, not here.
 *
 * Names and processes share identifiers. Only names are followed by `!`, so one token of lookahead tells them apart.
 */

// How tightly operators bind, the loosest first.
const OR = 4;
const AND = 5;
const EQUAL = 6;
const COMPARE = 7;
const ADD = 8;
const MULTIPLY = 9;
const PREFIX = 10;
const METHOD = 11;
const QUOTE = 12;
const EITHER = 13;
const BOTH = 14;
const UNLIKE = 15;
const VALUE = 16;

/** The operators of values, and how tightly they bind. */
const OPERATORS = [
  [OR, choice('or', '||')],
  [AND, choice('and', '&&')],
  [EQUAL, choice('==', '!=')],
  [COMPARE, choice('<', '<=', '>', '>=')],
  [ADD, choice('+', '-', '++', '--')],
  [MULTIPLY, choice('*', '/', '%', '%%')],
];

/** One or more, separated by commas. A comma may follow the last one. */
function list(rule) {
  return seq(rule, repeat(seq(',', rule)), optional(','));
}

/** An operator with an operand on its left and `right` on its right. */
function binary($, right) {
  return choice(
    // Where one process may follow another, `a -1` could also be two processes.
    ...OPERATORS.map(([level, operator]) => prec.left(level, prec.dynamic(1, seq(
      field('left', $._operand), field('operator', operator), field('right', right),
    )))),
    prec.right(EQUAL, seq(field('left', $._operand), field('operator', 'matches'), field('pattern', right))),
  );
}

/** The elements of a collection. In a pattern, a name for all other elements may follow. */
function elements($, rule) {
  return choice(seq(list(rule), optional($.remainder)), optional($.remainder));
}

/** The digits of a float or fixed-point number, with or without a point. */
const MANTISSA = /(\d+\.?\d*|\.\d+)/;

module.exports = grammar({
  name: 'rholang',

  word: $ => $.identifier,

  extras: $ => [/\s/, $.line_comment, $.block_comment],

  reserved: {
    global: _ => [
      'new', 'if', 'else', 'let', 'match', 'select', 'contract', 'for', 'or', 'and', 'matches', 'not', 'bundle', 'bundle0',
      'true', 'false', 'where',
    ],
  },

  conflicts: $ => [
    // In `1 => a -1 => b`, `-1` is the pattern of the next case, not a subtraction. Only the `=>` after it tells.
    [$._part, $.binary, $._open_binary],
  ],

  rules: {
    source_file: $ => repeat($._proc),

    _proc: $ => choice($.par, $._process),

    par: $ => seq($._process, repeat1(seq('|', $._process))),

    _process: $ => choice($._part, $._open, $.call),

    // This has the precedence of a subtraction, so that the parser keeps both readings until it sees what follows.
    _part: $ => prec(ADD, $._operand),

    // The statements in `_closed` compute nothing, but the language allows them as operands, for example in patterns.
    _operand: $ => choice($._expression, $._closed),

    _closed: $ => choice(
      $.match, $.select, $.contract, $.for, $.bundle, $.agent, $.send,
      alias($._closed_sync_send, $.sync_send), alias($._closed_method_send, $.method_send),
    ),

    // What ends with a process cannot be a left operand: an operator after it belongs to that process.
    _open: $ => choice(
      $.new, $.if, $.let, $.sync_send, $.method_send,
      alias($._open_binary, $.binary), alias($._open_unary, $.unary),
      alias($._open_either, $.disjunction), alias($._open_both, $.conjunction), alias($._open_unlike, $.negation),
    ),

    // Names.

    _name: $ => choice($._identifier, $._older_word, $.wildcard, $.quote),

    // `BigInt` is a type in the older language, and a name in the current one.
    _older_word: $ => alias('BigInt', $.identifier),

    // `agent` starts an agent. Everywhere else it is a name.
    _identifier: $ => choice($.identifier, alias('agent', $.identifier)),

    // A quote is as short as possible: `@x!(1)` sends on `@x`, and `@x.get(1)!(2)` sends on `@x.get(1)`.
    quote: $ => prec(QUOTE, seq('@', field('process', choice($._operand, $._open)))),

    names: $ => choice(seq(list($._name), optional($.name_remainder)), $.name_remainder),

    name_remainder: $ => seq('...', '@', choice($._identifier, $.wildcard)),

    // Processes.

    new: $ => seq('new', list($.declaration), 'in', field('body', $._process)),

    // After a comma, `in` can end the list or be a name in the list.
    declaration: $ => prec(1, seq(
      field('name', choice($._identifier, $._older_word, alias('in', $.identifier))),
      optional(seq('(', field('uri', $.uri), ')')),
    )),

    if: $ => prec.right(seq(
      'if', '(', field('condition', $._proc), ')',
      field('then', $._process),
      optional(seq('else', field('else', $._process))),
    )),

    let: $ => seq(
      'let',
      $.binding,
      choice(repeat(seq(';', $.binding)), repeat1(seq('&', $.binding))),
      'in',
      field('body', $._process),
    ),

    binding: $ => choice(
      seq(optional(field('names', $.names)), '<-', field('values', $.values)),
      seq(field('name', choice($._identifier, $._older_word)), '=', field('value', $._proc)),
    ),

    values: $ => list($._proc),

    match: $ => seq('match', field('value', $._expression), '{', repeat1($.case), '}'),

    case: $ => seq(field('pattern', $._proc), optional($._guard), '=>', field('body', $._proc)),

    _guard: $ => seq('where', field('guard', $._proc)),

    select: $ => seq('select', '{', repeat1($.branch), '}'),

    branch: $ => seq(
      alias($._linear_bind, $.bind),
      repeat(seq(choice(';', '&'), alias($._linear_bind, $.bind))),
      optional($._guard),
      '=>',
      field('body', $._proc),
    ),

    contract: $ => seq(
      'contract', field('name', $._name), field('formals', $.formals), '=', field('body', $.block),
    ),

    formals: $ => seq('(', optional($.names), ')'),

    for: $ => seq('for', '(', $.receipt, repeat(seq(';', $.receipt)), ')', field('body', $.block)),

    receipt: $ => seq($._bind, repeat(seq('&', $._bind)), optional($._guard)),

    _bind: $ => choice(alias($._linear_bind, $.bind), $.bind),

    _linear_bind: $ => seq(optional(field('names', $.names)), '<-', field('source', $._source)),

    bind: $ => seq(optional(field('names', $.names)), choice('<=', '<<-'), field('source', $._name)),

    _source: $ => choice($._name, $.acknowledged, $.send_receive, $.method_receive),

    acknowledged: $ => seq(field('channel', $._name), '?!'),

    send_receive: $ => seq(field('channel', $._name), '!?', field('arguments', $.arguments)),

    method_receive: $ => seq(
      field('channel', $._name), '!', field('method', $.identifier), field('arguments', $.arguments),
    ),

    bundle: $ => seq(choice('bundle+', 'bundle-', 'bundle0', 'bundle'), field('body', $.block)),

    block: $ => seq('{', $._proc, '}'),

    // Where one process may follow another, `agent x` could also be two processes. `in` after `agent` ends a `let` if
    // there is one. Otherwise it is a name.
    agent: $ => choice(
      prec(1, seq('agent', field('name', $._name), $._members)),
      prec(-1, seq('agent', field('name', alias('in', $.identifier)), $._members)),
    ),

    _members: $ => seq('{', $._member, repeat(seq('|', $._member)), '}'),

    _member: $ => choice($.constructor, $.method, $.default),

    constructor: $ => seq('constructor', field('formals', $.formals), field('body', $.block)),

    method: $ => seq(
      optional('private'), 'method', field('name', $.identifier), field('formals', $.formals), field('body', $.block),
    ),

    default: $ => seq(optional('private'), 'default', field('formals', $.formals), field('body', $.block)),

    send: $ => seq(field('channel', $._name), choice('!', '!!'), field('arguments', $.arguments)),

    sync_send: $ => seq($._ask, $._continuation),

    _closed_sync_send: $ => seq($._ask, '.'),

    _ask: $ => seq(field('channel', $._name), '!?', field('arguments', $.arguments)),

    method_send: $ => seq($._ask_method, $._continuation),

    _closed_method_send: $ => seq($._ask_method, '.'),

    _ask_method: $ => seq(
      field('channel', $._name), '!', field('method', $.identifier), field('arguments', $.arguments),
    ),

    _continuation: $ => seq(';', field('continuation', $._process)),

    arguments: $ => seq('(', optional(list($._proc)), ')'),

    // Values.

    _expression: $ => choice(
      $.binary, $.unary, $.disjunction, $.conjunction, $.negation, $.method_call, $._value,
    ),

    binary: $ => binary($, choice($._operand, $.call)),

    _open_binary: $ => binary($, $._open),

    unary: $ => prec(PREFIX, seq(choice('-', 'not'), field('operand', choice($._operand, $.call)))),

    _open_unary: $ => prec(PREFIX, seq(choice('-', 'not'), field('operand', $._open))),

    disjunction: $ => prec.left(EITHER, seq($._operand, '\\/', $._operand)),

    _open_either: $ => prec.left(EITHER, seq($._operand, '\\/', $._open)),

    conjunction: $ => prec.left(BOTH, seq($._operand, '/\\', $._operand)),

    _open_both: $ => prec.left(BOTH, seq($._operand, '/\\', $._open)),

    negation: $ => prec(UNLIKE, seq('~', $._operand)),

    _open_unlike: $ => prec(UNLIKE, seq('~', $._open)),

    // The minus before a number binds as tightly as if it were a part of the number.
    _negative: $ => prec(UNLIKE, seq('-', field('operand', $.number))),

    _value: $ => choice(
      $.eval, $.var_ref, $.parenthesized, $.block, $._variable, $.list, $.tuple, $.set, $.map, $.pathmap,
      $._literal, alias($._negative, $.unary),
    ),

    // After `@`, a variable is the quoted process and not the channel of a send, though `!` may follow either.
    _variable: $ => prec(VALUE, choice($._identifier, $.wildcard)),

    method_call: $ => prec(METHOD, seq(
      field('receiver', $._operand), '.', field('method', $.identifier), field('arguments', $.arguments),
    )),

    // Rholang has no calls: `f(x)` is a send without its `!`. Where one process may follow another, it would be read as
    // two processes. So it has its own rule, which ends with a token that no program has. The parser reports this token
    // as missing.
    call: $ => seq(
      $._identifier, token.immediate(prec(1, '(')), optional(list($._proc)), ')', '`!` in front of the parenthesis',
    ),

    eval: $ => seq('*', field('name', $._name)),

    var_ref: $ => seq('=', optional('*'), $._identifier),

    parenthesized: $ => seq('(', $._proc, ')'),

    wildcard: _ => '_',

    list: $ => seq('[', elements($, $._proc), ']'),

    tuple: $ => seq('(', $._proc, ',', optional(list($._proc)), ')'),

    set: $ => seq('Set', '(', elements($, $._proc), ')'),

    map: $ => seq('{', elements($, $.pair), '}'),

    pair: $ => seq(field('key', $._proc), ':', field('value', $._proc)),

    pathmap: $ => seq('{|', elements($, $._proc), '|}'),

    remainder: $ => seq('...', choice($._identifier, $.wildcard)),

    _literal: $ => choice($.nil, $.unit, $.boolean, $.number, $.big_integer, $.string, $.uri, $.type),

    nil: _ => 'Nil',

    unit: _ => seq('(', ')'),

    boolean: _ => choice('true', 'false'),

    // All families of numbers have the same kind of node. The suffix tells the family.
    number: _ => token(choice(
      /\d+/,
      /\d+[iu][1-9]\d*/,
      /\d+[nr]/,
      seq(MANTISSA, /([eE][+-]?\d+)?f(32|64|128|256)/),
      seq(MANTISSA, /p\d+/),
    )),

    big_integer: $ => seq('BigInt', token.immediate('('), $.number, ')'),

    string: $ => seq('"', repeat(choice($._string_content, $.escape)), token.immediate('"')),

    _string_content: _ => token.immediate(prec(1, /[^"\\]+/)),

    escape: _ => token.immediate(/\\([nrt"\\]|\d+)/),

    uri: _ => /`[^`]*`/,

    type: _ => prec(VALUE, choice('Bool', 'Int', 'String', 'Uri', 'ByteArray', 'BigInt')),

    identifier: _ => /[A-Za-z][A-Za-z0-9_']*|_[A-Za-z0-9_']+/,

    line_comment: _ => token(seq('//', /[^\n]*/)),

    block_comment: _ => token(seq('/*', /[^*]*\*+([^/*][^*]*\*+)*/, '/')),
  },
});
