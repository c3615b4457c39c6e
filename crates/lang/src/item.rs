//! What is found in a text before it becomes an outline: declarations, comments and decorators, and damage.

use locant_text::Range;
use locant_tree::{Attachable, Item};

use crate::embed::Embed;

/// What was found in a text, before it is nested and ordered.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) package: Vec<String>,
    /// Declarations and scopes, in the order of the walk. Parents come before their members.
    pub(crate) items: Vec<Item>,
    /// Comments and decorators, in source order.
    pub(crate) attachables: Vec<Attachable>,
    /// Texts of other languages, in source order.
    pub(crate) embeds: Vec<Embed>,
    /// Where the parser found errors.
    pub(crate) damage: Vec<Range>,
    /// Tokens that span several lines, in source order. They are collected only if there is damage.
    pub(crate) long_tokens: Vec<Range>,
}
