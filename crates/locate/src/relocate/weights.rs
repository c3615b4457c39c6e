//! What was learned from real histories; docs/robustness.md says how and from what.

pub(crate) mod anchor;
pub(crate) mod checked;
pub(crate) mod old_text;
pub(crate) mod words;
