//! What is sold.

/// Anything with a price.
pub trait Priced {
    /// The price in cents.
    fn price(&self) -> u32;
}

/// A thing on the shelf.
pub struct Item {
    pub name: &'static str,
    pub cents: u32,
}

pub struct Order {
    pub items: Vec<Item>,
}

impl Priced for Item {
    fn price(&self) -> u32 {
        self.cents
    }
}

impl Priced for Order {
    fn price(&self) -> u32 {
        let mut sum = 0;
        for item in &self.items {
            sum += item.price();
        }
        sum
    }
}
