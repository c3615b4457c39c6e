// The files whose pages are tested. They contain everything that makes places hard to compute.

const PYTHON = `"""Shops — prices in €."""
class Cart:
\tdef total(self, items):
\t\treturn sum(item.price for item in items)  # 😀 total

\tdef add(self, item):
\t\tself.items.append(item); self.items.sort()
\t\treturn self.items

def total(cart):
    emoji = "👩‍👧 naïve 日本語"
    return cart.total(cart.items), emoji
`;

const HOSTILE = Buffer.concat([
  Buffer.from(`// </script><script>window.broken = 1</script><!-- <img src=x onerror="window.broken=2">
const a = "\u202e }) esrever \u2066"; // \u200bzero​width
const b = "`),
  Buffer.from([0xff, 0xc3, 0x28, 0xe2, 0x82, 0x20, 0xf0, 0x9f, 0x98, 0x41]),
  Buffer.from(`"; const c = 'שלום'; const \${d} = "&lt;script&gt;";\u2028const e = 1;\x0b\x1b[31m\x7f
function f(x) { return "</style></title>" + x; }
`),
]);

const PROTO = `syntax = "proto3";
package shop.v1;

// An order — of €.
message Order {
\tstring name = 1; // 😀 the name
  repeated Item items = 2;
  /* a map */ map<string, int64> totals = 3 [deprecated = true];
  oneof payer { string card = 4; bool cash = 5; }
  message Item { optional string label = 1; }
}

enum Kind { KIND_UNSPECIFIED = 0; KIND_BOOK = 1; }

service Shop { rpc Buy(Order) returns (Order); }
`;

const RHOLANG = `new cell, ack in { // 😀
  contract cell(@value, return) = { return!(value + 1) } |
  cell!(41, *ack) |
  for (@result <- ack) { @"stdout"!(result) }
}
`;

/** A file of ten thousand lines. */
function long() {
  const lines = ['//! Ten thousand lines.', ''];
  for (let n = 0; lines.length < 10_000; n += 1) {
    lines.push(
      `/// Shop number ${n}.`,
      `pub fn shop_${n}(price: u64, tax: u64) -> u64 {`,
      `    let total = price.saturating_mul(${n}) + tax; // € ${n}`,
      '    if total > price { return total - price; }',
      `    total.checked_add(shop_${Math.max(0, n - 1)}(price, tax)).unwrap_or(0)`,
      '}',
      '',
    );
  }
  return lines.join('\n');
}

/** The files by their names. */
export const FILES = {
  'cart.py': Buffer.from(PYTHON),
  'crlf.py': Buffer.from(PYTHON.replaceAll('\n', '\r\n')),
  'mark.py': Buffer.from(`\ufeff${PYTHON.replace('\n', '\r')}`),
  'hostile.js': HOSTILE,
  'shop.proto': Buffer.from(PROTO),
  'cell.rho': Buffer.from(RHOLANG),
  'long.rs': Buffer.from(long()),
  'one-line.json': Buffer.from(`{"list": [${Array.from({ length: 800 }, (_, n) => `{"n": ${n}, "é": "😀"}`).join(', ')}]}`),
  'words.unknown': Buffer.from('some words, in no language: some words\n'),
  'empty.py': Buffer.from(''),
  'odd <b>&"name\'.py': Buffer.from('def f():\n    return f\n'),
};

/** Locations to type, in addition to those that the program gives for places. */
export const TYPED = {
  'cart.py': [
    'cart.py:Cart', 'cart.py:Cart.total', 'cart.py:total', 'cart.py:add', 'cart.py:4', 'cart.py:L4', 'cart.py#L4-L6', 'cart.py:3-5',
    'cart.py:3,0', 'cart.py:4:3', 'cart.py:4:3-5:1', 'cart.py@self.<|>items', 'cart.py@items', 'cart.py@self.items.sort<|>()',
    'cart.py:Cart.add@return <|>self', 'cart.py@"👩‍👧 <|>naïve', 'cart.py@nothing here', 'cart.py:99', 'cart.py:0', 'cart.py:5-3',
    'cart.py@tot', 'cart.py@self . items', 'cart.py:Cart@<|>', 'cart.py:4@<|>', 'cart.py@cart.total( cart.items )', ':total@emoji<|>',
    'cart.py:Cart::add', 'cart.py:`Cart`.`add`', 'cart.py@ 日本<|>語', 'cart.py:4:99', 'cart.py@x<<|>>y', 'cart.py@return', 'cart.py:1@—',
    'cart.py:Cart@def add', 'cart.py:missing', 'cart.py:def total', 'cart.py:4~k7', 'cart.py:Cart.total(items)', 'other.py:f',
    'cart.py', 'cart.py@return<|> sum', 'cart.py@return <|> sum', 'cart.py@(<|>item', 'cart.py@;', 'cart.py@item)<|>;',
  ],
  'shop.proto': [
    'shop.proto:[4,0]', 'shop.proto:[4,0,2,1,1]', 'shop.proto:[4, 0, 2, 0]', 'shop.proto:message_type[0].field[1].name', 'shop.proto:Order',
    'shop.proto:Order.Item.label', 'shop.proto:shop.v1.Order.name', 'shop.proto:[4,0]@<|>items', 'shop.proto:[6,0,2,0]@returns <|>(',
    'shop.proto:[4,9]', 'shop.proto:Kind.KIND_BOOK', 'shop.proto:[]', 'shop.proto:label',
  ],
  'cell.rho': ['cell.rho:cell', 'cell.rho@for (<|>@result', 'cell.rho:3@cell!(<|>41', 'cell.rho@cell'],
  'hostile.js': ['hostile.js:f', 'hostile.js@</script>', 'hostile.js:f@</style><|>', "hostile.js@'שלום'", 'hostile.js@esrever'],
  'words.unknown': ['words.unknown@words', 'words.unknown:1', 'words.unknown:some'],
  'long.rs': ['long.rs:shop_700@total <|>-', 'long.rs@shop_1200<|>(', 'long.rs:9990', 'long.rs:shop_3'],
};
