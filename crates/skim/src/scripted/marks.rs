//! The marks of tokens that only scripts have. Other marks are the bytes themselves.

/// `=>`
pub(super) const ARROW: u8 = 1;
/// An operator that can only be between two operands: `===`, `&&`, `/`.
pub(super) const BINARY: u8 = 2;
/// `+=` and other assignments with an operator.
pub(super) const AUGMENTED: u8 = 3;
/// `++`, `--`
pub(super) const UPDATE: u8 = 4;
/// `...`
pub(super) const SPREAD: u8 = 5;
/// `?.`
pub(super) const CHAIN: u8 = 6;
/// The start of an element.
pub(super) const ELEMENT: u8 = 7;
/// The end of an element.
pub(super) const ELEMENT_END: u8 = 8;
/// A text in backquotes.
pub(super) const TEMPLATE: u8 = b'`';
pub(super) const NUMBER: u8 = b'0';
pub(super) const REGEX: u8 = b'/';
