//! Breaks texts at random, and compares the outlines of those that their grammar still accepts with the exact ones.
//!
//!     broken --languages                  prints the languages whose exact outlines are read from tokens
//!     broken LANGUAGE [--list=FILE] [--texts=N] [--show=N] FILE…
//!
//! Each text has up to three marks, words or line ends put in or taken out. The comparison fails if an outline differs.

use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

use locant_lang::{Language, by_name};
use locant_tree::Outline;

/// How many texts are made of each file.
const TEXTS: usize = 8;

/// The longest file that is broken. Longer ones take long to read, and have nothing that shorter ones lack.
const LONGEST: usize = 24 << 10;

/// What is put in.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ";",
    ",",
    ":",
    ".",
    "=",
    "==",
    "=>",
    "->",
    "::",
    "?",
    "!",
    "&",
    "*",
    "|",
    "~",
    "^",
    "@",
    "#",
    "$",
    "/",
    "//",
    "/*",
    "*/",
    "\\",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "\n",
    "\n\n",
    "\t",
    " ",
    "  ",
    "0",
    "a",
    "x y",
    "class ",
    "def ",
    "fn ",
    "func ",
    "function ",
    "type ",
    "struct ",
    "interface ",
    "enum ",
    "namespace ",
    "new ",
    "static ",
    "async ",
    "await ",
    "get ",
    "set ",
    "return ",
    "if ",
    "else ",
    "for ",
    "in ",
    "of ",
    "const ",
    "let ",
    "var ",
    "case ",
    "default ",
    "where ",
    "extends ",
    "import ",
    "export ",
    "()",
    "{}",
    "[]",
    "() {}",
    "{ }\n",
    "<T>",
    "...",
    "<?php ",
    "?>",
    "<<<A\n",
    "${",
];

fn main() -> ExitCode {
    let (options, mut rest): (Vec<String>, Vec<String>) =
        env::args().skip(1).partition(|argument| argument.starts_with("--"));
    if options.iter().any(|option| option == "--languages") {
        locant_skim::exact_languages().for_each(|language| println!("{language}"));
        return ExitCode::SUCCESS;
    }
    let option = |name: &str| options.iter().find_map(|option| option.strip_prefix(name));
    let number = |name: &str| option(name).and_then(|number| number.parse().ok());
    let Some(language) = rest.first().and_then(|name| by_name(name)) else {
        eprintln!("broken LANGUAGE [--list=FILE] [--texts=N] [--show=N] FILE…");
        return ExitCode::FAILURE;
    };
    rest.remove(0);
    if let Some(list) = option("--list=").and_then(|path| fs::read_to_string(path).ok()) {
        rest.extend(list.lines().map(str::to_owned));
    }
    let mut count = Count { n_shown: number("--show=").unwrap_or(0), ..Count::default() };
    for path in &rest {
        let Some(text) = fs::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok()) else {
            continue;
        };
        if text.len() > LONGEST {
            continue;
        }
        let mut chance = Chance(locant_tree::check_of(path.as_bytes()) | 1);
        count.add(language, path, &text);
        for _ in 0..number("--texts=").unwrap_or(TEXTS) {
            count.add(language, path, &chance.broken(&text));
        }
    }
    count.report(language);
    if count.n_different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Numbers that look random, and are the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (end.max(1) as u64)).unwrap_or(0)
    }

    /// The text with one to three changes.
    fn broken(&mut self, text: &str) -> String {
        let mut broken = text.to_owned();
        for _ in 0..=self.below(3) {
            let mut at = self.below(broken.len());
            while !broken.is_char_boundary(at) {
                at -= 1;
            }
            if self.below(2) == 0 {
                broken.insert_str(at, PIECES[self.below(PIECES.len())]);
            } else {
                broken.replace_range(at..at + token_len(&broken[at..]), "");
            }
        }
        broken
    }
}

/// How long the word, the run of blanks or the mark at the start of a text is.
fn token_len(text: &str) -> usize {
    let Some(first) = text.chars().next() else { return 0 };
    let is_same = |other: char| match () {
        () if first.is_alphanumeric() || first == '_' => other.is_alphanumeric() || other == '_',
        () => first == ' ' && other == ' ',
    };
    text.find(|other: char| !is_same(other)).map_or(text.len(), |end| end.max(first.len_utf8()))
}

#[derive(Default)]
struct Count {
    n_shown: usize,
    n_texts: usize,
    n_accepted: usize,
    n_exact: usize,
    n_different: usize,
    n_bytes: usize,
    n_bytes_accepted: usize,
    accepts: Duration,
    parses: Duration,
}

impl Count {
    fn add(&mut self, language: &'static Language, path: &str, text: &str) {
        self.n_texts += 1;
        self.n_bytes += text.len();
        let start = Instant::now();
        let is_accepted = language.accepts(text.as_bytes());
        self.accepts += start.elapsed();
        if !is_accepted {
            return;
        }
        self.n_accepted += 1;
        let skimmed =
            locant_skim::accepted_outline(language.name(), text.as_bytes(), &|text| language.accepts(text));
        let Some(skimmed) = skimmed else { return };
        self.n_exact += 1;
        self.n_bytes_accepted += text.len();
        let start = Instant::now();
        let exact = language.outline(text.as_bytes());
        self.parses += start.elapsed();
        if skimmed != exact {
            self.n_different += 1;
            if self.n_shown > 0 {
                self.n_shown -= 1;
                show(path, text, &skimmed, &exact);
            }
        }
    }

    fn report(&self, language: &Language) {
        println!(
            "{}: {} texts, {} accepted, {} of them with an outline from tokens, {} with another outline; \
             accepts {:.1} MB/s, parses {:.1} MB/s",
            language.name(),
            self.n_texts,
            self.n_accepted,
            self.n_exact,
            self.n_different,
            speed(self.n_bytes, self.accepts),
            speed(self.n_bytes_accepted, self.parses),
        );
    }
}

fn speed(n_bytes: usize, time: Duration) -> f64 {
    let megabytes = u32::try_from(n_bytes >> 10).map_or(f64::MAX, f64::from) / 1000.0;
    megabytes / time.as_secs_f64().max(1e-9)
}

/// Shows the first symbol that differs, with the lines around it.
fn show(path: &str, text: &str, skimmed: &Outline, exact: &Outline) {
    let (ours, theirs) = (skimmed.symbols(), exact.symbols());
    let at = ours.iter().zip(theirs).take_while(|(one, other)| one == other).count();
    println!("--- {path}\n  skimmed {:?}\n  exact   {:?}", ours.get(at), theirs.get(at));
    if let Some(symbol) = ours.get(at).or(theirs.get(at)) {
        let start = symbol.extent.start().index().min(text.len());
        let before = text[..start].lines().rev().take(3).collect::<Vec<_>>();
        before.iter().rev().for_each(|line| println!("  | {line}"));
        text[start..].lines().take(12).for_each(|line| println!("  | {line}"));
    } else {
        println!("  packages {:?} and {:?}, damage {:?}", skimmed.package, exact.package, exact.damage);
    }
}
