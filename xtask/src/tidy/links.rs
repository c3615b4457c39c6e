//! Rules about links between pages: they lead somewhere, and the pages in docs/ hold together as a book.

use std::collections::BTreeMap;

use super::blank;
use super::file::{File, Problem};
use crate::root::root;

/// The folder of the book, and the list of its pages.
const BOOK: &str = "docs/";
const CONTENTS: &str = "docs/SUMMARY.md";

/// Every link from a page to a file of the project leads to a file, and to a heading in it if it names one.
pub(super) fn dead(files: &[File]) -> Vec<Problem> {
    const WHY: &str = "a link leads somewhere";
    let anchors: BTreeMap<&str, Vec<String>> = files
        .iter()
        .filter(|file| is_page(file))
        .map(|file| (file.path.as_str(), anchors(&file.text)))
        .collect();
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| is_page(file)) {
        for (line, link) in links(&file.text).filter(|(_, link)| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = if path.is_empty() { file.path.clone() } else { joined(&file.path, path) };
            let is_folder = || files.iter().any(|other| other.path.starts_with(&format!("{path}/")));
            if !files.iter().any(|other| other.path == path) && !is_folder() {
                problems.push(file.problem(line, format!("no file {path}"), WHY));
            } else if !anchor.is_empty()
                && !anchors.get(path.as_str()).is_some_and(|known| known.iter().any(|known| known == anchor))
            {
                problems.push(file.problem(line, format!("no heading #{anchor} in {path}"), WHY));
            }
        }
    }
    problems
}

/// A page of the book links only to other pages of the book, and every page is in its contents once.
pub(super) fn book(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let pages = || files.iter().filter(|file| file.path.starts_with(BOOK) && is_page(file));
    for file in pages() {
        for (line, link) in links(&file.text).filter(|(_, link)| !link.contains("://")) {
            let path = link.split('#').next().unwrap_or(link);
            if !path.is_empty() && !joined(&file.path, path).starts_with(BOOK) {
                let what = format!("{link} leads out of {BOOK}");
                problems.push(file.problem(
                    line,
                    what,
                    "the book has only these pages; name the file instead",
                ));
            }
        }
    }
    let Some(contents) = files.iter().find(|file| file.path == CONTENTS) else { return problems };
    for file in pages().filter(|file| file.path != CONTENTS) {
        let n_times = links(&contents.text).filter(|(_, link)| joined(CONTENTS, link) == file.path).count();
        if n_times != 1 {
            let what = format!("is in {CONTENTS} {n_times} times");
            problems.push(file.problem(1, what, "the book shows the pages in its contents, and no others"));
        }
    }
    problems
}

/// Every page that is named anywhere exists, even if it is named in code or in a message. Tests may name other pages.
pub(super) fn named_pages(file: &File) -> Vec<Problem> {
    let shipped = if file.is_rust() { &file.text[..blank::n_shipped(&file.text)] } else { &file.text };
    let mut problems = Vec::new();
    for (index, line) in shipped.lines().enumerate().filter(|_| !is_of_tests(&file.path)) {
        for (at, _) in line.match_indices(BOOK) {
            let rest = &line[at + BOOK.len()..];
            let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
            let is_own = !line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-'));
            let Some(end) = name.find(".md").filter(|_| is_own) else { continue };
            let path = format!("{BOOK}{}.md", &name[..end]);
            if !root().join(&path).exists() {
                problems.push(file.problem(
                    index + 1,
                    format!("no file {path}"),
                    "what is named can be opened",
                ));
            }
        }
    }
    problems
}

/// Whether a file is Markdown for readers. Cases of tests are Markdown too, but only data.
fn is_page(file: &File) -> bool {
    file.path.ends_with(".md") && !file.path.starts_with("languages/") && !is_of_tests(&file.path)
}

fn is_of_tests(path: &str) -> bool {
    path.split('/').any(|folder| folder == "tests")
}

/// The path of a link, from the root of the project.
fn joined(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The links of a page, each with its line.
fn links(page: &str) -> impl Iterator<Item = (usize, &str)> {
    prose(page).flat_map(|(line, text)| {
        text.match_indices("](").filter_map(move |(at, mark)| {
            // In backticks, this is only an example of a link.
            let is_code = text[..at].matches('`').count() % 2 == 1;
            let rest = &text[at + mark.len()..];
            Some((line, &rest[..rest.find(')')?])).filter(|_| !is_code)
        })
    })
}

/// The lines of a page outside of its blocks of code, each with its number.
fn prose(page: &str) -> impl Iterator<Item = (usize, &str)> {
    // The line that ends the block: as many backticks as opened it.
    let mut end: Option<&str> = None;
    page.lines().enumerate().filter_map(move |(index, line)| {
        let line_start = line.trim_start();
        let fence = &line_start[..line_start.len() - line_start.trim_start_matches('`').len()];
        match end {
            Some(ticks) if ticks == line_start.trim_end() => end = None,
            Some(_) => {}
            None if fence.len() >= 3 => end = Some(fence),
            None if line.starts_with("    ") => {}
            None => return Some((index + 1, line)),
        }
        None
    })
}

/// The names by which the headings of a page can be linked to.
fn anchors(page: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for (_, line) in prose(page) {
        let Some(heading) = line.strip_prefix('#').map(|line| line.trim_start_matches('#')) else { continue };
        let name = anchor(heading.trim());
        let n_before = anchors.iter().filter(|other| **other == name).count();
        anchors.push(if n_before == 0 { name } else { format!("{name}-{n_before}") });
    }
    anchors
}

/// The name that forges and books give a heading: small letters, blanks as `-`, no other marks.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: fn(&[File]) -> Vec<Problem>, files: &[(&str, &str)], expected: &[&str]) {
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        let files: Vec<File> = files.iter().map(file).collect();
        let found: Vec<String> = rule(&files)
            .into_iter()
            .map(|problem| format!("{}:{}: {}", problem.path, problem.line, problem.what))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn links_lead_to_files_and_headings() {
        let other = ("docs/b.md", "# What `b` is, really\n\n## Twice\n\n## Twice\n");
        let good =
            "[1](b.md) [2](b.md#what-b-is-really) [3](b.md#twice-1) [4](#own) [5](https://x.y/z)\n# Own\n";
        check(dead, &[("docs/a.md", good), other], &[]);
        check(dead, &[("docs/a.md", "````md\n```\n[1](x)\n```\n````\n`[2](x)`\n"), other], &[]);
        check(dead, &[("a.md", "[1](docs) [2](docs/c.md)\n"), other], &["a.md:1: no file docs/c.md"]);
        check(dead, &[("docs/a.md", "\n[1](b.md#b)\n"), other], &["docs/a.md:2: no heading #b in docs/b.md"]);
    }

    #[test]
    fn the_book_is_whole() {
        let contents = ("docs/SUMMARY.md", "[A](a.md)\n[B](b.md)\n[B](b.md)\n");
        check(book, &[contents, ("docs/a.md", "[B](b.md)\n")], &[]);
        check(book, &[("README.md", "[1](docs/a.md)\n")], &[]);
        check(
            book,
            &[contents, ("docs/a.md", "[1](../README.md)\n"), ("docs/b.md", ""), ("docs/c.md", "")],
            &[
                "docs/a.md:1: ../README.md leads out of docs/",
                "docs/b.md:1: is in docs/SUMMARY.md 2 times",
                "docs/c.md:1: is in docs/SUMMARY.md 0 times",
            ],
        );
    }

    #[test]
    fn named_pages_exist() {
        let check = |text: &str| {
            let file = File { path: "a.rs".to_owned(), text: text.to_owned() };
            named_pages(&file).iter().map(|problem| problem.line).collect::<Vec<_>>()
        };
        assert_eq!(check("// see `docs/proto.md`, docs/NAME/x and x/docs/other.md\n"), [0; 0]);
        assert_eq!(check(&format!("\n// see {}nowhere.md.\n", BOOK)), [2]);
    }
}
