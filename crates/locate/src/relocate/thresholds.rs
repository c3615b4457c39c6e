//! Numbers that the features are computed with: what is alike, near or rare enough. They are learned by trying several
//! values of each, and the last two by counting.

/// Declares the thresholds.
macro_rules! thresholds {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// Numbers that the features are computed with.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Thresholds {
            $($(#[$doc])* pub $name: f64,)*
        }

        impl Thresholds {
            /// Their names, in their order.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// All of them, in their order.
            pub fn list(&self) -> Vec<f64> {
                vec![$(self.$name),*]
            }

            /// The one with this name, to be changed; `None` when there is none.
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
    /// The distance at which a line of the wide surroundings counts half as much as the nearest.
    half
    /// The same for the few lines that tell which of the known lines a line is.
    half_known
    /// The least likeness of two neighbours that counts. Any two lines of code share a few tokens.
    chance
    /// The largest difference in how often a line or a word occurs that counts.
    gained
    /// How much better the neighbours must fit elsewhere to count as moved away.
    far
    /// The least likeness of a line between the old neighbours that is an edited form of the old line.
    like
    /// How many lines may stand now between the two that stood next to the place.
    between
    /// Up to this distance from the old line itself, a line is no edited form of it.
    beside
    /// How many words must be the same one by one, with the old text, not to be so by chance.
    enough_words
    /// The least number of letters in the words of a line that is recognised by them, with the old text.
    telling
    /// How many tokens more than a find has are looked at on each side of its word: some may have been inserted.
    slack
    /// How much a mark counts, compared to a word that occurs once.
    mark
    /// The least share of common letters in two names that may be one name before and after a change.
    alike
    /// How probable it is that a place is where the difference to the old text alone leads.
    unchanged
    /// How probable it is that a name is the old one which is still declared under its path, as its kind and only once.
    named
}
