//! The place to search for, as far as it is known.

use locant_text::Offset;
use locant_tree::Outline;

use super::similarity::{BAD, MOST_TOKENS, first_tokens, last_tokens};
use crate::anchor::{Anchor, LINE, Rank};
use crate::lines::Digest;
use crate::lines::Other;
use crate::location::Scope;

/// How many tokens before and after the word are compared, across lines.
pub(crate) const N_STREAM: usize = 16;

/// What is known about the place to search for. What is not known is empty or `None`.
pub(crate) struct Target<'a> {
    /// The word nearest to the place.
    pub(crate) word: &'a [u8],
    /// How many bytes after the start of the word the place is; negative before it.
    pub(crate) within: i32,
    /// The digest of its line.
    pub(crate) digest: Option<Digest>,
    /// The tokens of its line; then those before and after the word.
    pub(crate) tokens: Vec<&'a [u8]>,
    pub(crate) left: Vec<&'a [u8]>,
    pub(crate) right: Vec<&'a [u8]>,
    /// Which of several equal words in its line it is.
    pub(crate) ordinal: Ordinal,
    /// The tokens before and after the word, including those of other lines.
    pub(crate) stream: [Vec<&'a [u8]>; 2],
    /// Whether the word is the name of a symbol that is declared there.
    pub(crate) is_declared: bool,
    /// The nearest lines as text, the nearest first.
    pub(crate) before: Vec<Neighbour<'a>>,
    pub(crate) after: Vec<Neighbour<'a>>,
    /// Many lines as digests, the nearest first.
    pub(crate) above: &'a [Digest],
    pub(crate) below: &'a [Digest],
    /// Where the line must be according to a diff of both texts, if the old text is given.
    pub(crate) mapped: Option<Mapped>,
    pub(crate) twins: Option<Rank>,
    pub(crate) words: Option<Rank>,
    /// Other lines that had the word, as many as are known.
    pub(crate) others: &'a [Other],
    /// The path of the innermost symbol; empty at the top level.
    pub(crate) symbol: &'a [String],
    /// Where the location as it was written leads to in the new text, if that is only one place.
    pub(crate) led: Option<Offset>,
    /// That place, if it is in a symbol with the old path and kind: then no other place is more certain.
    pub(crate) own: Option<Offset>,
    /// The outline of the old text, if it is given.
    pub(crate) outline: Option<&'a Outline>,
}

/// How many equal words come before and after a word in its line, as far as the line is known.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ordinal {
    before: Option<usize>,
    after: Option<usize>,
}

impl Ordinal {
    fn of(word: &[u8], left: &[u8], right: &[u8]) -> Ordinal {
        // Several invalid bytes of the text may be one character in the anchor.
        if word == BAD {
            return Ordinal::default();
        }
        let count =
            |part: &[u8]| first_tokens(part, usize::MAX).into_iter().filter(|token| *token == word).count();
        // A side of the greatest length was cut. The cut may be a few bytes off, so that it is not inside a character.
        let is_whole = |part: &[u8]| part.len() + MOST_OFF < LINE;
        Ordinal { before: is_whole(left).then(|| count(left)), after: is_whole(right).then(|| count(right)) }
    }

    /// Whether it may be the word with index `at` among the `n_in_line` equal words of a line.
    pub(crate) fn may_be(self, at: usize, n_in_line: usize) -> bool {
        self.before.is_none_or(|before| before == at)
            && self.after.is_none_or(|after| after + at + 1 == n_in_line)
    }
}

/// How many bytes a cut may be off: those of a character.
const MOST_OFF: usize = 4;

/// Where a line is according to a diff of two texts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mapped {
    /// The same line, if it is still there.
    pub(crate) line: Option<usize>,
    /// The range of lines where it can be: between the nearest lines above and below that stayed.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// If the line is not there: the same word, by a diff of the words between those lines.
    pub(crate) word: Option<Offset>,
    /// The share of the words between those lines that still exist.
    pub(crate) kept: f64,
}

/// A line near the place.
pub(crate) struct Neighbour<'a> {
    pub(crate) digest: Digest,
    pub(crate) tokens: Vec<&'a [u8]>,
}

impl<'a> Target<'a> {
    /// What an anchor tells about its place. `None` if its parts do not fit together, as only in an anchor made by
    /// hand.
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
    /// Whether a line was near the place.
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
