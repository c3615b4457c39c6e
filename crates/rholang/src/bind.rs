//! Binders, which bind names, and mentions of names.

use locant_text::Range;

use crate::syntax::NodeId;

/// The index of a binder.
pub(crate) type BinderId = u32;

/// A place that binds a name.
#[derive(Clone, Debug)]
pub(crate) struct Binder {
    /// The identifier.
    pub(crate) node: NodeId,
    pub(crate) range: Range,
    pub(crate) kind: BinderKind,
    pub(crate) sort: Sort,
    /// Whether the name is bound at the top of the program, not inside an input, a contract or an agent.
    pub(crate) is_at_top: bool,
}

/// How a name is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinderKind {
    /// By `new`.
    New,
    /// As a parameter of a contract or a method.
    Formal,
    /// By an input, from what it receives.
    Received,
    /// By `let`.
    Let,
    /// By a pattern that a value is matched against.
    Matched,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A channel.
    Name,
    /// A process, such as a value.
    Process,
}

/// What a mention means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The thing that this binder binds.
    Bound(BinderId),
    /// A name that nothing in the program binds.
    Free,
    /// A name that is in scope in every method of an agent: `this`, `private`, `return`.
    Implicit,
    /// The public channel of a string: `@"name"`.
    Public,
}

/// A place that mentions a name.
#[derive(Clone, Debug)]
pub(crate) struct Mention {
    /// The identifier or the string.
    pub(crate) node: NodeId,
    /// The name itself, without quotes.
    pub(crate) range: Range,
    pub(crate) meaning: Meaning,
    /// Whether this mention is the binder itself.
    pub(crate) binds: bool,
    /// What the name stands for in this mention.
    pub(crate) sort: Sort,
    /// Whether the meaning is only likely, because the program is broken.
    pub(crate) is_guess: bool,
}

/// What the walk over a program found.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    pub(crate) binders: Vec<Binder>,
    /// Invariant: in the order of the text.
    pub(crate) mentions: Vec<Mention>,
    /// The contracts, in the order of the text.
    pub(crate) contracts: Vec<NodeId>,
    /// Nodes outside of patterns whose kind has a meaning only in patterns.
    pub(crate) misplaced: Vec<NodeId>,
    /// Identifiers that bind a name a second time in one pattern, each with the first binder.
    pub(crate) duplicates: Vec<(NodeId, BinderId)>,
    /// `p \/ q` in patterns, each with the scope that gets the names of both sides.
    pub(crate) choices: Vec<(NodeId, usize)>,
    /// Ranges of the text, each with the scope that applies there. A range inside another range comes after it.
    pub(crate) regions: Vec<(Range, usize)>,
    pub(crate) scopes: Vec<Scope>,
}

/// The names that are bound together for a part of the program.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) parent: Option<usize>,
    pub(crate) binders: Vec<BinderId>,
}

/// The range of a string without its quotes. The closing quote may be missing.
pub(crate) fn inside_quotes(range: Range, text: &[u8]) -> Range {
    let indices = range.indices();
    let written = &text[indices.clone()];
    let n_open = usize::from(written.starts_with(b"\""));
    let n_close = usize::from(written.len() > n_open && written.ends_with(b"\""));
    Range::of_indices(indices.start + n_open..indices.end - n_close)
}
