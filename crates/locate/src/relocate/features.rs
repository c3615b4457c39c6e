//! Declares features by name: a struct with one number for each feature, its conversion to an array, and the index of
//! each feature in that array.

/// Declares the features of a candidate.
macro_rules! features {
    ($($name:ident)*) => {
        /// The names of the features, in their order.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// How many features there are.
        pub const N_FEATURES: usize = NAMES.len();

        /// One number for each feature: its value for a candidate, or its weight in a model.
        #[derive(Default)]
        pub(crate) struct Features { $(pub(crate) $name: f64,)* }

        impl Features {
            /// The numbers in the order of the names.
            pub(crate) const fn list(&self) -> [f64; N_FEATURES] {
                [$(self.$name),*]
            }
        }

        /// The index of each number that a tree may ask about: the features of the best candidate, then its score and
        /// its lead.
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types, reason = "a feature has one name")]
        #[allow(dead_code, reason = "no tree may ask for it")]
        pub(crate) enum Feature { $($name,)* score, lead }
    };
}

pub(crate) use features;

/// 1 if the condition holds, else 0.
pub(crate) fn is(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}
