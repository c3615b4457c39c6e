//! The kinds of nodes and their fields, looked up by the parser's numbers for them.

use std::sync::LazyLock;

use tree_sitter::Language;

macro_rules! words {
    ($(#[$doc:meta])* $type:ident { $($variant:ident = $word:literal,)* } else { $($other:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $type { $($variant,)* $($other,)* }

        impl $type {
            fn of(word: &str) -> Option<$type> {
                match word {
                    $($word => Some($type::$variant),)*
                    _ => None,
                }
            }

            #[cfg(test)]
            const WORDS: &[&str] = &[$($word,)*];
        }
    };
}

words! {
    /// The kind of a node.
    Kind {
        SourceFile = "source_file", Par = "par", New = "new", Declaration = "declaration", If = "if", Let = "let",
        Binding = "binding", Values = "values", Match = "match", Case = "case", Select = "select", Branch = "branch",
        Contract = "contract", Formals = "formals", For = "for", Receipt = "receipt", Bind = "bind",
        Acknowledged = "acknowledged", SendReceive = "send_receive", MethodReceive = "method_receive",
        Bundle = "bundle", Block = "block", Agent = "agent", Constructor = "constructor", Method = "method",
        Default = "default", Send = "send", SyncSend = "sync_send", MethodSend = "method_send",
        Arguments = "arguments", Binary = "binary", Unary = "unary", MethodCall = "method_call", Call = "call",
        Eval = "eval", VarRef = "var_ref", Disjunction = "disjunction", Conjunction = "conjunction",
        Negation = "negation", Parenthesized = "parenthesized", Identifier = "identifier", Wildcard = "wildcard",
        List = "list", Tuple = "tuple", Set = "set", Map = "map", Pair = "pair", Pathmap = "pathmap",
        Remainder = "remainder", NameRemainder = "name_remainder", Names = "names", Quote = "quote", Nil = "nil",
        Unit = "unit", Boolean = "boolean", Number = "number", BigInteger = "big_integer", String = "string",
        Escape = "escape", Uri = "uri", Type = "type", LineComment = "line_comment",
        BlockComment = "block_comment", Error = "ERROR",
    } else {
        // Tokens that the grammar gives no name: words such as `new`, and marks such as `!`.
        Word, Mark,
    }
}

words! {
    /// The role of a node in its parent.
    Field {
        Name = "name", Names = "names", Body = "body", Value = "value", Values = "values", Pattern = "pattern",
        Guard = "guard", Formals = "formals", Source = "source", Channel = "channel", Arguments = "arguments",
        Method = "method", Process = "process", Operator = "operator", Uri = "uri",
    } else {
        // Fields that this crate does not use.
        Other,
    }
}

/// The kinds and the fields, indexed by the parser's numbers for them.
struct Numbers {
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    let grammar = Language::from(crate::LANGUAGE);
    let kind = |id: u16| {
        let word = grammar.node_kind_for_id(id).unwrap_or_default();
        match grammar.node_kind_is_named(id).then(|| Kind::of(word)).flatten() {
            Some(kind) => kind,
            None if word.starts_with(|c: char| c.is_ascii_alphabetic()) => Kind::Word,
            None => Kind::Mark,
        }
    };
    let field = |id: u16| grammar.field_name_for_id(id).and_then(Field::of).unwrap_or(Field::Other);
    let n_kinds = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    let n_fields = u16::try_from(grammar.field_count()).unwrap_or(u16::MAX);
    Numbers { kinds: (0..n_kinds).map(kind).collect(), fields: (0..=n_fields).map(field).collect() }
});

impl Kind {
    /// The kind that has this number in the parser. The number of error nodes is larger than all others.
    pub(crate) fn by_number(number: u16) -> Kind {
        NUMBERS.kinds.get(usize::from(number)).copied().unwrap_or(Kind::Error)
    }

    /// Whether a node of this kind has a meaning only in patterns.
    pub(crate) fn is_for_patterns(self) -> bool {
        use Kind::{Conjunction, Disjunction, NameRemainder, Negation, Remainder, Type, VarRef, Wildcard};
        matches!(
            self,
            Wildcard | Conjunction | Disjunction | Negation | VarRef | Remainder | NameRemainder | Type
        )
    }

    /// Whether a node of this kind is a comment.
    pub(crate) fn is_comment(self) -> bool {
        matches!(self, Kind::LineComment | Kind::BlockComment)
    }
}

impl Field {
    /// The field that has this number in the parser.
    pub(crate) fn by_number(number: u16) -> Field {
        NUMBERS.fields.get(usize::from(number)).copied().unwrap_or(Field::Other)
    }
}

/// The reserved words, which cannot be names.
pub(crate) const RESERVED: &[&str] = &[
    "new",
    "if",
    "else",
    "let",
    "match",
    "select",
    "contract",
    "for",
    "or",
    "and",
    "matches",
    "not",
    "bundle",
    "bundle0",
    "true",
    "false",
    "where",
    "Nil",
    "Set",
    "Bool",
    "Int",
    "String",
    "Uri",
    "ByteArray",
    "BigInt",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_has_every_kind_and_field() {
        let grammar = Language::from(crate::LANGUAGE);
        let has_kind = |word: &&&str| grammar.id_for_node_kind(word, true) != 0;
        let has_field = |word: &&&str| grammar.field_id_for_name(word).is_some();
        assert_eq!(Kind::WORDS.iter().filter(|word| **word != "ERROR").find(|word| !has_kind(word)), None);
        assert_eq!(Field::WORDS.iter().find(|word| !has_field(word)), None);
    }

    #[test]
    fn every_named_kind_of_the_grammar_is_known() {
        let grammar = Language::from(crate::LANGUAGE);
        let n_kinds = u16::try_from(grammar.node_kind_count()).expect("kinds are few");
        let visible =
            (0..n_kinds).filter(|&id| grammar.node_kind_is_visible(id) && grammar.node_kind_is_named(id));
        let unknown: Vec<_> = visible
            .filter_map(|id| grammar.node_kind_for_id(id))
            .filter(|word| Kind::of(word).is_none() && *word != "end")
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
