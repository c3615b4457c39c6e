//! Made-up edits with copies of symbols: with another name, with the old name, or as overloads. In another kind of
//! edit, a symbol is cut and a very similar one is left.

use std::fmt::Write as _;
use std::ops::Range;

use locant_bench::random::Random;
use locant_engine::{Document, Offset};

use super::{Edit, Lines, is_word, words, words_start};
use crate::cases::Case;

/// New names that have nothing in common with the old one.
const OTHER_NAMES: [&str; 8] =
    ["compute_part", "handleRest", "reworked", "runOnce", "Builder", "apply_step", "visit", "toEntry"];

/// The text of a symbol around a place, and the text of the file around the symbol.
struct Named {
    name: String,
    text: String,
    /// How many lines it has up to and including the line with its name.
    n_header: usize,
    /// The line of the place, counted from the first line of the symbol. `within` is the offset of the place in `text`.
    line: usize,
    within: usize,
    /// The text of the file before the symbol.
    head: String,
    /// The text of the file after the symbol, in parts. Another symbol may be inserted between two parts.
    behind: Vec<String>,
}

/// The case after an edit of this kind; `None` if its symbols do not allow the edit.
pub(super) fn made(case: &Case, class: &str, edit: Edit, random: &mut Random) -> Option<Case> {
    let named = Named::around(case, random)?;
    let made = match edit {
        Edit::Renamed => named.renamed(case, class, random)?,
        Edit::TwinLeft => return named.twin_left(case, class, random),
        Edit::Overloaded => named.overloaded(case, class, random)?,
        _ => named.copied(case, class, edit, random)?,
    };
    // The inserted text may be parsed as something else, or the place may be in no symbol. Then the right answer is not
    // known.
    let is_as_meant = match made.paths() {
        None => !made.is_there(),
        Some([then, now]) if matches!(edit, Edit::Renamed) => {
            then.len() == now.len() && then != now && made.declares_now(&then)
        }
        Some([then, now]) => then == now,
    };
    is_as_meant.then_some(made)
}

impl Named {
    /// One of the symbols around the place, chosen at random.
    fn around(case: &Case, random: &mut Random) -> Option<Named> {
        const MOST_LINES: usize = 60;
        let (place, text) = (case.described(), case.old().text());
        let line = |offset: Offset| usize::try_from(text.line_of(offset)).ok().map(|line| line - 1);
        let symbols = case.old().outline()?.symbols();
        let extents: Vec<Range<usize>> = symbols
            .iter()
            .filter_map(|symbol| Some(line(symbol.extent.start())?..line(symbol.extent.end())? + 1))
            .collect();
        let around: Vec<(Range<usize>, &str, usize)> = symbols
            .iter()
            .filter(|symbol| symbol.extent.contains(place))
            .filter_map(|symbol| {
                let lines = line(symbol.extent.start())?..line(symbol.extent.end())? + 1;
                let is_fit = is_word(&symbol.name) && words_start(&symbol.name) == symbol.name;
                let n_header = line(symbol.name_range.start())? + 1 - lines.start;
                (is_fit && (2..MOST_LINES).contains(&lines.len())).then_some((lines, &*symbol.name, n_header))
            })
            .collect();
        let (own, name, n_header) = around.get(random.below(around.len().max(1)))?.clone();
        let old = std::str::from_utf8(text.bytes()).ok()?;
        let Lines { lines, at, column } = Lines::new(old, place.index())?;
        let within: usize = lines[own.start..at].iter().map(|line| line.len()).sum();
        // Whether a symbol may be inserted before a line. The line must be inside all symbols that contain this one,
        // and outside of all others.
        let is_between = |at: &usize| {
            extents.iter().all(|other| {
                let is_around = other.start <= own.start && own.end <= other.end && other != &own;
                if is_around { *at < other.end } else { *at <= other.start || other.end <= *at }
            })
        };
        let mut cuts: Vec<usize> = (own.end..=lines.len()).filter(is_between).take(MOST_LINES).collect();
        cuts.insert(0, own.end);
        cuts.push(lines.len());
        Some(Named {
            name: name.to_owned(),
            text: lines[own.clone()].concat(),
            n_header,
            line: at - own.start,
            within: within + column,
            head: lines[..own.start].concat(),
            behind: cuts.windows(2).map(|cut| lines[cut[0]..cut[1]].concat()).collect(),
        })
    }

    /// The symbol with a copy that has another name. The copy is new, except for `Swapped`: there it existed before,
    /// and changes places with the symbol.
    fn copied(&self, case: &Case, class: &str, edit: Edit, random: &mut Random) -> Option<Case> {
        let Named { text, head, within, .. } = self;
        let (other_name, mut copy) = self.with_other_name(random);
        // Some copies differ in one more word, and some have other lines after the header.
        let words = words(&copy);
        let changed = words[random.below(words.len())];
        match random.below(3) {
            0 if !copy[changed..].starts_with(&other_name) => {
                let end = changed + words_start(&copy[changed..]).len();
                copy.replace_range(changed..end, "otherwise");
            }
            1 => {
                let n_lines = random.below(text.lines().count());
                copy =
                    with_other_lines(&copy, |line| self.n_header <= line && line < self.n_header + n_lines);
            }
            _ => {}
        }
        // Parts of the text after the symbol may come between the symbol and the copy.
        let n_between = if random.below(2) == 0 { 0 } else { random.below(self.behind.len().min(4)) };
        let (between, rest) = (self.behind[..n_between].concat(), self.behind[n_between..].concat());
        let (first, last) = (head.len() + within, head.len() + copy.len() + between.len() + 2 + within);
        let own_first = format!("{head}{text}\n{between}\n{copy}\n{rest}");
        let own_last = format!("{head}{copy}\n{between}\n{text}\n{rest}");
        match edit {
            Edit::Swapped => {
                let document = Document::new(case.old().path(), own_first).ok()?;
                case.made_up_of(class, document, Offset::of_index(first), own_last, Some(last))
            }
            _ if random.below(2) == 0 => case.made_up(class, own_first, Some(first)),
            _ => case.made_up(class, own_last, Some(last)),
        }
    }

    /// The symbol is cut. A very similar symbol, which was there before, is left.
    fn twin_left(&self, case: &Case, class: &str, random: &mut Random) -> Option<Case> {
        let Named { text, head, within, .. } = self;
        let (other_name, mut twin) = self.with_other_name(random);
        for _ in 0..random.below(3) {
            let words = words(&twin);
            let changed = words[random.below(words.len())];
            if !twin[changed..].starts_with(&other_name) {
                let end = changed + words_start(&twin[changed..]).len();
                twin.replace_range(changed..end, "otherwise");
            }
        }
        let n_between = random.below(self.behind.len().min(4));
        let (between, rest) = (self.behind[..n_between].concat(), self.behind[n_between..].concat());
        let (old, place, new) = if random.below(2) == 0 {
            let old = format!("{head}{text}\n{between}\n{twin}\n{rest}");
            (old, head.len() + within, format!("{head}{between}\n{twin}\n{rest}"))
        } else {
            let old = format!("{head}{twin}\n{between}\n{text}\n{rest}");
            let place = head.len() + twin.len() + between.len() + 2 + within;
            (old, place, format!("{head}{twin}\n{between}\n{rest}"))
        };
        let document = Document::new(case.old().path(), old).ok()?;
        let made = case.made_up_of(class, document, Offset::of_index(place), new, None)?;
        // If there are overloads, a symbol with the same path may still be declared.
        let path = made.path_then()?;
        (path.contains(&self.name.as_str()) && !made.declares_now(&path)).then_some(made)
    }

    /// The symbol is renamed. A new symbol with its old name has the line of the place, alone or with some lines around
    /// it.
    fn renamed(&self, case: &Case, class: &str, random: &mut Random) -> Option<Case> {
        let Named { text, head, .. } = self;
        if self.line < self.n_header {
            return None;
        }
        let (other_name, renamed) = self.with_other_name(random);
        let n_before = words(&text[..self.within])
            .into_iter()
            .filter(|&start| words_start(&text[start..self.within]) == self.name)
            .count();
        let within = self.within + n_before * other_name.len() - n_before * self.name.len();
        // If the place is the name itself, the renaming replaces its word.
        if renamed[within..].starts_with(&other_name) {
            return None;
        }
        let reach = if random.below(2) == 0 { [0, 0] } else { [random.below(4), random.below(4)] };
        let taken = self.line.saturating_sub(reach[0])..self.line + reach[1] + 1;
        let is_other = |line: usize| line >= self.n_header && !taken.contains(&line);
        // One in three new symbols is short.
        let new = if random.below(3) == 0 {
            without_lines(text, is_other)
        } else {
            with_other_lines(text, is_other)
        };
        if new == *text {
            return None;
        }
        let n_between = if random.below(2) == 0 { 0 } else { random.below(self.behind.len().min(4)) };
        let (between, rest) = (self.behind[..n_between].concat(), self.behind[n_between..].concat());
        let (all, place) = if random.below(2) == 0 {
            (format!("{head}{renamed}\n{between}\n{new}\n{rest}"), head.len() + within)
        } else {
            let place = head.len() + new.len() + between.len() + 2 + within;
            (format!("{head}{new}\n{between}\n{renamed}\n{rest}"), place)
        };
        case.made_up(class, all, Some(place))
    }

    /// The symbol gets a new overload with all its lines, or only with the line of the place. The place itself stays,
    /// is cut with its line, or is replaced.
    fn overloaded(&self, case: &Case, class: &str, random: &mut Random) -> Option<Case> {
        let Named { text, head, name, .. } = self;
        let has_overloads = [".java", ".h", ".hpp", ".cc", ".cpp", ".cxx"];
        let call = text.find(&format!("{name}("))? + name.len() + 1;
        let n_header =
            self.n_header + text.lines().skip(self.n_header - 1).position(|line| line.contains('{'))?;
        if !has_overloads.iter().any(|end| case.old().path().ends_with(end)) || self.line < n_header {
            return None;
        }
        let comma = if text[call..].starts_with(')') { "" } else { ", " };
        let mut overload = format!("{}int extra{comma}{}", &text[..call], &text[call..]);
        if random.below(2) == 0 {
            overload = with_other_lines(&overload, |line| line >= n_header && line != self.line);
        }
        let (own, within) = match random.below(3) {
            0 => (text.clone(), Some(self.within)),
            1 => {
                let own = text.split_inclusive('\n').enumerate();
                let cut: String = own.filter(|(line, _)| *line != self.line).map(|(_, line)| line).collect();
                (cut, None)
            }
            _ => {
                let word = words_start(&text[self.within..]);
                let end = self.within + word.len();
                (!word.is_empty())
                    .then(|| (format!("{}elsewise{}", &text[..self.within], &text[end..]), None))?
            }
        };
        let rest = self.behind.concat();
        let (all, start) = if random.below(2) == 0 {
            (format!("{head}{own}\n{overload}\n{rest}"), head.len())
        } else {
            (format!("{head}{overload}\n{own}\n{rest}"), head.len() + overload.len() + 1)
        };
        case.made_up(class, all, within.map(|within| start + within))
    }

    /// Another name, and the text of the symbol with this name.
    fn with_other_name(&self, random: &mut Random) -> (String, String) {
        let name = &self.name;
        let other = match random.below(8) {
            0 => format!("{name}_{}", ["all", "now", "one", "other"][random.below(4)]),
            1 => format!("{name}{}", ["Twin", "Impl", "Other", "Again"][random.below(4)]),
            2 => format!("{name}{}", 2 + random.below(3)),
            3 => format!("{}_{name}", ["old", "do", "inner", "other"][random.below(4)]),
            4 | 5 => OTHER_NAMES[random.below(OTHER_NAMES.len())].to_owned(),
            _ => format!("{name}_{}", ["twin", "old", "renamed", "legacy"][random.below(4)]),
        };
        let mut renamed = self.text.clone();
        for start in words(&self.text).into_iter().rev() {
            if words_start(&self.text[start..]) == self.name {
                renamed.replace_range(start..start + self.name.len(), &other);
            }
        }
        (other, renamed)
    }
}

/// Whether a line can be replaced or cut without harm. It cannot if it opens or closes a bracket or a long string.
fn is_closed(line: &str) -> bool {
    let count = |marks: [char; 3]| line.matches(marks).count();
    count(['(', '[', '{']) == count([')', ']', '}']) && !line.contains("\"\"\"")
}

/// A symbol without some lines.
fn without_lines(symbol: &str, is_cut: impl Fn(usize) -> bool) -> String {
    let lines = symbol.split_inclusive('\n').enumerate();
    lines.filter(|(number, line)| !is_cut(*number) || !is_closed(line)).map(|(_, line)| line).collect()
}

/// A symbol with some lines replaced.
fn with_other_lines(symbol: &str, is_other: impl Fn(usize) -> bool) -> String {
    let mut other = String::new();
    for (number, line) in symbol.split_inclusive('\n').enumerate() {
        if is_other(number) && is_closed(line) && !line.trim().is_empty() {
            let blanks = &line[..line.len() - line.trim_start().len()];
            let end = if symbol.contains(';') { ";" } else { "" };
            // Writing to a string does not fail.
            let _ = writeln!(other, "{blanks}otherwise({number}){end}");
        } else {
            other += line;
        }
    }
    other
}
