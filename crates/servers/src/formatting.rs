//! Asks a server to lay out a document.

use locant_engine::names::Replacement;
use locant_engine::{Offset, Range};
use locant_workspace::{Gap, Unanswered};
use serde_json::{Value, json};

use crate::provider::Talk;
use crate::question::Breadth;

/// The method by which a whole document is laid out.
pub(crate) const METHOD: &str = "textDocument/formatting";

const OF_RANGE: &str = "textDocument/rangeFormatting";

impl Talk<'_> {
    /// The replacements that lay out the document, or a part of it.
    pub(crate) fn format(&self, within: Option<Range>) -> Result<(Vec<Replacement>, Vec<Gap>), Unanswered> {
        let part = within.filter(|_| self.server.supports(OF_RANGE));
        let method = if part.is_some() { OF_RANGE } else { METHOD };
        let mut params = json!({
            "textDocument": self.document(),
            "options": options(self.asked.document.text().bytes()),
        });
        if let Some(part) = part {
            params["range"] = self.sheet().of_range(part);
        }
        let said = self.ask_with(Breadth::Near, method, &params)?;
        let address = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let edits = if said.value.is_array() { said.value } else { json!([]) };
        let changes = self.reader().proposal(&json!({"changes": {address: edits}}));
        let mut changes = self.without_idle(changes.map_err(|why| self.failed(&why))?.replacements);
        if let Some(within) = within.filter(|_| part.is_none()) {
            changes = self.of_part(changes, within)?;
        }
        Ok((changes, said.gaps))
    }

    /// The replacements in the lines of a part, from a server that only lays out whole files. Fails if one of them
    /// reaches beyond the part.
    fn of_part(&self, changes: Vec<Replacement>, part: Range) -> Result<Vec<Replacement>, Unanswered> {
        let (first, last) = self.lines(part);
        let mut of_part = Vec::new();
        for change in changes {
            let (start, end) = self.lines(change.range);
            if start > last || end < first {
                continue;
            }
            if start < first || end > last {
                return Err(
                    self.failed("it lays out whole files only, so name the file without a place in it")
                );
            }
            of_part.push(change);
        }
        Ok(of_part)
    }

    /// The first and the last line of a range.
    fn lines(&self, range: Range) -> (u32, u32) {
        let text = self.asked.document.text();
        let end = range.end().index();
        let last = if range.is_empty() { end } else { end - 1 };
        (text.line_of(range.start()), text.line_of(Offset::of_index(last)))
    }

    fn failed(&self, why: &str) -> Unanswered {
        Unanswered::Failed(format!("{}: {why}", self.server.who()))
    }

    /// The replacements that change something, without the lines at their ends that stay the same. Many servers replace
    /// the whole document.
    fn without_idle(&self, changes: Vec<Replacement>) -> Vec<Replacement> {
        let bytes = self.asked.document.text().bytes();
        changes.into_iter().flat_map(|change| by_line(bytes, change)).collect()
    }
}

/// A replacement without the lines at its start and at its end that the old and the new text have in common; empty if
/// nothing changes.
fn by_line(bytes: &[u8], change: Replacement) -> Vec<Replacement> {
    let start = change.range.start().index();
    let old: Vec<&[u8]> = bytes[change.range.indices()].split_inclusive(|byte| *byte == b'\n').collect();
    let new: Vec<&str> = change.text.split_inclusive('\n').collect();
    let n_before = old.iter().zip(&new).take_while(|(old, new)| **old == new.as_bytes()).count();
    let rest = old[n_before..].iter().rev().zip(new[n_before..].iter().rev());
    let n_after = rest.take_while(|(old, new)| **old == new.as_bytes()).count();
    let len = |lines: &[&[u8]]| lines.iter().map(|line| line.len()).sum::<usize>();
    let from = start + len(&old[..n_before]);
    let to = change.range.end().index() - len(&old[old.len() - n_after..]);
    let text = new[n_before..new.len() - n_after].concat();
    if from == to && text.is_empty() {
        return Vec::new();
    }
    vec![Replacement { path: change.path, range: Range::of_indices(from..to), text }]
}

/// How a document is indented, in the form of the protocol: with tabs, or by how many spaces.
fn options(bytes: &[u8]) -> Value {
    /// The number of spaces for a document in which nothing is indented.
    const USUAL: usize = 4;
    /// The most spaces that count as one step of indentation.
    const MOST: usize = 8;

    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let (mut n_tabs, mut steps, mut last) = (0, [0; MOST + 1], 0);
    for line in lines {
        n_tabs += usize::from(line.starts_with(b"\t"));
        let indent = line.iter().take_while(|byte| **byte == b' ').count();
        if let Some(count) =
            indent.checked_sub(last).filter(|step| *step > 1).and_then(|step| steps.get_mut(step))
        {
            *count += 1;
        }
        last = indent;
    }
    let most = steps.iter().copied().max().unwrap_or_default();
    let step = steps.iter().position(|count| *count == most).filter(|_| most > 0).unwrap_or(USUAL);
    json!({
        "tabSize": step,
        "insertSpaces": n_tabs <= most,
        "trimTrailingWhitespace": true,
        "insertFinalNewline": true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_indented_as_it_was() {
        for (text, size, has_spaces) in [
            ("def f():\n  if x:\n    y\n", 2, true),
            ("def f():\n    # a\n\n    y\nclass C:\n    x\n", 4, true),
            ("func f() {\n\tg()\n}\n", 4, false),
            ("a\n", 4, true),
        ] {
            let options = options(text.as_bytes());
            assert_eq!(
                (&options["tabSize"], &options["insertSpaces"]),
                (&json!(size), &json!(has_spaces)),
                "{text}"
            );
        }
    }

    #[test]
    fn lines_that_stay_are_not_replaced() {
        let text = b"a\nb  \nc\n";
        let whole =
            Replacement { path: String::new(), range: Range::of_indices(0..8), text: "a\nb\nc\n".to_owned() };
        let change = by_line(text, whole.clone());
        assert_eq!(
            change,
            [Replacement { range: Range::of_indices(2..6), text: "b\n".to_owned(), ..whole.clone() }]
        );
        let same = Replacement { text: "a\nb  \nc\n".to_owned(), ..whole };
        assert_eq!(by_line(text, same), []);
    }
}
