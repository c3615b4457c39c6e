//! How well a symbol fits the name that someone searches for.
//!
//! A query is a name (`filter`), the end of a path (`QuerySet.filter`), a whole path with modules in front
//! (`django.db.models.query.QuerySet`), a part of a name, or initials (`QSfilter`). Each of these may have a typo in
//! it.

use std::cmp::Reverse;

use locant_engine::SymbolKind;

/// What someone searches for.
#[derive(Clone, Debug)]
pub struct Query {
    /// The whole query, in lower case.
    whole: String,
    /// The characters of the whole query.
    letters: u64,
    /// The names in the query. The last one is the name of the symbol itself.
    names: Vec<Name>,
}

#[derive(Clone, Debug)]
struct Name {
    written: String,
    lower: String,
    letters: u64,
}

/// How well a name fits the query, from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum Fit {
    /// The name is the query, except for one or two typos.
    Misspelt = 1,
    /// The name has words that start with the letters of the query.
    Initials,
    /// The name contains the query.
    Inside,
    /// A word of the name starts with the query.
    Word,
    /// The query is the initials of the enclosing symbols, followed by the whole name: `QSfilter` for
    /// `QuerySet.filter`.
    InitialsAndName,
    /// The name starts with the query.
    Start,
    /// The name is the query, except for upper and lower case.
    OtherCase,
    /// The name is the query.
    Same,
}

/// A symbol that is compared with a query.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'s> {
    /// The names of the enclosing symbols, followed by the symbol's own name.
    pub path: &'s [&'s str],
    /// The kind of the symbol.
    pub kind: SymbolKind,
    /// The names of its file and folders as modules, which a query may have before the path.
    pub place: &'s Place<'s>,
}

/// What the path of a file tells about the symbols in it.
#[derive(Clone, Debug)]
pub struct Place<'p> {
    /// The folders and the file, as names of modules from the root: `db` and `query` for `db/query.py`.
    pub modules: Vec<&'p str>,
    /// Whether the file belongs to tests or examples, or was copied from elsewhere.
    is_aside: bool,
}

impl<'p> Place<'p> {
    /// Reads this path, which starts from the root.
    pub fn new(path: &'p str) -> Place<'p> {
        let is_aside = path.split(['/', '.', '_', '-']).any(|part| ASIDE.contains(&part));
        Place { modules: modules(path), is_aside }
    }

    /// Whether the file belongs to tests or examples, or was copied from elsewhere.
    pub fn is_aside(&self) -> bool {
        self.is_aside
    }
}

/// Parts of paths that mark tests, examples, documentation, and generated or third-party code.
const ASIDE: [&str; 20] = [
    "test",
    "tests",
    "testing",
    "testdata",
    "spec",
    "specs",
    "mock",
    "mocks",
    "fixtures",
    "vendor",
    "vendored",
    "third",
    "external",
    "node",
    "deps",
    "dist",
    "build",
    "examples",
    "docs",
    "generated",
];

/// Names of files that stand for their folder as a module.
const FOLDER_FILES: [&str; 5] = ["__init__", "mod", "lib", "main", "index"];

/// The modules that a path names: its folders, and its file unless the file stands for its folder.
pub fn modules(path: &str) -> Vec<&str> {
    let (folders, file) = path.rsplit_once('/').map_or(("", path), |(folders, file)| (folders, file));
    let stem = file.split('.').next().unwrap_or(file);
    let folders = folders.split('/').filter(|folder| !folder.is_empty());
    folders.chain(Some(stem).filter(|stem| !FOLDER_FILES.contains(stem))).collect()
}

impl Query {
    /// Reads a query; `None` when it contains no name.
    pub fn new(written: &str) -> Option<Query> {
        let written = written.trim().trim_start_matches(':').trim_matches('`');
        let plain = written.replace("::", ".").replace("()", "");
        let names: Vec<Name> = plain.split(['.', '#', '/', ' ']).filter_map(Name::new).collect();
        let whole = written.to_lowercase();
        let letters = letters(whole.bytes());
        (!names.is_empty()).then_some(Query { whole, letters, names })
    }

    /// Whether a symbol with this name may fit, whatever its kind and place. `above` has the [`letters`] of the names
    /// around it, and of the dots between them.
    pub fn may_fit(&self, own: &str, above: u64) -> bool {
        let Some(last) = self.names.last() else { return false };
        last.fit(own).is_some()
            || (self.names.len() > 1 && self.is_inside(own))
            || (self.names.len() == 1 && last.may_abbreviate(own, above))
    }

    /// Whether the whole query, with its dots and blanks, is a part of a name.
    fn is_inside(&self, own: &str) -> bool {
        // A letter that is not ASCII may have an ASCII one as its lower case.
        let has_letters = letters(own.bytes()) & self.letters == self.letters || !own.is_ascii();
        has_letters && own.len() >= self.whole.len() && own.to_lowercase().contains(&self.whole)
    }

    /// How well a symbol fits, higher is better; `None` when it does not fit.
    pub fn score(&self, seen: Seen<'_>) -> Option<u32> {
        let (own, above) = seen.path.split_last()?;
        let named = self.named(own, above, seen.place);
        // The symbol may have a name with dots or blanks in it, such as a heading or a key.
        let inside = || (self.names.len() > 1 && self.is_inside(own)).then_some((Fit::Inside, above.len()));
        let (fit, n_skipped) = named.or_else(inside).or_else(|| self.abbreviated(own, above))?;
        Some(rank(fit, n_skipped, own, seen))
    }

    /// How well the names of the query fit the names of a symbol, and how many names of its path the query leaves out.
    fn named(&self, own: &str, above: &[&str], place: &Place<'_>) -> Option<(Fit, usize)> {
        let (last, before) = self.names.split_last()?;
        let mut fit = last.fit(own)?;
        let around: Vec<&str> = place.modules.iter().chain(above).rev().copied().collect();
        let mut n_around = 0;
        for name in before.iter().rev() {
            let (found, at) = name.best_of(&around[n_around..])?;
            fit = fit.min(found);
            n_around += at + 1;
        }
        let n_skipped = if before.is_empty() { above.len() } else { n_around - before.len() };
        Some((fit, n_skipped))
    }

    /// Reads a query of one word as the initials of a path: `QSfilter` for `QuerySet.filter`.
    fn abbreviated(&self, own: &str, above: &[&str]) -> Option<(Fit, usize)> {
        let [name] = self.names.as_slice() else { return None };
        if name.lower.len() < 3 {
            return None;
        }
        (0..above.len()).rev().find_map(|first| {
            let path = above[first..].iter().copied().chain([own]).collect::<Vec<_>>().join(".");
            let own_start = path.len() - own.len();
            let is_whole = name.lower.ends_with(&own.to_lowercase());
            let fit = if is_whole { Fit::InitialsAndName } else { Fit::Initials };
            abbreviates(&name.lower, &path, own_start).then_some((fit, first))
        })
    }
}

/// Combines all criteria into one number, most important first. Each criterion is a digit of the number, with its own
/// base.
fn rank(fit: Fit, n_skipped: usize, own: &str, seen: Seen<'_>) -> u32 {
    let is_public = !own.starts_with('_') && !seen.path.iter().any(|name| is_private(name));
    let parts = [
        (fit as u32, 16),
        (u32::from(!seen.place.is_aside), 2),
        (u32::from(n_skipped == 0), 2),
        (u32::from(is_public), 2),
        (weight(seen.kind), 4),
        (7 - u32::try_from(n_skipped.min(7)).unwrap_or(7), 8),
        (63 - u32::try_from(own.len().min(63)).unwrap_or(63), 64),
        (15 - u32::try_from(seen.place.modules.len().min(15)).unwrap_or(15), 16),
    ];
    parts.iter().fold(0, |rank, (part, base)| rank * base + part.min(&(base - 1)))
}

fn is_private(name: &str) -> bool {
    name.starts_with('_') && !name.starts_with("__")
}

/// The weight of a kind. Kinds that people search for more often weigh more.
fn weight(kind: SymbolKind) -> u32 {
    match kind {
        kind if kind.is_callable() => 2,
        kind if kind.is_value() => 1,
        _ => 3,
    }
}

impl Name {
    fn new(written: &str) -> Option<Name> {
        let lower = written.to_lowercase();
        let letters = letters(lower.bytes());
        (!written.is_empty()).then(|| Name { written: written.to_owned(), lower, letters })
    }

    fn fit(&self, name: &str) -> Option<Fit> {
        if name == self.written {
            return Some(Fit::Same);
        }
        let common = letters(name.bytes()) & self.letters;
        if common == self.letters && name.len() >= self.lower.len() {
            if let Some(fit) = self.fit_inside(name) {
                return Some(fit);
            }
            if self.lower.len() > 1 && abbreviates(&self.lower, name, 0) {
                return Some(Fit::Initials);
            }
        }
        let n_missing = (self.letters & !common).count_ones();
        (n_missing <= 2 && self.is_slip_of(name)).then_some(Fit::Misspelt)
    }

    /// Whether this may be initials of a path that ends with a name. The last letter is always in that name, and the
    /// others are in it or above.
    fn may_abbreviate(&self, own: &str, above: u64) -> bool {
        let own = letters(own.bytes());
        let last = letters(self.lower.bytes().last().into_iter());
        above != 0
            && self.lower.len() >= 3
            && own & last == last
            && (own | above) & self.letters == self.letters
    }

    /// The best fit among some names, with the index of that name. If several fit equally well, the first wins.
    fn best_of(&self, names: &[&str]) -> Option<(Fit, usize)> {
        let fits = names.iter().enumerate().filter_map(|(at, name)| Some((self.fit(name)?, at)));
        fits.max_by_key(|&(fit, at)| (fit, Reverse(at)))
    }

    fn fit_inside(&self, name: &str) -> Option<Fit> {
        let lower = name.to_lowercase();
        let at = lower.find(&self.lower)?;
        Some(match at {
            0 if lower.len() == self.lower.len() => Fit::OtherCase,
            0 => Fit::Start,
            _ if lower.match_indices(&self.lower).any(|(at, _)| starts_word(name, at)) => Fit::Word,
            _ => Fit::Inside,
        })
    }

    /// Whether the query is this name with one typo, or with up to two if the query is long.
    fn is_slip_of(&self, name: &str) -> bool {
        let (asked, most) = (self.lower.len(), if self.lower.len() > 8 { 2 } else { 1 });
        asked >= 3
            && asked.abs_diff(name.len()) <= most
            && strsim::damerau_levenshtein(&self.lower, &name.to_lowercase()) <= most
    }
}

/// The set of characters in a name, as bits. Each letter, each digit and `_` has a bit of its own; all other characters
/// share one bit.
pub(crate) fn letters(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0, |all, byte| all | 1 << LETTERS[usize::from(byte)])
}

/// All bits that [`letters`] may set.
pub(crate) const ALL_LETTERS: u64 = (1 << (OTHERS + 1)) - 1;

/// The bit of all characters that have none of their own.
const OTHERS: u8 = 37;

/// The bit of each byte.
const LETTERS: [u8; 256] = {
    let mut bits = [OTHERS; 256];
    let mut n = 0;
    while n < 26 {
        bits[(b'a' + n) as usize] = n;
        bits[(b'A' + n) as usize] = n;
        n += 1;
    }
    while n < 36 {
        bits[(b'0' + n - 26) as usize] = n;
        n += 1;
    }
    bits[b'_' as usize] = 36;
    bits
};

/// Whether a word starts at this byte of a name. Words start at the start of the name, after punctuation, at the first
/// capital of a run, at the last capital of a run before a small letter (the second `G` in `GEOSGeometry`), and where
/// digits start or end.
fn starts_word(name: &str, at: usize) -> bool {
    let bytes = name.as_bytes();
    let Some(before) = at.checked_sub(1).map(|before| bytes[before]) else { return true };
    let here = bytes.get(at).copied().unwrap_or_default();
    !before.is_ascii_alphanumeric() && before < 0x80
        || here.is_ascii_uppercase() && (!before.is_ascii_uppercase() || is_small(bytes.get(at + 1)))
        || here.is_ascii_digit() != before.is_ascii_digit()
}

fn is_small(byte: Option<&u8>) -> bool {
    byte.is_some_and(u8::is_ascii_lowercase)
}

/// Whether a query consists of the starts of words of a path, in order, the last of them in the symbol's own name. For
/// example, `qsf` and `quesetf` abbreviate `QuerySet.filter`.
fn abbreviates(lower: &str, path: &str, own_start: usize) -> bool {
    return go(lower.as_bytes(), path, 0, own_start, &mut 200);

    /// The same test for the rest of a query and for the path from `from` on. `steps` limits how many combinations are
    /// tried.
    fn go(query: &[u8], path: &str, from: usize, own_start: usize, steps: &mut u32) -> bool {
        let Some(first) = query.first() else { return from > own_start };
        let bytes = path.as_bytes();
        for at in (from..bytes.len()).filter(|&at| starts_word(path, at)) {
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            if bytes[at].to_ascii_lowercase() != *first {
                continue;
            }
            let same = query.iter().zip(&bytes[at..]).take_while(|(a, b)| **a == b.to_ascii_lowercase());
            let longest = same.count();
            if (1..=longest).rev().any(|len| go(&query[len..], path, at + len, own_start, steps)) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which symbols, written as `FILE:PATH`, fit a query, best first.
    #[track_caller]
    fn check(query: &str, symbols: &[&str], expected: &[&str]) {
        let query = Query::new(query).expect("it asks for something");
        let mut found: Vec<(u32, &str)> = Vec::new();
        for symbol in symbols {
            let (file, path) = symbol.split_once(':').expect("a file and a path");
            let path: Vec<&str> = path.split('.').collect();
            let kind = if path.len() > 1 { SymbolKind::Method } else { SymbolKind::Class };
            let seen = Seen { path: &path, kind, place: &Place::new(file) };
            let score = query.score(seen);
            let (own, above) = path.split_last().expect("a path has a name");
            let dots: String = above.iter().map(|name| format!("{name}.")).collect();
            let may_fit = query.may_fit(own, letters(dots.bytes()));
            assert!(may_fit || score.is_none(), "{symbol} fits, and was to be left out");
            found.extend(score.map(|score| (score, *symbol)));
        }
        found.sort_by_key(|&(score, symbol)| (Reverse(score), symbol));
        assert_eq!(found.iter().map(|(_, symbol)| *symbol).collect::<Vec<_>>(), expected);
    }

    const SYMBOLS: &[&str] = &[
        "db/query.py:QuerySet",
        "db/query.py:QuerySet.filter",
        "db/query.py:QuerySet._filter_or_exclude",
        "template/library.py:Library.filter",
        "tests/query.py:Mock.filter",
        "db/sql/where.py:filter_",
    ];

    #[test]
    fn what_is_called_so_comes_first() {
        check("QuerySet", SYMBOLS, &[SYMBOLS[0]]);
        check("QuerySet.filter", SYMBOLS, &[SYMBOLS[1], SYMBOLS[2]]);
        check("filter", SYMBOLS, &[SYMBOLS[1], SYMBOLS[3], SYMBOLS[4], SYMBOLS[5], SYMBOLS[2]]);
    }

    #[test]
    fn modules_may_stand_in_front() {
        check("db.query.QuerySet", SYMBOLS, &[SYMBOLS[0]]);
        check("library::Library::filter", SYMBOLS, &[SYMBOLS[3]]);
        check("query.filter", SYMBOLS, &[SYMBOLS[1], SYMBOLS[4], SYMBOLS[2]]);
    }

    #[test]
    fn initials_and_slips_are_understood() {
        check("QSfilter", SYMBOLS, &[SYMBOLS[1], SYMBOLS[2]]);
        check("QuerySet.fliter", SYMBOLS, &[SYMBOLS[1]]);
        check("QeurySet", SYMBOLS, &[SYMBOLS[0]]);
        check("nothing", SYMBOLS, &[]);
    }

    #[test]
    fn what_cannot_fit_is_known_from_letters() {
        let may_fit = |query: &str, own: &str, above: &str| {
            Query::new(query).is_some_and(|query| query.may_fit(own, letters(above.bytes())))
        };
        assert!(may_fit("QSfilter", "filter", "QuerySet."));
        assert!(!may_fit("QSfilter", "filter", "Library."), "there is no s");
        assert!(!may_fit("QSfilter", "exclude", "QuerySet."), "the last letter is not there");
        assert!(!may_fit("QuerySet.filter", "exclude", "QuerySet."));
        assert!(may_fit("1.2 notes", "Version 1.2 notes", ""));
        assert!(may_fit("1.2 k", "Version 1.2 \u{212A}", ""), "the lower case of the sign for Kelvin is a k");
    }

    #[test]
    fn a_folder_is_named_by_the_file_that_stands_for_it() {
        assert_eq!(modules("django/db/__init__.py"), ["django", "db"]);
        assert_eq!(modules("src/a.rs"), ["src", "a"]);
    }
}
