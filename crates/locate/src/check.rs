//! A check: digits at the end of a location that represent the lines around its place.
//!
//! The check of `foo.py:f@return <|>x<#3fad2040>` is made of four parts:
//! - `3fa` represents the line of the place, `d2` the line above it, and `04` the line below it. If these lines have
//!   changed, the check says so. If several places match the location, the lines tell which one was meant.
//! - `0` counts twins: other places with the same words, and other lines with the same surroundings. If the place is
//!   gone, a match that remains may be one of its twins. Checks written by older versions do not have this digit.
//!
//! A find may contain any text. If the text `<#3fad2040>` itself is in the file, it is searched for and is not a check.

use std::fmt;

use memchr::memmem;

use locant_text::Offset;

use crate::answer::{Candidate, Diagnosis, Document, Found, Resolution, Wanted};
use crate::hint::{Hint, Reason};
use crate::lines::{Digest, Lines};
use crate::location::Location;
use crate::resolve::{Diagnose, resolve_unchecked};
use crate::stopping::check_at;
use crate::tokens;

/// The line of a place and its two neighbours, reduced to a few bits each. Two different lines look the same in 1 of
/// 4096 cases, and two different neighbours in 1 of 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Check {
    line: u32,
    above: u32,
    below: u32,
    /// `None` for a check that was written by an older version, without the last digit.
    twins: Option<Twins>,
}

/// How many twins a place had when the check was written, each count at most [`MOST_TWINS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Twins {
    /// Other places that matched the location without its scope.
    pub(crate) words: u32,
    /// Other lines that agree with the check in at least two of three: the line itself, the line above, the line below.
    pub(crate) lines: u32,
}

/// The highest count of twins. Each count is stored in two bits, so 3 means three or more.
pub(crate) const MOST_TWINS: u32 = 3;

/// How many digits each part has.
const N_LINE: usize = 3;
const N_NEIGHBOUR: usize = 2;
const N_DIGITS: usize = N_LINE + 2 * N_NEIGHBOUR;

/// How many matches of the location are compared with the check.
const MOST_TRIED: usize = 16;

const START: &str = "<#";
const END: &str = ">";

/// The location without its check, and the check, if it has one.
pub(crate) fn take(document: &dyn Document, location: &Location) -> Option<(Location, Check)> {
    let (plain, check, digits) = read(location)?;
    // Resolving takes time, and the digits are rarely in the text. So they are searched for on their own first.
    let may_be_text = memmem::find(document.text().bytes(), digits.as_bytes()).is_some();
    let written = || resolve_unchecked(document, location, Wanted::Position, Diagnose::No);
    let is_text = may_be_text && matches!(written(), Resolution::Found(_));
    (!is_text).then_some((plain, check))
}

/// The location without its check; `None` if it has none.
pub fn without_check(document: &dyn Document, location: &Location) -> Option<Location> {
    take(document, location).map(|(plain, _)| plain)
}

/// Resolves a location with a check: chooses, of its matches, the one whose lines agree with the check.
pub(crate) fn resolve_checked(
    document: &dyn Document,
    plain: &Location,
    check: Check,
    wanted: Wanted,
    diagnose: Diagnose,
) -> Resolution {
    let found = match resolve_unchecked(document, plain, Wanted::Position, diagnose) {
        Resolution::Found(found) => found,
        other => return other,
    };
    let lines = document.lines();
    // If the location has a find index, only that match is meant.
    let n_tried = if plain.find_index == 0 { found.matches.min(MOST_TRIED) } else { 1 };
    let tried = (plain.find_index..).take(n_tried).map(|find_index| Location { find_index, ..plain.clone() });
    let agrees =
        |location: &Location| match resolve_unchecked(document, location, Wanted::Position, Diagnose::No) {
            Resolution::Found(found) => Check::at_place(document, &lines, found.offset)
                .is_some_and(|now| check.same(now) == [true; 3]),
            _ => false,
        };
    let agreeing: Vec<Location> = tried.filter(agrees).collect();
    match agreeing.as_slice() {
        [only] => match resolve_unchecked(document, only, wanted, diagnose) {
            Resolution::Found(found) => Resolution::Found(Found { matches: 1, others: Vec::new(), ..found }),
            other => other,
        },
        [] => Resolution::NotFound(changed(plain, check, found.offset)),
        [first, ..] => resolve_unchecked(document, first, wanted, diagnose),
    }
}

fn changed(plain: &Location, check: Check, offset: Offset) -> Diagnosis {
    Diagnosis {
        message: format!(
            "`{plain}` is there, but other lines stand around it than when `{check}` was written"
        ),
        hints: vec![Hint::FindAgain],
        candidates: vec![Candidate { offset, reason: Reason::MatchesWithoutCheck }],
    }
}

impl Check {
    /// The check of the line that a place is in. If that line is blank: of the nearest line before it that is not
    /// blank, or else of the nearest such line after it.
    pub(crate) fn at_place(document: &dyn Document, lines: &Lines, offset: Offset) -> Option<Check> {
        let text = document.text();
        let content = text.line_content(text.line_of(offset))?;
        let first = content.start().index() + tokens::blanks_after(text.slice(content), 0);
        let word = if first < content.end().index() {
            first
        } else {
            tokens::pivot(text.bytes(), text.start().index(), offset.index())?.start
        };
        Some(Check::of_line(lines, lines.of_offset(Offset::of_index(word))?))
    }

    /// The check of a line. At the start or end of the text, the missing neighbour counts as 0.
    pub(crate) fn of_line(lines: &Lines, index: usize) -> Check {
        let digits = |digest: &Digest, n_digits: usize| digest.number() & mask(n_digits);
        let neighbour = |index: Option<usize>| {
            index.and_then(|index| lines.digests().get(index)).map_or(0, |digest| digits(digest, N_NEIGHBOUR))
        };
        Check {
            line: digits(&lines.digest(index), N_LINE),
            above: neighbour(index.checked_sub(1)),
            below: neighbour(index.checked_add(1)),
            twins: None,
        }
    }

    /// Whether a line with this digest can be the line of the place.
    pub(crate) fn has_line(self, digest: Digest) -> bool {
        self.line == digest.number() & mask(N_LINE)
    }

    /// Whether a line with this digest can be the line above the place.
    pub(crate) fn has_above(self, digest: Digest) -> bool {
        self.above == digest.number() & mask(N_NEIGHBOUR)
    }

    /// Whether a line with this digest can be the line below the place.
    pub(crate) fn has_below(self, digest: Digest) -> bool {
        self.below == digest.number() & mask(N_NEIGHBOUR)
    }

    /// The same check, with the number of twins.
    pub(crate) fn with_twins(self, twins: Twins) -> Check {
        Check { twins: Some(twins), ..self }
    }

    /// The twins of its place; `None` if the check does not have them.
    pub(crate) fn twins(self) -> Option<Twins> {
        self.twins
    }

    /// How many lines of a text agree with the check in at least two of three: the line itself, the line above and the
    /// line below.
    pub(crate) fn n_alike(self, lines: &Lines) -> usize {
        let is_alike = |line: &usize| {
            check_at(*line);
            let same = self.same(Check::of_line(lines, *line));
            same.iter().filter(|same| **same).count() >= 2
        };
        (0..lines.len()).filter(is_alike).count()
    }

    /// Whether the line of the place was removed here: `line` was the line below it, and now directly follows the line
    /// that was above it.
    pub(crate) fn is_closed_up(self, lines: &Lines, line: usize) -> bool {
        let is_digits =
            |digits: u32, index: usize| lines.digest(index).number() & mask(N_NEIGHBOUR) == digits;
        line > 0 && is_digits(self.below, line) && is_digits(self.above, line - 1)
    }

    /// Which lines are the same in both checks: the line of the place, the line above and the line below.
    pub(crate) fn same(self, other: Check) -> [bool; 3] {
        [self.line == other.line, self.above == other.above, self.below == other.below]
    }
}

impl Twins {
    fn digit(self) -> u32 {
        self.words * (MOST_TWINS + 1) + self.lines
    }

    fn of_digit(digit: u32) -> Twins {
        Twins { words: digit / (MOST_TWINS + 1), lines: digit % (MOST_TWINS + 1) }
    }
}

/// A mask for the bits of this number of hexadecimal digits.
fn mask(n_digits: usize) -> u32 {
    (1 << (4 * n_digits)) - 1
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Check { line, above, below, twins } = self;
        write!(f, "{START}{line:0N_LINE$x}{above:0N_NEIGHBOUR$x}{below:0N_NEIGHBOUR$x}")?;
        if let Some(twins) = twins {
            write!(f, "{:x}", twins.digit())?;
        }
        f.write_str(END)
    }
}

/// The location without its check, the check, and the digits as written. `None` if the location has no check.
fn read(location: &Location) -> Option<(Location, Check, &str)> {
    let (find, digits) = location.find.as_deref()?.strip_suffix(END)?.rsplit_once(START)?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if !(N_DIGITS..=N_DIGITS + 1).contains(&digits.len()) || !digits.bytes().all(is_digit) {
        return None;
    }
    let number = |part: &str| u32::from_str_radix(part, 16).ok();
    let (line, rest) = digits.split_at(N_LINE);
    let (above, rest) = rest.split_at(N_NEIGHBOUR);
    let (below, twins) = rest.split_at(N_NEIGHBOUR);
    let twins = number(twins).map(Twins::of_digit);
    let check = Check { line: number(line)?, above: number(above)?, below: number(below)?, twins };
    let find = Some(find).filter(|find| !find.is_empty()).map(str::to_owned);
    (find.is_some() || location.scope.is_some())
        .then(|| (Location { find, ..location.clone() }, check, digits))
}
