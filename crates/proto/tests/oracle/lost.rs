//! Counts how many paths of a file are kept when a part of its text is removed.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use locant_proto::{File, Interpretation, Location, NoSources, Pool, TableKind};

/// A path with the start and end of its location.
type Place = (Vec<i32>, u32, u32);

fn places(text: &[u8]) -> Vec<Place> {
    let pool = Pool::new("a.proto", text, &NoSources);
    let interpretation = Interpretation::new(&pool);
    let rows = interpretation.rows(&pool, TableKind::Retained).into_iter();
    let place = |(path, location): (Cow<'_, [i32]>, Location<'_>)| {
        (path.into_owned(), location.start().to_u32(), location.end().to_u32())
    };
    rows.map(place).collect()
}

/// What is removed from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    Token,
    TwoTokens,
    Line,
    /// Everything from the start of a token to the end of the file.
    Rest,
}

/// The counts over all files from which something was removed.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) n_paths: usize,
    pub(crate) n_kept: usize,
    pub(crate) n_untouched: usize,
    pub(crate) n_files: usize,
    /// How many files had no problems even without the removed part.
    pub(crate) n_whole: usize,
    pub(crate) shifted: Vec<String>,
    /// How many paths there were, and how many were kept, by the kind of the removed part.
    pub(crate) by_kind: BTreeMap<&'static str, (usize, usize)>,
}

impl Tally {
    pub(crate) fn percent_kept(&self) -> f64 {
        100.0 * self.n_kept as f64 / self.n_paths.max(1) as f64
    }
}

/// Removes every `step`-th part from a text, one at a time.
pub(crate) fn take_out(tally: &mut Tally, name: &str, text: &[u8], loss: Loss, step: usize) {
    let whole = places(text);
    let tokens = super::tokens(text);
    let parts: Vec<Range<usize>> = match loss {
        Loss::Token => tokens,
        Loss::TwoTokens => tokens.windows(2).map(|two| two[0].start..two[1].end).collect(),
        Loss::Line => lines(text),
        Loss::Rest => tokens.iter().map(|token| token.start..text.len()).collect(),
    };
    for (number, part) in parts.into_iter().enumerate().filter(|(number, _)| number % step == 0) {
        let mut broken = text[..part.start].to_vec();
        broken.extend_from_slice(&text[part.end..]);
        let of = format!("{name}, part {number}");
        let is_whole = File::parse(&broken).problems.is_empty();
        tally.n_whole += usize::from(is_whole);
        compare(tally, &of, text, &whole, (&places(&broken), is_whole), loss, part);
    }
}

fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines = text.split_inclusive(|byte| *byte == b'\n').map(|line| {
        start += line.len();
        start - line.len()..start
    });
    lines.filter(|line| text[line.clone()].iter().any(|byte| !byte.is_ascii_whitespace())).collect()
}

/// Compares the places of a text with the places of the text without `part`.
fn compare(
    tally: &mut Tally,
    name: &str,
    text: &[u8],
    whole: &[Place],
    (now, is_whole): (&[Place], bool),
    loss: Loss,
    part: Range<usize>,
) {
    let gone = u32::try_from(part.len()).expect("texts are small");
    let cut = u32::try_from(part.start).expect("texts are small");
    // Where an offset of the whole file is in the broken file.
    let moved = |at: u32| if at <= cut { at } else { at.saturating_sub(gone).max(cut) };
    let mut paths: HashMap<&[i32], usize> = HashMap::new();
    for (path, ..) in now {
        *paths.entry(path).or_default() += 1;
    }
    let mut found: HashMap<(u32, u32), HashSet<&[i32]>> = HashMap::new();
    for (path, start, end) in now {
        found.entry((*start, *end)).or_default().insert(path);
    }
    // If the text has no problems without the token, it is a valid file of its own, in which other paths are right.
    let is_broken = loss != Loss::Token || !is_whole;
    let is_untouched = |start: u32, end: u32| end <= cut || cut + gone <= start;
    // If more than a token is removed, whole declarations may be lost, and the declarations after them move up.
    let touched: HashSet<&[i32]> = match loss {
        Loss::Token => HashSet::new(),
        _ => {
            let touched = whole.iter().filter(|(_, start, end)| !is_untouched(*start, *end));
            touched.map(|(path, ..)| path.as_slice()).collect()
        }
    };
    tally.n_files += 1;
    let by_kind = tally.by_kind.entry(kind(&text[part.clone()], loss)).or_default();
    for (path, start, end) in whole {
        if loss == Loss::Rest && *end > cut {
            continue;
        }
        tally.n_paths += 1;
        by_kind.0 += 1;
        if let Some(n) = paths.get_mut(path.as_slice()).filter(|n| **n > 0) {
            *n -= 1;
            tally.n_kept += 1;
            by_kind.1 += 1;
        }
        let others = found.get(&(moved(*start), moved(*end)));
        let Some(others) = others.filter(|_| is_untouched(*start, *end)) else { continue };
        // The path of an option depends on the declaration of the option. So only the paths of declarations are
        // checked.
        let is_option = others.iter().any(|path| path.contains(&999)) || path.contains(&999);
        let is_declaration = path.len() >= 2 && path.len() % 2 == 0;
        tally.n_untouched += usize::from(is_declaration);
        let is_shifted = is_declaration && !is_option && !others.contains(path.as_slice());
        if is_broken && is_shifted && !has_touched_before(path, &touched) {
            let lost: String = String::from_utf8_lossy(&text[part.clone()]).chars().take(60).collect();
            let line = text[..cut as usize].iter().filter(|byte| **byte == b'\n').count() + 1;
            tally.shifted.push(format!("{name}, line {line} without {lost:?}: {path:?} is now {others:?}"));
        }
    }
}

/// Whether the part touches an earlier element of one of the lists on the path, or the name of a declaration around it.
fn has_touched_before(path: &[i32], touched: &HashSet<&[i32]>) -> bool {
    !touched.is_empty()
        && (2..=path.len()).step_by(2).any(|len| {
            let is_unnamed = len < path.len() && touched.contains([&path[..len], &[1]].concat().as_slice());
            is_unnamed
                || (0..path[len - 1]).any(|index| {
                    let mut before = path[..len].to_vec();
                    before[len - 1] = index;
                    touched.contains(before.as_slice())
                })
        })
}

/// The kind of the removed part.
fn kind(part: &[u8], loss: Loss) -> &'static str {
    const KEYWORDS: &[&str] = &[
        "syntax",
        "edition",
        "package",
        "import",
        "public",
        "weak",
        "option",
        "message",
        "enum",
        "service",
        "rpc",
        "returns",
        "stream",
        "extend",
        "extensions",
        "reserved",
        "to",
        "max",
        "oneof",
        "map",
        "group",
        "optional",
        "required",
        "repeated",
    ];
    const SYMBOLS: &[&str] = &[";", "{", "}", "=", "[", "]", "(", ")", "<", ">", ",", ".", "-", ":"];
    match (loss, part.first()) {
        (Loss::TwoTokens, _) => "two tokens",
        (Loss::Line, _) => "a line",
        (Loss::Rest, _) => "the rest",
        (_, Some(b'"' | b'\'')) => "a string",
        (_, Some(b'0'..=b'9')) => "a number",
        _ => {
            let all = KEYWORDS.iter().chain(SYMBOLS);
            all.copied().find(|word| word.as_bytes() == part).unwrap_or("a name")
        }
    }
}
