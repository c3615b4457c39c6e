//! The types of the packed rules, which the build script writes and the walk reads.
//!
//! For each language, node kinds are numbered in the order in which the rules first mention them. The tables contain
//! these numbers rather than the grammar's ids, so they are plain constants. `kinds.rs` maps ids to numbers.

use locant_tree::{Frame, SymbolKind};

pub(crate) use locant_tree::Attached;

use crate::packed::{List, Word};

/// The number of a node kind or field in the tables of its language.
pub(crate) type Local = u16;

/// All rules of one language.
pub(crate) struct Tables {
    /// Invariant: sorted by name. A named kind comes before a token with the same name.
    pub(crate) kinds: List<KindName>,
    /// Invariant: sorted by name.
    pub(crate) fields: List<FieldName>,
    /// What the rules say about each kind. The index is the number of the kind.
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
    /// Comments that start with one of these belong to the block they are in, not to the declaration after them.
    pub(crate) inner_comments: List<Word>,
    /// Characters that are trimmed from both ends of a name.
    pub(crate) quotes: Word,
    /// The quotes that are written twice if they are part of the name, as in `"a""b"`.
    pub(crate) doubled: Word,
    /// Marks that open a comment up to the end of the line.
    pub(crate) line_comments: List<Word>,
    /// Marks of list items. At the start of a line they count as blanks.
    pub(crate) bullets: Word,
    /// What the qualifier of a name is if the file does not declare it. With `Type`, the `f` in `s.f` is a method.
    pub(crate) front: Frame,
    /// Whether the grammar must be given the byte-order mark.
    pub(crate) keeps_mark: bool,
    /// Whether one root element contains all others, whatever their indentation.
    pub(crate) has_root: bool,
    /// Whether the members of a type are in parentheses after its name, separated by commas.
    pub(crate) listed: bool,
    /// How deep lines may be nested by indentation. The grammar cannot handle deeper texts.
    pub(crate) deepest: Option<usize>,
    /// How deep elements may be nested by their tags. The grammar cannot handle deeper texts.
    pub(crate) deepest_tags: Option<usize>,
    /// How many punctuation marks may follow each other without a word between them. With more, parsing takes too long.
    pub(crate) most_marks: Option<usize>,
    /// A line that starts with one of these words continues the block above, though it is not indented.
    pub(crate) goes_on: List<Word>,
    /// A line that starts with one of these words closes a block.
    pub(crate) closes: List<Word>,
    /// A line that starts with one of these words opens a block, such as `if` in Julia. Empty in languages with braces.
    pub(crate) opens: List<Word>,
    /// The marks that open and close texts such as multi-line strings, in pairs. A single mark, such as `|` in YAML,
    /// opens a text that consists of the indented lines below a line that ends with the mark.
    pub(crate) texts: List<Word>,
    /// Whether the text must end with a line break. The grammar would loop forever after an annotation without one.
    pub(crate) final_break: bool,
    /// Whether the grammar must be given only Latin-1 characters, because its scanner looks them up in a table of 256.
    pub(crate) narrow: bool,
    /// Words that the grammar requires to be on a new line after a `}`. If there are any, the grammar also requires a
    /// line break before every `}`.
    pub(crate) breaks: List<Word>,
    /// Macros that are complete statements, such as `Q_OBJECT`. They are hidden from the grammar.
    pub(crate) markers: List<Word>,
    /// Macros that are attributes of the declaration after them, such as `JNIEXPORT`. They are hidden from the grammar.
    pub(crate) attributes: List<Word>,
    /// Words that open a type, such as `class`. Words in capitals between such a word and the type's name are macros:
    /// `class LIB_API A {`.
    pub(crate) exported: List<Word>,
    /// Words that open a declaration in which words in capitals after a name are attributes, such as `typedef` in
    /// `typedef int Name NS_TYPED_ENUM;`.
    pub(crate) attributed: List<Word>,
    /// Macros that open an enum. The last argument is its name: `NS_ENUM(NSInteger, Color) {`.
    pub(crate) enums: List<Word>,
    /// Macros that open a block and name it with a string: `TEST_CASE("grows") {`.
    pub(crate) titled: List<Word>,
    /// Macros that open a method. The argument is its header: `EXPORT_METHOD(move:(Piece *)piece) {`.
    pub(crate) methods: List<Word>,
    /// Words that open a loop over a range, which the grammar cannot read: `for (auto &piece : pieces) {`.
    pub(crate) ranged: List<Word>,
    /// Words that open a block of declarations, each with the kind of its symbol: `namespace module`. In languages that
    /// have such words, matching brackets are trusted more than a tree with errors.
    pub(crate) blocks: List<Word>,
    /// Words that are written with a colon before a group of class members, and that the grammar does not know:
    /// `signals:`.
    pub(crate) sections: List<Word>,
    /// Pairs of a mark that the grammar does not know before a word, and the mark that the grammar is given instead.
    /// With the pair `$_`, the grammar is given `_size` for `$size`.
    pub(crate) signs: List<Word>,
    /// Pairs of an opening and a closing mark, separated by a blank. The grammar is given the text between them as
    /// part of the word around it: with `#{ }`, it is given `.a-_____` for `.a-#{$i}`.
    pub(crate) holes: List<Word>,
    /// A mark after numbers, such as `%`. Before a block, the grammar accepts numbers with this mark only without a
    /// fraction.
    pub(crate) unpointed: Option<u8>,
    /// Texts that statements start with, such as `extend schema` in GraphQL. Such a statement is hidden from the
    /// grammar if only annotations follow.
    pub(crate) unseen: List<Word>,
    /// Marks before which the grammar accepts no annotations, such as `...` in Java.
    pub(crate) unannotated: List<Word>,
    /// Marks that join two words into one for the grammar, such as `::` in `a::b`.
    pub(crate) joints: List<Word>,
    /// Words that open a clause in brackets before a declaration, such as `context` in `context(Foo) fun f()`. The
    /// grammar cannot read such clauses.
    pub(crate) clauses: List<Word>,
    /// Pairs of words, separated by a blank. The first opens a header, and the second continues it below annotations:
    /// `class constructor` in Kotlin.
    pub(crate) headers: List<Word>,
    /// Pairs of a word that references use and the word that the declaration uses instead: `var` and `variable` in HCL.
    pub(crate) spoken: &'static [(&'static str, &'static str)],
    /// Marks of emphasis in names, which a rendered text does not show. May be empty.
    pub(crate) markup: &'static str,
    /// The word that ends classes and interfaces whose members need not be indented, such as `@end`. May be empty.
    pub(crate) end: Word,
    /// The mark that may close a name after a blank, as `##` closes a heading.
    pub(crate) closing: Option<u8>,
    /// Names that mean nothing in a qualifier: `prototype`, `exports`.
    pub(crate) silent: &'static [&'static str],
    /// Names that declare nothing: `_`.
    pub(crate) nameless: List<Word>,
    /// Whether the language ignores letter case.
    pub(crate) any_case: bool,
    /// Marks that a name in a recovered line may contain: `-`, `?`.
    pub(crate) name_marks: Word,
    /// Words that are not names in a recovered line.
    pub(crate) keywords: List<Word>,
    /// Words that are never the name of a declaration, though in a recovered line they may be its type.
    pub(crate) reserved: List<Word>,
    /// Every declaration inside a body contains one of these words. Empty if there are no such words.
    pub(crate) declares: List<Word>,
    /// Words that may come before the definition in a recovered line.
    pub(crate) modifiers: List<Word>,
    /// The mark of an annotation, which may also come before the definition. May be empty.
    pub(crate) annotations: Word,
    /// Whether words in capitals, such as macros, may also come before the definition.
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
    /// Whether a node of this kind can be a name.
    pub(crate) is_name: bool,
    /// Whether a node of this kind only wraps one other node, so that steps to a parent skip it.
    pub(crate) is_thin: bool,
    /// The child at which the name ends, if the name is only the first part of the node.
    pub(crate) name_until: Option<Path>,
    /// The text at which the name ends. May be empty.
    pub(crate) name_until_text: Word,
    /// What separates the parts of a name that is a single token, as in `A.B`. May be empty.
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
    /// A body without a name. Variables inside are locals.
    Locals,
}

/// A node kind that belongs to the declaration after it if the conditions hold.
pub(crate) struct AttachedRule {
    pub(crate) conditions: Conditions,
    pub(crate) attached: Attached,
}

/// A node kind that gives its range to the declarations directly inside it.
pub(crate) struct WrapperRule {
    pub(crate) conditions: Conditions,
    /// Whether each declaration gets only a part of the range: from the end of the previous declaration on.
    pub(crate) parts: bool,
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
    /// The first child of a kind with this text. If the child has children, its first child must have the text.
    Saying(Local, Word),
    /// The named child with this number, counted from 0. Comments are not counted.
    Nth(u16),
    /// All named children except comments.
    All,
    /// The parent. Only at the start of a path.
    Parent,
}

/// Steps, one after the other. The empty path is the node itself.
pub(crate) type Path = List<Step>;

/// Alternative paths. The first one that leads to a node counts.
pub(crate) type Paths = List<Path>;

/// The conditions of a rule. All of them must hold.
pub(crate) type Conditions = List<Condition>;

/// One condition of a rule.
pub(crate) struct Condition {
    pub(crate) negated: bool,
    pub(crate) path: Path,
    pub(crate) test: Test,
}

/// What is tested about the node at the end of a condition's path.
pub(crate) enum Test {
    Exists,
    Kind(List<Local>),
    Text(List<Word>),
    Start(List<Word>),
    Has(List<Word>),
    /// There is a syntax error inside.
    Broken,
    /// It starts on the line where the rule's own node ends.
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
    /// The node before which the name ends. For a name that continues after its first node.
    pub(crate) name_until: Paths,
    /// All parts of a name that is written in several parts. Empty for other names.
    pub(crate) name_parts: Paths,
    /// Whether the name continues to the end of the node. Tags are removed from it.
    pub(crate) name_rest: bool,
    pub(crate) conditions: Conditions,
    /// The frames that the symbol may be in, as bits.
    pub(crate) within: u8,
    pub(crate) qualifier: Paths,
    pub(crate) body: Paths,
    pub(crate) docs: Paths,
    /// The last node that belongs to the symbol, if that is not the symbol's own node.
    pub(crate) last: Paths,
    /// The kinds of node that the name may be in. Empty if any.
    pub(crate) name_in: List<Local>,
    /// Characters that are trimmed from the end of the name.
    pub(crate) trim: Word,
    /// Only names that contain none of these texts.
    pub(crate) without: List<Word>,
    /// The name of the symbol, if the source does not give one.
    pub(crate) called: Option<Word>,
    /// Only names without lower-case letters.
    pub(crate) upper: bool,
    /// The rule does not apply if this node has the same text as the name.
    pub(crate) unless_named: Paths,
    /// The symbol counts only if its parent has no symbol with this name yet.
    pub(crate) first_only: bool,
    /// The symbol counts only if its parent has no other symbol with this name, except others that give way too.
    pub(crate) gives_way: bool,
    /// Whether the declaration is part of the previous one if that has the same name.
    pub(crate) joins: bool,
    /// Whether the declaration only announces the next one if that has the same name.
    pub(crate) announces: bool,
    /// The nodes to count. Two declarations join only if they have the same number of them.
    pub(crate) arity: Paths,
    /// The level of a heading.
    pub(crate) level: Option<u8>,
    /// Whether declarations inside the symbol are its members.
    pub(crate) holds_members: bool,
    /// Whether the symbol is a member of the type around it, even if it is inside a function.
    pub(crate) of_type: bool,
    /// Whether later rules for the same node are skipped if this one declares something.
    pub(crate) is_final: bool,
}

/// A node kind that is not a symbol, but adds its name to the paths of the symbols inside.
pub(crate) struct ScopeRule {
    /// Empty if the scope has no name.
    pub(crate) name: Paths,
    pub(crate) conditions: Conditions,
    /// The node before which the header ends, if the header contains more than the name.
    pub(crate) body: Paths,
    /// The frames that the scope may be in, as bits.
    pub(crate) within: u8,
    pub(crate) frame: Frame,
}

/// A node kind that contains the name of the file's package.
pub(crate) struct PackageRule {
    pub(crate) name: Paths,
    pub(crate) conditions: Conditions,
}

/// A node kind between a declaration and its name.
pub(crate) struct Through {
    pub(crate) name: Paths,
    pub(crate) qualifier: Path,
    /// Whether `name` leads to several names. Then the last one is declared, and the others are its qualifier.
    pub(crate) last: bool,
}

/// A claim that a file with this extension is not in the language that the extension suggests, because of how its
/// lines start.
pub(crate) struct Claim {
    pub(crate) extension: Word,
    /// At least one line must start with one of these.
    pub(crate) lines: List<Word>,
    /// No line may start with one of these.
    pub(crate) unless: List<Word>,
}

/// A node kind that holds text of another language.
pub(crate) struct EmbedRule {
    pub(crate) conditions: Conditions,
    /// The node with the inner text.
    pub(crate) text: Paths,
    /// The node with the name of the inner text's language.
    pub(crate) named: Paths,
    /// The language if the text does not name one.
    pub(crate) language: Option<Word>,
    /// What opens and closes the inner text without being part of it. May be empty.
    pub(crate) fence: Word,
    /// Whether the inner text is in brackets, so that the nodes inside are not holes in it.
    pub(crate) is_bracketed: bool,
    /// Whether the symbols count only if the inner text parses without an error.
    pub(crate) is_whole: bool,
    /// Whether the symbols are at the top level of the file, wherever the inner text is.
    pub(crate) is_at_top: bool,
}

/// The form of a line that starts a definition, for broken source.
pub(crate) struct RecoveryLine {
    pub(crate) pieces: List<Piece>,
    /// The level of a heading.
    pub(crate) level: Option<u8>,
    /// The kind of symbol that starts there. `None` for a scope.
    pub(crate) kind: Option<SymbolKind>,
    /// Whether a line of this form starts no definition, even if later recovery lines match.
    pub(crate) is_nothing: bool,
    pub(crate) within: u8,
    /// The kinds of symbol that may contain the definition. Empty if any.
    pub(crate) around: List<SymbolKind>,
    /// Only names that start with this.
    pub(crate) starts: Word,
    /// Only names that contain none of these texts.
    pub(crate) without: List<Word>,
    /// Only after a modifier.
    pub(crate) modified: bool,
    /// Only if the line is not indented.
    pub(crate) unindented: bool,
    /// Only names that do not start with a capital letter.
    pub(crate) lower: bool,
    /// Only if a block opens after it.
    pub(crate) block: bool,
    /// The symbol counts only if its parent has no symbol with this name yet.
    pub(crate) first_only: bool,
    /// Whether the declaration is part of the previous one if that has the same name.
    pub(crate) joins: bool,
    /// Whether the declaration only announces the next one if that has the same name.
    pub(crate) announces: bool,
}

/// A part of a recovery line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// This word, and not just as part of a longer word.
    Word(Word),
    /// A punctuation character.
    Mark(u8),
    /// At least one blank.
    Gap,
    /// The declared name.
    Name,
    /// The first word of a name that has several parts, such as `move:to:`.
    Selector,
    /// The declared name, whatever characters it has.
    Text,
    /// The declared name with its qualifier: `A.B`, `a::b`, `M.sub:f`.
    Path,
    /// A type of one or more words, with generic arguments, pointers and brackets.
    Type,
    /// The qualifier, with a separator after each name: `a::b::`.
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
