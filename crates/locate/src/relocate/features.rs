//! Features by name: a struct of numbers, and the same as a list.

/// Declares the features that speak for a candidate.
macro_rules! features {
    ($($name:ident)*) => {
        /// The names of the features, in their order.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        #[derive(Default)]
        struct Features { $($name: f64,)* }

        impl Features {
            fn list(&self) -> Vec<f64> {
                vec![$(self.$name),*]
            }
        }
    };
}

pub(crate) use features;

/// 1 for what holds, 0 for what does not.
pub(crate) fn is(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}
