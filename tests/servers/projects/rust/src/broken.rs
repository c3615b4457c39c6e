use crate::models::Item;

pub fn prize(item: Item) -> u32 {
    let count: u32 = "three";
    item.prize() + count
}
