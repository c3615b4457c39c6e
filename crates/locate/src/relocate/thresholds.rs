//! Numbers with which the features are computed: what is alike, near or rare enough. They are learned by trying several
//! values of each; the last two by counting.

/// Declares the thresholds.
macro_rules! thresholds {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// Numbers with which the features are computed.
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

            /// The threshold with this name, for changing it; `None` if there is none.
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
    /// The same distance for the few lines that are aligned to find which known line a line is.
    half_known
    /// The least likeness of two neighbours that counts. Any two lines of code share a few tokens.
    chance
    /// The largest difference in how often a line or a word occurs that counts.
    gained
    /// How much better the neighbours must fit elsewhere to count as moved away.
    far
    /// The least likeness of a line between the old neighbours to count as an edited form of the old line.
    like
    /// How many lines may now be between the two lines that were next to the place.
    between
    /// Up to this distance from the old line itself, a line is not an edited form of it.
    beside
    /// How many words must be the same one by one, with the old text given, so that this is not by chance.
    enough_words
    /// The least number of letters in the words of a line to recognise the line by them, with the old text given.
    telling
    /// How many more tokens than the find has are compared on each side of its word, since some may have been inserted.
    slack
    /// How much a mark counts, relative to a word that occurs once.
    mark
    /// The least share of common letters in two names to count as one name before and after a renaming.
    alike
    /// How probable it is that a place is where the diff to the old text alone leads.
    unchanged
    /// How probable it is that a name is the old one, if it is still declared with its path and kind, and only once.
    named
}
