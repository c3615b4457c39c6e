//! Lays out a program anew: the indentation of lines, and the spaces between tokens.
//!
//! Most line breaks stay where the author put them, because a process may be written on one line or on many. If an
//! opening bracket ends its line, its content is indented by two spaces, or by four if the file mostly does that, and
//! its closing bracket gets a line of its own. Several blank lines become one.

mod indentation;
mod spacing;

use locant_layout::{Gap, Layout, within};
use locant_names::{Problem, Severity};
use locant_text::Range;

use crate::kinds::Kind;
use crate::problems;
use crate::program::Program;
use crate::syntax::{NodeId, Syntax};
use indentation::{Indentation, unit};

/// The replacements that lay out a program, or only the lines of `part`. A program with syntax errors is not laid out:
/// its first error is returned.
pub(crate) fn format(program: &Program, part: Option<Range>) -> Result<Vec<(Range, String)>, Problem> {
    if let Some(problem) = problems::of_syntax(program).into_iter().next() {
        return Err(problem);
    }
    let text = program.text();
    let replacements = laid_out(text, &program.syntax);
    if !keeps_tokens(program, &replacements) {
        return Err(defect(text));
    }
    Ok(match part {
        Some(part) => within(text, part, replacements),
        None => replacements,
    })
}

/// Whether the new text has the same tokens. If a needed space were removed, two tokens would become one.
fn keeps_tokens(program: &Program, replacements: &[(Range, String)]) -> bool {
    let mut new = Vec::with_capacity(program.text().len());
    let mut end = 0;
    for (range, blanks) in replacements {
        new.extend_from_slice(&program.text()[end..range.start().index()]);
        new.extend_from_slice(blanks.as_bytes());
        end = range.end().index();
    }
    new.extend_from_slice(&program.text()[end..]);
    let now = Syntax::new(&new);
    let (old, now) = (words(program.text(), &program.syntax), words(&new, &now));
    old.eq(now)
}

fn words<'t>(text: &'t [u8], syntax: &'t Syntax) -> impl Iterator<Item = &'t [u8]> {
    let leaves = Leaves { syntax, next: Syntax::ROOT };
    leaves.filter(|&id| !syntax.kind(id).is_comment()).map(|id| &text[syntax.range(id).indices()])
}

fn defect(text: &[u8]) -> Problem {
    Problem {
        range: Range::of_indices(0..text.len().min(1)),
        severity: Severity::Error,
        code: "layout",
        message: "the layout would change a token of this program, so it is left as it is".to_owned(),
        hint: "this is a defect; please report it with the file".to_owned(),
        is_unused: false,
    }
}

/// The tokens and comments of a program, in their order. A string is one token, including its content.
struct Leaves<'s> {
    syntax: &'s Syntax,
    next: NodeId,
}

impl Iterator for Leaves<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        while (self.next as usize) < self.syntax.n_nodes() {
            let (id, node) = (self.next, self.syntax.node(self.next));
            let is_leaf = is_leaf(self.syntax, id);
            self.next = if is_leaf { node.next } else { id + 1 };
            if is_leaf && node.start < node.end {
                return Some(id);
            }
        }
        None
    }
}

fn is_leaf(syntax: &Syntax, id: NodeId) -> bool {
    syntax.node(id).next == id + 1 || matches!(syntax.kind(id), Kind::String | Kind::BigInteger)
}

fn laid_out(text: &[u8], syntax: &Syntax) -> Vec<(Range, String)> {
    let mut formatter = Formatter {
        text,
        syntax,
        layout: Layout::new(text),
        indentation: Indentation::new(text, syntax, unit(text)),
        last: None,
        is_after_comment: false,
    };
    for id in (Leaves { syntax, next: Syntax::ROOT }) {
        if syntax.kind(id).is_comment() { formatter.comment(id) } else { formatter.token(id) }
    }
    formatter.layout.finish()
}

struct Formatter<'t> {
    text: &'t [u8],
    syntax: &'t Syntax,
    layout: Layout<'t>,
    indentation: Indentation<'t>,
    /// The last token.
    last: Option<NodeId>,
    /// Whether there is a comment between the last token and the next one.
    is_after_comment: bool,
}

impl Formatter<'_> {
    fn comment(&mut self, id: NodeId) {
        let (start, end) = self.ends(id);
        let gap = match self.layout.breaks_before(start) {
            0 if self.last.is_some_and(|last| self.is_one_of(last, &[b"(", b"["])) => Gap::Tight,
            0 => Gap::Space,
            _ if self.opens() => Gap::Line,
            _ => Gap::Lines,
        };
        self.note_break(gap);
        let indent = self.indentation.of_comment(id);
        self.layout.comment(start, end, gap, indent);
        self.is_after_comment = true;
    }

    fn token(&mut self, id: NodeId) {
        let (start, end) = self.ends(id);
        let gap = self.gap(id);
        self.note_break(gap);
        let indent = self.indentation.of_token(id);
        self.layout.token(start, end, gap, indent);
        self.indentation.note(id, self.layout.indent());
        self.last = Some(id);
        self.is_after_comment = false;
    }

    /// The gap before a token.
    fn gap(&self, id: NodeId) -> Gap {
        let start = self.ends(id).0;
        let closes = self.is_one_of(id, spacing::CLOSING);
        let is_broken = closes && self.indentation.is_broken_before(id);
        match self.layout.breaks_before(start) {
            0 if is_broken => Gap::Line,
            0 => self.spacing(id),
            _ if self.is_after_comment => {
                if closes {
                    Gap::Line
                } else {
                    Gap::Lines
                }
            }
            _ if closes && self.opens() => self.spacing(id),
            _ if self.is_one_of(id, &[b",", b";"]) || self.indentation.body_of(id).is_some() => {
                self.spacing(id)
            }
            _ if closes || self.opens() => Gap::Line,
            _ => Gap::Lines,
        }
    }

    /// The gap between the last token and a token on the same line.
    fn spacing(&self, id: NodeId) -> Gap {
        // If there is no token before this one, there is at most a comment.
        let Some(last) = self.last else { return Gap::Space };
        let touch = self.layout.touches(self.ends(id).0);
        spacing::Neighbours { text: self.text, syntax: self.syntax, last, next: id, touch }
            .gap(self.is_after_comment)
    }

    /// Whether the last token is an opening bracket, and no comment follows it.
    fn opens(&self) -> bool {
        !self.is_after_comment && self.last.is_some_and(|last| self.is_one_of(last, spacing::OPENING))
    }

    /// Notes that a line break follows the last token, which may be an opening bracket.
    fn note_break(&mut self, gap: Gap) {
        if let Some(last) = self.last.filter(|_| matches!(gap, Gap::Line | Gap::Lines)) {
            self.indentation.note_break(last);
        }
    }

    fn ends(&self, id: NodeId) -> (usize, usize) {
        let node = self.syntax.node(id);
        (node.start as usize, node.end as usize)
    }

    fn is_one_of(&self, id: NodeId, words: &[&[u8]]) -> bool {
        words.contains(&&self.text[self.syntax.range(id).indices()])
    }
}
