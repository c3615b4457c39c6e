//! The ranges of a program that an editor can fold.

use locant_names::{Fold, FoldKind};
use locant_text::{Offset, Range};

use crate::kinds::Kind;
use crate::program::Program;
use crate::syntax::NodeId;

pub(crate) fn folds(program: &Program) -> Vec<Fold> {
    let mut folds = Vec::new();
    for (id, node) in program.syntax.all() {
        let inner = match node.kind {
            Kind::Block | Kind::Match | Kind::Select | Kind::Agent => between(program, id, b"{"),
            Kind::List => between(program, id, b"["),
            Kind::Map => between(program, id, b"{"),
            Kind::Pathmap => between(program, id, b"{|"),
            Kind::Tuple | Kind::Set | Kind::Arguments | Kind::Parenthesized => between(program, id, b"("),
            _ => None,
        };
        let lines = inner.filter(|range| has_line_break(program, *range));
        folds.extend(lines.map(|range| Fold { range, kind: FoldKind::Block }));
    }
    folds.extend(comments(program));
    folds.sort_by_key(|fold| (fold.range.start(), std::cmp::Reverse(fold.range.end())));
    folds
}

/// The range between two brackets, without the blanks and line breaks before the closing bracket.
fn between(program: &Program, id: NodeId, open: &[u8]) -> Option<Range> {
    let syntax = &program.syntax;
    let is_open = |&child: &NodeId| program.slice(syntax.range(child)) == open;
    let start = syntax.range(syntax.children(id).find(is_open)?).end();
    let close = syntax.children(id).last().filter(|&last| syntax.kind(last) == Kind::Mark)?;
    let end = without_blanks(program.text(), start, syntax.range(close).start());
    Some(Range::new(start, end))
}

/// The end of a range without the blanks and line breaks before it.
fn without_blanks(text: &[u8], start: Offset, end: Offset) -> Offset {
    let inner = &text[start.index()..end.index()];
    Offset::of_index(start.index() + inner.trim_ascii_end().len())
}

fn has_line_break(program: &Program, range: Range) -> bool {
    program.slice(range).contains(&b'\n')
}

/// Comments of several lines, and line comments right below each other.
fn comments(program: &Program) -> Vec<Fold> {
    let mut runs: Vec<Range> = Vec::new();
    let mut last_kind = Kind::BlockComment;
    for (_, node) in program.syntax.all().filter(|(_, node)| node.kind.is_comment()) {
        let range = node.range();
        let follows = runs.last().is_some_and(|last| {
            let gap = program.slice(Range::new(last.end(), range.start()));
            gap.iter().all(u8::is_ascii_whitespace) && gap.iter().filter(|&&byte| byte == b'\n').count() == 1
        });
        match runs.last_mut() {
            Some(last) if follows && (last_kind, node.kind) == (Kind::LineComment, Kind::LineComment) => {
                *last = last.cover(range);
            }
            _ => runs.push(range),
        }
        last_kind = node.kind;
    }
    runs.retain(|range| has_line_break(program, *range));
    runs.into_iter().map(|range| Fold { range, kind: FoldKind::Comment }).collect()
}
