use crate::models::{Order, Priced};

/// What is left of the price after a discount.
pub fn discount(order: &Order, percent: u32) -> u32 {
    order.price() * (100 - percent) / 100
}

pub fn checkout(order: &Order) -> u32 {
    let total = discount(order, 20);
    total
}
