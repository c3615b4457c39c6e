//! Tokens by index, as the readers of languages with braces ask for them.

use locant_text::{Offset, Range};

use crate::tokens::{Token, WORD};

/// The tokens of a text.
pub(crate) struct Stream<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) tokens: Vec<Token>,
}

impl<'a> Stream<'a> {
    /// The mark of a token; 0 where there is none.
    pub(crate) fn mark(&self, at: usize) -> u8 {
        self.tokens.get(at).map_or(0, |token| token.mark)
    }

    /// The word that a token is; empty for marks.
    pub(crate) fn word(&self, at: usize) -> &'a [u8] {
        match self.tokens.get(at) {
            Some(token) if token.mark == WORD => &self.text[token.start as usize..token.end as usize],
            _ => &[],
        }
    }

    pub(crate) fn is(&self, at: usize, word: &str) -> bool {
        self.word(at) == word.as_bytes()
    }

    pub(crate) fn is_among(&self, at: usize, words: &[&str]) -> bool {
        let own = self.word(at);
        !own.is_empty() && words.iter().any(|word| word.as_bytes() == own)
    }

    /// Whether a token is a word that can be a name.
    pub(crate) fn is_name(&self, at: usize) -> bool {
        self.word(at).first().is_some_and(|first| !first.is_ascii_digit())
    }

    /// The range of a token that is there.
    pub(crate) fn range(&self, at: usize) -> Range {
        self.tokens[at].range()
    }

    /// From the start of one token to the end of another.
    pub(crate) fn span(&self, first: usize, last: usize) -> Range {
        Range::of_indices(self.tokens[first].start as usize..self.tokens[last].end as usize)
    }

    pub(crate) fn start(&self, at: usize) -> Offset {
        Offset::new(self.tokens[at].start)
    }

    /// The bracket that closes the one that opens here.
    pub(crate) fn partner(&self, at: usize) -> usize {
        self.tokens[at].partner as usize
    }

    /// The token after this one, or after the brackets that open here.
    pub(crate) fn after(&self, at: usize) -> usize {
        match self.mark(at) {
            b'(' | b'[' | b'{' => self.partner(at) + 1,
            _ => at + 1,
        }
    }

    /// Whether a token follows the one before without a blank.
    pub(crate) fn is_glued(&self, at: usize) -> bool {
        at > 0 && self.tokens.get(at).is_some_and(|token| token.start == self.tokens[at - 1].end)
    }

    /// The token after the angle brackets that open here; `None` when they are none.
    pub(crate) fn after_angles(&self, open: usize) -> Option<usize> {
        let (mut at, mut depth) = (open, 0_usize);
        loop {
            match self.mark(at) {
                b'<' => depth += 1,
                // `->` is no bracket.
                b'>' if self.is_glued(at) && matches!(self.mark(at - 1), b'-' | b'=') => {}
                b'>' if depth == 1 => return Some(at + 1),
                b'>' => depth -= 1,
                b'{' | b';' | 0 | b')' | b']' | b'}' => return None,
                _ => {}
            }
            at = self.after(at);
        }
    }
}
