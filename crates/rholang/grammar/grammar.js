/**
 * Rholang for tree-sitter: the language of today together with the older one that is still in use.
 *
 * Levels. A process (`_proc`) is a parallel composition or one of its parts (`_process`). The parts that compute a
 * value (`_expression`) are operands; the tightest of them (`_value`) can be quoted and have methods. Patterns are
 * written like processes and have no rules of their own; what a pattern may not hold is told by the analysis of names.
 *
 * Names and processes share identifiers. Only names are followed by `!`, so one token ahead is enough to tell them apart.
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
const EITHER = 13;
const BOTH = 14;
const UNLIKE = 15;

/** One or more, separated by commas; one more comma may follow. */
function list(rule) {
  return seq(rule, repeat(seq(',', rule)), optional(','));
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

  inline: $ => [$._quotable, $._operand],

  conflicts: $ => [
    // `1 => a -1 => b`: a subtraction, or the next case? What follows tells.
    [$._last_value, $.binary],
  ],

  rules: {
    source_file: $ => repeat($._proc),

    _proc: $ => choice($.par, $._process),

    par: $ => seq($._process, repeat1(seq('|', $._process))),

    _process: $ => choice($._command, $._expression),

    _command: $ => choice($.new, $.if, $.let, $._closed, $.agent, $._send, $.sync_send, $.method_send),

    // What ends with its own brace.
    _closed: $ => choice($.match, $.select, $.contract, $.for, $.bundle),

    // Names.

    _name: $ => choice($._identifier, $._older_word, $.wildcard, $.quote),

    // A type of the older language, and a name in the one of today.
    _older_word: $ => alias('BigInt', $.identifier),

    // `agent` opens an agent, and is a name everywhere else.
    _identifier: $ => choice($.identifier, alias('agent', $.identifier)),

    quote: $ => seq('@', field('process', $._quotable)),

    _quotable: $ => choice($._value, $._closed, alias($._quoted_unary, $.unary)),

    names: $ => choice(seq(list(choice($._name, alias($._quoted_send, $.quote))), optional($.name_remainder)), $.name_remainder),

    // Where only names stand, no send can be one on the quoted name.
    _quoted_send: $ => seq('@', field('process', $._send)),

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

    case: $ => seq(
      field('pattern', $._proc), optional($._guard), '=>', field('body', choice($.par, $._command, $._last_value)),
    ),

    _last_value: $ => prec(ADD, $._expression),

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

    // Where processes follow each other, `agent x` could also be two of them.
    agent: $ => prec(1, seq(
      'agent', field('name', $._name), '{', $._member, repeat(seq('|', $._member)), '}',
    )),

    _member: $ => choice($.constructor, $.method, $.default),

    constructor: $ => seq('constructor', field('formals', $.formals), field('body', $.block)),

    method: $ => seq(
      optional('private'), 'method', field('name', $.identifier), field('formals', $.formals), field('body', $.block),
    ),

    default: $ => seq(optional('private'), 'default', field('formals', $.formals), field('body', $.block)),

    send: $ => seq(field('channel', $._name), choice('!', '!!'), field('arguments', $.arguments)),

    // In patterns, sends too are joined by connectives.
    _send: $ => choice(
      $.send,
      alias($._either_send, $.disjunction), alias($._both_send, $.conjunction), alias($._unlike_send, $.negation),
    ),

    _either_send: $ => prec.left(EITHER, choice(
      seq($._send, '\\/', choice($._value, $._send)),
      seq($._value, '\\/', $._send),
    )),

    _both_send: $ => prec.left(BOTH, choice(
      seq($._send, '/\\', choice($._value, $._send)),
      seq($._value, '/\\', $._send),
    )),

    _unlike_send: $ => prec(UNLIKE, seq('~', $._send)),

    sync_send: $ => seq(
      field('channel', $._name), '!?', field('arguments', $.arguments), $._continuation,
    ),

    method_send: $ => seq(
      field('channel', $._name), '!', field('method', $.identifier), field('arguments', $.arguments), $._continuation,
    ),

    _continuation: $ => choice('.', seq(';', field('continuation', $._process))),

    arguments: $ => seq('(', optional(list($._proc)), ')'),

    // Values.

    _expression: $ => choice($.binary, $.unary, $.call, $._value),

    binary: $ => choice(...[
      [OR, choice('or', '||')],
      [AND, choice('and', '&&')],
      [EQUAL, choice('==', '!=')],
      [COMPARE, choice('<', '<=', '>', '>=')],
      [ADD, choice('+', '-', '++', '--')],
      [MULTIPLY, choice('*', '/', '%', '%%')],
    ].map(([level, operator]) => prec.left(level, seq(
      field('left', $._expression), field('operator', operator), field('right', $._operand),
    ))), prec.right(EQUAL, seq(
      field('left', $._expression), field('operator', 'matches'), field('pattern', $._operand),
    ))),

    unary: $ => prec(PREFIX, seq(choice('-', 'not'), field('operand', $._operand))),

    // A send behind `@` is one on the quoted name.
    _quoted_unary: $ => prec(PREFIX, seq(choice('-', 'not'), field('operand', $._value))),

    // Commands compute nothing, but patterns may be compared with them, and the language lets them stand.
    _operand: $ => choice($._expression, $._command),

    // The minus of a number binds as tightly as if it were a part of it.
    _negative: $ => prec(UNLIKE, seq('-', field('operand', $.number))),

    _value: $ => choice(
      $.method_call, $.eval, $.var_ref, $.disjunction, $.conjunction, $.negation, $.parenthesized, $.block,
      $._identifier, $.wildcard, $.list, $.tuple, $.set, $.map, $.pathmap, $._literal, alias($._negative, $.unary),
    ),

    method_call: $ => prec(METHOD, seq(
      field('receiver', $._value), '.', field('method', $.identifier), field('arguments', $.arguments),
    )),

    // There are no calls: `f(x)` is a send without its `!`. Where processes may follow each other it would pass for two of
    // them, so it has a rule, with a token that no program has. The parser then reports that one as missing.
    call: $ => seq(
      $._identifier, token.immediate(prec(1, '(')), optional(list($._proc)), ')', '`!` in front of the parenthesis',
    ),

    eval: $ => seq('*', field('name', $._name)),

    var_ref: $ => seq('=', optional('*'), $._identifier),

    disjunction: $ => prec.left(EITHER, seq($._value, '\\/', $._value)),

    conjunction: $ => prec.left(BOTH, seq($._value, '/\\', $._value)),

    negation: $ => prec(UNLIKE, seq('~', choice($._value, $._closed))),

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

    type: _ => choice('Bool', 'Int', 'String', 'Uri', 'ByteArray', 'BigInt'),

    identifier: _ => /[A-Za-z][A-Za-z0-9_']*|_[A-Za-z0-9_']+/,

    line_comment: _ => token(seq('//', /[^\n]*/)),

    block_comment: _ => token(seq('/*', /[^*]*\*+([^/*][^*]*\*+)*/, '/')),
  },
});
