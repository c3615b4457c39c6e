mod broken;
mod models;
mod pricing;

use models::{Item, Order};
use pricing::{checkout, discount};

fn main() {
    let order = Order { items: vec![Item { name: "🍵", cents: 250 }] };
    println!("🫖 tea {} {}", checkout(&order), discount(&order, 10));
}
