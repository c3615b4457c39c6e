//! Shapes, to try locations on.

/// A circle around the origin.
pub struct Circle {
    pub radius: f64,
}

impl Circle {
    /// How much it covers.
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.radius * self.radius
    }
}

impl std::fmt::Display for Circle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a circle of radius {} 😀", self.radius)
    }
}
