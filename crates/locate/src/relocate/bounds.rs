//! What is alike, near or rare enough: numbers that no weight can replace, learned by trying several of each.

/// Declares the bounds.
macro_rules! bounds {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// Numbers that the evidence is made with.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Bounds {
            $($(#[$doc])* pub $name: f64,)*
        }

        impl Bounds {
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

bounds! {
    /// At this distance a line of the wide surroundings says half as much as the next one.
    half
    /// The same for the few lines that tell which of the known lines one is.
    half_known
    /// Any two lines of code share a few tokens: neighbours that are less alike than this are not alike.
    chance
    /// So many more or fewer of a line or a word say no more than many.
    gained
    /// By so much better must the neighbours fit elsewhere to be far away.
    far
    /// A line that is as much like the old one, between its neighbours, is an edited form of it.
    like
    /// So many lines may stand now between the two that stood next to the place.
    between
    /// So near to the line that is looked for, another one is no edited form of it.
    beside
    /// So many words that are the same one by one, with the old text, are no chance.
    enough_words
    /// So many words has a line that is known again by them, with the old text.
    telling_words
    /// So many more tokens than a find has are looked at on each side of its word: some may have been put in.
    slack
    /// What a mark says beside a word that occurs once.
    mark
    /// Names that have more of their letters in common than this may be one name that was changed.
    alike
}
