//! Features by name: a struct of numbers, the same as a list, and the place of each in that list.

/// Declares the features that speak for a candidate.
macro_rules! features {
    ($($name:ident)*) => {
        /// The names of the features, in their order.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// How many features there are.
        pub const N_FEATURES: usize = NAMES.len();

        /// One number for each feature: what was seen of a candidate, or how much that says.
        #[derive(Default)]
        pub(crate) struct Features { $(pub(crate) $name: f64,)* }

        impl Features {
            /// The numbers in the order of the names.
            pub(crate) const fn list(&self) -> [f64; N_FEATURES] {
                [$(self.$name),*]
            }
        }

        /// Where the numbers of the best candidate stand that trees look at.
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types, reason = "a feature has one name")]
        #[allow(dead_code, reason = "no tree may ask for it")]
        pub(crate) enum Feature { $($name,)* score, lead }
    };
}

pub(crate) use features;

/// 1 for what holds, 0 for what does not.
pub(crate) fn is(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}
