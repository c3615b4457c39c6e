//! Which tokens on a line have a space between them.

use locant_layout::Gap;

use crate::kinds::Kind;
use crate::syntax::{NodeId, Syntax};

/// The opening brackets.
pub(super) const OPENING: &[&[u8]] = &[b"(", b"[", b"{", b"{|"];

/// The closing brackets.
pub(super) const CLOSING: &[&[u8]] = &[b")", b"]", b"}", b"|}"];

/// Two tokens that follow each other: the first is `last`, the second is `next`.
pub(super) struct Neighbours<'t> {
    pub(super) text: &'t [u8],
    pub(super) syntax: &'t Syntax,
    pub(super) last: NodeId,
    pub(super) next: NodeId,
    /// Whether the text has nothing between the second token and the token or comment before it.
    pub(super) touch: bool,
}

impl Neighbours<'_> {
    /// The gap between the two on one line.
    pub(super) fn gap(&self, is_after_comment: bool) -> Gap {
        let is_tight = self.joins() || !is_after_comment && (self.follows_tightly() || self.leads_tightly());
        if is_tight { Gap::Tight } else { Gap::Space }
    }

    /// Whether there is never a space before the second token.
    fn joins(&self) -> bool {
        matches!(self.word(self.next), b"," | b";" | b")" | b"]")
    }

    /// Whether there is no space before the second token, unless a comment is there.
    fn follows_tightly(&self) -> bool {
        use Kind::{Arguments, Declaration, Formals, Pair, Set};
        let around = self.around(self.next);
        match self.word(self.next) {
            b"!" | b"!!" | b"!?" | b"?!" => true,
            // `1.m()` could be the start of a number.
            b"." => self.syntax.kind(self.last) != Kind::Number || self.touch,
            b":" => around == Pair,
            b"(" => matches!(around, Arguments | Declaration | Formals | Set),
            b"{" => self.is_short(self.next) && self.syntax.kind(self.holder(self.next)) == Kind::Bundle,
            b"}" | b"|}" => self.is_empty() || self.is_short(self.next),
            _ => false,
        }
    }

    /// Whether there is no space after the first token, unless a comment is there.
    fn leads_tightly(&self) -> bool {
        use Kind::{Eval, MethodCall, Unary, VarRef};
        let around = self.around(self.last);
        match self.word(self.last) {
            b"(" | b"[" | b"@" | b"..." | b"~" | b"!" | b"!!" | b"!?" => true,
            b"." => around == MethodCall,
            b"*" => matches!(around, Eval | VarRef),
            b"=" => around == VarRef,
            // Without a space, two minus signs would be the operator `--`.
            b"-" => around == Unary && !self.word(self.next).starts_with(b"-"),
            b"{" => self.is_short(self.last),
            _ => false,
        }
    }

    /// Whether there is no space on the inner side of a brace. This is so for maps, quotes and bundles.
    fn is_short(&self, brace: NodeId) -> bool {
        match self.around(brace) {
            Kind::Map => true,
            Kind::Block => matches!(self.syntax.kind(self.holder(brace)), Kind::Bundle | Kind::Quote),
            _ => false,
        }
    }

    /// Whether the two tokens are a pair of brackets with nothing between them.
    fn is_empty(&self) -> bool {
        let parent = |id: NodeId| self.syntax.node(id).parent;
        parent(self.last) == parent(self.next) && OPENING.contains(&self.word(self.last))
    }

    /// The kind of the node that a token belongs to.
    fn around(&self, token: NodeId) -> Kind {
        self.syntax.kind(self.syntax.node(token).parent)
    }

    /// The node that holds the node of a token.
    fn holder(&self, token: NodeId) -> NodeId {
        self.syntax.node(self.syntax.node(token).parent).parent
    }

    fn word(&self, id: NodeId) -> &[u8] {
        &self.text[self.syntax.range(id).indices()]
    }
}
