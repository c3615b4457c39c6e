//! The law of `describe`: for every place of any text, the location that it gives leads back to the place.

use locant_locate::{
    Document, Location, Resolution, Wanted, describe, describe_one_of, describe_range, descriptions, resolve,
};
use locant_text::{Offset, Range, Text};
use locant_tree::{Outline, Symbol, SymbolId, SymbolKind};
use proptest::prelude::*;

#[derive(Debug)]
struct Sample {
    path: String,
    text: Text,
    outline: Option<Outline>,
}

impl Document for Sample {
    fn path(&self) -> &str {
        &self.path
    }

    fn text(&self) -> &Text {
        &self.text
    }

    fn outline(&self) -> Option<&Outline> {
        self.outline.as_ref()
    }
}

impl Sample {
    fn resolve(&self, location: &Location, wanted: Wanted) -> Resolution {
        let written = location.to_string();
        let read = Location::parse(&written, &|_| false).expect("a written location is read");
        assert_eq!(&read, location, "{written}");
        resolve(self, &read, wanted)
    }

    fn positions(&self) -> Vec<Offset> {
        let all = (0..=self.text.bytes().len()).map(Offset::of_index);
        all.filter(|&offset| self.text.is_boundary(offset)).collect()
    }
}

/// Difficult pieces of text: repeats, brackets that look like markers, odd blanks, invalid bytes.
fn source() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        &b"a"[..],
        b"b",
        b"aa",
        b"return",
        b" ",
        b"  ",
        b"\n",
        b"\r\n",
        b"\r",
        b"\t",
        b"(",
        b")",
        b".",
        b"<",
        b">",
        b"|",
        b"<|>",
        b"<<|>>",
        b"@",
        b":",
        b"`",
        "é".as_bytes(),
        "😀".as_bytes(),
        "e\u{301}".as_bytes(),
        "\u{3000}".as_bytes(),
        b"\xff",
        b"\xe9",
        b"\xf0\x9f",
    ]);
    let mark = prop::sample::select(vec![&b""[..], b"", b"\xef\xbb\xbf"]);
    (mark, prop::collection::vec(piece, 0..40)).prop_map(|(mark, pieces)| [mark, &pieces.concat()].concat())
}

/// Symbols at arbitrary places of a text, nested or not, with names that repeat or need backticks.
fn outline(text: &Text, seeds: &[(usize, usize, usize, usize)]) -> Outline {
    let positions: Vec<Offset> =
        (0..=text.bytes().len()).map(Offset::of_index).filter(|&offset| text.is_boundary(offset)).collect();
    let names = ["a", "b", "odd.name", "`", "42", "x y", "L1"];
    let mut outline = Outline::new(vec!["pkg".to_owned()]);
    let mut ids: Vec<SymbolId> = Vec::new();
    for &(start, length, name, parent) in seeds {
        let start = start % positions.len();
        let end = (start + length).min(positions.len() - 1);
        let inner = start + (end - start) / 3;
        let extent = Range::new(positions[start], positions[end]);
        let declaration = Range::new(positions[inner], positions[end]);
        ids.push(outline.push(Symbol {
            name: names[name % names.len()].to_owned(),
            kind: [SymbolKind::Class, SymbolKind::Function, SymbolKind::Constructor][name % 3],
            name_range: Range::new(positions[inner], positions[inner + (end - inner) / 2]),
            extent,
            declaration,
            header: declaration,
            docs: None,
            parent: ids.get(parent).copied(),
            qualifier: if name % 5 == 0 { vec!["Else".to_owned()] } else { Vec::new() },
            within: None,
        }));
    }
    outline
}

fn sample() -> impl Strategy<Value = Sample> {
    let seeds = prop::collection::vec((0usize..60, 0usize..60, 0usize..12, 0usize..12), 0..8);
    let path = prop::sample::select(vec!["a.py", "odd:name@2.py", "dir/@x/a.py", "a#L1"]);
    (source(), prop::option::of(seeds), path).prop_map(|(source, seeds, path)| {
        let text = Text::new(source).expect("a small text");
        let outline = seeds.map(|seeds| outline(&text, &seeds));
        Sample { path: path.to_owned(), text, outline }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_place_is_found_again(sample in sample()) {
        for offset in sample.positions() {
            let description = describe(&sample, offset).expect("a position has a description");
            match sample.resolve(&description.location, Wanted::Position) {
                Resolution::Found(found) => {
                    prop_assert_eq!(found.offset, offset, "{}", description.location);
                    prop_assert_eq!(found.matches, 1, "{}", description.location);
                }
                other => prop_assert!(false, "{}: {other:?}", description.location),
            }
        }
    }

    /// The law also holds if there are so many places that little effort is spent on each.
    #[test]
    fn every_one_of_many_places_is_found_again(sample in sample(), n_bits in 0u32..30) {
        for offset in sample.positions() {
            let description = describe_one_of(&sample, offset, 1 << n_bits).expect("a position has a description");
            let resolution = sample.resolve(&description.location, Wanted::Position);
            prop_assert!(
                matches!(resolution, Resolution::Found(found) if found.offset == offset && found.matches == 1),
                "{}",
                description.location,
            );
        }
    }

    #[test]
    fn every_wording_leads_to_its_place(sample in sample()) {
        for offset in sample.positions() {
            let wordings = descriptions(&sample, offset);
            prop_assert!(!wordings.is_empty());
            for location in wordings {
                let resolution = sample.resolve(&location, Wanted::Position);
                prop_assert!(matches!(resolution, Resolution::Found(found) if found.offset == offset), "{}", location);
            }
        }
    }

    #[test]
    fn every_range_is_found_again(sample in sample(), start in 0usize..60, length in 0usize..40) {
        let positions = sample.positions();
        let start = start % positions.len();
        let end = (start + length).min(positions.len() - 1);
        let range = Range::new(positions[start], positions[end]);
        let description = describe_range(&sample, range).expect("a range has a description");
        match sample.resolve(&description.location, Wanted::Range) {
            Resolution::Found(found) => prop_assert_eq!(found.range, range, "{}", description.location),
            other => prop_assert!(false, "{}: {other:?}", description.location),
        }
    }

    #[test]
    fn what_is_no_position_has_no_description(sample in sample()) {
        let positions = sample.positions();
        for offset in (0..=sample.text.bytes().len()).map(Offset::of_index) {
            prop_assert_eq!(describe(&sample, offset).is_some(), positions.contains(&offset));
        }
    }
}

#[test]
fn one_of_thousands_of_places_is_said_by_its_line() {
    let text: String = (0..3000).map(|n| format!("x({n})\n")).collect();
    let last = Offset::of_index(text.len() - "x(2999)\n".len());
    let text = Text::new(text.into_bytes()).expect("it is short");
    let sample = Sample { path: "f.txt".to_owned(), text, outline: None };
    let check = |n_places: usize, expected: &str| {
        let description = describe_one_of(&sample, last, n_places).expect("it is a position");
        assert_eq!(description.location.to_string(), expected);
    };
    check(1, "f.txt@<|>x(2999");
    check(100, "f.txt@<|>x(2999");
    check(100_000, "f.txt:3000@<|>x");
}
