//! Compares skimmed outlines with exact ones, and measures the speed of both.
//!
//!     compare --languages                 prints the languages that are skimmed
//!     compare LANGUAGE FILE…              prints differences, shares and speed
//!
//! The comparison fails if less than 99.9 % of the symbols agree.
//!
//! `--list=FILE` names a file with more paths. `--show=N` shows up to N differences, and with `--unsure` also files
//! that are not skimmed. With `--alone`, texts are only skimmed, so that a profiler measures nothing else.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

use locant_lang::{Language, by_name};
use locant_tree::{Outline, Symbol};

/// How many percent of the symbols must agree.
const GOAL: f64 = 99.9;

fn main() -> ExitCode {
    let (options, mut rest): (Vec<String>, Vec<String>) =
        env::args().skip(1).partition(|argument| argument.starts_with("--"));
    if options.iter().any(|option| option == "--languages") {
        locant_skim::languages().for_each(|language| println!("{language}"));
        return ExitCode::SUCCESS;
    }
    let n_shown = options.iter().find_map(|option| option.strip_prefix("--show=")?.parse().ok()).unwrap_or(0);
    let Some(language) = rest.first().and_then(|name| by_name(name)) else {
        eprintln!("compare [--show=N] LANGUAGE FILE…");
        return ExitCode::FAILURE;
    };
    rest.remove(0);
    // The paths may be listed in a file, because there can be too many for a command line.
    let listed = options.iter().find_map(|option| option.strip_prefix("--list="));
    if let Some(list) = listed.and_then(|path| fs::read_to_string(path).ok()) {
        rest.extend(list.lines().map(str::to_owned));
    }
    let shows_unsure = options.iter().any(|option| option == "--unsure");
    let mut comparison = Comparison { n_shown, shows_unsure, ..Comparison::default() };
    let is_alone = options.iter().any(|option| option == "--alone");
    for path in &rest {
        let Ok(text) = fs::read(path) else { continue };
        if is_alone {
            let outline = locant_skim::outline(language.name(), &text);
            comparison.n_symbols += outline.map_or(0, |outline| outline.symbols().len());
        } else {
            comparison.add(language, path, &text);
        }
    }
    if is_alone {
        println!("{} symbols", comparison.n_symbols);
        return ExitCode::SUCCESS;
    }
    comparison.report(language);
    if comparison.agreement() >= GOAL { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Default)]
struct Comparison {
    n_shown: usize,
    shows_unsure: bool,
    n_files: usize,
    n_bytes: usize,
    n_answered: usize,
    n_answered_bytes: usize,
    /// Files that were skimmed, but in which the parser finds errors. They are not compared.
    n_damaged: usize,
    n_symbols: usize,
    n_different: usize,
    n_files_different: usize,
    /// How many symbols differ, by the first field that differs.
    kinds: BTreeMap<&'static str, usize>,
    skim_time: Duration,
    exact_time: Duration,
}

impl Comparison {
    fn add(&mut self, language: &'static Language, path: &str, text: &[u8]) {
        self.n_files += 1;
        self.n_bytes += text.len();
        let start = Instant::now();
        let skimmed = locant_skim::outline(language.name(), text);
        self.skim_time += start.elapsed();
        let Some(skimmed) = skimmed else {
            if self.n_shown > 0 && self.shows_unsure {
                self.n_shown -= 1;
                println!("unsure {path}");
            }
            return;
        };
        self.n_answered += 1;
        self.n_answered_bytes += text.len();
        let start = Instant::now();
        let exact = language.outline(text);
        self.exact_time += start.elapsed();
        if exact.is_damaged {
            self.n_damaged += 1;
            return;
        }
        self.compare(path, text, &skimmed, &exact);
    }

    fn compare(&mut self, path: &str, text: &[u8], skimmed: &Outline, exact: &Outline) {
        self.n_symbols += exact.symbols().len();
        if skimmed == exact {
            return;
        }
        self.n_files_different += 1;
        if (&skimmed.package, &skimmed.silent) != (&exact.package, &exact.silent) {
            self.differ("package or words", path, text, None, None);
        }
        let (mut ours, mut theirs) = (keyed(skimmed), keyed(exact));
        for (key, symbol) in &theirs {
            match ours.get(key) {
                None => self.differ("missing", path, text, None, Some(symbol)),
                Some(own) => {
                    if let Some(how) = difference(own, symbol, skimmed, exact) {
                        self.differ(how, path, text, Some(own), Some(symbol));
                    }
                }
            }
        }
        ours.retain(|key, _| theirs.remove(key).is_none());
        for symbol in ours.values() {
            self.differ("too many", path, text, Some(symbol), None);
        }
        if skimmed
            .symbols()
            .iter()
            .map(|symbol| symbol.name_range)
            .ne(exact.symbols().iter().map(|symbol| symbol.name_range))
        {
            *self.kinds.entry("order (files)").or_default() += 1;
            if self.n_shown > 0 {
                println!("order: {path}");
            }
        }
    }

    fn differ(
        &mut self,
        how: &'static str,
        path: &str,
        text: &[u8],
        own: Option<&Symbol>,
        theirs: Option<&Symbol>,
    ) {
        self.n_different += 1;
        *self.kinds.entry(how).or_default() += 1;
        if self.n_shown == 0 {
            return;
        }
        self.n_shown -= 1;
        let shown = |symbol: Option<&Symbol>| symbol.map_or("-".to_owned(), |symbol| describe(symbol, text));
        println!("{how}: {path}\n  skim  {}\n  exact {}", shown(own), shown(theirs));
    }

    fn agreement(&self) -> f64 {
        percent(self.n_symbols.saturating_sub(self.n_different), self.n_symbols)
    }

    fn report(&self, language: &Language) {
        let speed = |n_bytes: usize, time: Duration| n_bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
        println!(
            "{}: {} files, {:.1} MB; answered {:.1} % of files, {:.1} % of bytes; \
             {} symbols compared, {} differ, {:.3} % agree; \
             {} files differ; {} damaged; skim {:.0} MB/s, exact {:.1} MB/s",
            language.name(),
            self.n_files,
            self.n_bytes as f64 / 1e6,
            percent(self.n_answered, self.n_files),
            percent(self.n_answered_bytes, self.n_bytes),
            self.n_symbols,
            self.n_different,
            self.agreement(),
            self.n_files_different,
            self.n_damaged,
            speed(self.n_bytes, self.skim_time),
            speed(self.n_answered_bytes, self.exact_time),
        );
        for (kind, count) in &self.kinds {
            println!("  {count:>6} {kind}");
        }
    }
}

/// The symbols by the range of their name. Symbols with the same range are numbered.
fn keyed(outline: &Outline) -> BTreeMap<(u32, u32, usize), &Symbol> {
    let mut keyed = BTreeMap::new();
    for symbol in outline.symbols() {
        let (start, end) = (symbol.name_range.start().to_u32(), symbol.name_range.end().to_u32());
        let twin = (0..).find(|twin| !keyed.contains_key(&(start, end, *twin))).unwrap_or(0);
        keyed.insert((start, end, twin), symbol);
    }
    keyed
}

fn difference(own: &Symbol, other: &Symbol, ours: &Outline, theirs: &Outline) -> Option<&'static str> {
    let parent = |symbol: &Symbol, outline: &Outline| symbol.parent.map(|id| outline.get(id).name_range);
    let checks = [
        ("name", own.name != other.name),
        ("kind", own.kind != other.kind),
        ("parent", parent(own, ours) != parent(other, theirs)),
        ("qualifier", own.qualifier != other.qualifier),
        ("extent", own.extent != other.extent),
        ("declaration", own.declaration != other.declaration),
        ("header", own.header != other.header),
        ("docs", own.docs != other.docs),
        ("within", own.within != other.within),
    ];
    checks.into_iter().find(|(_, is_different)| *is_different).map(|(how, _)| how)
}

fn describe(symbol: &Symbol, text: &[u8]) -> String {
    let line = |at: usize| text[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
    format!(
        "{} {:?}.{} line {}, extent {:?} (to line {}), declaration {:?}, header {:?}, docs {:?}, within {:?}",
        symbol.kind.word(),
        symbol.qualifier,
        symbol.name,
        line(symbol.name_range.start().index()),
        symbol.extent.indices(),
        line(symbol.extent.end().index()),
        symbol.declaration.indices(),
        symbol.header.indices(),
        symbol.docs.map(|docs| docs.indices()),
        symbol.within.map(|within| within.indices()),
    )
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 }
}
