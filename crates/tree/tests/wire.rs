//! A tree can be read back from its bytes, and damaged bytes are refused.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod drawn;

use drawn::{build, events, vocabulary};
use locant_tree::{Malformed, Tree};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_tree_comes_back(events in events()) {
        let tree = build(&events);
        let bytes = tree.to_bytes();
        let back = Tree::from_bytes(&bytes).unwrap();
        prop_assert!(tree == back);
        let back = back.with_vocabulary(&vocabulary()).unwrap();
        prop_assert_eq!(back.events().collect::<Vec<_>>(), events);
        prop_assert_eq!(Tree::from_bytes(&back.to_bytes()), Ok(back));
    }

    #[test]
    fn a_tree_that_was_damaged_is_refused(events in events(), at in any::<prop::sample::Index>(), bit in 0..8u8) {
        let mut bytes = build(&events).to_bytes();
        let at = at.index(bytes.len());
        prop_assert!(Tree::from_bytes(&bytes[..at]).is_err());
        bytes[at] ^= 1 << bit;
        prop_assert!(Tree::from_bytes(&bytes).is_err());
    }

    #[test]
    fn any_other_bytes_with_a_right_check_are_read_or_refused(
        events in events(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = build(&events).to_bytes();
        bytes.truncate(bytes.len() - 8);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.extend(locant_tree::check_of(&bytes).to_le_bytes());
        if let Ok(tree) = Tree::from_bytes(&bytes) {
            // Any bytes that are accepted make a valid tree.
            prop_assert_eq!(tree.nodes().len(), tree.n_nodes() as usize);
            prop_assert!(Tree::from_bytes(&tree.to_bytes()) == Ok(tree));
        }
    }
}

#[test]
fn what_is_wrong_is_told() {
    let bytes = build(&[]).to_bytes();
    assert_eq!(Tree::from_bytes(b""), Err(Malformed::Head));
    assert_eq!(Tree::from_bytes(b"ltre\x01"), Err(Malformed::Head));
    assert_eq!(Tree::from_bytes(&bytes[..7]), Err(Malformed::Check));
    assert_eq!(Tree::from_bytes(&[&bytes[..], b"x"].concat()), Err(Malformed::Check));
}
