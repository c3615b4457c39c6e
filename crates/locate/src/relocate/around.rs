//! The tokens around the word of a find, beside those around a word of the text.

use locant_text::Offset;

use super::words::{first_tokens, last_tokens, run, similarity, tokens_from_end, tokens_from_start, weight};

/// A find, cut at the word that its place hangs on.
pub(crate) struct Find<'f> {
    pub(crate) left: Vec<&'f [u8]>,
    pub(crate) right: Vec<&'f [u8]>,
    /// How many bytes the word has.
    length: usize,
    /// For each side, what is asked first of a text that has the word often.
    glances: [Glance; 2],
}

/// The tokens around a word of a text, as many as the find has.
#[derive(Default)]
pub(crate) struct Around<'t> {
    pub(crate) left: Vec<&'t [u8]>,
    pub(crate) right: Vec<&'t [u8]>,
}

impl<'f> Find<'f> {
    pub(crate) fn new(source: &'f [u8], word: std::ops::Range<usize>) -> Find<'f> {
        let left = last_tokens(&source[..word.start], usize::MAX);
        let right = first_tokens(&source[word.end..], usize::MAX);
        let glances = [Glance::at(&left), Glance::at(&right)];
        Find { left, right, length: word.len(), glances }
    }

    /// How many tokens it has beside the word.
    pub(crate) fn n_tokens(&self) -> usize {
        self.left.len() + self.right.len()
    }

    /// What stands before and behind a word of a text.
    pub(crate) fn sides<'t>(&self, bytes: &'t [u8], word: Offset) -> [&'t [u8]; 2] {
        let end = (word.index() + self.length).min(bytes.len());
        [&bytes[..word.index()], &bytes[end..]]
    }

    /// Reads the tokens around a word of a text.
    pub(crate) fn read<'t>(&self, around: &mut Around<'t>, bytes: &'t [u8], word: Offset) {
        let [left, right] = self.sides(bytes, word);
        around.left.clear();
        around.left.extend(tokens_from_end(left).take(self.left.len()));
        around.left.reverse();
        around.right.clear();
        around.right.extend(tokens_from_start(right).take(self.right.len()));
    }

    /// How many tokens next to the word are those of the find, on the left and on the right.
    pub(crate) fn runs(&self, around: &Around<'_>) -> [usize; 2] {
        let left = run(around.left.iter().rev(), self.left.iter().rev());
        [left, run(around.right.iter(), self.right.iter())]
    }

    /// The same as a share of all that the find has there.
    pub(crate) fn shares(&self, around: &Around<'_>) -> [f64; 2] {
        let share = |n_common: usize, n_old: usize| match n_old {
            0 => 1.0,
            _ => n_common as f64 / n_old as f64,
        };
        let [left, right] = self.runs(around);
        [share(left, self.left.len()), share(right, self.right.len())]
    }

    /// How much the tokens around a word are like those of the find.
    pub(crate) fn likeness(&self, around: &Around<'_>) -> f64 {
        self.mean(|| similarity(&self.left, &around.left), || similarity(&self.right, &around.right))
    }

    /// As much they are like them at most, whatever their order is. Takes time linear in the find.
    pub(crate) fn likeness_at_most(&self, around: &Around<'_>) -> f64 {
        let [left, right] = &self.glances;
        self.mean(|| left.at_most(&around.left), || right.at_most(&around.right)) + ROUNDED
    }

    fn mean(&self, left: impl Fn() -> f64, right: impl Fn() -> f64) -> f64 {
        let (n_left, n_right) = (self.left.len() as f64, self.right.len() as f64);
        match n_left + n_right {
            0.0 => 1.0,
            n => (left() * n_left + right() * n_right) / n,
        }
    }
}

/// More than numbers that are added in another order may differ.
const ROUNDED: f64 = 1e-9;

/// What can be seen of some tokens without comparing them.
struct Glance {
    /// By a few of their bits, may one of them be a token?
    may_be: [u64; N_BITS / 64],
    weight: f64,
}

const N_BITS: usize = 1024;

impl Glance {
    fn at(tokens: &[&[u8]]) -> Glance {
        let mut glance = Glance { may_be: [0; N_BITS / 64], weight: 0.0 };
        for token in tokens {
            let (word, bit) = bit(token);
            glance.may_be[word] |= bit;
            glance.weight += weight(token);
        }
        glance
    }

    /// The most that other tokens can have in common with these, as [`similarity`] has it.
    fn at_most(&self, tokens: &[&[u8]]) -> f64 {
        let (mut total, mut common) = (self.weight, 0.0);
        for token in tokens {
            let weight = weight(token);
            let (word, bit) = bit(token);
            total += weight;
            common += if self.may_be[word] & bit == 0 { 0.0 } else { weight };
        }
        if total == 0.0 { 1.0 } else { 2.0 * common.min(self.weight) / total }
    }
}

/// The bit of a token, by its ends and its length.
fn bit(token: &[u8]) -> (usize, u64) {
    let end = |byte: Option<&u8>| byte.map_or(0, |&byte| usize::from(byte));
    let at = (end(token.first()) + 5 * end(token.last()) + 37 * token.len()) % N_BITS;
    (at / 64, 1 << (at % 64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_word_is_more_like_it_than_at_most(source in "[ab ,]{0,12}x[ab ,]{0,12}", text in "[abc ,]{0,12}x[abc ,]{0,12}") {
            let [at, word] = [&source, &text].map(|text| text.find('x').unwrap_or(0));
            let find = Find::new(source.as_bytes(), at..at + 1);
            let mut around = Around::default();
            find.read(&mut around, text.as_bytes(), Offset::of_index(word));
            prop_assert!(find.likeness(&around) <= find.likeness_at_most(&around));
        }
    }
}
