//! The shapes of the packed rules: what the build script writes and the walk reads.
//!
//! Node kinds are numbered by language in the order in which its rules first mention them. The tables contain these
//! numbers, not the grammar's ids, so the tables are plain constants. `kinds.rs` maps one to the other.

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
    /// What the rules say about a kind, by its number.
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

/// The parts of the rules that are about text rather than nodes.
pub(crate) struct Words {
    /// The byte that may end a declaration without being part of its node: `;`.
    pub(crate) terminator: Option<u8>,
    /// Comments that start so belong to the block they are in, not to the declaration after them.
    pub(crate) inner_comments: List<Word>,
    /// Characters that are trimmed from both ends of a name.
    pub(crate) quotes: Word,
    /// Those of the quotes that are doubled where they are a part of the name.
    pub(crate) doubled: Word,
    /// Marks that open a comment up to the end of the line.
    pub(crate) line_comments: List<Word>,
    /// Marks of list items. At the start of a line they count as blanks.
    pub(crate) bullets: Word,
    /// What the qualifier of a name is if the file does not declare it: with `Type`, the `f` of `s.f` is a method.
    pub(crate) front: Frame,
    /// Whether the grammar must be given the byte-order mark too.
    pub(crate) keeps_mark: bool,
    /// Whether one element holds all the others, whatever their indentation.
    pub(crate) has_root: bool,
    /// Whether members are in parentheses after the name of a type, separated by commas.
    pub(crate) listed: bool,
    /// How deep lines may be nested by indentation. Deeper texts are too much for the grammar.
    pub(crate) deepest: Option<usize>,
    /// How deep elements may be nested by their tags. Deeper texts are too much for the grammar.
    pub(crate) deepest_tags: Option<usize>,
    /// How many punctuation marks may follow each other without a word between them. More take the grammar too long.
    pub(crate) most_marks: Option<usize>,
    /// A line that starts with one of these words continues the block above, though it is not indented.
    pub(crate) goes_on: List<Word>,
    /// A line that starts with one of these words closes a block.
    pub(crate) closes: List<Word>,
    /// A line that starts with one of these words opens a block. Empty in languages with braces.
    pub(crate) opens: List<Word>,
    /// The marks that open and close texts, in pairs. A single mark: below a line that ends with it, the indented lines
    /// are a text.
    pub(crate) texts: List<Word>,
    /// Whether the last line must end with a line break. After an annotation without one the grammar would never end.
    pub(crate) final_break: bool,
    /// Whether the grammar must be given only Latin-1 characters, because its scanner uses a table of 256.
    pub(crate) narrow: bool,
    /// Words that the grammar requires to be on a new line after a `}`. If there are any, it requires a line break
    /// before every `}`, too.
    pub(crate) breaks: List<Word>,
    /// Macros that are complete statements, and that are hidden from the grammar.
    pub(crate) markers: List<Word>,
    /// Macros that are attributes of the declaration after them, and that are hidden from the grammar.
    pub(crate) attributes: List<Word>,
    /// Words that open a type. Words in capitals between them and the type's name are macros.
    pub(crate) exported: List<Word>,
    /// Words that open a declaration in which words in capitals after a name are attributes.
    pub(crate) attributed: List<Word>,
    /// Macros that open an enum. Its name is the last of their arguments.
    pub(crate) enums: List<Word>,
    /// Macros that open a block with a text as its name.
    pub(crate) titled: List<Word>,
    /// Macros that open a method, with its header as their argument.
    pub(crate) methods: List<Word>,
    /// Words that open a loop over a range, which the grammar cannot read.
    pub(crate) ranged: List<Word>,
    /// Words that open a block of declarations, each with the kind of its symbol. Languages that have such words trust
    /// matching brackets more than a tree with errors.
    pub(crate) blocks: List<Word>,
    /// Words with a colon before a group of class members that the grammar does not know: `signals:`.
    pub(crate) sections: List<Word>,
    /// Marks that the grammar does not know before a word, each with the mark it is given instead: `$_`.
    pub(crate) signs: List<Word>,
    /// Pairs of an opening and a closing mark, separated by a blank. The grammar is given the text between them as a
    /// part of the word around.
    pub(crate) holes: List<Word>,
    /// The mark after a number. Before a block, the grammar accepts such numbers only without a fraction.
    pub(crate) unpointed: Option<u8>,
    /// Starts of statements that are hidden from the grammar if only annotations follow.
    pub(crate) unseen: List<Word>,
    /// Marks before which the grammar accepts no annotations.
    pub(crate) unannotated: List<Word>,
    /// Marks that join two words into one for the grammar.
    pub(crate) joints: List<Word>,
    /// Words that open a clause in brackets before a declaration, which the grammar cannot read.
    pub(crate) clauses: List<Word>,
    /// Pairs of words, separated by a blank: one opens a header, and the other continues it below annotations.
    pub(crate) headers: List<Word>,
    /// Pairs of a word that references use and the word that the declaration has instead.
    pub(crate) spoken: &'static [(&'static str, &'static str)],
    /// Marks of emphasis in names, which a rendered text does not show; or nothing.
    pub(crate) markup: &'static str,
    /// The word that ends classes and interfaces whose members need not be indented; or nothing.
    pub(crate) end: Word,
    /// The mark that may close a name after a blank: `##` of a heading.
    pub(crate) closing: Option<u8>,
    /// Names that mean nothing as a part of a qualifier: `prototype`, `exports`.
    pub(crate) silent: &'static [&'static str],
    /// Names that declare nothing: `_`.
    pub(crate) nameless: List<Word>,
    /// Whether capital and small letters are the same in words of the language.
    pub(crate) any_case: bool,
    /// Marks that a name in a recovered line may contain: `-`, `?`.
    pub(crate) name_marks: Word,
    /// Words that are not names in a recovered line.
    pub(crate) keywords: List<Word>,
    /// Words that no declaration has as its name, though they may be its type in a recovered line.
    pub(crate) reserved: List<Word>,
    /// Every declaration inside a body contains one of these words. Empty if no such words can be given.
    pub(crate) declares: List<Word>,
    /// Words that may come before the definition in a recovered line.
    pub(crate) modifiers: List<Word>,
    /// The mark of an annotation, which may come there too; or nothing.
    pub(crate) annotations: Word,
    /// Whether words in capitals, as macros, may come there too.
    pub(crate) macros: bool,
    /// Whether a method with the name of its type is a constructor.
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

/// What the rules say about one node kind. The lists are indices into the tables of rules.
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
    /// Whether it only wraps one other node, so that steps to a parent pass it.
    pub(crate) is_thin: bool,
    /// The child at which the name ends, if the name is only the first part of the node.
    pub(crate) name_until: Option<Path>,
    /// The text at which the name ends; or nothing.
    pub(crate) name_until_text: Word,
    /// The separator of the parts of a name that is one token, as in `A.B`; or nothing.
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

/// When a comment or decorator before a declaration belongs to it, and whether it is documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attached {
    /// Belongs to it if it is right above. Is documentation.
    Comment,
    /// Belongs to it at any distance. Is documentation.
    Docs,
    /// Belongs to it at any distance. Is not documentation.
    Decorator,
}

/// A node kind that belongs to the declaration after it, under conditions.
pub(crate) struct AttachedRule {
    pub(crate) conditions: Conditions,
    pub(crate) attached: Attached,
}

/// A node kind whose range becomes the range of the declarations directly inside.
pub(crate) struct WrapperRule {
    pub(crate) conditions: Conditions,
    /// Whether each declaration gets only its part of the range, from the end of the declaration before it.
    pub(crate) parts: bool,
}

/// The kind of place that holds a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Frame {
    File = 1,
    Module = 2,
    Type = 4,
    /// A variable, constant or key that has members.
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
    /// The first child of a kind with this text. If the child has children itself, its first one must have the text.
    Saying(Local, Word),
    /// The named child with this number (from 0), comments not counted.
    Nth(u16),
    /// All named children, comments not counted.
    All,
    /// The parent. Only at the start of a path.
    Parent,
}

/// Steps, one after the other. The empty path is the node itself.
pub(crate) type Path = List<Step>;

/// Paths, of which the first that leads to a node counts.
pub(crate) type Paths = List<Path>;

/// Conditions of a rule, which must all hold.
pub(crate) type Conditions = List<Condition>;

/// One condition of a rule.
pub(crate) struct Condition {
    pub(crate) negated: bool,
    pub(crate) path: Path,
    pub(crate) test: Test,
}

/// The test for the node at the end of a condition's path.
pub(crate) enum Test {
    Exists,
    Kind(List<Local>),
    Text(List<Word>),
    Start(List<Word>),
    Has(List<Word>),
    /// There is a syntax error inside.
    Broken,
    /// It starts on the line on which the rule's own node ends.
    Beside,
    /// It spans several lines.
    Long,
    /// A word follows it directly.
    Glued,
}

/// A node kind that declares symbols.
pub(crate) struct SymbolRule {
    pub(crate) kind: SymbolKind,
    pub(crate) name: Paths,
    /// The node before which the name ends, for a name that goes on after its first node.
    pub(crate) name_until: Paths,
    /// All parts of a name that is written in several parts; empty for other names.
    pub(crate) name_parts: Paths,
    /// Whether the name includes all text after it, without tags.
    pub(crate) name_rest: bool,
    pub(crate) conditions: Conditions,
    /// The frames that it may be in, as bits.
    pub(crate) within: u8,
    pub(crate) qualifier: Paths,
    pub(crate) body: Paths,
    pub(crate) docs: Paths,
    /// The last node that belongs to it, if that is not its own node.
    pub(crate) last: Paths,
    /// The kinds of node that the name may be in; empty: any.
    pub(crate) name_in: List<Local>,
    /// Characters that are trimmed from the end of the name.
    pub(crate) trim: Word,
    /// Only names that contain none of these texts.
    pub(crate) without: List<Word>,
    /// Its name where the source gives none.
    pub(crate) called: Option<Word>,
    /// Only names without small letters.
    pub(crate) upper: bool,
    /// Not if this node has the same text as the name.
    pub(crate) unless_named: Paths,
    /// Only if its parent has no symbol with this name yet.
    pub(crate) first_only: bool,
    /// Only if its parent has no other symbol with this name, apart from those that give way too.
    pub(crate) gives_way: bool,
    /// Whether it is a part of the declaration directly before it, if that has the same name.
    pub(crate) joins: bool,
    /// Whether it only announces the declaration with the same name after it.
    pub(crate) announces: bool,
    /// The nodes whose number must be equal for two declarations to join.
    pub(crate) arity: Paths,
    /// The level of a heading.
    pub(crate) level: Option<u8>,
    /// Whether declarations inside it are its members.
    pub(crate) holds_members: bool,
    /// Whether it is a member of the type around, even from inside a function.
    pub(crate) of_type: bool,
    /// Whether later rules for the node are skipped if this one declares something.
    pub(crate) is_final: bool,
}

/// A node kind that is not a symbol, but adds its name to the paths of the symbols inside.
pub(crate) struct ScopeRule {
    /// Empty if it has no name.
    pub(crate) name: Paths,
    pub(crate) conditions: Conditions,
    /// Where its header ends, if the header contains more than the name.
    pub(crate) body: Paths,
    /// The frames that it may be in, as bits.
    pub(crate) within: u8,
    pub(crate) frame: Frame,
}

/// A node kind that gives the name of the package of the file.
pub(crate) struct PackageRule {
    pub(crate) name: Paths,
    pub(crate) conditions: Conditions,
}

/// A node kind between a declaration and its name.
pub(crate) struct Through {
    pub(crate) name: Paths,
    pub(crate) qualifier: Path,
    /// Whether `name` leads to all names, of which the last is declared and the others are its qualifier.
    pub(crate) last: bool,
}

/// A claim that a file with this extension is in another language than the extension tells, because of the file's
/// lines.
pub(crate) struct Claim {
    pub(crate) extension: Word,
    /// Some line must start with one of these,
    pub(crate) lines: List<Word>,
    /// and no line with one of these.
    pub(crate) unless: List<Word>,
}

/// A node kind that holds text of another language.
pub(crate) struct EmbedRule {
    pub(crate) conditions: Conditions,
    /// The node with the inner text.
    pub(crate) text: Paths,
    /// The node with the name of its language.
    pub(crate) named: Paths,
    /// The language if none is named.
    pub(crate) language: Option<Word>,
    /// The text that opens and closes the inner text without being a part of it; or nothing.
    pub(crate) fence: Word,
    /// Whether the inner text is in brackets, so that the nodes inside are not holes in it.
    pub(crate) is_bracketed: bool,
    /// Whether its symbols count only if it parses without an error.
    pub(crate) is_whole: bool,
    /// Whether its symbols are at the top level of the file, wherever the text is.
    pub(crate) is_at_top: bool,
}

/// The form of a line that opens a definition, for broken source.
pub(crate) struct RecoveryLine {
    pub(crate) pieces: List<Piece>,
    /// The level of a heading.
    pub(crate) level: Option<u8>,
    /// The kind of symbol it opens; `None` is a scope.
    pub(crate) kind: Option<SymbolKind>,
    /// Whether a line of this form opens no definition, whatever later recovery lines match.
    pub(crate) is_nothing: bool,
    pub(crate) within: u8,
    /// The kinds of symbol it may be in; empty: any.
    pub(crate) around: List<SymbolKind>,
    /// Only with a name that starts so.
    pub(crate) starts: Word,
    /// Only with a name that contains none of these texts.
    pub(crate) without: List<Word>,
    /// Only with a modifier before it.
    pub(crate) modified: bool,
    /// Only at the start of the line.
    pub(crate) unindented: bool,
    /// Only with a name that starts with no capital letter.
    pub(crate) lower: bool,
    /// Only when a block opens after it.
    pub(crate) block: bool,
    /// Only if its parent has no symbol with this name yet.
    pub(crate) first_only: bool,
    /// Whether it is a part of the declaration directly before it, if that has the same name.
    pub(crate) joins: bool,
    /// Whether it only announces the declaration with the same name after it.
    pub(crate) announces: bool,
}

/// A part of a recovery line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// This word, not as a part of a longer one.
    Word(Word),
    /// A punctuation character.
    Mark(u8),
    /// At least one blank.
    Gap,
    /// The declared name.
    Name,
    /// The first word of a name in several parts: `move:to:`.
    Selector,
    /// The declared name, whatever characters it has.
    Text,
    /// The declared name with its qualifier: `A.B`, `a::b`, `M.sub:f`.
    Path,
    /// A type of one or more words, with generic arguments, pointers and brackets.
    Type,
    /// The qualifier, each name with its separator: `a::b::`.
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
