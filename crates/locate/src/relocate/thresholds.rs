//! Thresholds that the computation of features uses, such as how similar two lines must be. They are learned by trying
//! several values for each. The last two are probabilities, learned by counting cases.

/// Declares the thresholds.
macro_rules! thresholds {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// Numbers that the computation of features uses.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Thresholds {
            $($(#[$doc])* pub $name: f64,)*
        }

        impl Thresholds {
            /// The names of the thresholds, in the order of the fields.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// The values of the thresholds, in the order of the names.
            pub fn list(&self) -> Vec<f64> {
                vec![$(self.$name),*]
            }

            /// The threshold with this name, to change it; `None` if there is none.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut f64> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

thresholds! {
    /// The distance, in lines, at which a line around the place counts half as much as the nearest line.
    half
    /// The distance at which a line counts half, when a new line is compared with the other lines of the old text.
    half_known
    /// The least likeness of two neighbouring lines that counts. Any two lines of code share a few tokens.
    chance
    /// The largest change in the number of occurrences of a line or word that counts. Larger changes count as this one.
    gained
    /// How much better the neighbours must fit elsewhere to count as having moved away.
    far
    /// A line between the old neighbours counts as an edited form of the old line if it has at least this likeness to
    /// it.
    like
    /// How many lines may now be between the two lines that were directly above and below the line of the place.
    between
    /// A line at most this far from the unchanged old line is not an edited form of it.
    beside
    /// If the old text is known: how many tokens of a changed stretch must be the same, one by one, to exclude chance.
    enough_words
    /// If the old text is known: how many letters the words of a line must have for the line to be recognised by them.
    telling
    /// On each side of the word, this many more tokens are compared than the find has, since some may have been
    /// inserted.
    slack
    /// How much a punctuation mark counts, relative to a word that occurs once.
    mark
    /// A name counts as a new form of the old name if they share at least this part of their pairs of letters.
    alike
    /// How probable it is that a place is where the diff with the old text alone leads.
    unchanged
    /// How probable it is that a symbol is the old one, if it is the only symbol with the old path, and has the old
    /// kind.
    named
}
