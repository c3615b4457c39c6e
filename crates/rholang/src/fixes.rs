//! Fixes for the problems whose message or hint says what to write.

use locant_names::{Fix, Problem};
use locant_text::{Offset, Range};

/// The fix for a problem, if there is one.
pub(crate) fn fix(problem: &Problem) -> Option<Fix> {
    let (start, end) = (problem.range.start(), problem.range.end());
    match problem.code {
        "missing-send" => Some(inserted(problem, end, "!", true)),
        "wrong-sort" => {
            let mark = problem.hint.strip_prefix("write `")?.get(..1)?;
            Some(inserted(problem, start, mark, true))
        }
        "missing" => {
            let word = problem.message.strip_prefix('`')?.strip_suffix("` is missing here")?;
            Some(inserted(problem, start, word, false))
        }
        "pattern-with-equals" => {
            let edits = vec![(problem.range, "<-".to_owned())];
            Some(Fix { edits, ..named(problem, "Write `<-`".to_owned(), true) })
        }
        "unused-name" => {
            let edits = vec![(Range::empty(start), "_".to_owned())];
            let title = "Mark the name as unused with `_`".to_owned();
            Some(Fix { edits, ..named(problem, title, false) })
        }
        _ => None,
    }
}

fn inserted(problem: &Problem, at: Offset, word: &str, is_sure: bool) -> Fix {
    let edits = vec![(Range::empty(at), word.to_owned())];
    Fix { edits, ..named(problem, format!("Insert `{word}`"), is_sure) }
}

fn named(problem: &Problem, title: String, is_sure: bool) -> Fix {
    Fix { title, problem: problem.range, code: problem.code, edits: Vec::new(), is_sure }
}
