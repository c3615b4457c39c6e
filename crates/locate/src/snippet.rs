//! Finds the smallest snippet of source that is unique in its surroundings.
//!
//! A snippet is a window of whole tokens around one token, its core. All other places where the core occurs are its
//! rivals. A rival shares some of the core's neighbours: a number of tokens directly on the left, and a number directly
//! on the right. A window is unique if no rival shares all its tokens on both sides. So one pass over the rivals finds
//! all unique windows.
//!
//! The shortest window is taken. But people prefer to quote words. So a window that starts or ends with punctuation
//! counts as a little longer than it is, and a window without any word is taken only if there is no other.

use std::ops::Range as Indices;

use locant_text::{Offset, Range, Text};
use memchr::memmem;

use crate::marker::{put_marker, without_marker};
use crate::tokens::{self, Class};

/// How many tokens a window may have on each side of the core: if it stays on the core's line, and if it goes beyond.
const MOST_ON_LINE: usize = 16;
const MOST_BEYOND: usize = 32;

/// How many windows that are wider than needed are tried, since they may start with a word.
const MOST_TRIED: usize = 3;

/// How many tokens of rivals are compared before the search gives up. Only generated files repeat a text so often.
pub(crate) const MOST_COMPARED: usize = 1 << 20;

/// The longest snippet, in bytes. A longer one would be a copy rather than a description.
const LONGEST: usize = 160;

/// The cost of punctuation at an end of a window, in bytes.
const LOOSE_END: usize = 8;

/// The cost of a window without any word. It is more than any window with a word costs.
const NO_WORD: usize = 2 * LONGEST;

/// The finds with a marker at `offset` that are unique in `parts` if only whole tokens are compared, the best first.
/// Empty if more than `most_compared` tokens would have to be compared.
pub(crate) fn at(text: &Text, parts: &[Range], offset: Offset, most_compared: usize) -> Vec<String> {
    let Some(part) = parts.iter().find(|part| part.touches(offset)) else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for core in cores(text.bytes(), part.indices(), offset.index()) {
        let mut rivals = Rivals::new(text.bytes(), part.indices(), &core);
        rivals.compare_all(text.bytes(), parts, most_compared);
        found.extend(rivals.best().and_then(|window| write(text.bytes(), &core, rivals.source(&window))));
    }
    // The tokens on both sides of a place often lead to the same window.
    found.dedup();
    found
}

/// A find that matches exactly this range. `None` if the text is not UTF-8 or too long, or if a part of it would be
/// read as a marker.
pub(crate) fn of(text: &Text, range: Range) -> Option<String> {
    let source = text.slice(range);
    if source.len() > LONGEST * 4 {
        return None;
    }
    let find = collapse(std::str::from_utf8(source).ok()?);
    (find.len() <= LONGEST).then_some(())?;
    without_marker(&find)
}

/// The token by which a place is described, and where the place is relative to it.
#[derive(Debug)]
struct Core {
    token: Indices<usize>,
    stand: Stand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// The place is directly before the token.
    Before,
    /// The place is this number of bytes into the token.
    Inside(usize),
    /// The place is directly after the token.
    After,
    /// The place is at the start of the token's line, before the blanks before the token.
    BeforeBlanks,
    /// The place is at the end of the token's line, after the blanks after the token.
    AfterBlanks,
}

/// The tokens of a part of the text by which the place `at` can be described.
fn cores(source: &[u8], part: Indices<usize>, at: usize) -> Vec<Core> {
    let mut cores = cores_in(&source[part.clone()], at - part.start);
    for core in &mut cores {
        core.token = part.start + core.token.start..part.start + core.token.end;
    }
    cores
}

fn cores_in(source: &[u8], at: usize) -> Vec<Core> {
    let (before, after) =
        (token_class(tokens::class_before(source, at)), token_class(tokens::class_at(source, at)));
    let starting = || at..tokens::token_end(source, at);
    let ending = || tokens::token_start(source, at)..at;
    match (before, after) {
        (Some(Class::Word), Some(Class::Word)) => {
            let token = tokens::token_start(source, at)..tokens::token_end(source, at);
            vec![Core { stand: Stand::Inside(at - token.start), token }]
        }
        (Some(Class::Word), Some(_)) => vec![
            Core { token: ending(), stand: Stand::After },
            Core { token: starting(), stand: Stand::Before },
        ],
        (Some(_), Some(_)) => vec![
            Core { token: starting(), stand: Stand::Before },
            Core { token: ending(), stand: Stand::After },
        ],
        (None, Some(_)) => vec![Core { token: starting(), stand: Stand::Before }],
        (Some(_), None) => vec![Core { token: ending(), stand: Stand::After }],
        (None, None) => blank_cores(source, at),
    }
}

/// The class of a character, if a pattern can contain it.
fn token_class(side: Option<(Class, usize)>) -> Option<Class> {
    side.map(|(class, _)| class).filter(|class| matches!(class, Class::Word | Class::Punctuation))
}

/// For a place between blanks: the token after the blanks if the place is at the start of its line, and the token
/// before the blanks if it is at the end.
fn blank_cores(source: &[u8], at: usize) -> Vec<Core> {
    let is_line_start = at == 0 || tokens::is_line_end(source[at - 1]);
    let is_line_end = source.get(at).is_none_or(|&byte| tokens::is_line_end(byte));
    let next = tokens::blanks_after_on_line(source, at);
    let previous = tokens::blanks_before_on_line(source, at);
    let mut cores = Vec::new();
    if is_line_start && at < next && token_class(tokens::class_at(source, next)).is_some() {
        cores.push(Core { token: next..tokens::token_end(source, next), stand: Stand::BeforeBlanks });
    }
    if is_line_end && previous < at && token_class(tokens::class_before(source, previous)).is_some() {
        cores
            .push(Core { token: tokens::token_start(source, previous)..previous, stand: Stand::AfterBlanks });
    }
    cores
}

/// A window, as the number of tokens on each side of the core.
#[derive(Debug, PartialEq, Eq)]
struct Window {
    n_left: usize,
    n_right: usize,
}

/// The neighbours of a core, and how many of them its rivals share.
struct Rivals {
    left: Vec<SideToken>,
    right: Vec<SideToken>,
    core: Indices<usize>,
    core_is_word: bool,
    /// `reach[n]` is about the rivals that share exactly `n` right neighbours. It is one more than the highest number
    /// of left neighbours that such a rival shares; 0 if there is no such rival.
    reach: Vec<usize>,
    /// How many left neighbours and how many right neighbours are on the core's own line.
    on_line: (usize, usize),
}

/// A token beside the core.
struct SideToken {
    token: Indices<usize>,
    is_word: bool,
    /// The length of the snippet from the core up to this token.
    length: usize,
}

impl Rivals {
    /// The neighbours of the core, before any rival is compared.
    fn new(source: &[u8], part: Indices<usize>, core: &Core) -> Rivals {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        if core.stand != Stand::BeforeBlanks {
            left = neighbours_before(source, part.start, &core.token);
        }
        if core.stand != Stand::AfterBlanks {
            right = neighbours_after(source, part.end, &core.token);
        }
        let on_line =
            (same_line_before(source, &core.token, &left), same_line_after(source, &core.token, &right));
        let reach = vec![0; right.len() + 1];
        let core_is_word = is_word(source, &core.token);
        Rivals { left, right, core: core.token.clone(), core_is_word, reach, on_line }
    }

    /// Compares every rival: every other place where the core occurs as a whole token.
    fn compare_all(&mut self, source: &[u8], parts: &[Range], most_compared: usize) {
        let core = &source[self.core.clone()];
        let mut n_compared = 0;
        for part in parts {
            locant_stop::check();
            let text = &source[..part.end().index()];
            for found in memmem::find_iter(&text[part.start().index()..], core) {
                let start = part.start().index() + found;
                let rival = start..start + core.len();
                let is_whole =
                    !tokens::cuts_word(source, rival.start) && !tokens::cuts_word(source, rival.end);
                let (mut left, mut right) = (0, 0);
                if rival != self.core && is_whole {
                    (left, right) = self.shared(source, part.indices(), &rival);
                    self.reach[right] = self.reach[right].max(left + 1);
                }
                n_compared += 1 + left + right;
                if self.reach[self.right.len()] > self.left.len() || n_compared > most_compared {
                    // Gives up, since no window distinguishes this rival, or since the comparison takes too long.
                    self.reach[self.right.len()] = self.left.len() + 1;
                    return;
                }
            }
        }
    }

    /// How many neighbours a rival shares with the core, on the left and on the right.
    fn shared(&self, source: &[u8], part: Indices<usize>, rival: &Indices<usize>) -> (usize, usize) {
        let before = &source[part.start..rival.start];
        let mut at = before.len();
        let left = self.left.iter().take_while(|neighbour| {
            let end = tokens::blanks_before(before, at);
            at = tokens::token_start(before, end);
            at < end && before[at..end] == source[neighbour.token.clone()]
        });
        let left = left.count();
        let after = &source[rival.end..part.end];
        let mut at = 0;
        let right = self.right.iter().take_while(|neighbour| {
            let start = tokens::blanks_after(after, at);
            at = tokens::token_end(after, start);
            start < at && after[start..at] == source[neighbour.token.clone()]
        });
        (left, right.count())
    }

    /// The best unique window on the core's line. If there is none, the best one that goes beyond the line.
    fn best(&self) -> Option<Window> {
        let (left, right) = self.on_line;
        self.best_within(left, right).or_else(|| self.best_within(self.left.len(), self.right.len()))
    }

    fn best_within(&self, most_left: usize, most_right: usize) -> Option<Window> {
        // If a rival shares all right neighbours of the window, the window must include a left neighbour that the rival
        // does not share.
        let mut n_needed = *self.reach[most_right..].iter().max().expect("the slice has an element");
        let mut best: Option<(usize, Window)> = None;
        for n_right in (0..=most_right).rev() {
            n_needed = n_needed.max(self.reach[n_right]);
            for n_left in n_needed..=most_left.min(n_needed + MOST_TRIED) {
                let window = Window { n_left, n_right };
                let cost = self.cost(&window);
                if cost < NO_WORD + LONGEST && best.as_ref().is_none_or(|(least, _)| cost <= *least) {
                    best = Some((cost, window));
                }
            }
        }
        best.map(|(_, window)| window)
    }

    /// The cost of a window: its length, plus the costs for punctuation at its ends and for having no word.
    fn cost(&self, window: &Window) -> usize {
        let (left, right) = (&self.left[..window.n_left], &self.right[..window.n_right]);
        let length = |side: &[SideToken]| side.last().map_or(0, |neighbour| neighbour.length);
        let loose = |side: &[SideToken]| match side.last() {
            Some(neighbour) => !neighbour.is_word,
            None => !self.core_is_word,
        };
        let has_word = self.core_is_word || left.iter().chain(right).any(|neighbour| neighbour.is_word);
        let length = self.core.len() + length(left) + length(right);
        let oddity = if has_word { 0 } else { NO_WORD };
        let too_long = if length > LONGEST { NO_WORD + LONGEST } else { 0 };
        length + oddity + too_long + LOOSE_END * (usize::from(loose(left)) + usize::from(loose(right)))
    }

    /// The bytes that a window spans.
    fn source(&self, window: &Window) -> Indices<usize> {
        let start =
            self.left[..window.n_left].last().map_or(self.core.start, |neighbour| neighbour.token.start);
        let end = self.right[..window.n_right].last().map_or(self.core.end, |neighbour| neighbour.token.end);
        start..end
    }
}

fn neighbours_before(source: &[u8], floor: usize, core: &Indices<usize>) -> Vec<SideToken> {
    let text = &source[floor..core.start];
    let (mut neighbours, mut at, mut length) = (Vec::new(), text.len(), 0);
    while neighbours.len() < MOST_BEYOND && length <= LONGEST {
        let end = tokens::blanks_before(text, at);
        let Some((Class::Word | Class::Punctuation, _)) = tokens::class_before(text, end) else { break };
        let start = tokens::token_start(text, end);
        length += end - start + usize::from(end < at);
        let token = floor + start..floor + end;
        neighbours.push(SideToken { is_word: is_word(source, &token), token, length });
        at = start;
    }
    neighbours
}

fn neighbours_after(source: &[u8], ceiling: usize, core: &Indices<usize>) -> Vec<SideToken> {
    let text = &source[..ceiling];
    let (mut neighbours, mut at, mut length) = (Vec::new(), core.end, 0);
    while neighbours.len() < MOST_BEYOND && length <= LONGEST {
        let start = tokens::blanks_after(text, at);
        let Some((Class::Word | Class::Punctuation, _)) = tokens::class_at(text, start) else { break };
        let end = tokens::token_end(text, start);
        length += end - start + usize::from(at < start);
        let token = start..end;
        neighbours.push(SideToken { is_word: is_word(source, &token), token, length });
        at = end;
    }
    neighbours
}

/// How many neighbours are on the line of the core, up to the limit for a line.
fn same_line_before(source: &[u8], core: &Indices<usize>, left: &[SideToken]) -> usize {
    let is_on_line = |neighbour: &&SideToken| !has_line_end(&source[neighbour.token.end..core.start]);
    left.iter().take(MOST_ON_LINE).take_while(is_on_line).count()
}

fn same_line_after(source: &[u8], core: &Indices<usize>, right: &[SideToken]) -> usize {
    let is_on_line = |neighbour: &&SideToken| !has_line_end(&source[core.end..neighbour.token.start]);
    right.iter().take(MOST_ON_LINE).take_while(is_on_line).count()
}

fn is_word(source: &[u8], token: &Indices<usize>) -> bool {
    matches!(tokens::class_at(source, token.start), Some((Class::Word, _)))
}

fn has_line_end(source: &[u8]) -> bool {
    memchr::memchr2(b'\n', b'\r', source).is_some()
}

/// Writes a window as a find with the marker at the place.
fn write(source: &[u8], core: &Core, window: Indices<usize>) -> Option<String> {
    let piece = |range: Indices<usize>| std::str::from_utf8(&source[range]).ok().map(collapse);
    let place = match core.stand {
        Stand::Before | Stand::BeforeBlanks => core.token.start,
        Stand::Inside(bytes) => core.token.start + bytes,
        Stand::After | Stand::AfterBlanks => core.token.end,
    };
    let (mut before, mut after) = (piece(window.start..place)?, piece(place..window.end)?);
    match core.stand {
        Stand::BeforeBlanks => after.insert(0, ' '),
        Stand::AfterBlanks => before.push(' '),
        Stand::Before | Stand::Inside(_) | Stand::After => {}
    }
    let written = put_marker(&format!("{before}{after}"), before.len());
    // `<` before the marker and `>` after it would be read as a part of the marker. A blank on one side prevents that.
    written.or_else(|| match core.stand {
        Stand::Before => put_marker(&format!("{before} {after}"), before.len() + 1),
        Stand::After => put_marker(&format!("{before} {after}"), before.len()),
        Stand::Inside(_) | Stand::BeforeBlanks | Stand::AfterBlanks => None,
    })
}

/// A text with each run of blanks replaced by one blank, including those at its ends.
fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for character in text.chars() {
        if !character.is_whitespace() {
            collapsed.push(character);
        } else if !collapsed.ends_with(' ') {
            collapsed.push(' ');
        }
    }
    collapsed
}
