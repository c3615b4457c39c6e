//! The laws of finding a place again. In the same text it is found where it was. In any other text, the answer is a
//! position of that text, or that there is none.

use locant_locate::relocate::{Relocation, relocate, relocate_from, relocate_words};
use locant_locate::{Anchor, Document, Location, Resolution, Wanted, anchor, checked, describe, resolve};
use locant_text::{Offset, Text};
use locant_tree::Outline;
use proptest::prelude::*;

#[derive(Debug)]
struct Sample(Text);

impl Document for Sample {
    fn path(&self) -> &str {
        "a.txt"
    }

    fn text(&self) -> &Text {
        &self.0
    }

    fn outline(&self) -> Option<&Outline> {
        None
    }
}

impl Sample {
    fn new(bytes: impl Into<Vec<u8>>) -> Sample {
        Sample(Text::new(bytes).expect("the text is short"))
    }

    fn positions(&self) -> impl Iterator<Item = Offset> {
        (0..=self.0.bytes().len()).map(Offset::of_index).filter(|&offset| self.0.is_boundary(offset))
    }

    fn anchor(&self, offset: Offset) -> Option<Anchor> {
        anchor(self, offset, describe(self, offset)?.location)
    }
}

/// Texts made of a few pieces, so that many lines are equal, with some invalid bytes.
fn source() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        &b"a"[..],
        b"b",
        b"x = a(b)\n",
        b"return x\n",
        b"}\n",
        b" ",
        b"\n",
        b"\r\n",
        b".",
        b"\xc3\xa9",
        b"\xf0\x9f\x98\x80",
        b"\xff",
        b"\xef\xbb\xbf",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Checks that the place of the marker in the old text is found at the marker of the new text. If the new text has no
/// marker, the place must not be found.
#[track_caller]
fn check(old: &str, new: &str) {
    let at = old.find("<|>").expect("the old text has a marker");
    let old = Sample::new(old.replace("<|>", ""));
    let kept = old.anchor(Offset::of_index(at)).expect("the marker is at a place");
    let bare = Sample::new(new.replace("<|>", ""));
    let found = match relocate_from(&old, &bare, &kept) {
        Relocation::Found { offset, .. } | Relocation::Renamed { offset, .. } => Some(offset.index()),
        Relocation::Ambiguous(_) | Relocation::Gone(_) => None,
    };
    assert_eq!(found, new.find("<|>"), "{new}");
}

#[test]
fn difference_to_the_old_text_decides() {
    check("one\ntwo <|>a\nthree\n", "zero\none\ntwo <|>a\nthree\n");
    check("one\ntwo <|>a\nthree\n", "one\nthree\n");
    check("f(x)\nuse <|>name\ng(x)\n", "f(x)\nuse <|>other\ng(x)\n");
}

/// Checks, with the anchor alone, that the word at the marker was replaced by the word at the marker of the new text.
/// If the new text has no marker, no replacement must be found.
#[track_caller]
fn check_other_word(old: &str, new: &str) {
    let at = old.find("<|>").expect("the old text has a marker");
    let old = Sample::new(old.replace("<|>", ""));
    let kept = old.anchor(Offset::of_index(at)).expect("the marker is at a place");
    let found = match relocate(&Sample::new(new.replace("<|>", "")), &kept) {
        Relocation::Renamed { offset, .. } => Some(offset.index()),
        Relocation::Found { .. } | Relocation::Ambiguous(_) | Relocation::Gone(_) => None,
    };
    assert_eq!(found, new.find("<|>"), "{new}");
}

#[test]
fn another_word_stands_between_the_same_lines() {
    let old = "a()\nb(name)\nc()\nuse(<|>name)\nd()\ne()\nf()\n";
    check_other_word(old, "0\na()\nb(other)\nc()\nuse(<|>other)\nd()\ne()\nf()\n");
    let behind = "a()\nb(name)\nc()\nuse(name<|>)\nd()\ne()\nf()\n";
    check_other_word(behind, "0\na()\nb(other)\nc()\nuse(other<|>)\nd()\ne()\nf()\n");
    // It is not found if the word still exists, if another line is beside it, or if another word of its line has
    // changed.
    check_other_word(old, "a()\nb(other)\nc()\nuse(other)\nd()\ne()\nf()\nname\n");
    check_other_word(old, "a()\nb(other)\nc()\nuse(other)\nd()\n0\ne()\nf()\n");
    check_other_word(old, "a()\nb(other)\nc()\nuser(other)\nd()\ne()\nf()\n");
    // It is not found if two places are equally similar.
    let lines = "a()\nb(other)\nc()\nuse(other)\nd()\ne()\nf()\n";
    check_other_word(old, &lines.repeat(2));
    // The item was deleted. The next item, which already existed, must not be taken for it.
    let item = |name: &str| format!("- name: {name}\n  uses: run\n  if: always\n  shell: bash\n");
    let [alpha, beta, gamma] = ["alpha", "<|>beta", "gamma"].map(item);
    check_other_word(&[alpha.as_str(), &beta, &gamma].concat(), &[alpha, gamma].concat());
    // It is not found if too few lines around the place are known.
    check_other_word("use(<|>name)\nd()\ne()\n", "use(other)\nd()\ne()\n");
    // A changed import is not a rename.
    let import = |name: &str| format!("a()\nb()\nc()\nimport {name}\nd()\ne()\nf()\n");
    check_other_word(&import("<|>sys"), &import("contextvars"));
}

#[test]
fn what_stands_outside_of_all_change_stays() {
    let line = "foo(bar);";
    let old = format!("{}<|>{}", line.repeat(200), line.repeat(200));
    check(&old, &format!("zz();{old}"));
    check(&old, &format!("{old}zz();"));
    let old = format!("{}<|>{}", "1,2\n".repeat(100), "1,2\n".repeat(100));
    check(&old, &format!("3,4\n{old}"));
    check(&old, &format!("3,4\n{old}3,4\n"));
}

/// A formatter changes all these lines, but their words stay the same, one by one.
#[test]
fn words_of_lines_that_were_broken_or_joined_are_followed() {
    let around = |between: &str| {
        format!("import os\n\ndef f(x, y):\n{between}\n    return value_of_all_that_was_computed\n")
    };
    let plain = around("    value = compute(x, <|>alpha, beta)");
    let broken = around("    value = compute(\n        x,\n        <|>alpha,\n        beta,\n    )");
    check(&plain, &broken);
    check(&broken, &plain);
    let call = "    run(<|>x)\n    keep_what_was_found_before(0)\n    other(1)\n    last(2)\n";
    check(
        &around(call),
        &around(
            "    run(\n        <|>x\n    )\n    keep_what_was_found_before(0)\n    other(3)\n    last(2)\n",
        ),
    );
}

/// A line is found by the diff alone if it is in an unchanged stretch with a line that occurs once in both texts.
#[test]
fn line_in_a_stretch_that_stayed_is_followed() {
    let function =
        |name: &str, end: &str| format!("def {name}(self):\n    ctx = make()\n    ctx.push()\n    {end}\n\n");
    let header = "def wsgi_app(self):\n    ctx = self.request_context(environment)\n";
    let own = format!("{header}    ctx.<|>push()\n    close(ctx)\n    end(1)\n");
    let old = format!("{}{}{own}", function("a", "return 1"), function("b", "return 2"));
    let new = own.replace("end(1)", "end(2)");
    check(&old, &format!("{}{new}", function("b", "return 3")));
    check(&old, &format!("x = 1\n{}{}{new}", function("b", "return 3"), function("c", "return 4")));
}

/// The inserted or deleted text ends like the text above it. So it is unclear which lines are new or gone, and the
/// common end of both texts is no evidence.
#[test]
fn what_slides_over_equal_lines_is_not_sure() {
    let item = |name: &str| format!("- name: {name}\n  kind: other\n  size: 1\n");
    let old = format!("{}{}{}", item("a"), item("b").replace("kind", "<|>kind"), item("c"));
    check(&old, &format!("{}{}", item("a"), item("c")));
    let first = "top(1)\nA(n)\nreturn <|>p\n";
    check(first, "top(2)\nA(n)\nreturn p\nB(n)\nreturn p\n");
}

/// If a word is longer than the part of a line that an anchor keeps, the anchor has only the start of the word.
#[test]
fn very_long_word_of_the_same_text_is_found() {
    let text = Sample::new(format!("k = \"{}\"\n", "q".repeat(300)));
    let offset = Offset::of_index(5);
    let kept = text.anchor(offset).expect("there is a word");
    assert!(matches!(relocate(&text, &kept), Relocation::Found { offset: found, .. } if found == offset));
}

/// Of many equal words in an unchanged line, the one in the same position is found.
#[test]
fn words_of_the_same_line_are_told_apart_by_their_order() {
    let lines = [format!("x = [{}]", "0, ".repeat(100)), "-".repeat(60), "[".repeat(90)];
    for line in lines {
        let text = |last: &str| format!("a = 1\n{line}\n{line}0\nb = 2\nc = {last}\n");
        let (old, new) = (Sample::new(text("3")), Sample::new(text("4")));
        for offset in old.positions().filter(|offset| offset.index() < "a = 1\n".len() + line.len()) {
            let kept = old.anchor(offset).expect("there is a word");
            if let Relocation::Found { offset: found, .. } = relocate(&new, &kept) {
                assert_eq!(found, offset, "{line}");
            }
        }
    }
}

/// An anchor is input from outside, so its offset may be wrong. Its line and its word count more.
#[test]
fn anchor_that_contradicts_itself_is_not_believed() {
    let sample = Sample::new("import os\nuse(one)\nuse(two)\n");
    let kept = sample.anchor(Offset::of_index(14)).expect("there is a word");
    let broken = Anchor { offset: 1, ..kept.clone() };
    if let Relocation::Found { offset, .. } = relocate(&sample, &broken) {
        assert_eq!(offset.index(), 14);
    }
}

/// The common start of both texts ends inside a line. A token of that line is not the same token, even if it is equal.
#[test]
fn first_word_of_another_line_is_not_the_place() {
    let around = "one(a)\ntwo(b)\nthree(c)\nfour(d)\n";
    let text = |between: &str| format!("{around}{between}\n{around}");
    check(&text("<|>def area(width):\n    return width"), &text("def greet(name, loud):\n    shout(name)"));
}

/// An anchor is text, so it has a replacement character for each invalid part. Places at such bytes are found anyway.
#[test]
fn places_at_bytes_that_are_no_text_are_not_lost() {
    let old = b"a = 1\n\xe9  end()\nx = \xff\xe2\x82 + y\nb = 2\n".to_vec();
    let new = Sample::new([b"-- new\n".to_vec(), old.clone()].concat());
    let old = Sample::new(old);
    for offset in old.positions() {
        let kept = old.anchor(offset).expect("there is text");
        let place = Offset::of_index(offset.index() + b"-- new\n".len());
        match relocate(&new, &kept) {
            Relocation::Found { offset: found, .. } => assert_eq!(found, place),
            Relocation::Ambiguous(places) => assert!(places.contains(&place), "{offset:?}"),
            lost => panic!("{lost:?} for {offset:?}"),
        }
    }
    // A truncated character counts as one character, so there is no position inside it.
    for (old, at, new) in [(&b"\xbb"[..], 0, &b"\xef\xbf"[..]), (b"\xe7\x05", 1, b"\xe7\xbf")] {
        let (old, new) = (Sample::new(old.to_vec()), Sample::new(new.to_vec()));
        let kept = old.anchor(Offset::of_index(at)).expect("there is text");
        for answer in [relocate(&new, &kept), relocate_from(&old, &new, &kept)] {
            assert!(answer.places().iter().all(|&place| new.text().is_boundary(place)));
        }
    }
}

/// Checks the place that a location leads to. `expected` is the text with a marker at the place, or the message if it
/// is not found.
#[track_caller]
fn check_location(text: &str, location: &str, expected: &str) {
    let sample = Sample::new(text);
    let location = Location::parse(location, &|_| false).expect("it is a location");
    let shown = match resolve(&sample, &location, Wanted::Position) {
        Resolution::Found(found) => {
            let (before, behind) = text.split_at(found.offset.index());
            format!("{before}<|>{behind}")
        }
        Resolution::NotFound(diagnosis) => diagnosis.message,
        other => format!("{other:?}"),
    };
    assert_eq!(shown, expected, "{location}");
}

#[test]
fn check_is_held_against_the_lines_of_the_place() {
    let text = "one\nlet x\ntwo\n";
    let sample = Sample::new(text);
    let plain = Location::parse("a.txt@let <|>x", &|_| false).expect("it is a location");
    let written = checked(&sample, Offset::of_index(8), &plain).expect("it takes a check").to_string();
    assert_eq!(written, "a.txt@let <|>x<#a19532e0>");
    check_location(text, &written, "one\nlet <|>x\ntwo\n");
    check_location("zero\none\n  let  x\n\ntwo\n", &written, "zero\none\n  let  <|>x\n\ntwo\n");
    check_location("let x\n1\none\nlet x\ntwo\n", &written, "let x\n1\none\nlet <|>x\ntwo\n");
    check_location(
        "one\nlet x\n2\n",
        &written,
        "`a.txt@let <|>x` is there, but other lines stand around it than when `<#a19532e0>` was written",
    );
}

/// The last digit of a check counts twins. Checks written by older versions do not have it.
#[test]
fn check_of_an_older_program_is_read() {
    check_location("one\nlet x\ntwo\n", "a.txt@let <|>x<#a19532e>", "one\nlet <|>x\ntwo\n");
    check_location(
        "one\nlet x\n2\n",
        "a.txt@let <|>x<#a19532e>",
        "`a.txt@let <|>x` is there, but other lines stand around it than when `<#a19532e>` was written",
    );
}

#[test]
fn check_counts_twins_of_words_and_of_lines() {
    let written = |text: &str, at: usize| {
        let sample = Sample::new(text);
        let plain = describe(&sample, Offset::of_index(at)).expect("it is a place").location;
        let checked = checked(&sample, Offset::of_index(at), &plain).expect("it takes a check").to_string();
        checked.strip_suffix('>').and_then(|written| written.chars().last())
    };
    assert_eq!(written("one\nlet x\ntwo\n", 8), Some('0'));
    // Two of the three lines occur a second time, but the words of the location do not.
    assert_eq!(written("one\nlet x\ntwo\n--\none\nlet y\ntwo\n", 8), Some('1'));
    // More than three twins are counted as three.
    let many = "one\nlet y\ntwo\n".repeat(9);
    assert_eq!(written(&format!("one\nlet x\ntwo\n{many}"), 8), Some('3'));
}

#[test]
fn what_the_text_has_is_no_check() {
    check_location("see <#0123abc>", "a.txt@see <|><#0123abc>", "see <|><#0123abc>");
    check_location("x <# 0123abc >", "a.txt@<#0123abc>", "x <|><# 0123abc >");
    check_location("see <#0123abc0>", "a.txt@see <|><#0123abc0>", "see <|><#0123abc0>");
}

proptest! {
    #[test]
    fn checked_location_leads_back(source in source()) {
        let sample = Sample::new(source);
        for offset in sample.positions() {
            let Some(description) = describe(&sample, offset) else { continue };
            let Some(checked) = checked(&sample, offset, &description.location) else { continue };
            let read = Location::parse(&checked.to_string(), &|_| false);
            prop_assert_eq!(read.as_ref(), Ok(&checked));
            let Resolution::Found(found) = resolve(&sample, &checked, Wanted::Position) else {
                return Err(TestCaseError::fail(format!("{checked} leads nowhere")));
            };
            prop_assert_eq!((found.offset, found.matches), (offset, 1));
            if let Relocation::Found { offset: place, .. } = relocate_words(&sample, &checked) {
                prop_assert_eq!(place, offset);
            }
        }
    }

    /// In such short texts, a location alone gives little certainty. But if it still leads to exactly one place, no
    /// other place is given as the answer.
    #[test]
    fn unique_location_is_never_another_place(source in source()) {
        let sample = Sample::new(source);
        for offset in sample.positions() {
            let Some(description) = describe(&sample, offset).filter(|description| description.stable) else {
                continue;
            };
            match relocate_words(&sample, &description.location) {
                Relocation::Found { offset: place, is_exact, .. } => {
                    prop_assert_eq!((place, is_exact), (offset, true), "{}", description.location);
                }
                Relocation::Renamed { .. } => prop_assert!(false, "words know of no other word"),
                Relocation::Ambiguous(places) => {
                    prop_assert_eq!(places.first(), Some(&offset), "{}", description.location);
                }
                Relocation::Gone(_) => prop_assert!(false, "{} leads there", description.location),
            }
        }
    }

    /// Pasting a copy of some lines below them gives the same text as pasting it above them, so both places are
    /// possible.
    #[test]
    fn place_in_a_doubled_stretch_is_one_of_two(n_lines in 1usize..90, from in 0usize..90, n in 1usize..90) {
        let from = from % n_lines;
        let to = (from + n).min(n_lines);
        let lines: Vec<String> = (0..n_lines).map(|number| format!("call_{number}(value, \
             {})\n", number * number)).collect();
        let old = Sample::new(lines.concat());
        let new = Sample::new([&lines[..to], &lines[from..]].concat().concat());
        let start = lines[..from].concat().len();
        let length = lines[from..to].concat().len();
        for at in (start..start + length).step_by(89) {
            let kept = old.anchor(Offset::of_index(at)).expect("there is a word");
            let both = [at, at + length].map(Offset::of_index);
            for answer in [relocate(&new, &kept), relocate_from(&old, &new, &kept)] {
                let Relocation::Ambiguous(places) = answer else {
                    return Err(TestCaseError::fail(format!("{answer:?} for {at}")));
                };
                prop_assert!(both.iter().all(|place| places.contains(place)), "{:?} for {}", places, at);
            }
        }
    }

    /// Formatters move line breaks and leave the words as they are.
    #[test]
    fn words_keep_their_places_when_lines_are_broken_elsewhere(
        words in prop::collection::vec(
            (prop::sample::select(vec!["a", "b", "foo", "bar"]), 0usize..4, 0usize..4),
            1..30,
        ),
    ) {
        let blanks = [" ", "\n", "\n    ", "  \n\n"];
        let (mut then, mut now, mut places) = (String::new(), String::new(), Vec::new());
        for (word, before, after) in words {
            places.push([then.len(), now.len()]);
            then += &format!("{word}{}", blanks[before]);
            now += &format!("{word}{}", blanks[after]);
        }
        let (old, new) = (Sample::new(then), Sample::new(now));
        for [place, wanted] in places {
            let kept = old.anchor(Offset::of_index(place)).expect("there is a word");
            let found = relocate_from(&old, &new, &kept);
            prop_assert_eq!(found.places(), [Offset::of_index(wanted)], "{:?}", found);
        }
    }

    #[test]
    fn same_text_gives_the_same_place(source in source()) {
        let sample = Sample::new(source);
        for offset in sample.positions() {
            let Some(kept) = sample.anchor(offset) else { continue };
            let exact = Relocation::Found { offset, confidence: 1.0, is_exact: true };
            prop_assert_eq!(relocate(&sample, &kept), exact.clone());
            prop_assert_eq!(relocate_from(&sample, &sample, &kept), exact);
        }
    }

    #[test]
    fn any_other_text_gives_a_place_of_it_or_none(old in source(), new in source()) {
        let (old, new) = (Sample::new(old), Sample::new(new));
        for offset in old.positions() {
            let Some(kept) = old.anchor(offset) else { continue };
            let checked = checked(&old, offset, &kept.location).unwrap_or_default();
            let answers = [
                relocate(&new, &kept),
                relocate_from(&old, &new, &kept),
                relocate_words(&new, &kept.location),
                relocate_words(&new, &checked),
            ];
            for answer in answers {
                prop_assert!(answer.places().iter().all(|place| new.0.is_boundary(*place)));
                if let Relocation::Found { confidence, .. } = answer {
                    prop_assert!((0.0..=1.0).contains(&confidence));
                }
            }
        }
    }

    /// An anchor is input from outside, so its parts may have any values.
    #[test]
    fn broken_anchors_are_no_danger(old in source(), new in source(), word in 0u32..40, within in -9i32..9) {
        let (old, new) = (Sample::new(old), Sample::new(new));
        for offset in old.positions().take(3) {
            let Some(kept) = old.anchor(offset) else { continue };
            let broken = Anchor { word, within, offset: word, ..kept };
            relocate(&new, &broken);
            relocate_from(&old, &new, &broken);
        }
    }
}
