/**
 * Rholang for tree-sitter: the language of today together with the older one that is still in use.
 *
 * Levels. A process (`_proc`) is a parallel composition or one of its parts (`_process`). A part ends with a token of
 * its own and can be an operand (`_operand`), or with another process, which takes the operators that follow (`_open`).
 * What computes a value is an `_expression`. Patterns are written like processes and have no rules of their own; what a
 * pattern may not hold is told by the analysis of names.
 *
 * Names and processes share identifiers. Only names are followed by `!`, so one token ahead is enough to tell them
 * apart.
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

/** One or more, separated by commas; one more comma may follow. */
function list(rule) {
  return seq(rule, repeat(seq(',', rule)), optional(','));
}

/** An operator between an operand and what may stand on its right. */
function binary($, right) {
  return choice(
    // Where processes follow each other, `a -1` could also be two of them.
    ...OPERATORS.map(([level, operator]) => prec.left(level, prec.dynamic(1, seq(
      field('left', $._operand), field('operator', operator), field('right', right),
    )))),
    prec.right(EQUAL, seq(field('left', $._operand), field('operator', 'matches'), field('pattern', right))),
  );
}

/** What a collection holds: elements, and in a pattern a name for all the others. */
function elements($, rule) {
  return choice(seq(list(rule), optional($.remainder)), optional($.remainder));
}

/** A number with a point or without one, as floats and fixed-point numbers have it. */
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
    // `1 => a -1 => b`: a subtraction, or the next case? What follows tells.
    [$._part, $.binary, $._open_binary],
  ],

  rules: {
    source_file: $ => repeat($._proc),

    _proc: $ => choice($.par, $._process),

    par: $ => seq($._process, repeat1(seq('|', $._process))),

    _process: $ => choice($._part, $._open, $.call),

    // Binds like a subtraction, so that neither is chosen before it is known what follows.
    _part: $ => prec(ADD, $._operand),

    // Commands compute nothing, but patterns may be compared with them, and the language lets them stand.
    _operand: $ => choice($._expression, $._closed),

    _closed: $ => choice(
      $.match, $.select, $.contract, $.for, $.bundle, $.agent, $.send,
      alias($._closed_sync_send, $.sync_send), alias($._closed_method_send, $.method_send),
    ),

    // What ends with a process is no left operand: the operator belongs to that process.
    _open: $ => choice(
      $.new, $.if, $.let, $.sync_send, $.method_send,
      alias($._open_binary, $.binary), alias($._open_unary, $.unary),
      alias($._open_either, $.disjunction), alias($._open_both, $.conjunction), alias($._open_unlike, $.negation),
    ),

    // Names.

    _name: $ => choice($._identifier, $._older_word, $.wildcard, $.quote),

    // A type of the older language, and a name in the one of today.
    _older_word: $ => alias('BigInt', $.identifier),

    // `agent` opens an agent, and is a name everywhere else.
    _identifier: $ => choice($.identifier, alias('agent', $.identifier)),

    // A name is as short as it can be: `@x!(1)` sends on `@x`, but `@x.get(1)!(2)` on what `x` has.
    quote: $ => prec(QUOTE, seq('@', field('process', choice($._operand, $._open)))),

    names: $ => choice(seq(list($._name), optional($.name_remainder)), $.name_remainder),

    name_remainder: $ => seq('...', '@', choice($._identifier, $.wildcard)),

    // Processes.

    new: $ => seq('new', list($.declaration), 'in', field('body', $._process)),

    // After a comma, `in` may end the list or be a name in it.
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

    // Where processes follow each other, `agent x` could also be two of them. `in` behind `agent` ends a `let` if there
    // is one, and is a name otherwise.
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

    // The minus of a number binds as tightly as if it were a part of it.
    _negative: $ => prec(UNLIKE, seq('-', field('operand', $.number))),

    _value: $ => choice(
      $.eval, $.var_ref, $.parenthesized, $.block, $._variable, $.list, $.tuple, $.set, $.map, $.pathmap,
      $._literal, alias($._negative, $.unary),
    ),

    // Behind `@`, where `!` may follow both, it is what is quoted and no channel.
    _variable: $ => prec(VALUE, choice($._identifier, $.wildcard)),

    method_call: $ => prec(METHOD, seq(
      field('receiver', $._operand), '.', field('method', $.identifier), field('arguments', $.arguments),
    )),

    // There are no calls: `f(x)` is a send without its `!`. Where processes may follow each other it would pass for two of
    // them, so it has a rule, with a token that no program has. The parser then reports that one as missing.
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

    // All families of numbers have one kind of node; the suffix tells the family.
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
