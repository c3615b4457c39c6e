//! The ways in which common tools name the place of an edit: quoted lines, a line number, or a line number with a hash.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use locant_engine::Text;

use crate::cases::{Case, Landing};

/// Whether blanks matter when lines are compared.
#[derive(Clone, Copy)]
pub(crate) enum Blanks {
    Count,
    Ignored,
}

/// How many lines above and below are quoted at most.
const MOST_QUOTED: usize = 20;

/// How many lines above and below are searched for a hash.
const NEAR: usize = 20;

/// Quotes the line, with as many lines around it as make the quote unique. The edit is refused if the quote is not
/// unique in the later version.
pub(crate) fn unique(case: &Case, blanks: Blanks) -> Landing {
    let (old, new) = (lines(case.old.text(), blanks), lines(case.new.text(), blanks));
    let at = line_index(case);
    for n_around in 0..MOST_QUOTED {
        let first = at.saturating_sub(n_around);
        let quote = &old[first..(at + n_around + 1).min(old.len())];
        if places(&old, quote).nth(1).is_none() {
            let mut found = places(&new, quote);
            let place = found.next().filter(|_| found.next().is_none());
            return landing(case, place.map(|place| place + at - first));
        }
    }
    landing(case, None)
}

pub(crate) fn ignoring_whitespace(case: &Case) -> Landing {
    unique(case, Blanks::Ignored)
}

/// The line with the same number.
pub(crate) fn number(case: &Case) -> Landing {
    landing(case, Some(line_index(case)))
}

/// The line with the same number, if it has the same hash of eight bits.
pub(crate) fn strict(case: &Case) -> Landing {
    let (hash, new, at) = hashes(case);
    landing(case, Some(at).filter(|at| new.get(*at) == Some(&hash)))
}

/// The nearest line with the same hash.
pub(crate) fn nearby(case: &Case) -> Landing {
    let (hash, new, at) = hashes(case);
    let near = (0..=NEAR).flat_map(|distance| [at.checked_sub(distance), Some(at + distance)]).flatten();
    let mut fitting = near.filter(|at| new.get(*at) == Some(&hash));
    landing(case, fitting.next())
}

/// The hash of the old line, the hashes of the new lines, and the index of the line.
fn hashes(case: &Case) -> (u8, Vec<u8>, usize) {
    let at = line_index(case);
    let hash = |line: &Cow<'_, [u8]>| {
        let mut hasher = DefaultHasher::new();
        line.hash(&mut hasher);
        hasher.finish().to_le_bytes()[0]
    };
    let old = lines(case.old.text(), Blanks::Ignored);
    (hash(&old[at]), lines(case.new.text(), Blanks::Ignored).iter().map(hash).collect(), at)
}

fn places<'l>(lines: &'l [Cow<'l, [u8]>], quote: &'l [Cow<'l, [u8]>]) -> impl Iterator<Item = usize> {
    lines.windows(quote.len()).enumerate().filter(move |(_, window)| *window == quote).map(|(at, _)| at)
}

fn line_index(case: &Case) -> usize {
    case.old.text().line_of(case.from) as usize - 1
}

fn landing(case: &Case, index: Option<usize>) -> Landing {
    case.landing_on_line(index.and_then(|index| u32::try_from(index + 1).ok()))
}

fn lines(text: &Text, blanks: Blanks) -> Vec<Cow<'_, [u8]>> {
    let line = |line: u32| {
        let content = text.line_content(line).map_or(&[][..], |line| text.slice(line));
        match blanks {
            Blanks::Count => Cow::Borrowed(content),
            Blanks::Ignored => {
                let words = content.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                Cow::Owned(words.collect::<Vec<_>>().join(&b' '))
            }
        }
    };
    (1..=text.n_lines()).map(line).collect()
}
