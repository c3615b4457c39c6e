//! Looks for small texts that take long or fill the memory: `hostile [--seed=N] [--cases=N] [--kind=KIND] [LANGUAGE…]`.
//! With `--write=FOLDER` it only writes the texts into the folder.
//!
//! There are three kinds of texts. `repeated` repeats a few tokens up to six kilobytes, `deep` opens a bracket or a
//! similar token a hundred thousand times, and `characters` mixes tokens with characters of all Unicode planes. No text
//! is made for the weak spot of a certain grammar. The outline and the position tree of every text are computed. The
//! program prints one line for each language and kind. The exit code is 1 if a text takes more processor time or memory
//! than is allowed.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use locant_bench::measure::timed;
use locant_bench::random::Random;
use locant_engine::languages::by_name;
use locant_engine::{Document, Reader};

/// The size of `repeated` texts, and the largest size of `characters`.
const N_BYTES: usize = 6_000;

/// How deeply `deep` texts are nested.
const N_LEVELS: usize = 100_000;

/// The most time that a text may take, the most time that a `deep` text may take, and the most memory for any text.
const LONGEST: Duration = Duration::from_secs(1);
const LONGEST_DEEP: Duration = Duration::from_secs(5);
const MOST_KILOBYTES: usize = 500_000;

/// Tokens of various languages, some of them unfinished.
const TOKENS: &str = "\
    ( ) [ ] { } < > + - * / % = == => -> <- := : :: ; , . .. ... ! ? & && | || ^ ~ @ # $ ` ' \" \\ /* */ // \
    (* *) {- -} <!-- --> x y 1 if else for while fn def class struct let var not and or in end do case of \
    match return break begin then function module type enum import += |= *= << >> ${ $( #{ \"\"\" ''' <% %> \
    <? ?> |> ;; !! -- ++ {% %} [[ ]] @@ é 中 😀 0x 1.5e <a> </a> <b/> :x %{ ~r r\" b' u8' L\" R\"( fun proc \
    lambda with as is new static void int template typename sizeof";

/// Texts that each open a bracket, block, string or other construct in some language.
const OPENERS: &[&str] = &[
    "(",
    "[",
    "{",
    "<",
    "[{",
    "{[",
    "({",
    "$(",
    "${",
    "#{",
    "{x:",
    "{- ",
    "(* ",
    "/* ",
    "/*",
    "<a>",
    "<!--",
    "<div>",
    "if x {",
    "if (x) ",
    "a(",
    "x[",
    "f(x,",
    "x ? ",
    "x => ",
    "x -> ",
    "!",
    "-",
    "not ",
    "*",
    "&",
    "a.",
    "a::",
    "a ? b : ",
    "fn f() {",
    "function f() {",
    "class A {",
    "namespace a {",
    "def f\n",
    "begin ",
    "do ",
    "let x = ",
    "\"${",
    "`${",
    "`",
    "'",
    "\"",
    "#",
    "# ",
    "> ",
    "- ",
    "* ",
    "1. ",
    "  ",
    "\t",
    "\\",
    "%{",
    "{{",
    "{%",
    "[[",
    "case x of ",
    "module A ",
    "struct A {",
    "@",
    "@(",
    "@a ",
    "#if x\n",
    "x = ",
    "x + ",
    "x |> ",
    "|",
    "||",
    "&&",
    ";",
    ":",
    ",",
    "=",
    "<<",
    "<?",
    "lambda: ",
    "await ",
    "return ",
    "try { ",
    "switch (x) { case 1: ",
    "new ",
    "a<",
    "List<",
    "{a: ",
    "- a:\n",
    "a:\n ",
    "else if ",
    "elif ",
    "(let ",
    "(fun x -> ",
    "\\x -> ",
    "$",
    "~",
    "^",
];

/// The arguments of the program.
struct Asked {
    seed: u64,
    n_cases: usize,
    kinds: Vec<String>,
    languages: Vec<String>,
    /// If present, the texts are only written to this folder.
    folder: Option<PathBuf>,
}

/// The result for the texts of one kind, in one language.
#[derive(Default)]
struct Tally {
    n_texts: usize,
    n_by_line: usize,
    slowest: Duration,
    failures: Vec<String>,
}

fn main() -> Result<ExitCode> {
    let asked = Asked::read(std::env::args().skip(1))?;
    let mut n_failures = 0;
    for language in &asked.languages {
        let reader = Reader::by_name(language).with_context(|| format!("there is no language {language}"))?;
        for kind in &asked.kinds {
            let texts = asked.texts(kind, reader)?;
            match &asked.folder {
                Some(folder) => write(texts, folder, &format!("{language}-{kind}"))?,
                None => n_failures += try_all(texts, language, kind, reader),
            }
        }
    }
    if asked.folder.is_none() {
        println!("{n_failures} texts take too much");
    }
    Ok(if n_failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes texts into files of a folder.
fn write(texts: Vec<(String, String)>, folder: &Path, start: &str) -> Result<()> {
    for (at, (_, text)) in texts.into_iter().enumerate() {
        fs::write(folder.join(format!("{start}-{at}")), text)?;
    }
    Ok(())
}

/// Reads texts, and prints how long it took. Returns the number of texts that took too much time or memory.
fn try_all(texts: Vec<(String, String)>, language: &str, kind: &str, reader: Reader) -> usize {
    let longest = if kind == "deep" { LONGEST_DEEP } else { LONGEST };
    let mut tally = Tally::default();
    texts.into_iter().for_each(|(name, text)| tally.try_text(&name, text, reader, longest));
    let (n_texts, n_by_line, slowest) = (tally.n_texts, tally.n_by_line, tally.slowest.as_secs_f64());
    println!("{language:15} {kind:10} {n_texts:4} texts, {n_by_line:3} by line, the slowest {slowest:.3} s");
    tally.failures.iter().for_each(|failure| println!("    {failure}"));
    tally.failures.len()
}

impl Asked {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Asked> {
        let kinds = ["repeated", "deep", "characters"].map(str::to_owned).to_vec();
        let mut asked = Asked { seed: 1, n_cases: 100, kinds, languages: Vec::new(), folder: None };
        for argument in arguments {
            match argument.split_once('=') {
                Some(("--seed", seed)) => asked.seed = seed.parse()?,
                Some(("--cases", n_cases)) => asked.n_cases = n_cases.parse()?,
                Some(("--write", folder)) => asked.folder = Some(folder.into()),
                Some(("--kind", kind)) => asked.kinds = vec![kind.to_owned()],
                Some(_) => bail!("there is no option {argument}"),
                None => asked.languages.push(argument),
            }
        }
        if asked.languages.is_empty() {
            asked.languages = Reader::names().into_iter().map(str::to_owned).collect();
        }
        Ok(asked)
    }

    /// The texts of a kind for a language, each with a name that says what it was made from.
    fn texts(&self, kind: &str, reader: Reader) -> Result<Vec<(String, String)>> {
        let tokens = tokens(reader);
        let mut random = Random::new(self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let texts = match kind {
            "repeated" => (0..self.n_cases)
                .map(|_| unit(&mut random, &tokens))
                .map(|unit| (unit.clone(), unit.repeat(N_BYTES / unit.len())))
                .collect(),
            "characters" => (0..self.n_cases)
                .map(|case| (format!("seed {} case {case}", self.seed), mixed(&mut random, &tokens)))
                .collect(),
            "deep" if self.folder.is_some() => Vec::new(),
            "deep" => OPENERS.iter().map(|opener| ((*opener).to_owned(), opener.repeat(N_LEVELS))).collect(),
            other => bail!("there is no kind {other}"),
        };
        Ok(texts)
    }
}

impl Tally {
    fn try_text(&mut self, name: &str, text: String, reader: Reader, longest: Duration) {
        let n_bytes = text.len();
        let before = most_kilobytes();
        let (is_by_line, time) = timed(|| {
            let document = Document::new("a", text).ok()?.in_language(reader);
            document.tree();
            document.outline().map(|outline| outline.is_by_line)
        });
        let kilobytes = most_kilobytes().saturating_sub(before);
        self.n_texts += 1;
        self.n_by_line += usize::from(is_by_line == Some(true));
        self.slowest = self.slowest.max(time);
        if time > longest || kilobytes > MOST_KILOBYTES {
            let (seconds, megabytes) = (time.as_secs_f64(), kilobytes / 1000);
            self.failures.push(format!("{name:?}, {n_bytes} bytes: {seconds:.2} s, {megabytes} MB"));
        }
    }
}

/// The tokens in the grammar of a language, and [`TOKENS`].
fn tokens(reader: Reader) -> Vec<String> {
    let mut tokens: Vec<String> = TOKENS.split_whitespace().map(str::to_owned).collect();
    tokens.extend(["\n".to_owned(), "\t".to_owned(), "\n\n".to_owned(), "\n  ".to_owned()]);
    let tree = by_name(reader.name()).and_then(|language| language.parse(b"\n"));
    if let Some(grammar) = tree.map(|tree| tree.language().to_owned()) {
        let kinds = (0..grammar.node_kind_count()).filter_map(|id| u16::try_from(id).ok());
        let named = kinds.filter(|id| !grammar.node_kind_is_named(*id) && grammar.node_kind_is_visible(*id));
        tokens.extend(named.filter_map(|id| grammar.node_kind_for_id(id)).map(str::to_owned));
    }
    tokens
}

/// One to five tokens, some with a blank after them.
fn unit(random: &mut Random, tokens: &[String]) -> String {
    let mut unit = String::new();
    for _ in 0..=random.below(5) {
        unit.push_str(&tokens[random.below(tokens.len())]);
        if random.below(3) == 0 {
            unit.push(' ');
        }
    }
    unit
}

/// Tokens, with a random character after every second token on average.
fn mixed(random: &mut Random, tokens: &[String]) -> String {
    let mut text = String::new();
    let n_bytes = random.below(N_BYTES);
    while text.len() < n_bytes {
        text.push_str(&tokens[random.below(tokens.len())]);
        let limit = [0x80, 0x100, 0x3000, 0x1_0000, 0x11_0000][random.below(5)];
        let character = u32::try_from(random.below(limit)).ok().and_then(char::from_u32);
        text.extend(character.filter(|_| random.below(2) == 0));
    }
    text
}

/// The most memory that this process ever had, in kilobytes; 0 if the system does not tell. This number only grows, so
/// a text is judged by how much it adds.
fn most_kilobytes() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
