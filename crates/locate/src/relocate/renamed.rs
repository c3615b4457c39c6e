//! Recognises that the symbol around a place was renamed, or the word at the place itself.
//!
//! A symbol counts as renamed only if the evidence excludes that the place has moved to another symbol.

use std::cmp::Ordering;
use std::iter::successors;

use locant_text::{Offset, Range};
use locant_tree::{Outline, Symbol};

use super::new_text::{NewText, place};
use super::similarity::{
    MOST_TOKENS, common_pairs, first_tokens, occurrences, pairs, similarity, start_of_token,
};
use super::target::{Mapped, Neighbour, Target};
use super::thresholds::Thresholds;
use crate::anchor::{Anchor, N_NEAR};
use crate::answer::Document;
use crate::lines::{Digest, Lines};
use crate::location::{Location, Scope};
use crate::stopping::check_at;
use crate::symbols::{self, Named};
use crate::tokens;

/// A line is offered in place of the old line only if it is at least this similar to the old line, from 0 to 1.
pub(super) const LEAST_LIKE: f64 = 0.4;

/// Words that occur in lines that import something. If a line has no other words, a changed word in it is not a rename.
const IMPORTS: [&[u8]; 9] =
    [b"import", b"include", b"using", b"require", b"from", b"package", b"extern", b"crate", b"h"];

/// A name that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    /// The old name.
    pub old: String,
    /// The new name.
    pub new: String,
}

/// The new name of the symbol around an anchored place, if only the name has changed in its declaration line.
pub(super) fn holder(new_text: &NewText<'_>, anchor: &Anchor, offset: Offset) -> Option<Renaming> {
    let (symbol, renaming) = only_other_name(new_text.document(), &anchor.symbol_path(), offset)?;
    let lines = &new_text.lines;
    let declared = lines.of_offset(symbol.name_range.start())?;
    let (text, line) = (new_text.text(), lines.range(declared));
    let was = if is_one_token(&renaming.old) && is_one_token(&renaming.new) {
        Digest::of_line_with(text.slice(line), renaming.new.as_bytes(), renaming.old.as_bytes())
    } else {
        // A name of several words, such as a heading, occurs in its line only once.
        let name = symbol.name_range;
        let before = Range::new(line.start(), name.start().max(line.start()));
        let after = Range::new(name.end().min(line.end()), line.end());
        Digest::of_line(&[text.slice(before), renaming.old.as_bytes(), text.slice(after)].concat())
    };
    let is_known = match declared.cmp(&line_of(lines, new_text, offset)?) {
        Ordering::Less => anchor.above.contains(&was),
        Ordering::Equal => anchor.digest == was,
        Ordering::Greater => anchor.below.contains(&was),
    };
    // If the declaration line already existed in the old text, it declares another symbol.
    let is_new = !anchor.above.iter().chain(&anchor.below).any(|old| *old == lines.digest(declared));
    (is_known && is_new && was != lines.digest(declared)).then_some(renaming)
}

/// The new name of the symbol around an anchored place, if the old text is known. The old text must not declare the new
/// name. The symbol must have the same kind as before, and only the name may have changed in its declaration line.
pub fn holder_from(
    old: &dyn Document,
    new: &dyn Document,
    anchor: &Anchor,
    offset: Offset,
) -> Option<Renaming> {
    let (symbol, renaming) = only_other_name(new, &anchor.symbol_path(), offset)?;
    let outline = old.outline()?;
    let was = symbols_around(outline, Offset::of_index(anchor.offset as usize))
        .find(|was| was.name == renaming.old && was.kind == symbol.kind)?;
    // The text before and after the name in its line. The name may occur there again.
    let sides = |document: &dyn Document, symbol: &Symbol| {
        let (text, name) = (document.text(), symbol.name_range);
        let line = text.line_content(text.line_of(name.start()))?;
        let after = Range::new(name.end().min(line.end()), line.end());
        Some([Range::new(line.start(), name.start()), after].map(|side| text.lossy(side).into_owned()))
    };
    let (then, now) = (sides(old, was)?, sides(new, symbol)?);
    let is_same = then.iter().zip(&now).all(|(then, now)| {
        let [then, now] = [then, now].map(|side| first_tokens(side.as_bytes(), usize::MAX));
        are_same(&then, &now, renaming.old.as_bytes(), renaming.new.as_bytes())
    });
    (is_same && !declares(outline, &renaming.new)).then_some(renaming)
}

fn is_one_token(name: &str) -> bool {
    !name.is_empty() && tokens::token_end(name.as_bytes(), 0) == name.len()
}

/// The symbols around a place, the innermost first.
fn symbols_around(outline: &Outline, offset: Offset) -> impl Iterator<Item = &Symbol> {
    let innermost = symbols::innermost(outline, Range::empty(offset));
    successors(innermost, |&id| outline.get(id).parent).map(|id| outline.get(id))
}

/// The new name of the symbol around a place, if only a location with a check is known. The old name must not be in the
/// text any more, and the new name must be similar to it. Otherwise the symbol may be a neighbour that already existed.
pub fn holder_of_words(
    document: &dyn Document,
    location: &Location,
    offset: Offset,
    thresholds: &Thresholds,
) -> Option<Renaming> {
    let (Some(Scope::Symbol(segments)), path) = (&location.scope, path_of(location)?) else { return None };
    let (_, renaming) = only_other_name(document, &path, offset)?;
    let text = document.text();
    // A path can be written in several ways, so it is resolved instead of comparing names. It must lead to no symbol.
    let n_names = 1 + path.iter().position(|name| *name == renaming.old)?;
    let is_lost = matches!(symbols::named(text, document.outline()?, &segments[..n_names]), Named::Nothing)
        && occurrences(text, renaming.old.as_bytes()).is_empty();
    // A blank is added at both ends, so that even a name of one letter has pairs of letters.
    let letters = |name: &str| pairs(&[format!(" {} ", name.to_lowercase()).as_bytes()]);
    let is_alike = common_pairs(&letters(&renaming.old), &letters(&renaming.new)) >= thresholds.alike;
    (is_lost && is_alike).then_some(renaming)
}

/// The new name of the symbol around a place, if only a location is known. The symbol of the location must no longer
/// exist, and its path and the path of the symbol around the place must differ in one name. The symbol around the place
/// may also be a twin of the old one, so the caller must not be certain of the answer.
pub(super) fn holder_by_words(
    document: &dyn Document,
    location: &Location,
    offset: Offset,
) -> Option<Renaming> {
    let path = path_of(location)?;
    let is_left = has_left(document, location, offset);
    other_name(document, &path, offset).filter(|_| is_left).map(|(_, renaming)| renaming)
}

/// Whether a place is in a symbol although the path of the location no longer leads to any symbol.
pub(super) fn has_left(document: &dyn Document, location: &Location, offset: Offset) -> bool {
    let (Some(Scope::Symbol(segments)), Some(outline)) = (&location.scope, document.outline()) else {
        return false;
    };
    matches!(symbols::named(document.text(), outline, segments), Named::Nothing)
        && symbols::innermost(outline, Range::empty(offset)).is_some()
}

fn path_of(location: &Location) -> Option<Vec<&str>> {
    let Some(Scope::Symbol(segments)) = &location.scope else { return None };
    Some(segments.iter().map(|segment| segment.name.as_str()).collect())
}

/// Finds the line in which only the word was replaced by another word.
///
/// If the old text is known, the line must be between the same unchanged lines as before. Otherwise the lines next to
/// it must be unchanged, and the old word must not occur elsewhere, since it could have moved there.
pub(super) fn word(new_text: &NewText<'_>, target: &Target<'_>) -> Option<(Offset, Renaming)> {
    let lines = match target.mapped {
        // A name that the new text still declares was not renamed.
        Some(_) if target.is_declared && !is_lost(new_text, target) => return None,
        Some(mapped) if mapped.line.is_none() => mapped.from..mapped.to,
        None if is_lost(new_text, target) => 0..new_text.lines.len(),
        _ => return None,
    };
    // An equal rest of the line is evidence only if this rest has words. A changed import is not a rename.
    let mut others = target.left.iter().chain(&target.right).filter(|token| tokens::is_word_at(token, 0));
    if !tokens::is_word_at(target.word, 0) || others.all(|word| IMPORTS.contains(word)) {
        return None;
    }
    let mut found = lines.filter_map(|line| {
        let word = other_word(new_text, target, line)?;
        let new = new_text.text().slice(word);
        let is_here = target.mapped.is_some() || are_neighbours_same(new_text, target, line, new);
        is_here.then_some(word)
    });
    let only = found.next().filter(|_| found.next().is_none())?;
    let old = String::from_utf8_lossy(target.word).into_owned();
    Some((place_at(new_text, target, only), Renaming { old, new: new_text.text().lossy(only).into_owned() }))
}

/// Looks at the lines between the old neighbours that have lost the word, and takes the one most similar to the old
/// line. Returns the place in that line at which the word was.
pub(super) fn in_its_place(new_text: &NewText<'_>, target: &Target<'_>) -> Option<Offset> {
    let n_words = |tokens: &[&[u8]]| tokens.iter().filter(|token| **token == target.word).count();
    // The line has lost the word if it has the word less often than before.
    let has_lost_word = |tokens: &[&[u8]]| n_words(tokens) < n_words(&target.tokens);
    let between = (0..new_text.lines.len()).filter(|&line| is_between_neighbours(new_text, target, line));
    let like = between
        .map(|line| (line, new_text.tokens(line)))
        .filter(|(_, tokens)| has_lost_word(tokens))
        .map(|(line, tokens)| (similarity(&target.tokens, &tokens), line, tokens.len()))
        .filter(|(likeness, ..)| *likeness >= LEAST_LIKE);
    let (_, line, n_tokens) = like.max_by(|(one, ..), (other, ..)| one.total_cmp(other))?;
    let range = new_text.lines.range(line);
    let n_before = target.left.len().min(n_tokens.saturating_sub(1));
    let start = start_of_token(new_text.text().slice(range), n_before);
    Some(place(new_text.text(), Offset::of_index(range.start().index() + start), 0))
}

/// Whether a line is where the old line may have been, and is not one of the old neighbours itself.
fn is_between_neighbours(new_text: &NewText<'_>, target: &Target<'_>, line: usize) -> bool {
    check_at(line);
    // If the old text is known, the diff tells which lines are between the unchanged ones.
    if let Some(Mapped { from, to, .. }) = target.mapped {
        return (from..to).contains(&line);
    }
    let digests = new_text.lines.digests();
    let above = line.checked_sub(1).map(|above| &digests[above]);
    let is_beside = above.is_some_and(|above| target.above.first() == Some(above))
        || digests.get(line + 1).is_some_and(|below| target.below.first() == Some(below));
    is_beside && !target.stood_near(digests[line])
}

/// The place at the new word: before it or after it, as it was for the old word. If the place was inside the old word,
/// it is now at the start of the new word.
fn place_at(new_text: &NewText<'_>, target: &Target<'_>, new: Range) -> Offset {
    let after = i32::try_from(target.word.len()).map_or(-1, |len| target.within - len);
    match after {
        0.. => place(new_text.text(), new.end(), after),
        _ => place(new_text.text(), new.start(), target.within.min(0)),
    }
}

/// The result of [`other_name`], if no symbol has the old name any more.
fn only_other_name<'d>(
    document: &'d dyn Document,
    old: &[&str],
    offset: Offset,
) -> Option<(&'d Symbol, Renaming)> {
    let outline = document.outline()?;
    other_name(document, old, offset).filter(|(_, renaming)| !declares(outline, &renaming.old))
}

/// Compares the path of the innermost symbol around a place with an old path. If they differ in exactly one name,
/// returns the symbol with that name, which may be a parent, and both names.
fn other_name<'d>(
    document: &'d dyn Document,
    old: &[&str],
    offset: Offset,
) -> Option<(&'d Symbol, Renaming)> {
    let outline = document.outline()?;
    let innermost = symbols::innermost(outline, Range::empty(offset))?;
    let now = outline.path(innermost);
    if now.len() != old.len() {
        return None;
    }
    let mut others = (0..old.len()).filter(|&at| old[at] != now[at]);
    let at = others.next().filter(|_| others.next().is_none())?;
    let id = symbols::with_path_length(outline, innermost, at + 1)?;
    let renaming = Renaming { old: old[at].to_owned(), new: now[at].to_owned() };
    Some((outline.get(id), renaming))
}

fn declares(outline: &Outline, name: &str) -> bool {
    outline.symbols().iter().any(|symbol| symbol.name == name)
}

/// The line of the word nearest to a place.
fn line_of(lines: &Lines, new_text: &NewText<'_>, offset: Offset) -> Option<usize> {
    let text = new_text.text();
    let word = tokens::pivot(text.bytes(), text.start().index(), offset.index())?;
    lines.of_offset(Offset::of_index(word.start))
}

/// Whether the word is no longer in the text. If the word was the name of a declared symbol: whether no symbol has that
/// name any more.
fn is_lost(new_text: &NewText<'_>, target: &Target<'_>) -> bool {
    match new_text.document().outline() {
        Some(outline) if target.is_declared => {
            std::str::from_utf8(target.word).is_ok_and(|name| !declares(outline, name))
        }
        _ => occurrences(new_text.text(), target.word).is_empty(),
    }
}

/// The word in a line that replaces the old word, if everything else in the line is the same as in the old line.
fn other_word(new_text: &NewText<'_>, target: &Target<'_>, line: usize) -> Option<Range> {
    locant_stop::check();
    let range = new_text.lines.range(line);
    let bytes = new_text.text().slice(range);
    let tokens = first_tokens(bytes, MOST_TOKENS);
    let new = *tokens.get(target.left.len())?;
    let is_other = new != target.word && tokens::is_word_at(new, 0);
    let start = range.start().index() + start_of_token(bytes, target.left.len());
    (is_other && are_same(&target.tokens, &tokens, target.word, new))
        .then(|| Range::of_indices(start..start + new.len()))
}

/// Whether the lines around a line are those around the old line, and the line is not one of them itself. `new` is the
/// word that replaces the old word.
fn are_neighbours_same(new_text: &NewText<'_>, target: &Target<'_>, line: usize, new: &[u8]) -> bool {
    let lines = &new_text.lines;
    // If the line was already near the place in the old text, it is still that line, and text before it was deleted.
    if target.stood_near(lines.digest(line)) {
        return false;
    }
    let is_same = |neighbour: &Neighbour<'_>, line: Option<usize>| {
        line.filter(|line| *line < lines.len()).is_some_and(|line| {
            neighbour.digest == lines.digest(line)
                || are_same(&neighbour.tokens, &new_text.tokens(line), target.word, new)
        })
    };
    let mut above = target.before.iter().zip(1..);
    let mut below = target.after.iter().zip(line + 1..);
    target.before.len() + target.after.len() >= N_NEAR
        && above.all(|(neighbour, distance)| is_same(neighbour, line.checked_sub(distance)))
        && below.all(|(neighbour, line)| is_same(neighbour, Some(line)))
}

/// Whether two lines have the same tokens. `new_word` may replace `old_word` wherever it occurs.
fn are_same(old: &[&[u8]], new: &[&[u8]], old_word: &[u8], new_word: &[u8]) -> bool {
    let is_same = |(old, new): (&&[u8], &&[u8])| old == new || *old == old_word && *new == new_word;
    old.len() == new.len() && old.iter().zip(new).all(is_same)
}
