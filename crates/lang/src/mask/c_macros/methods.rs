//! Methods whose header is the argument of a macro: `EXPORT_METHOD(move:(Piece *)piece to:(Place)place) {`.

use super::reading::{LONGEST, call};
use crate::mask::masked_part::{As, MaskedPart};

/// How the header of a method starts.
const START: &str = "- (void)";

/// Masks the macro, so that the grammar sees `- (void)move:(Piece *)piece to:(Place)place {`. An export name and a
/// comma may come before the header.
pub(super) fn method(text: &[u8], name: usize) -> Option<Vec<MaskedPart>> {
    let text = &text[..text.len().min(LONGEST)];
    let end = call(text, name).filter(|&end| end > name)?;
    let header = &text[name + 1..end - 1];
    let colon = memchr::memchr(b':', header).unwrap_or(header.len());
    let front = memchr::memchr(b',', &header[..colon]).map_or(0, |comma| comma + 1);
    let start = name + 1 + front;
    let opens = text[end..].trim_ascii_start().starts_with(b"{");
    let ends = if opens { As::Blank } else { As::Word(";") };
    (start >= START.len())
        .then(|| vec![MaskedPart(0..start, As::Word(START)), MaskedPart(end - 1..end, ends)])
}
