//! The old place that is searched for, and what is known about its surroundings.

use locant_text::Offset;
use locant_tree::Outline;

use super::similarity::{BAD, MOST_TOKENS, first_tokens, last_tokens};
use crate::anchor::{Anchor, LINE, Rank};
use crate::lines::Digest;
use crate::lines::Other;
use crate::location::Scope;

/// How many tokens before and after the word are compared, across lines.
pub(crate) const N_STREAM: usize = 16;

/// Everything that is known about the old place. A field is empty or `None` if its value is not known.
pub(crate) struct Target<'a> {
    /// The word nearest to the place.
    pub(crate) word: &'a [u8],
    /// The distance in bytes from the start of the word to the place; negative if the place is before the word.
    pub(crate) within: i32,
    /// The digest of the line of the place.
    pub(crate) digest: Option<Digest>,
    /// The tokens of the line; in `left` and `right`, those before and after the word.
    pub(crate) tokens: Vec<&'a [u8]>,
    pub(crate) left: Vec<&'a [u8]>,
    pub(crate) right: Vec<&'a [u8]>,
    /// Which of several equal words in the line the word is.
    pub(crate) ordinal: Ordinal,
    /// The tokens before and after the word, including those of other lines.
    pub(crate) stream: [Vec<&'a [u8]>; 2],
    /// Whether the place is the declaration of a symbol, so that the word is its name.
    pub(crate) is_declared: bool,
    /// The few nearest lines above and below as tokens, the nearest first.
    pub(crate) before: Vec<Neighbour<'a>>,
    pub(crate) after: Vec<Neighbour<'a>>,
    /// Many lines above and below as digests, the nearest first.
    pub(crate) above: &'a [Digest],
    pub(crate) below: &'a [Digest],
    /// Where the line must be in the new text according to a diff, if the old text is known.
    pub(crate) mapped: Option<Mapped>,
    /// How often the line occurs in the old text, and which occurrence it is.
    pub(crate) twins: Option<Rank>,
    /// How often the word occurs in the old text, and which occurrence it is.
    pub(crate) words: Option<Rank>,
    /// The other lines of the old text that contain the word. Some of them may be unknown.
    pub(crate) others: &'a [Other],
    /// The path of the innermost symbol around the place; empty at the top level.
    pub(crate) symbol: &'a [String],
    /// The place that the old location leads to in the new text, if it leads to exactly one.
    pub(crate) led: Option<Offset>,
    /// The place that the old location leads to, if it is in a symbol with the old path and kind. Then every other
    /// place is ruled out.
    pub(crate) own: Option<Offset>,
    /// The outline of the old text, if the old text is known.
    pub(crate) outline: Option<&'a Outline>,
}

/// How many equal words come before and after a word in its line. `None` for a side of the line that is not known in
/// full.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ordinal {
    before: Option<usize>,
    after: Option<usize>,
}

impl Ordinal {
    fn of(word: &[u8], left: &[u8], right: &[u8]) -> Ordinal {
        // One replacement character in the anchor may stand for several invalid bytes of the text, so they cannot be
        // counted.
        if word == BAD {
            return Ordinal::default();
        }
        let count =
            |part: &[u8]| first_tokens(part, usize::MAX).into_iter().filter(|token| *token == word).count();
        // A side with the greatest length was cut off. The length may differ by a few bytes, because a cut is never
        // inside a character.
        let is_whole = |part: &[u8]| part.len() + MOST_OFF < LINE;
        Ordinal { before: is_whole(left).then(|| count(left)), after: is_whole(right).then(|| count(right)) }
    }

    /// Whether the word may be the one with index `at` among the `n_in_line` equal words of a line.
    pub(crate) fn may_be(self, at: usize, n_in_line: usize) -> bool {
        self.before.is_none_or(|before| before == at)
            && self.after.is_none_or(|after| after + at + 1 == n_in_line)
    }
}

/// By how many bytes a cut may be off: the length of the longest character.
const MOST_OFF: usize = 4;

/// Where the line of the place is in the new text, according to a diff of both texts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mapped {
    /// The index of the line, if it is unchanged.
    pub(crate) line: Option<usize>,
    /// The range of lines where it can be: between the nearest unchanged lines above and below.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// If the line was changed: the word of the place, by a diff of the words in this range.
    pub(crate) word: Option<Offset>,
    /// If the line was changed: the share of the words between the unchanged lines that still exist.
    pub(crate) kept: f64,
}

/// A line near the place.
pub(crate) struct Neighbour<'a> {
    pub(crate) digest: Digest,
    pub(crate) tokens: Vec<&'a [u8]>,
}

impl<'a> Target<'a> {
    /// The target that an anchor describes. `None` if the parts of the anchor do not fit together, which happens only
    /// if it was edited by hand.
    pub(crate) fn of_anchor(anchor: &'a Anchor) -> Option<Target<'a>> {
        let line = anchor.line.as_bytes();
        let (left, rest) = line.split_at_checked(anchor.word as usize)?;
        let end = if rest.is_empty() { return None } else { crate::tokens::token_end(rest, 0) };
        let (word, right) = rest.split_at_checked(end)?;
        let near = |texts: &'a [String], digests: &[Digest]| -> Vec<Neighbour<'a>> {
            let neighbour = |(text, &digest): (&'a String, &Digest)| Neighbour {
                digest,
                tokens: first_tokens(text.as_bytes(), MOST_TOKENS),
            };
            texts.iter().zip(digests).map(neighbour).collect()
        };
        Some(Target {
            word,
            within: anchor.within,
            digest: Some(anchor.digest),
            tokens: first_tokens(line, MOST_TOKENS),
            left: last_tokens(left, MOST_TOKENS),
            right: first_tokens(right, MOST_TOKENS),
            ordinal: Ordinal::of(word, left, right),
            stream: [stream_before(&anchor.before, left), stream_after(&anchor.after, right)],
            is_declared: anchor.location.find.is_none()
                && matches!(anchor.location.scope, Some(Scope::Symbol(_))),
            before: near(&anchor.before, &anchor.above),
            after: near(&anchor.after, &anchor.below),
            above: &anchor.above,
            below: &anchor.below,
            mapped: None,
            twins: Some(anchor.twins),
            words: Some(anchor.words),
            others: &anchor.others,
            symbol: anchor.symbol.as_ref().map_or(&[], |symbol| &symbol.path),
            led: None,
            own: None,
            outline: None,
        })
    }
}

impl Target<'_> {
    /// Whether a line with this digest was near the place in the old text.
    pub(crate) fn stood_near(&self, line: Digest) -> bool {
        self.above.contains(&line) || self.below.contains(&line)
    }
}

fn stream_before<'a>(lines: &'a [String], left: &'a [u8]) -> Vec<&'a [u8]> {
    let mut stream = last_tokens(left, N_STREAM);
    for line in lines {
        let mut longer = last_tokens(line.as_bytes(), N_STREAM - stream.len());
        longer.append(&mut stream);
        stream = longer;
    }
    stream
}

fn stream_after<'a>(lines: &'a [String], right: &'a [u8]) -> Vec<&'a [u8]> {
    let mut stream = first_tokens(right, N_STREAM);
    for line in lines {
        stream.extend(first_tokens(line.as_bytes(), N_STREAM - stream.len()));
    }
    stream
}
