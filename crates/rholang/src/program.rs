//! One program: its text, its syntax, and what its names mean.

use locant_text::{Offset, Range};

use crate::bind::{BinderId, BinderKind, Bindings, Meaning, Mention};
use crate::kinds::{Field, Kind};
use crate::syntax::{NodeId, Syntax};
use crate::walk;

/// A program.
#[derive(Debug)]
pub(crate) struct Program {
    text: Vec<u8>,
    pub(crate) syntax: Syntax,
    pub(crate) bindings: Bindings,
    pub(crate) contracts: Vec<Contract>,
    /// In the order of the text.
    comments: Vec<NodeId>,
}

/// A contract of a program.
#[derive(Debug)]
pub(crate) struct Contract {
    pub(crate) node: NodeId,
    /// The index of the mention that is its name. `None` if the name is not a mention, as in `contract @[1, 2]()`.
    pub(crate) name: Option<usize>,
    /// Its parameters. Each is a pattern.
    pub(crate) formals: Vec<NodeId>,
    /// Whether it takes any number of further arguments, as with `...@rest`.
    pub(crate) has_remainder: bool,
}

impl Program {
    /// Reads a program.
    pub(crate) fn new(text: &[u8]) -> Program {
        Program::of(text, Syntax::new(text))
    }

    /// Reads a text that differs little from the text of this program.
    pub(crate) fn reread(&self, text: &[u8]) -> Program {
        Program::of(text, self.syntax.reread(&self.text, text))
    }

    fn of(text: &[u8], syntax: Syntax) -> Program {
        let bindings = walk::bind(&syntax, text);
        let contracts = bindings.contracts.iter().map(|&node| contract(&syntax, &bindings, node)).collect();
        let comments = syntax.all().filter(|(_, node)| node.kind.is_comment()).map(|(id, _)| id).collect();
        Program { text: text.to_vec(), syntax, bindings, contracts, comments }
    }

    /// The bytes that the program was read from.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The bytes in a range.
    pub(crate) fn slice(&self, range: Range) -> &[u8] {
        &self.text[range.indices()]
    }

    /// The text in a range, as a string.
    pub(crate) fn said(&self, range: Range) -> String {
        String::from_utf8_lossy(self.slice(range)).into_owned()
    }

    pub(crate) fn mention(&self, number: usize) -> &Mention {
        &self.bindings.mentions[number]
    }

    /// The index of the mention at a place: the one that contains the place, else the one that ends there, else the one
    /// whose `@`, `*` or quotes are there.
    pub(crate) fn mention_at(&self, at: Offset) -> Option<usize> {
        let mentions = &self.bindings.mentions;
        let n_before = mentions.partition_point(|mention| mention.range.start() <= at);
        let last = n_before.checked_sub(1);
        let near = last.filter(|&number| mentions[number].range.touches(at));
        near.or_else(|| self.mention_around(at)).or_else(|| self.mention_before_quote(at))
    }

    /// The mention whose closing quote ends at a place.
    fn mention_before_quote(&self, at: Offset) -> Option<usize> {
        let before = Offset::new(at.to_u32().checked_sub(1)?);
        let is_quote = self.text.get(before.index()) == Some(&b'"');
        is_quote.then(|| self.mention_around(before)).flatten()
    }

    /// The mention that the mark at a place belongs to. The mark may be the `@` or a quote of a channel, or the `*` of
    /// an evaluation.
    fn mention_around(&self, at: Offset) -> Option<usize> {
        let syntax = &self.syntax;
        let mark = syntax.innermost(at);
        let around = match syntax.kind(mark) {
            // The quotes of a string are its children.
            Kind::Mark => syntax.parent(mark)?,
            Kind::String => mark,
            _ => return None,
        };
        let around = if syntax.kind(around) == Kind::String { syntax.quote_around(around)? } else { around };
        match syntax.kind(around) {
            Kind::Quote => self.mention_of(around),
            Kind::Eval | Kind::VarRef | Kind::NameRemainder | Kind::Remainder => {
                self.mention_of(syntax.parts(around).next()?)
            }
            _ => None,
        }
    }

    /// The index of the mention that is this node, or, for a quote, the process in the quote.
    pub(crate) fn mention_of(&self, node: NodeId) -> Option<usize> {
        let node = match self.syntax.kind(node) {
            Kind::Quote => self.syntax.quoted(node)?,
            _ => node,
        };
        mention_of(&self.syntax, &self.bindings, node)
    }

    /// The index of the contract whose name is this mention.
    pub(crate) fn contract_named(&self, mention: usize) -> Option<usize> {
        self.contracts.iter().position(|contract| contract.name == Some(mention))
    }

    /// The comments right before a node, in the order of the text.
    pub(crate) fn comments_before(&self, node: NodeId) -> Vec<NodeId> {
        let mut start = self.syntax.range(node).start();
        let n_before = self.comments.partition_point(|&comment| self.syntax.range(comment).end() <= start);
        let mut found = Vec::new();
        for &comment in self.comments[..n_before].iter().rev() {
            let range = self.syntax.range(comment);
            let gap = self.slice(Range::new(range.end(), start));
            let n_lines = gap.iter().filter(|&&byte| byte == b'\n').count();
            let is_attached = gap.iter().all(u8::is_ascii_whitespace) && n_lines <= 1;
            if !is_attached || self.is_after_code(range.start()) {
                break;
            }
            found.push(comment);
            start = range.start();
        }
        found.reverse();
        found
    }

    /// Whether there is anything but blanks before a place on its line.
    fn is_after_code(&self, at: Offset) -> bool {
        let line = self.text[..at.index()].rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        !line.iter().all(u8::is_ascii_whitespace)
    }

    /// The range of text that belongs to a binder: a declaration in `new`, the pattern of a parameter or a case, a
    /// bind, or a binding in `let`.
    pub(crate) fn binder_extent(&self, binder: BinderId) -> Range {
        let binder = &self.bindings.binders[binder as usize];
        let syntax = &self.syntax;
        let is_whole = |kind: Kind| match binder.kind {
            BinderKind::New => kind == Kind::Declaration,
            BinderKind::Formal => kind == Kind::Names,
            BinderKind::Received => kind == Kind::Bind,
            BinderKind::Let => kind == Kind::Binding,
            BinderKind::Matched => kind == Kind::Case,
        };
        let mut below = binder.node;
        for around in syntax.ancestors(binder.node) {
            match (is_whole(syntax.kind(around)), binder.kind) {
                // For a parameter and a case, it is only the pattern.
                (true, BinderKind::Formal | BinderKind::Matched) => return syntax.range(below),
                (true, _) => return syntax.range(around),
                (false, _) => below = around,
            }
        }
        binder.range
    }

    /// The indices of all mentions with this meaning.
    pub(crate) fn mentions_with(&self, meaning: Meaning) -> impl Iterator<Item = usize> {
        let has = move |(_, mention): &(usize, &Mention)| mention.meaning == meaning;
        self.bindings.mentions.iter().enumerate().filter(has).map(|(number, _)| number)
    }
}

impl Contract {
    /// Whether the contract takes this number of arguments.
    pub(crate) fn takes(&self, n_arguments: usize) -> bool {
        let n_formals = self.formals.len();
        if self.has_remainder { n_formals <= n_arguments } else { n_formals == n_arguments }
    }
}

fn contract(syntax: &Syntax, bindings: &Bindings, node: NodeId) -> Contract {
    let name = syntax.child(node, Field::Name);
    let name = name.and_then(|name| match syntax.kind(name) {
        Kind::Quote => syntax.quoted(name),
        _ => Some(name),
    });
    let formals = syntax.child(node, Field::Formals);
    let names =
        formals.and_then(|formals| syntax.parts(formals).find(|&part| syntax.kind(part) == Kind::Names));
    let parts: Vec<NodeId> = names.into_iter().flat_map(|names| syntax.parts(names)).collect();
    let is_remainder = |&part: &NodeId| syntax.kind(part) == Kind::NameRemainder;
    Contract {
        node,
        name: name.and_then(|name| mention_of(syntax, bindings, name)),
        has_remainder: parts.iter().any(is_remainder),
        formals: parts.into_iter().filter(|part| !is_remainder(part)).collect(),
    }
}

fn mention_of(syntax: &Syntax, bindings: &Bindings, node: NodeId) -> Option<usize> {
    let range = syntax.range(node);
    let n_before = bindings.mentions.partition_point(|mention| mention.range.start() < range.start());
    let near = bindings.mentions[n_before..].iter().take(2).position(|mention| mention.node == node);
    near.map(|nth| n_before + nth)
}
