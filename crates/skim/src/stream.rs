//! The tokens of a text by index, for the readers of languages with braces.

use locant_text::{Offset, Range};

use crate::tokens::{Token, WORD};

/// How many tokens, or groups in brackets, a reader looks ahead. Real code needs fewer, and the limit keeps hostile
/// texts from taking long.
pub(crate) const MAX_AHEAD: usize = 1000;

/// The tokens of a text.
pub(crate) struct Stream<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) tokens: Vec<Token>,
}

impl<'a> Stream<'a> {
    /// The mark of the token at `at`. 0 if there is none.
    pub(crate) fn mark(&self, at: usize) -> u8 {
        self.tokens.get(at).map_or(0, |token| token.mark)
    }

    /// The mark of the token before `at`. 0 if there is none.
    pub(crate) fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |before| self.mark(before))
    }

    /// The word at `at`. Empty if the token is not a word.
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

    /// Whether the token is a word that can be a name.
    pub(crate) fn is_name(&self, at: usize) -> bool {
        self.word(at).first().is_some_and(|first| !first.is_ascii_digit())
    }

    /// The range of the token at `at`. If there is none, the empty range at the end of the text.
    pub(crate) fn range(&self, at: usize) -> Range {
        let end = Offset::of_index(self.text.len());
        self.tokens.get(at).map_or(Range::empty(end), Token::range)
    }

    /// The range from the start of `first` to the end of `last`. If `last` comes before `first`, the range of `first`.
    pub(crate) fn span(&self, first: usize, last: usize) -> Range {
        Range::new(self.range(first).start(), self.range(last.max(first)).end())
    }

    pub(crate) fn start(&self, at: usize) -> Offset {
        self.range(at).start()
    }

    /// The other bracket of the pair, if the token at `at` is a bracket. Otherwise `at` itself.
    pub(crate) fn partner(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(at, |token| token.partner as usize)
    }

    /// The token after the one at `at`. If that is an opening bracket, the token after the closing one.
    pub(crate) fn after(&self, at: usize) -> usize {
        match self.mark(at) {
            b'(' | b'[' | b'{' => self.partner(at) + 1,
            _ => at + 1,
        }
    }

    /// Whether there is no blank between the token at `at` and the one before it.
    pub(crate) fn is_glued(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        before.zip(self.tokens.get(at)).is_some_and(|(before, token)| token.start == before.end)
    }

    /// The token after the angle brackets that open at `open`. `None` if they are not brackets, or do not close.
    pub(crate) fn after_angles(&self, open: usize) -> Option<usize> {
        let (mut at, mut depth) = (open, 0_usize);
        for _ in 0..MAX_AHEAD {
            match self.mark(at) {
                b'<' => depth += 1,
                // `->` and `=>` are not brackets.
                b'>' if self.is_glued(at) && matches!(self.before(at), b'-' | b'=') => {}
                b'>' if depth == 1 => return Some(at + 1),
                b'>' => depth -= 1,
                b'{' | b';' | 0 | b')' | b']' | b'}' => return None,
                _ => {}
            }
            at = self.after(at);
        }
        None
    }
}
