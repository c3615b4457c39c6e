//! What is alike, near or rare enough, and what is sure without weighing: numbers that no weight can replace. They are
//! learned by trying several of each, and the last two by counting.

/// Declares the thresholds.
macro_rules! thresholds {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// Numbers that the evidence is made with.
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
    /// So many letters have the words of a line that is known again by them, with the old text.
    telling
    /// So many more tokens than a find has are looked at on each side of its word: some may have been put in.
    slack
    /// What a mark says beside a word that occurs once.
    mark
    /// Names that have more of their letters in common than this may be one name that was changed.
    alike
    /// How probable it is that a place is where the difference to the old text alone leads.
    unchanged
    /// How probable it is that a name is the old one which is still declared under its path, as its kind and only once.
    named
}
