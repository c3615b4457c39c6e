//! Reads the comments before a node as its documentation.

use crate::kinds::Kind;
use crate::program::Program;
use crate::syntax::NodeId;

/// The documentation in the comments before a node.
#[derive(Debug, Default)]
pub(crate) struct Docs {
    lines: Vec<String>,
    /// Each documented parameter and its text, from `@param name …`.
    parameters: Vec<(String, String)>,
}

/// The documentation in the comments right before a node. If some of them are doc comments (`///` or `/**`), only these
/// are read.
pub(crate) fn docs_before(program: &Program, node: NodeId) -> Docs {
    let comments = program.comments_before(node);
    let said = |&comment: &NodeId| program.said(program.syntax.range(comment));
    let is_doc = |comment: &NodeId| said(comment).starts_with("///") || said(comment).starts_with("/**");
    let has_docs = comments.iter().any(is_doc);
    let mut docs = Docs::default();
    for comment in comments.iter().filter(|comment| !has_docs || is_doc(comment)) {
        match program.syntax.kind(*comment) {
            Kind::BlockComment => block(&said(comment)).for_each(|line| docs.read(line)),
            _ => docs.read(said(comment).trim_start_matches('/').trim()),
        }
    }
    docs
}

/// The lines of a block comment, without its delimiters and the asterisks at their starts.
fn block(comment: &str) -> impl Iterator<Item = &str> {
    let inner = comment.trim_start_matches("/*").trim_end_matches("*/");
    inner.lines().map(|line| line.trim().trim_start_matches('*').trim())
}

impl Docs {
    fn read(&mut self, line: &str) {
        let parameter = line.strip_prefix("@param").map(str::trim_start);
        match parameter.and_then(|rest| rest.split_once(char::is_whitespace).or(Some((rest, "")))) {
            Some((name, said)) if !name.is_empty() => {
                let said = said.trim_start_matches(['-', ':', ' ']);
                self.parameters.push((name.trim_start_matches('@').to_owned(), said.trim().to_owned()));
            }
            _ => self.lines.push(line.to_owned()),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parameters.is_empty() && self.lines.iter().all(String::is_empty)
    }

    /// The text about a parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, said)| said.as_str())
    }

    /// The whole documentation as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut text = self.lines.join("\n").trim().to_owned();
        for (nth, (name, said)) in self.parameters.iter().enumerate() {
            if nth == 0 && !text.is_empty() {
                text.push('\n');
            }
            text += if text.is_empty() { "" } else { "\n" };
            text += &format!("- `{name}`: {said}");
        }
        text
    }
}
