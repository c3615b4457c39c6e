//! Compares the tokens around the word of a find with the tokens around a word of the text.

use locant_text::Offset;

use super::similarity::{first_tokens, last_tokens, run, similarity, tokens_from_end, tokens_from_start};

/// How many tokens of a find are compared on each side of its word. The time grows with the square of this number.
const MOST_TOKENS: usize = 128;

/// A find, split at the word nearest to its marker: the tokens on the left and on the right of that word.
pub(crate) struct SplitFind<'f> {
    pub(crate) left: Vec<&'f [u8]>,
    pub(crate) right: Vec<&'f [u8]>,
    /// The length of the word in bytes.
    length: usize,
}

/// The tokens around a word of a text: at most as many on each side as the find has.
#[derive(Default)]
pub(crate) struct TokenContext<'t> {
    pub(crate) left: Vec<&'t [u8]>,
    pub(crate) right: Vec<&'t [u8]>,
}

impl<'f> SplitFind<'f> {
    pub(crate) fn new(source: &'f [u8], word: std::ops::Range<usize>) -> SplitFind<'f> {
        let left = last_tokens(&source[..word.start], MOST_TOKENS);
        let right = first_tokens(&source[word.end..], MOST_TOKENS);
        SplitFind { left, right, length: word.len() }
    }

    /// How many tokens the find has, not counting the word.
    pub(crate) fn n_tokens(&self) -> usize {
        self.left.len() + self.right.len()
    }

    /// The text before and after a word.
    pub(crate) fn sides<'t>(&self, bytes: &'t [u8], word: Offset) -> [&'t [u8]; 2] {
        let end = (word.index() + self.length).min(bytes.len());
        [&bytes[..word.index()], &bytes[end..]]
    }

    /// Reads the tokens around a word of a text.
    pub(crate) fn read<'t>(&self, context: &mut TokenContext<'t>, bytes: &'t [u8], word: Offset) {
        let [left, right] = self.sides(bytes, word);
        context.left.clear();
        context.left.extend(tokens_from_end(left).take(self.left.len()));
        context.left.reverse();
        context.right.clear();
        context.right.extend(tokens_from_start(right).take(self.right.len()));
    }

    /// How many tokens in a row, directly beside the word, are the same as in the find: on the left and on the right.
    pub(crate) fn runs(&self, context: &TokenContext<'_>) -> [usize; 2] {
        let left = run(context.left.iter().rev(), self.left.iter().rev());
        [left, run(context.right.iter(), self.right.iter())]
    }

    /// The numbers of [`SplitFind::runs`] as shares of the tokens that the find has on each side.
    pub(crate) fn shares(&self, context: &TokenContext<'_>) -> [f64; 2] {
        let share = |n_common: usize, n_old: usize| match n_old {
            0 => 1.0,
            _ => n_common as f64 / n_old as f64,
        };
        let [left, right] = self.runs(context);
        [share(left, self.left.len()), share(right, self.right.len())]
    }

    /// How similar the tokens around a word are to those of the find, on the left and on the right.
    pub(crate) fn likeness(&self, context: &TokenContext<'_>) -> [f64; 2] {
        [similarity(&self.left, &context.left), similarity(&self.right, &context.right)]
    }

    /// The mean of a value for the left and one for the right side, weighted by the number of tokens of the find on
    /// each side.
    pub(crate) fn mean(&self, [left, right]: [f64; 2]) -> f64 {
        let (n_left, n_right) = (self.left.len() as f64, self.right.len() as f64);
        match n_left + n_right {
            0.0 => 1.0,
            n => (left * n_left + right * n_right) / n,
        }
    }
}
