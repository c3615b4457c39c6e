//! The flaws that the text of a .proto file can have.

use locant_text::Range;

/// A flaw at a place in the text. The parser reads on after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where the problem is.
    pub range: Range,
    /// What is wrong there.
    pub flaw: Flaw,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A `/*` without its `*/`.
    OpenComment,
    /// A `/*` inside a block comment.
    NestedComment,
    /// A string without its closing quote.
    OpenString,
    /// A control character outside of strings and comments.
    ControlCharacter,
    /// A character beyond ASCII outside of strings and comments.
    NotAscii,
    /// A letter right after a number.
    WordInNumber,
    /// Something is missing, or something else is in its place. The string says what is expected, such as `a number`.
    Expected(&'static str),
    /// A block that is not closed. The string says what kind of block it is, such as `message`.
    Unclosed(&'static str),
    /// A `}` that closes nothing.
    Unopened,
    /// Something that is not a statement here. The string says what it should be a statement of, such as `a message`.
    NoStatement(&'static str),
    /// A number that is out of range.
    OutOfRange,
    /// Messages nested too deeply.
    TooDeep,
    /// An unknown syntax or edition.
    UnknownSyntax,
    /// A second default value or JSON name of a field.
    SetTwice,
    /// A name declared twice in the same scope.
    Twice,
    /// A type that no file declares.
    UnknownType,
    /// An import of a file that cannot be read.
    MissingImport,
    /// An option that no file declares.
    UnknownOption,
}

impl Flaw {
    /// Whether the flaw is one of the syntax, so that it is not certain where statements and blocks start and end.
    pub fn is_of_syntax(self) -> bool {
        match self {
            Flaw::OpenComment
            | Flaw::NestedComment
            | Flaw::OpenString
            | Flaw::ControlCharacter
            | Flaw::NotAscii
            | Flaw::WordInNumber
            | Flaw::Expected(_)
            | Flaw::Unclosed(_)
            | Flaw::Unopened
            | Flaw::NoStatement(_)
            | Flaw::TooDeep => true,
            Flaw::OutOfRange
            | Flaw::UnknownSyntax
            | Flaw::SetTwice
            | Flaw::Twice
            | Flaw::UnknownType
            | Flaw::MissingImport
            | Flaw::UnknownOption => false,
        }
    }

    /// What is wrong, as a sentence without its full stop.
    pub fn message(self) -> String {
        match self {
            Flaw::OpenComment => "the comment has no end".to_owned(),
            Flaw::NestedComment => "block comments cannot be nested".to_owned(),
            Flaw::OpenString => "the string has no closing quote on its line".to_owned(),
            Flaw::ControlCharacter => "a control character stands outside of strings and comments".to_owned(),
            Flaw::NotAscii => "a character beyond ASCII stands outside of strings and comments".to_owned(),
            Flaw::WordInNumber => "a letter follows a number without a space".to_owned(),
            Flaw::Expected(what) => format!("expected {what}"),
            Flaw::Unclosed(what) => format!("the {what} is not closed"),
            Flaw::Unopened => "this `}` closes nothing".to_owned(),
            Flaw::NoStatement(place) => format!("this is not a statement of {place}"),
            Flaw::OutOfRange => "the number is out of range".to_owned(),
            Flaw::TooDeep => "messages are nested too deeply; what is inside is not read".to_owned(),
            Flaw::UnknownSyntax => "the syntax is not known".to_owned(),
            Flaw::SetTwice => "the option is given already".to_owned(),
            Flaw::Twice => "the name is already declared in this scope".to_owned(),
            Flaw::UnknownType => "no file declares this type".to_owned(),
            Flaw::MissingImport => "the imported file cannot be read".to_owned(),
            Flaw::UnknownOption => "no file declares this option".to_owned(),
        }
    }

    /// The short name of the flaw.
    pub fn code(self) -> &'static str {
        match self {
            Flaw::OpenComment => "open-comment",
            Flaw::NestedComment => "nested-comment",
            Flaw::OpenString => "open-string",
            Flaw::ControlCharacter => "control-character",
            Flaw::NotAscii => "not-ascii",
            Flaw::WordInNumber => "word-in-number",
            Flaw::Expected(_) => "expected",
            Flaw::Unclosed(_) => "unclosed",
            Flaw::Unopened => "unopened",
            Flaw::NoStatement(_) => "no-statement",
            Flaw::OutOfRange => "out-of-range",
            Flaw::TooDeep => "too-deep",
            Flaw::UnknownSyntax => "unknown-syntax",
            Flaw::SetTwice => "option-twice",
            Flaw::Twice => "declared-twice",
            Flaw::UnknownType => "unknown-type",
            Flaw::MissingImport => "missing-import",
            Flaw::UnknownOption => "unknown-option",
        }
    }

    /// What to do about the flaw.
    pub fn hint(self) -> &'static str {
        match self {
            Flaw::OpenComment => "close it with `*/`",
            Flaw::NestedComment => "close the outer comment first",
            Flaw::OpenString => "close the string on this line; strings side by side are joined",
            Flaw::ControlCharacter | Flaw::NotAscii => "remove it",
            Flaw::WordInNumber => "put a space between them",
            Flaw::Expected(_) => "insert it here",
            Flaw::Unclosed(_) => "close it with `}`",
            Flaw::Unopened => "remove it, or find the `{` that is missing before",
            Flaw::NoStatement(_) => "remove it, or start it with a keyword such as `message` or `option`",
            Flaw::OutOfRange => "numbers of fields go to 536870911, of enum values to 2147483647",
            Flaw::TooDeep => "declare inner messages at the top of the file",
            Flaw::UnknownSyntax => "write syntax = \"proto3\", or an edition such as \"2023\"",
            Flaw::SetTwice => "remove one of the two",
            Flaw::Twice => "rename one of the two",
            Flaw::UnknownType | Flaw::UnknownOption => {
                "import the file that declares it, or correct the name"
            }
            Flaw::MissingImport => "name the directory it lies in as one of `proto_path`",
        }
    }
}
