//! Any bytes are either read as a position tree or refused, and a tree that was read works like any other.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locant_text::Offset;
use locant_tree::{Tree, check_of};

fuzz_target!(|bytes: &[u8]| {
    // Most random bytes are refused at once, so they are also tried with a valid head and checksum around them.
    let mut whole = b"ltre\x02".to_vec();
    whole.extend(bytes);
    whole.extend(check_of(&whole).to_le_bytes());
    for bytes in [bytes, &whole] {
        let Ok(tree) = Tree::from_bytes(bytes) else { continue };
        let nodes = tree.nodes();
        assert_eq!(nodes.len(), tree.n_nodes() as usize);
        for node in nodes.iter().take(50) {
            assert_eq!(tree.node(node.id).as_ref(), Some(node));
            let around = tree.path(node.range.start());
            assert!(node.range.is_empty() || around.contains(node));
            let _ = (
                tree.content_range(node),
                tree.path_at_cursor(Offset::new(node.range.end().to_u32()), bytes),
            );
        }
        assert_eq!(Tree::from_bytes(&tree.to_bytes()).as_ref(), Ok(&tree));
    }
});
