//! The kinds of the nodes of a .proto file.
//!
//! The kind of a location is the name of the last field on its path through descriptor.proto: `[4, 0, 2, 1]` is a
//! `field`. The path of a statement that declares a whole list ends without an index. Its kind is its keyword:
//! `extend`, `extensions`, `reserved`.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use locant_tree::{Kind, Label, Vocabulary};

use crate::lexer::TokenKind;

/// A message of descriptor.proto that paths go through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Descriptor {
    File,
    Message,
    Field,
    Oneof,
    Enum,
    Value,
    Service,
    Method,
    Span,
    Options,
    Option,
    Part,
    /// Not a message: a path ends here.
    Plain,
}

/// A field of a message: its number, its name, the kind of a location for its whole list if it is repeated, and the
/// message it holds.
type FieldRow = (i32, &'static str, Option<&'static str>, Descriptor);

/// The fields of each message.
const FIELDS: &[(Descriptor, &[FieldRow])] = &[
    (
        Descriptor::File,
        &[
            (2, "package", None, Descriptor::Plain),
            (3, "dependency", Some("dependency"), Descriptor::Plain),
            (4, "message_type", Some("message_type"), Descriptor::Message),
            (5, "enum_type", Some("enum_type"), Descriptor::Enum),
            (6, "service", Some("service"), Descriptor::Service),
            (7, "extension", Some("extend"), Descriptor::Field),
            (8, "options", None, Descriptor::Options),
            (10, "public_dependency", Some("public_dependency"), Descriptor::Plain),
            (11, "weak_dependency", Some("weak_dependency"), Descriptor::Plain),
            (12, "syntax", None, Descriptor::Plain),
            (15, "option_dependency", Some("option_dependency"), Descriptor::Plain),
        ],
    ),
    (
        Descriptor::Message,
        &[
            (1, "name", None, Descriptor::Plain),
            (2, "field", Some("field"), Descriptor::Field),
            (3, "nested_type", Some("nested_type"), Descriptor::Message),
            (4, "enum_type", Some("enum_type"), Descriptor::Enum),
            (5, "extension_range", Some("extensions"), Descriptor::Span),
            (6, "extension", Some("extend"), Descriptor::Field),
            (7, "options", None, Descriptor::Options),
            (8, "oneof_decl", Some("oneof_decl"), Descriptor::Oneof),
            (9, "reserved_range", Some("reserved"), Descriptor::Span),
            (10, "reserved_name", Some("reserved"), Descriptor::Plain),
        ],
    ),
    (
        Descriptor::Field,
        &[
            (1, "name", None, Descriptor::Plain),
            (2, "extendee", None, Descriptor::Plain),
            (3, "number", None, Descriptor::Plain),
            (4, "label", None, Descriptor::Plain),
            (5, "type", None, Descriptor::Plain),
            (6, "type_name", None, Descriptor::Plain),
            (7, "default_value", None, Descriptor::Plain),
            (8, "options", None, Descriptor::Options),
            (10, "json_name", None, Descriptor::Plain),
        ],
    ),
    (
        Descriptor::Enum,
        &[
            (1, "name", None, Descriptor::Plain),
            (2, "value", Some("value"), Descriptor::Value),
            (3, "options", None, Descriptor::Options),
            (4, "reserved_range", Some("reserved"), Descriptor::Span),
            (5, "reserved_name", Some("reserved"), Descriptor::Plain),
        ],
    ),
    (
        Descriptor::Value,
        &[
            (1, "name", None, Descriptor::Plain),
            (2, "number", None, Descriptor::Plain),
            (3, "options", None, Descriptor::Options),
        ],
    ),
    (
        Descriptor::Service,
        &[
            (1, "name", None, Descriptor::Plain),
            (2, "method", Some("method"), Descriptor::Method),
            (3, "options", None, Descriptor::Options),
        ],
    ),
    (
        Descriptor::Method,
        &[
            (1, "name", None, Descriptor::Plain),
            (2, "input_type", None, Descriptor::Plain),
            (3, "output_type", None, Descriptor::Plain),
            (4, "options", None, Descriptor::Options),
            (5, "client_streaming", None, Descriptor::Plain),
            (6, "server_streaming", None, Descriptor::Plain),
        ],
    ),
    (
        Descriptor::Span,
        &[
            (1, "start", None, Descriptor::Plain),
            (2, "end", None, Descriptor::Plain),
            (3, "options", None, Descriptor::Options),
        ],
    ),
    (Descriptor::Options, &[(999, "uninterpreted_option", Some("uninterpreted_option"), Descriptor::Option)]),
    (
        Descriptor::Option,
        &[
            (2, "name", Some("name"), Descriptor::Part),
            (3, "identifier_value", None, Descriptor::Plain),
            (4, "positive_int_value", None, Descriptor::Plain),
            (5, "negative_int_value", None, Descriptor::Plain),
            (6, "double_value", None, Descriptor::Plain),
            (7, "string_value", None, Descriptor::Plain),
            (8, "aggregate_value", None, Descriptor::Plain),
        ],
    ),
    (Descriptor::Part, &[(1, "name_part", None, Descriptor::Plain)]),
    (Descriptor::Oneof, &[(1, "name", None, Descriptor::Plain), (2, "options", None, Descriptor::Options)]),
];

/// The kinds of nodes in which no word is a keyword: all words are names or values.
const WORDLESS: &[&str] = &[
    "uninterpreted_option",
    "name",
    "name_part",
    "extendee",
    "type_name",
    "input_type",
    "output_type",
    "default_value",
    "json_name",
    "identifier_value",
    "aggregate_value",
];

const KEYWORDS: &[&str] = &[
    "edition",
    "enum",
    "export",
    "extend",
    "extensions",
    "import",
    "local",
    "map",
    "max",
    "message",
    "oneof",
    "option",
    "package",
    "public",
    "reserved",
    "returns",
    "rpc",
    "service",
    "stream",
    "syntax",
    "to",
    "weak",
];

const SYMBOLS: std::ops::RangeInclusive<u8> = b'!'..=b'~';

/// The vocabulary of .proto files, and the labels of its kinds.
pub(crate) struct Kinds {
    pub(crate) vocabulary: Arc<Vocabulary>,
    named: HashMap<&'static str, Label>,
    keywords: HashMap<&'static str, Label>,
    symbols: HashMap<u8, Label>,
    wordless: Vec<Label>,
}

impl Kinds {
    pub(crate) fn get() -> &'static Kinds {
        static KINDS: OnceLock<Kinds> = OnceLock::new();
        KINDS.get_or_init(Kinds::new)
    }

    fn new() -> Kinds {
        let mut kinds: Vec<Kind> = Vec::new();
        let mut label = |name: &str, is_named: bool| {
            kinds.push(Kind { name: name.to_owned(), is_named });
            Label::new(u16::try_from(kinds.len() - 1).expect("there are some hundred kinds"), 0)
        };
        let mut named = HashMap::new();
        let of_fields = FIELDS.iter().flat_map(|(_, fields)| *fields);
        let of_fields = of_fields.flat_map(|(_, name, list, _)| [Some(*name), *list]).flatten();
        for name in ["file", "identifier", "integer", "float", "string", "comment", "ERROR"]
            .into_iter()
            .chain(of_fields)
        {
            named.entry(name).or_insert_with(|| label(name, true));
        }
        let keywords = KEYWORDS.iter().map(|word| (*word, label(word, false))).collect();
        let is_symbol = |byte: &u8| byte.is_ascii_punctuation();
        let symbols = SYMBOLS.filter(is_symbol);
        let symbols =
            symbols.map(|byte| (byte, label(char::from(byte).encode_utf8(&mut [0; 4]), false))).collect();
        let wordless = WORDLESS.iter().filter_map(|name| named.get(name).copied()).collect();
        let vocabulary = Vocabulary::new(kinds, Vec::new()).expect("there are some hundred kinds");
        Kinds { vocabulary: Arc::new(vocabulary), named, keywords, symbols, wordless }
    }

    pub(crate) fn file(&self) -> Label {
        self.named["file"]
    }

    pub(crate) fn comment(&self) -> Label {
        self.named["comment"].extra(true)
    }

    pub(crate) fn error(&self) -> Label {
        self.named["ERROR"]
    }

    /// The label of a token, and whether it is a word; `None` at the end of a file.
    pub(crate) fn of_token(&self, kind: TokenKind) -> Option<(Label, bool)> {
        let name = match kind {
            TokenKind::Identifier => return Some((self.named["identifier"], true)),
            TokenKind::Symbol(byte) => {
                return Some((self.symbols.get(&byte).copied().unwrap_or(self.error()), false));
            }
            TokenKind::Integer => "integer",
            TokenKind::Float => "float",
            TokenKind::String => "string",
            TokenKind::End => return None,
        };
        Some((self.named[name], false))
    }

    /// The label of a word in a node with the label `parent`: a keyword, or `identifier`.
    pub(crate) fn of_word(&self, word: &[u8], parent: Label) -> Label {
        let keyword = str::from_utf8(word).ok().and_then(|word| self.keywords.get(word));
        let keyword = keyword.filter(|_| !self.wordless.contains(&parent));
        keyword.copied().unwrap_or(self.named["identifier"])
    }

    /// The label of the location with this path.
    pub(crate) fn of_path(&self, mut path: &[i32]) -> Label {
        let (mut message, mut name) = (Descriptor::File, "file");
        while let [number, rest @ ..] = path {
            let fields = FIELDS.iter().filter(|(descriptor, _)| *descriptor == message);
            let field = fields.flat_map(|(_, fields)| *fields).find(|field| field.0 == *number);
            let Some((_, field, list, holds)) = field else { return self.error() };
            (name, message, path) = match (list, rest) {
                (None, rest) => (*field, *holds, rest),
                (Some(list), []) => (*list, *holds, rest),
                (Some(_), [_, rest @ ..]) => (*field, *holds, rest),
            };
        }
        self.named[name]
    }
}
