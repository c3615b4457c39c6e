//! What was learned from real histories; docs/robustness.md says how and from what.

pub mod anchor;
pub mod checked;
pub mod old_text;
pub mod words;
