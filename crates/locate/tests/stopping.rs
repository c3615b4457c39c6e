//! All long work ends early if it is asked to stop.

use locant_locate::relocate::{relocate, relocate_from, relocate_words};
use locant_locate::{Anchor, Document, Location, Wanted, anchor, describe, resolve};
use locant_stop::{Stop, Stopped, until};
use locant_text::{Offset, Text};
use locant_tree::Outline;

/// A document that asks the work to stop as soon as its symbols are needed.
struct Sample {
    text: Text,
    stop: Stop,
}

impl Document for Sample {
    fn path(&self) -> &str {
        "a.txt"
    }

    fn text(&self) -> &Text {
        &self.text
    }

    fn outline(&self) -> Option<&Outline> {
        self.stop.ask();
        None
    }
}

impl Sample {
    fn new(text: &str, stop: &Stop) -> Sample {
        Sample { text: Text::new(text).expect("the text is short"), stop: stop.clone() }
    }
}

/// Many similar lines, with a place in the middle whose neighbours differ after a change.
fn lines(middle: &str) -> String {
    format!("{}{middle}\nlast = a(b)\n{}", "x = a(b)\n".repeat(3000), "y = a(b)\n".repeat(3000))
}

fn kept() -> (String, Anchor) {
    let text = lines("z = a(c)");
    let document = Sample::new(&text, &Stop::default());
    let offset = Offset::of_index(text.find("a(c)").expect("the place"));
    let location = describe(&document, offset).expect("a place").location;
    (text, anchor(&document, offset, location).expect("a place with words"))
}

/// Checks that work on a changed text ends early, both if it is asked to stop before it starts and while it runs.
#[track_caller]
fn check(work: impl Fn(&Sample)) {
    let (before, on_its_way) = (Stop::default(), Stop::default());
    before.ask();
    for (name, stop) in [("before", before), ("on its way", on_its_way)] {
        let document = Sample::new(&lines("0\nz = a(c, d)"), &stop);
        assert_eq!(until(&stop, || work(&document)), Err(Stopped), "asked {name}");
    }
}

#[test]
fn relocation_ends_when_it_is_asked_to() {
    let (old_text, anchor) = kept();
    let old = Sample::new(&old_text, &Stop::default());
    check(|new| drop(relocate(new, &anchor)));
    check(|new| drop(relocate_words(new, &anchor.location)));
    check(|new| drop(relocate_from(&old, new, &anchor)));
}

#[test]
fn finds_and_descriptions_end_when_they_are_asked_to() {
    let location = Location::parse("a.txt@a(b) y", &|_| true).expect("a location");
    let stop = Stop::default();
    stop.ask();
    let document = Sample::new(&lines(""), &stop);
    assert_eq!(until(&stop, || drop(resolve(&document, &location, Wanted::Position))), Err(Stopped));
    check(|new| drop(describe(new, Offset::of_index(5))));
}
