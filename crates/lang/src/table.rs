//! The shapes of the packed rules: what the build script writes and the walk reads.
//!
//! Node kinds are numbered by language in the order in which its rules first mention them; these numbers, not
//! the grammar's ids, stand in the tables, so the tables are plain constants. `kinds.rs` maps one to the other.

use locant_tree::SymbolKind;

use crate::packed::{List, Word};

/// The number of a node kind or field in the tables of its language.
pub(crate) type Local = u16;

/// All rules of one language.
pub(crate) struct Tables {
    /// Invariant: sorted by name; named kinds before tokens of the same spelling.
    pub(crate) kinds: List<KindName>,
    /// Invariant: sorted by name.
    pub(crate) fields: List<FieldName>,
    /// What the rules say of a kind, by its number.
    pub(crate) roles: List<Role>,
    pub(crate) symbols: List<SymbolRule>,
    pub(crate) scopes: List<ScopeRule>,
    pub(crate) wrappers: List<WrapperRule>,
    pub(crate) packages: List<PackageRule>,
    pub(crate) attached: List<AttachedRule>,
    pub(crate) broken: List<Conditions>,
    pub(crate) closed: List<Conditions>,
    pub(crate) through: List<Through>,
    pub(crate) embeds: List<EmbedRule>,
    pub(crate) recovery: List<RecoveryLine>,
    pub(crate) words: Words,
}

/// What the rules say about text rather than nodes.
pub(crate) struct Words {
    /// What may end a declaration without being part of its node: `;`.
    pub(crate) terminator: Option<u8>,
    /// Comments that start so belong to what they stand in, not to what follows.
    pub(crate) inner_comments: List<Word>,
    /// Characters that are trimmed from both ends of a name.
    pub(crate) quotes: Word,
    /// Those of them that are doubled where they are a part of the name.
    pub(crate) doubled: Word,
    /// What opens a comment that runs to the end of the line.
    pub(crate) line_comments: List<Word>,
    /// What opens an item of a list; in front of a line it is as good as a blank.
    pub(crate) bullets: Word,
    /// What names in front stand for, where the file does not declare them.
    pub(crate) front: Frame,
    /// Whether the grammar must see the text from its start, with its byte-order mark.
    pub(crate) keeps_mark: bool,
    /// Whether one element holds all the others, indented or not.
    pub(crate) has_root: bool,
    /// Whether members stand in parentheses after the name of a type, with commas between.
    pub(crate) listed: bool,
    /// How deep lines may be nested; what is deeper is too much for the grammar.
    pub(crate) deepest: Option<usize>,
    /// The same for elements, by their tags.
    pub(crate) deepest_tags: Option<usize>,
    /// How many marks may stand in a row, without a word between them; more take the grammar too long.
    pub(crate) most_marks: Option<usize>,
    /// Words that a line starts with which goes on with the block above, though it is not indented.
    pub(crate) goes_on: List<Word>,
    /// Words that a line starts with which closes a block.
    pub(crate) closes: List<Word>,
    /// Words that a line starts with which opens a block; empty where braces do.
    pub(crate) opens: List<Word>,
    /// What opens texts, and what closes them; below a line that ends with a single mark, a text is indented.
    pub(crate) texts: List<Word>,
    /// Whether the last line must end with a break: after an annotation there the grammar would run on for ever.
    pub(crate) final_break: bool,
    /// Whether the grammar must be shown only characters of Latin-1: its scanner looks them up in a table of 256.
    pub(crate) narrow: bool,
    /// Words between which and a `}` the grammar wants a line break. If there are any, it wants a break in front of
    /// every `}`, too.
    pub(crate) breaks: List<Word>,
    /// Macros that stand for themselves and that the grammar must not see.
    pub(crate) markers: List<Word>,
    /// The same for macros that are attributes of the declaration that follows.
    pub(crate) attributes: List<Word>,
    /// Words that open a type, in front of whose name words in capitals are macros.
    pub(crate) exported: List<Word>,
    /// Words that open a declaration in which words in capitals after a name are attributes.
    pub(crate) attributed: List<Word>,
    /// Macros that open an enum, whose name is the last of what they have in brackets.
    pub(crate) enums: List<Word>,
    /// Macros that open a block that is called by a text.
    pub(crate) titled: List<Word>,
    /// Macros that open a method, whose header they have in brackets.
    pub(crate) methods: List<Word>,
    /// Words that open a loop over a range, which the grammar does not know.
    pub(crate) ranged: List<Word>,
    /// Words that open a block of declarations, each with the kind of symbol it declares. Languages that have them
    /// trust matching brackets more than a tree with errors.
    pub(crate) blocks: List<Word>,
    /// Words in front of the members of a class, with a colon, that the grammar does not know.
    pub(crate) sections: List<Word>,
    /// Marks in front of words that the grammar does not know, each with the one it sees instead.
    pub(crate) signs: List<Word>,
    /// What opens and closes a text that the grammar sees as a part of the word around, with a blank between.
    pub(crate) holes: List<Word>,
    /// The mark after a number that, in front of a block, the grammar only knows without a fraction.
    pub(crate) unpointed: Option<u8>,
    /// Starts of statements that the grammar must not see where only annotations follow.
    pub(crate) unseen: List<Word>,
    /// Marks in front of which the grammar knows no annotations.
    pub(crate) unannotated: List<Word>,
    /// What joins two words that the grammar sees as one.
    pub(crate) joints: List<Word>,
    /// Words that open a clause in brackets in front of a declaration, which the grammar does not know.
    pub(crate) clauses: List<Word>,
    /// A word that opens a header, and one that goes on with it below annotations, both with a blank between.
    pub(crate) headers: List<Word>,
    /// Words that references write in place of what the declaration has, and that.
    pub(crate) spoken: &'static [(&'static str, &'static str)],
    /// Marks of emphasis in names, which no reader sees; or nothing.
    pub(crate) markup: &'static str,
    /// What ends classes and interfaces whose members need not be indented; or nothing.
    pub(crate) end: Word,
    /// What may close a name after a blank: `##` of a heading.
    pub(crate) closing: Option<u8>,
    /// Names that say nothing in front of a name: `prototype`, `exports`.
    pub(crate) silent: &'static [&'static str],
    /// Names that declare nothing: `_`.
    pub(crate) nameless: List<Word>,
    /// Whether capital and small letters mean the same in the words of recovery lines.
    pub(crate) any_case: bool,
    /// Marks that a name may have, in a recovered line: `-`, `?`.
    pub(crate) name_marks: Word,
    /// Words that are no names in a recovered line.
    pub(crate) keywords: List<Word>,
    /// Words that no declaration is named by, though they are types in a recovered line.
    pub(crate) reserved: List<Word>,
    /// What every declaration that counts inside a body has one of; empty when that cannot be said.
    pub(crate) declares: List<Word>,
    /// Words that may stand in front of a recovered line.
    pub(crate) modifiers: List<Word>,
    /// What opens an annotation, which may stand there too; or nothing.
    pub(crate) annotations: Word,
    /// Whether words in capitals may stand there too, as macros do.
    pub(crate) macros: bool,
    /// Whether a function that is named as its type is a constructor.
    pub(crate) constructor_named_as_type: bool,
}

/// A node kind by name, and its number.
pub(crate) struct KindName {
    pub(crate) name: Word,
    pub(crate) named: bool,
    pub(crate) local: Local,
}

/// A field by name, and its number.
pub(crate) struct FieldName {
    pub(crate) name: Word,
    pub(crate) local: Local,
}

/// What the rules say of one node kind. The lists are indices into the tables of rules.
pub(crate) struct Role {
    pub(crate) part: Part,
    pub(crate) symbols: List<u16>,
    pub(crate) scopes: List<u16>,
    pub(crate) wrappers: List<u16>,
    pub(crate) packages: List<u16>,
    pub(crate) attached: List<u16>,
    pub(crate) broken: List<u16>,
    pub(crate) closed: List<u16>,
    pub(crate) through: List<u16>,
    pub(crate) embeds: List<u16>,
    /// Whether it can be a name.
    pub(crate) is_name: bool,
    /// Whether it only stands around one other node, so that steps to a parent go past it.
    pub(crate) is_thin: bool,
    /// The child that ends the name, for a name that is the front of a larger node.
    pub(crate) name_until: Option<Path>,
    /// The text that ends the name; or nothing.
    pub(crate) name_until_text: Word,
    /// What joins the parts of a name that is one token, as in `A.B`; or nothing.
    pub(crate) separator: Word,
}

/// How the walk treats a kind that declares nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Its children are visited.
    Open,
    /// Nothing inside can declare anything.
    Skipped,
    /// A comment.
    Comment,
    /// A decorator, attribute or annotation.
    Decorator,
    /// A body without a name: variables inside are locals.
    Locals,
}

/// How something in front of a declaration belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attached {
    /// When it stands right above; it is the docs, too.
    Comment,
    /// However far; it is the docs, too.
    Docs,
    /// However far.
    Decorator,
}

/// A node kind that belongs to the declaration after it, under conditions.
pub(crate) struct AttachedRule {
    pub(crate) conditions: Conditions,
    pub(crate) attached: Attached,
}

/// A node kind whose range is that of the declarations directly inside.
pub(crate) struct WrapperRule {
    pub(crate) conditions: Conditions,
    /// Whether each declaration gets only its part, from the end of the one in front of it.
    pub(crate) parts: bool,
}

/// What stands around a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Frame {
    File = 1,
    Module = 2,
    Type = 4,
    /// A variable, constant or key that holds more.
    Value = 8,
    Function = 16,
    /// A body without a name.
    Local = 32,
}

/// One step from a node to another.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// The child in a field.
    Field(Local),
    /// All children in a field.
    Fields(Local),
    /// The first child of a kind.
    Child(Local),
    /// All children of a kind.
    Children(Local),
    /// All children of one of these kinds.
    Among(List<Local>),
    /// The first child of a kind that starts with a node of this text.
    Saying(Local, Word),
    /// The named child with this number, comments not counted.
    Nth(u16),
    /// All named children.
    All,
    /// The parent; only in front.
    Parent,
}

/// Steps, one after the other. The empty path is the node itself.
pub(crate) type Path = List<Step>;

/// Paths of which the first that leads somewhere counts.
pub(crate) type Paths = List<Path>;

/// What must hold for a rule, all of it.
pub(crate) type Conditions = List<Condition>;

/// One thing that must hold.
pub(crate) struct Condition {
    pub(crate) negated: bool,
    pub(crate) path: Path,
    pub(crate) test: Test,
}

/// What is asked of the node at the end of a condition's path.
pub(crate) enum Test {
    Exists,
    Kind(List<Local>),
    Text(List<Word>),
    Start(List<Word>),
    Has(List<Word>),
    /// There is a syntax error inside.
    Broken,
    /// It starts on the line where the node ends that the rule is about.
    Beside,
    /// It takes more than one line.
    Long,
    /// A word follows right away.
    Glued,
}

/// A node kind that declares symbols.
pub(crate) struct SymbolRule {
    pub(crate) kind: SymbolKind,
    pub(crate) name: Paths,
    /// Where a name ends that runs on after its first node.
    pub(crate) name_until: Paths,
    /// All parts of a name that is spelled apart; empty when it is not.
    pub(crate) name_parts: Paths,
    /// Whether the name includes all text after it, without tags.
    pub(crate) name_rest: bool,
    pub(crate) conditions: Conditions,
    /// The frames it may stand in, as bits.
    pub(crate) within: u8,
    pub(crate) qualifier: Paths,
    pub(crate) body: Paths,
    pub(crate) docs: Paths,
    /// The last node that belongs to it, where that is not the end of its own.
    pub(crate) last: Paths,
    /// The kinds the name may hang in; empty: any.
    pub(crate) name_in: List<Local>,
    /// Characters that are trimmed from the end of the name.
    pub(crate) trim: Word,
    /// Only names that contain none of these texts.
    pub(crate) without: List<Word>,
    /// What it is called where the source leaves the name out.
    pub(crate) called: Option<Word>,
    /// Only names without small letters.
    pub(crate) upper: bool,
    /// Not when this place has the same text as the name.
    pub(crate) unless_named: Paths,
    /// Only when its scope has no symbol of that name yet.
    pub(crate) first_only: bool,
    /// Only when its scope has no other symbol of that name that does not give way itself.
    pub(crate) gives_way: bool,
    /// Whether it is a part of the one right in front, if that has the same name.
    pub(crate) joins: bool,
    /// Whether it only announces the one of the same name that follows.
    pub(crate) announces: bool,
    /// What must be as many for two to join.
    pub(crate) arity: Paths,
    /// How deep a heading is.
    pub(crate) level: Option<u8>,
    /// Whether declarations inside are members of it.
    pub(crate) holds_members: bool,
    /// Whether it is a member of the type around, also through functions.
    pub(crate) of_type: bool,
    /// Whether the rules after it are left out where it declares something.
    pub(crate) is_final: bool,
}

/// A node kind that is no symbol, but gives its name to the paths of what it holds.
pub(crate) struct ScopeRule {
    /// Empty when it has no name.
    pub(crate) name: Paths,
    pub(crate) conditions: Conditions,
    /// Where its header ends, if that says more than the name.
    pub(crate) body: Paths,
    /// The frames it may stand in, as bits.
    pub(crate) within: u8,
    pub(crate) frame: Frame,
}

/// A node kind that names the whole file.
pub(crate) struct PackageRule {
    pub(crate) name: Paths,
    pub(crate) conditions: Conditions,
}

/// A node kind that stands between a declaration and its name.
pub(crate) struct Through {
    pub(crate) name: Paths,
    pub(crate) qualifier: Path,
    /// Whether the path leads to all names, of which the last is declared and the others stand in front.
    pub(crate) last: bool,
}

/// Files with the extension of another language that are in this one; or files with its extension that are not.
pub(crate) struct Claim {
    pub(crate) extension: Word,
    /// A line starts with one of these,
    pub(crate) lines: List<Word>,
    /// and none with one of these.
    pub(crate) unless: List<Word>,
}

/// A node kind that holds text of another language.
pub(crate) struct EmbedRule {
    pub(crate) conditions: Conditions,
    /// Where the text is.
    pub(crate) text: Paths,
    /// Where its language is named.
    pub(crate) named: Paths,
    /// The language where none is named.
    pub(crate) language: Option<Word>,
    /// What opens and closes the text without being a part of it; or nothing.
    pub(crate) fence: Word,
    /// Whether it stands in brackets, and its nodes are those of the text around.
    pub(crate) is_bracketed: bool,
    /// Whether it counts only where it can be read without an error.
    pub(crate) is_whole: bool,
    /// Whether its symbols stand at the top of the file, wherever it stands.
    pub(crate) is_at_top: bool,
}

/// How the line looks that opens a definition, for broken source.
pub(crate) struct RecoveryLine {
    pub(crate) pieces: List<Piece>,
    /// How deep a heading is.
    pub(crate) level: Option<u8>,
    /// What it opens; `None` is a scope.
    pub(crate) kind: Option<SymbolKind>,
    /// Whether a line that looks so opens no definition, whatever later recovery lines say.
    pub(crate) is_nothing: bool,
    pub(crate) within: u8,
    /// The kinds of symbol it may stand in; empty: any.
    pub(crate) around: List<SymbolKind>,
    /// Only with a name that starts so.
    pub(crate) starts: Word,
    /// Only with a name that has none of these texts in it.
    pub(crate) without: List<Word>,
    /// Only with a modifier in front.
    pub(crate) modified: bool,
    /// Only at the start of the line.
    pub(crate) unindented: bool,
    /// Only with a name that starts with no capital letter.
    pub(crate) lower: bool,
    /// Only when a block opens after it.
    pub(crate) block: bool,
    /// Only when its scope has no symbol of that name yet.
    pub(crate) first_only: bool,
    /// Whether it is a part of the one right in front, if that has the same name.
    pub(crate) joins: bool,
    /// Whether it only announces the one of the same name that follows.
    pub(crate) announces: bool,
}

/// A part of a recovery line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// A word, whole.
    Word(Word),
    /// A punctuation character.
    Mark(u8),
    /// At least one blank.
    Gap,
    /// The declared name.
    Name,
    /// The first word of a name that is spelled apart: `move:to:`.
    Selector,
    /// The declared name, whatever characters it has.
    Text,
    /// The declared name with the names in front: `A.B`, `a::b`, `M.sub:f`.
    Path,
    /// A type, by its last name; with generic arguments, pointers and brackets.
    Type,
    /// The names in front: `a::b::`, each with its separator.
    Qualifier,
    /// The type that the name belongs to.
    Receiver,
    /// Words in capitals, or nothing.
    Macros,
    /// Generic parameters, or nothing.
    Generics,
    /// Anything.
    Any,
    /// The end of the line.
    End,
}
