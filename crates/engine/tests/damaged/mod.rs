//! Locations of existing places, damaged in many ways.

use locant_engine::{Document, Outline};

/// How many symbols of each source are taken.
const PLACES: usize = 12;

/// Locations that almost name a place of the document. Each seed gives different locations.
pub(crate) fn locations(document: &Document, seed: u64) -> Vec<String> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let path = Location::path(document);
    let mut damaged = vec![format!("{path}:99999"), format!("{path}:1:9999"), format!("{path}:2-99999@x")];
    let symbols = document.outline().map(Outline::symbols).unwrap_or_default();
    for _ in 0..PLACES.min(symbols.len()) {
        let outline = document.outline().expect("there are symbols");
        let (id, _) = outline.iter().nth(random.below(symbols.len())).expect("an index below their number");
        let name = outline.path(id).join(".");
        damaged.extend(names(&name, &mut random).into_iter().map(|name| format!("{path}:{name}")));
        let find = line(document, &mut random);
        damaged.push(format!("{path}:{name}@{}", slipped(&find, &mut random)));
        damaged.push(format!("{path}:{}@{find}", slipped(&name, &mut random)));
        damaged.push(format!("{path}:{name}@{find}"));
        damaged.push(format!("{path}@{}", slipped(&find, &mut random)));
    }
    damaged
}

/// A symbol path, misspelled in several ways.
fn names(name: &str, random: &mut Random) -> Vec<String> {
    let last = name.rsplit('.').next().unwrap_or(name);
    vec![
        last.to_owned(),
        slipped(name, random),
        name.to_uppercase(),
        format!("Nowhere.{last}"),
        format!("{name}.nothing"),
        format!("{name}[7]"),
        format!("{name}(Nonsense, int)"),
        format!("{name}<Nonsense>"),
        format!("<{name} as Nonsense>::f"),
        format!("class {last}"),
        format!("def {last}"),
        format!("{last}/9"),
        format!("`{name}`"),
        name[..floor(name, name.len() / 2)].to_owned(),
    ]
}

/// A text with one letter left out, doubled or changed.
fn slipped(text: &str, random: &mut Random) -> String {
    let at = floor(text, random.below(text.len().max(1)));
    let mut rest = text[at..].chars();
    let Some(letter) = rest.next() else { return "x".to_owned() };
    let front = &text[..at];
    match random.below(3) {
        0 => format!("{front}{}", rest.as_str()),
        1 => format!("{front}{letter}{letter}{}", rest.as_str()),
        _ => format!("{front}q{}", rest.as_str()),
    }
}

fn line(document: &Document, random: &mut Random) -> String {
    let text = document.text();
    let line = 1 + random.below(text.n_lines() as usize);
    let line =
        text.line_content(u32::try_from(line).unwrap_or(1)).map(|range| text.lossy(range).into_owned());
    line.unwrap_or_default().trim().to_owned()
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Writes a path as a location does.
struct Location;

impl Location {
    fn path(document: &Document) -> String {
        locant_engine::Location { path: document.path().to_owned(), ..Default::default() }.to_string()
    }
}

/// Pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n.max(1) as u64).expect("less than a length")
    }
}
