//! Two changes of a text as one.

use locant_engine::Range;
use locant_engine::names::Replacement;

/// A piece of a text that is being changed.
#[derive(Clone)]
enum Piece {
    /// Bytes of the text as it was.
    Old(std::ops::Range<usize>),
    New(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Old(range) => range.len(),
            Piece::New(text) => text.len(),
        }
    }

    /// The two parts of a piece. `None` when a character would be cut.
    fn cut(self, at: usize) -> Option<(Piece, Piece)> {
        Some(match self {
            Piece::Old(range) => {
                let middle = range.start + at;
                (Piece::Old(range.start..middle), Piece::Old(middle..range.end))
            }
            Piece::New(text) => {
                let (before, after) = text.split_at_checked(at)?;
                (Piece::New(before.to_owned()), Piece::New(after.to_owned()))
            }
        })
    }
}

/// The replacements that do at once what `first` does to a text of `n_bytes`, and `second` to the text that then is.
/// Both are in the order of places. `None` when those of `second` overlap or lie outside.
pub(super) fn composed(
    path: &str,
    n_bytes: usize,
    first: &[Replacement],
    second: &[(Range, String)],
) -> Option<Vec<Replacement>> {
    let mut pieces =
        changed(vec![Piece::Old(0..n_bytes)], first.iter().map(|one| (one.range, one.text.as_str())))?;
    pieces = changed(pieces, second.iter().map(|(range, text)| (*range, text.as_str())))?;
    Some(replacements(path, n_bytes, pieces))
}

fn changed<'t>(pieces: Vec<Piece>, changes: impl Iterator<Item = (Range, &'t str)>) -> Option<Vec<Piece>> {
    let mut rest: std::collections::VecDeque<Piece> = pieces.into();
    let (mut done, mut at) = (Vec::new(), 0);
    for (range, text) in changes {
        let (start, end) = (range.start().index(), range.end().index());
        done.extend(taken(&mut rest, start.checked_sub(at)?)?);
        taken(&mut rest, end.checked_sub(start)?)?;
        done.push(Piece::New(text.to_owned()));
        at = end;
    }
    done.extend(rest);
    Some(done)
}

/// Takes so many bytes from the front.
fn taken(rest: &mut std::collections::VecDeque<Piece>, n_bytes: usize) -> Option<Vec<Piece>> {
    let (mut taken, mut left) = (Vec::new(), n_bytes);
    while left > 0 {
        let piece = rest.pop_front()?;
        if piece.len() > left {
            let (before, after) = piece.cut(left)?;
            rest.push_front(after);
            taken.push(before);
            break;
        }
        left -= piece.len();
        taken.push(piece);
    }
    Some(taken)
}

fn replacements(path: &str, n_bytes: usize, pieces: Vec<Piece>) -> Vec<Replacement> {
    let mut replacements = Vec::new();
    let (mut done, mut new) = (0, String::new());
    for piece in pieces.into_iter().chain([Piece::Old(n_bytes..n_bytes)]) {
        match piece {
            Piece::New(text) => new += &text,
            Piece::Old(range) if range.is_empty() && range.start < n_bytes => {}
            Piece::Old(range) => {
                if range.start > done || !new.is_empty() {
                    replacements.push(Replacement {
                        path: path.to_owned(),
                        range: Range::of_indices(done..range.start),
                        text: std::mem::take(&mut new),
                    });
                }
                done = range.end;
            }
        }
    }
    replacements
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str, changes: &[(Range, String)]) -> String {
        let mut text = text.to_owned();
        for (range, new) in changes.iter().rev() {
            text.replace_range(range.start().index()..range.end().index(), new);
        }
        text
    }

    fn change(start: usize, end: usize, text: &str) -> (Range, String) {
        (Range::of_indices(start..end), text.to_owned())
    }

    #[test]
    fn both_at_once_is_one_after_the_other() {
        let text = "abcdefghij";
        let places: Vec<(usize, usize)> =
            (0..=10).flat_map(|start| (start..=10).map(move |end| (start, end))).collect();
        for &(start, end) in &places {
            for new in ["", "X", "YZÄ"] {
                let first = [change(start, end, new)];
                let then = made(text, &first);
                let one = Replacement { path: "f".to_owned(), range: first[0].0, text: new.to_owned() };
                for (from, to) in places.iter().filter(|(_, to)| *to <= then.len()) {
                    if !then.is_char_boundary(*from) || !then.is_char_boundary(*to) {
                        continue;
                    }
                    let second = [change(*from, *to, "-"), change(then.len(), then.len(), "+")];
                    let both = composed("f", text.len(), std::slice::from_ref(&one), &second);
                    let both: Vec<_> =
                        both.expect("in order").into_iter().map(|one| (one.range, one.text)).collect();
                    assert!(both.is_sorted_by_key(|(range, _)| range.start()), "{both:?}");
                    assert_eq!(made(text, &both), made(&then, &second), "{first:?} {second:?}");
                }
            }
        }
    }

    #[test]
    fn what_overlaps_or_lies_outside_is_no_change() {
        let none = |second: &[(Range, String)]| composed("f", 4, &[], second).is_none();
        assert!(none(&[change(0, 3, ""), change(2, 4, "")]));
        assert!(none(&[change(3, 6, "")]));
    }
}
