//! Places survive edits: the bytes next to a place are still next to it afterwards.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "a test may fail")]

use locant_text::{Bias, Edit, Edits, Extent, Offset, Range};
use proptest::prelude::*;

/// A random edit: how many bytes lie between the previous edit and this one, how many bytes it replaces, and how many
/// it inserts.
type Drawn = (u32, u32, u32);

fn edits(drawn: &[Drawn]) -> Edits {
    let mut at = 0;
    let edit = |&(gap, len, insert): &Drawn| {
        let start = at + gap;
        at = start + len;
        Edit { range: Range::new(Offset::new(start), Offset::new(at)), insert: Extent::new(insert) }
    };
    Edits::new(drawn.iter().map(edit).collect()).unwrap()
}

/// Applies edits to a text in which each byte holds its own index. So each byte of the result is its index in the old
/// text, or `None` for an inserted byte.
fn apply(edits: &Edits, old: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut new = Vec::new();
    let mut at = 0;
    for edit in edits.as_slice() {
        new.extend(&old[at..edit.range.start().index()]);
        new.extend(vec![None; edit.insert.len()]);
        at = edit.range.end().index();
    }
    new.extend(&old[at..]);
    new
}

/// Checks where the place `<|>` is after the edits, with bias left and with bias right. `marked` writes an edit as its
/// old and new bytes in brackets: `a<|>b[c=>XY]` replaces `c` by `XY`.
fn check(marked: &str, left: &str, right: &str) {
    let at = marked.find("<|>").unwrap();
    let (mut old, mut new, mut drawn, mut place) = (String::new(), String::new(), Vec::new(), 0);
    for (index, piece) in marked.split(['[', ']']).enumerate() {
        let piece_start = piece.as_ptr() as usize - marked.as_ptr() as usize;
        let (before, after) = piece.split_once("=>").unwrap_or((piece, piece));
        let is_here = (piece_start..=piece_start + before.len()).contains(&at) && before.contains("<|>");
        if is_here {
            place = old.len() + at - piece_start;
        }
        let (before, after) = (before.replace("<|>", ""), after.replace("<|>", ""));
        if index % 2 == 1 {
            let range = Range::of_indices(old.len()..old.len() + before.len());
            drawn.push(Edit { range, insert: Extent::of_len(after.len()) });
        }
        old += &before;
        new += &after;
    }
    let edits = Edits::new(drawn).unwrap();
    let carried = |bias| match edits.carry(Offset::of_index(place), bias) {
        Some(offset) => format!("{}<|>{}", &new[..offset.index()], &new[offset.index()..]),
        None => "none".to_owned(),
    };
    assert_eq!([carried(Bias::Left), carried(Bias::Right)], [left, right], "{marked}");
}

#[test]
fn place_moves_with_the_text_around_it() {
    check("a<|>b[c=>XY]d", "a<|>bXYd", "a<|>bXYd");
    check("ab[c=>XY]d<|>e", "abXYd<|>e", "abXYd<|>e");
    check("a[bc=>]d[=>XY]e<|>", "adXYe<|>", "adXYe<|>");
}

#[test]
fn bias_decides_at_an_insertion() {
    check("a<|>[=>XY]b", "a<|>XYb", "aXY<|>b");
    check("a[=>XY]<|>b", "a<|>XYb", "aXY<|>b");
    check("a[=>X][=>Y]<|>b", "a<|>XYb", "aXY<|>b");
    check("<|>[=>X]", "<|>X", "X<|>");
}

#[test]
fn ends_of_a_replacement_stay_its_ends() {
    check("a<|>[bc=>XYZ]d", "a<|>XYZd", "a<|>XYZd");
    check("a[bc=>XYZ]<|>d", "aXYZ<|>d", "aXYZ<|>d");
    check("a[bc=>X]<|>[de=>YZ]f", "aX<|>YZf", "aX<|>YZf");
    check("a[bc=>]<|>d", "a<|>d", "a<|>d");
    check("a[b=>X]<|>[=>YZ]c", "aX<|>YZc", "aXYZ<|>c");
}

#[test]
fn inside_replaced_bytes_there_is_no_place() {
    check("a[b<|>c=>XYZ]d", "none", "none");
    check("a[b<|>c=>]d", "none", "none");
}

#[test]
fn edits_out_of_order_or_out_of_bounds_are_none() {
    let edit = |start, end, insert| Edit {
        range: Range::new(Offset::new(start), Offset::new(end)),
        insert: Extent::new(insert),
    };
    assert!(Edits::new(vec![edit(0, 2, 1), edit(2, 4, 0), edit(4, 4, 9)]).is_some());
    assert!(Edits::new(vec![edit(0, 3, 1), edit(2, 4, 0)]).is_none());
    assert!(Edits::new(vec![edit(5, 6, 1), edit(2, 4, 0)]).is_none());
    assert!(Edits::new(vec![edit(1, 1, u32::MAX)]).is_none());
    let large = Edits::new(vec![edit(0, 0, u32::MAX)]).unwrap();
    assert_eq!(large.carry(Offset::new(1), Bias::Left), None);
    assert_eq!(large.carry(Offset::ZERO, Bias::Right), Some(Offset::new(u32::MAX)));
}

#[test]
fn range_keeps_its_bytes_and_takes_no_others() {
    let edits = edits(&[(2, 0, 3), (2, 1, 2), (2, 0, 1)]); // ab[=>XYZ]cd[e=>PQ]fg[=>R]h
    let carried = |start, end| edits.carry_range(Range::of_indices(start..end)).map(Range::indices);
    assert_eq!(carried(2, 4), Some(5..7));
    assert_eq!(carried(0, 2), Some(0..2));
    assert_eq!(carried(4, 5), Some(7..9));
    assert_eq!(carried(2, 7), Some(5..11));
    assert_eq!(carried(2, 2), Some(2..2));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_stood_beside_a_place_still_does(drawn in proptest::collection::vec((0..4u32, 0..4u32, 0..4u32), 0..6)) {
        let edits = edits(&drawn);
        let len = drawn.iter().map(|(gap, len, _)| gap + len).sum::<u32>() as usize + 3;
        let new = apply(&edits, &(0..len).map(Some).collect::<Vec<_>>());
        let place_of = |byte: usize| new.iter().position(|old| *old == Some(byte));
        for at in 0..=len {
            let [left, right] = [Bias::Left, Bias::Right].map(|bias| edits.carry(Offset::of_index(at), bias));
            if let Some(place) = place_of(at) {
                prop_assert_eq!(right, Some(Offset::of_index(place)));
            }
            if let Some(place) = at.checked_sub(1).and_then(place_of) {
                prop_assert_eq!(left, Some(Offset::of_index(place + 1)));
            }
            let is_inside = |edit: &Edit| edit.range.start().index() < at && at < edit.range.end().index();
            let is_lost = edits.as_slice().iter().any(is_inside);
            prop_assert_eq!((left.is_none(), right.is_none()), (is_lost, is_lost));
            prop_assert!(left <= right);
        }
    }

    #[test]
    fn there_and_back(drawn in proptest::collection::vec((0..4u32, 0..4u32, 0..4u32), 0..6), bias_is_left: bool) {
        let edits = edits(&drawn);
        let back = edits.inverse();
        prop_assert_eq!(&back.inverse(), &edits);
        prop_assert_eq!(Edits::new(back.as_slice().to_vec()), Some(back.clone()));
        let bias = if bias_is_left { Bias::Left } else { Bias::Right };
        for at in (0..40).map(Offset::new) {
            if !edits.as_slice().iter().any(|edit| edit.range.touches(at)) {
                let carried = edits.carry(at, bias).unwrap();
                prop_assert_eq!(back.carry(carried, bias), Some(at));
            }
        }
    }

    #[test]
    fn ranges_keep_their_bytes(
        drawn in proptest::collection::vec((0..4u32, 0..4u32, 0..4u32), 0..6), start in 0..30usize, len in 1..20usize,
    ) {
        let edits = edits(&drawn);
        let new = apply(&edits, &(0..80).map(Some).collect::<Vec<_>>());
        let range = start..start + len;
        if let Some(carried) = edits.carry_range(Range::of_indices(range.clone())) {
            for (place, old) in new.iter().enumerate() {
                if let Some(old) = old {
                    prop_assert_eq!(range.contains(old), carried.indices().contains(&place));
                }
            }
        }
    }
}
