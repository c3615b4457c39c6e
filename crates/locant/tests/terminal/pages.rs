//! The README and the pages in docs/ are true: their sessions print what they show, and their other commands exist.
//!
//! A block `console` is a session. Those of the README run in the root of the repository, those of each other page in a
//! fresh copy of the files in `examples/`. A session that cannot run here says why in its first line, where readers see
//! it: `# not run: WHY`. With `UPDATE=1` in the environment, the actual output replaces the shown output.

use std::fs;
use std::path::{Path, PathBuf};

use crate::session::{compare, copy_of_examples, fresh, output, replay};
use clap::CommandFactory;
use locant::cli::Cli;

/// What the first line of a session starts with if it is only to be read.
const NOT_RUN: &str = "# not run: ";

#[test]
fn the_readme_shows_what_it_says() {
    let root = root();
    let wrong = compare(&root.join("README.md"), |text| played(text, "readme", Some(&root)));
    assert!(wrong.is_none(), "{}\nUPDATE=1 writes the new output into the page", wrong.unwrap_or_default());
}

#[test]
fn the_pages_show_what_they_say() {
    let name = |page: &Path| page.file_stem().unwrap().to_string_lossy().into_owned();
    let wrong: Vec<String> =
        pages().iter().filter_map(|page| compare(page, |text| played(text, &name(page), None))).collect();
    assert!(wrong.is_empty(), "{}\nUPDATE=1 writes the new output into the pages", wrong.join("\n"));
}

/// A session that is only indented, or in a block of another kind, would not run. So there must be none.
#[test]
fn every_session_is_a_console_block() {
    let mut wrong = Vec::new();
    for page in all_pages() {
        let text = fs::read_to_string(&page).unwrap();
        for Line { number, block, text } in lines(&text) {
            if block != "console" && text.trim_start().starts_with("$ ") {
                wrong.push(format!("{}:{number}: {text}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "these belong into blocks of the kind `console`:\n{}", wrong.join("\n"));
}

/// A command that is shown without its output is not run, but its name, its flags and the number of its operands are
/// those of the program.
#[test]
fn commands_without_output_exist() {
    let mut n_commands = 0;
    let mut wrong = Vec::new();
    for page in all_pages() {
        let text = fs::read_to_string(&page).unwrap();
        // The reference shows how each command is used, with placeholders such as `FILE`.
        let is_usage = |line: &Line<'_>| page.ends_with("commands.md") && line.block == "indented";
        let shown = lines(&text).filter(|line| !line.block.is_empty() && !is_usage(line));
        for Line { number, text, .. } in shown {
            for arguments in calls(text) {
                n_commands += 1;
                if let Err(error) = Cli::command().try_get_matches_from(&arguments) {
                    let error = error.to_string();
                    let said = error.lines().next().unwrap_or_default();
                    wrong.push(format!("{}:{number}: {text}\n  {said}", page.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_commands > 100, "only {n_commands} commands were found");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The pages in docs/, sorted.
fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs")).unwrap();
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// All pages with commands in them.
fn all_pages() -> Vec<PathBuf> {
    let others = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "agents/claude-code/skills/locant/SKILL.md"];
    let others = others.iter().map(|path| root().join(path));
    others.chain(pages()).collect()
}

/// The page with the output that its sessions have now, in this directory, or else in a copy of the examples.
fn played(text: &str, name: &str, directory: Option<&Path>) -> String {
    let playground = copy_of_examples(&format!("page-{name}"));
    let directory = directory.unwrap_or(&playground.play);
    let mut ids = Ids { shown: ids(text).map(str::to_owned).collect(), actual: Vec::new() };
    let mut run = |command: &str| {
        let command = ids.put_in(command);
        let output = output(playground.shell(&command).current_dir(directory), directory);
        ids.taken_out(&output)
    };
    as_in_a_terminal(&replay(text, directory, || (), |session| replayed(session, &mut run)))
}

fn replayed(session: &[&str], run: impl FnMut(&str) -> String) -> String {
    match session.first() {
        Some(first) if first.starts_with(NOT_RUN) => session.iter().map(|line| format!("{line}\n")).collect(),
        _ => fresh(session, run),
    }
}

/// A session as people see it: without the marks for standard error and exit codes.
fn as_in_a_terminal(text: &str) -> String {
    let shown = text.lines().filter(|line| !matches!(*line, "[1]" | "[2]" | "[3]"));
    shown.map(|line| format!("{}\n", line.strip_prefix("! ").unwrap_or(line))).collect()
}

/// The ids of previews. They differ from folder to folder, so those on a page stand for the actual ones, in the order
/// in which they come up.
struct Ids {
    shown: Vec<String>,
    actual: Vec<String>,
}

impl Ids {
    /// The command of a page with the actual ids.
    fn put_in(&self, command: &str) -> String {
        let pairs = self.shown.iter().zip(&self.actual);
        pairs.fold(command.to_owned(), |command, (shown, actual)| command.replace(shown, actual))
    }

    /// The output of a command with the ids of the page.
    fn taken_out(&mut self, output: &str) -> String {
        for id in ids(output) {
            if !self.actual.iter().any(|known| known == id) {
                self.actual.push(id.to_owned());
            }
        }
        let pairs = self.actual.iter().zip(&self.shown);
        pairs.fold(output.to_owned(), |output, (actual, shown)| output.replace(actual, shown))
    }
}

/// The ids in a text, each once: words of 32 hexadecimal digits, or of 8 where a command takes an id.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_asked = |word: &str| {
        let before = &text[..word.as_ptr().addr() - text.as_ptr().addr()];
        before.ends_with("locant apply ") || before.ends_with("undo: `")
    };
    let is_id = move |word: &&str| {
        let is_long_enough = word.len() == 32 || word.len() == 8 && is_asked(word);
        is_long_enough && word.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let mut seen = Vec::new();
    words.filter(is_id).filter(move |word| {
        let is_new = !seen.contains(word);
        seen.push(word);
        is_new
    })
}

/// A line of a Markdown page.
struct Line<'a> {
    number: usize,
    /// The kind of the block that it is in: the word after its fence, `indented`, or nothing for a line of prose.
    block: &'a str,
    text: &'a str,
}

fn lines(page: &str) -> impl Iterator<Item = Line<'_>> {
    // The fence that ends the block, and the kind of the block.
    let mut open: Option<(&str, &str)> = None;
    page.lines().enumerate().map(move |(index, text)| {
        let kind = text.trim_start().trim_start_matches('`');
        let fence = text.trim_start().strip_suffix(kind).filter(|fence| fence.len() >= 3);
        let block = match (open, fence) {
            (Some((end, _)), Some(fence)) if fence == end && kind.is_empty() => {
                open = None;
                ""
            }
            (Some((_, kind)), _) => kind,
            (None, Some(fence)) => {
                open = Some((fence, if kind.is_empty() { "text" } else { kind }));
                ""
            }
            (None, None) if text.starts_with("    ") => "indented",
            (None, None) => "",
        };
        Line { number: index + 1, block, text }
    })
}

/// The calls of the program in a line of shell, each with its arguments. Words in a comment or behind a redirection are
/// no call.
fn calls(line: &str) -> Vec<Vec<String>> {
    let line = line.trim_start();
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let mut calls: Vec<Vec<String>> = vec![Vec::new()];
    for word in words(line) {
        match word {
            Word::Plain(text) => calls.last_mut().unwrap().push(text),
            Word::Operator => calls.push(Vec::new()),
        }
    }
    let is_setting = |word: &String| word.contains('=') && word.starts_with(|c: char| c.is_ascii_uppercase());
    let calls = calls.into_iter().map(|call| call.into_iter().skip_while(is_setting).collect::<Vec<_>>());
    calls.filter(|call| call.first().is_some_and(|name| name == "locant")).collect()
}

enum Word {
    Plain(String),
    /// `|`, `;`, `&`, `<` or `>`: what follows is no argument of the call before it.
    Operator,
}

/// The words of a line of shell, up to a comment. Knows both kinds of quotes.
fn words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '#' if word.is_none() => break,
            ' ' => words.extend(word.take().map(Word::Plain)),
            '|' | ';' | '&' | '<' | '>' => {
                words.extend(word.take().map(Word::Plain));
                words.push(Word::Operator);
            }
            '\'' | '"' => word.get_or_insert_default().extend(letters.by_ref().take_while(|&c| c != letter)),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word.map(Word::Plain));
    words
}

#[test]
fn blocks_are_told_apart() {
    let page = "a\n````console\nb\n```diff\nc\n```\n````\n    d\n```\ne\n```\nf";
    let blocks: Vec<String> = lines(page)
        .filter(|line| line.text.trim().len() == 1)
        .map(|line| format!("{}:{} {}", line.number, line.text.trim(), line.block))
        .collect();
    assert_eq!(blocks, ["1:a ", "3:b console", "5:c console", "8:d indented", "10:e text", "12:f "]);
}

#[test]
fn calls_are_read_as_a_shell_reads_them() {
    let shown = |line: &str| calls(line).iter().map(|call| call.join("·")).collect::<Vec<_>>().join(" + ");
    let cases = [
        ("    $ A=b locant edit 'a.py:f@x <|>y' --delete  # gone", "locant·edit·a.py:f@x <|>y·--delete"),
        ("printf x | locant batch --text > out", "locant·batch·--text"),
        ("locant a; locant b && cd locant", "locant·a + locant·b"),
        ("cargo run -- locate x", ""),
    ];
    for (line, expected) in cases {
        assert_eq!(shown(line), expected, "{line}");
    }
}
