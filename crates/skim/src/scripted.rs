//! Reads scripts: JavaScript, TypeScript, and their dialects with elements.
//!
//! Whether a function, class or object is a symbol depends on the code around it. So this reader makes a tree of the
//! parts that can contain one of them, and then walks the tree with the rules of the language. The content of brackets
//! is read after the code around the brackets, so nothing recurses over brackets.

mod classes;
mod declarations;
mod expressions;
mod lexer;
mod literals;
mod marks;
mod names;
mod rules;
mod statements;
mod tree;
mod types;
mod walk;

use locant_tree::{Attachable, Attached};

use crate::finish::Words;
use crate::item::Findings;
use crate::stream::Stream;

use tree::{Kind, NONE, Part, Tree};

/// How a dialect is written.
#[derive(Debug)]
pub(crate) struct Scripted {
    /// Whether names may have types, as in TypeScript.
    pub(crate) has_types: bool,
    /// Whether `<a>…</a>` is a value.
    pub(crate) has_elements: bool,
    pub(crate) words: Words,
}

/// The declarations of a script.
pub(crate) fn read(text: &[u8], dialect: &Scripted) -> Option<Findings> {
    let (tokens, attachables) = lexer::tokens(text, dialect)?;
    let end = tokens.len();
    let mut reader = Reader {
        stream: Stream { text, tokens },
        dialect,
        tree: Tree::new(),
        jobs: Vec::new(),
        attachables,
        at: 0,
        depth: 0,
        is_choice: false,
        is_head: false,
    };
    let root = reader.tree.add(Kind::Program, 0, 0);
    reader.jobs.push(Job { what: What::Statements, node: root, first: 0, end });
    while let Some(job) = reader.jobs.pop() {
        reader.work(job)?;
    }
    let Reader { stream, tree, attachables, .. } = reader;
    let mut found = Findings { attachables, ..Findings::default() };
    walk::walk(&mut found, &stream, &tree, dialect)?;
    found.sort_attachables();
    Some(found)
}

/// How deep statements and operands may be nested in each other without brackets.
const MAX_DEPTH: usize = 64;

/// What the tokens between two brackets are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Statements,
    Cases,
    /// The head of a `for`.
    Head,
    Expression,
    Arguments,
    List,
    Entries,
    Holes,
    Members,
    Parameters,
    EnumMembers,
    /// The members of an interface, or of a type in braces.
    Signatures,
    Types,
}

/// The tokens between two brackets, to be read later.
#[derive(Clone, Copy, Debug)]
struct Job {
    what: What,
    /// The node that becomes the parent of what is read.
    node: u32,
    first: usize,
    end: usize,
}

struct Reader<'a> {
    stream: Stream<'a>,
    dialect: &'a Scripted,
    tree: Tree,
    jobs: Vec<Job>,
    attachables: Vec<Attachable>,
    /// The next token to be read.
    at: usize,
    depth: usize,
    /// Whether the current operand is between `?` and `:`.
    is_choice: bool,
    /// Whether the current code is the head of a loop, where `in` is not an operator.
    is_head: bool,
}

impl<'a> Reader<'a> {
    fn work(&mut self, job: Job) -> Option<()> {
        let Job { what, node, first, end } = job;
        self.at = first;
        (self.is_choice, self.is_head) = (false, what == What::Head);
        match what {
            What::Statements => self.statements(node, end)?,
            What::Cases => self.cases(node, end)?,
            What::Head => self.head(node)?,
            What::Expression => {
                let part = self.expression()?;
                self.tree.adopt(node, part.node);
                self.tree.at(node).front = part;
            }
            What::Arguments => self.arguments(node, end)?,
            What::List => self.list(node, end)?,
            What::Entries => self.entries(node, end)?,
            What::Holes => self.holes(node, end)?,
            What::Members => self.members(node, end)?,
            What::Parameters => self.parameters(node, end)?,
            What::EnumMembers => self.enum_members(node, end)?,
            What::Signatures => self.signatures(node, end)?,
            What::Types => self.type_list(node, end)?,
        }
        // If tokens are left over, the reader has not understood them.
        (self.at == end).then_some(())
    }

    /// Notes the content of the bracket at `open`, to be read later.
    fn later(&mut self, what: What, node: u32, open: usize) {
        let end = self.stream.partner(open);
        self.jobs.push(Job { what, node, first: open + 1, end });
    }

    /// Whether the bracket at `open` has no token in it that may be a part of a declaration.
    fn is_plain(&self, open: usize) -> bool {
        self.stream.tokens[open].is_plain
    }

    /// Enters code that may be nested in itself without brackets. `None` if the nesting is too deep.
    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth <= MAX_DEPTH).then_some(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The mark of the next token. 0 at the end.
    fn mark(&self) -> u8 {
        self.stream.mark(self.at)
    }

    fn mark_after(&self, n_tokens: usize) -> u8 {
        self.stream.mark(self.at + n_tokens)
    }

    /// The next token, if it is a word.
    fn word(&self) -> &'a [u8] {
        self.stream.word(self.at)
    }

    /// Whether the token at `at` is on another line than the one before it.
    fn is_below(&self, at: usize) -> bool {
        self.stream.tokens.get(at).is_none_or(|token| token.is_below)
    }

    fn take(&mut self, mark: u8) -> Option<()> {
        let is_it = self.mark() == mark;
        self.at += usize::from(is_it);
        is_it.then_some(())
    }

    fn takes(&mut self, mark: u8) -> bool {
        self.take(mark).is_some()
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_it = self.stream.is(self.at, word);
        self.at += usize::from(is_it);
        is_it
    }

    /// Skips a pair of brackets with everything between them.
    fn skip(&mut self) {
        self.at = self.stream.partner(self.at) + 1;
    }

    /// A part that has no node, from `first` to the last token that was read.
    fn leaf(&self, kind: Kind, first: usize) -> Part {
        Part { kind, node: NONE, first: index(first), last: index(self.at.max(first + 1) - 1) }
    }

    /// A part that contains the given parts. It has a node if one of them has a node.
    fn around(&mut self, kind: Kind, first: usize, parts: &[Part]) -> Part {
        let leaf = self.leaf(kind, first);
        if parts.iter().all(|part| part.node == NONE) {
            return leaf;
        }
        let node = self.tree.add(kind, leaf.first, leaf.last);
        for part in parts {
            self.tree.adopt(node, part.node);
        }
        Part { node, ..leaf }
    }

    /// A new node that starts at `first`. `end` sets its last token.
    fn begin(&mut self, kind: Kind, first: usize) -> u32 {
        self.tree.add(kind, index(first), index(first))
    }

    /// Ends a node with the last token that was read.
    fn end(&mut self, node: u32) -> Part {
        let first = self.tree.get(node).first;
        self.tree.at(node).last = index(self.at).saturating_sub(1).max(first);
        self.tree.part(node)
    }

    /// Reads the decorators before a declaration: `@a.b(c)`.
    fn decorators(&mut self) -> Option<()> {
        while self.mark() == b'@' {
            let first = self.at;
            self.at += 1;
            if self.mark() == b'(' {
                self.skip();
            } else {
                self.take(crate::tokens::WORD)?;
                while self.mark() == b'.' {
                    self.at += 1;
                    self.take(crate::tokens::WORD)?;
                }
                if self.dialect.has_types && self.mark() == b'<' {
                    self.at = self.after_type_arguments(self.at)?;
                }
                if self.mark() == b'(' {
                    self.skip();
                }
            }
            let range = self.stream.span(first, self.at - 1);
            self.attachables.push(Attachable { range, attached: Attached::Decorator });
        }
        Some(())
    }
}

/// Converts the index of a token to the integer type that parts store.
fn index(at: usize) -> u32 {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "there are fewer tokens than bytes, and those are fewer than 4 GB"
    )]
    let index = at as u32;
    index
}
