//! The compiled form of a find, used to search a text.

use std::ops::Range;

use super::rarest::Rarest;
use crate::marker::take_marker;
use crate::tokens::{self, Class, class_of};

/// A find, compiled for a search.
#[derive(Debug)]
pub struct Pattern {
    /// The find without its marker.
    pub(super) text: String,
    /// The tokens of `text`. Invariant: in order, not overlapping, none empty.
    pub(super) tokens: Vec<Token>,
    /// The blanks before the first token.
    pub(super) lead: Edge,
    /// The blanks after the last token.
    pub(super) trail: Edge,
    /// Whether there are no blanks at either end.
    is_bare: bool,
    pub(super) starts_with_word: bool,
    pub(super) ends_with_word: bool,
    /// Where the marked place is.
    marker: Option<Place>,
    /// The token to search for first; `None` if the pattern has no tokens.
    pub(super) rarest: Option<Rarest>,
}

/// A word or a punctuation character of the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Its range in the pattern's text.
    pub(super) at: Range<usize>,
    pub(super) is_word: bool,
}

/// Blanks at an end of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// The pattern has no blanks there: a match starts or ends with its token.
    Bare,
    /// A match includes the blanks of the source there, if there are any.
    Flexible {
        /// Whether these blanks may include line ends.
        crosses_lines: bool,
    },
    /// A match needs at least one blank there, and includes all of them.
    Mandatory {
        /// Whether these blanks may include line ends.
        crosses_lines: bool,
    },
}

impl Edge {
    /// `Some` if a blank is required. The value says whether it may be a line end.
    pub(super) fn mandatory(self) -> Option<bool> {
        match self {
            Edge::Mandatory { crosses_lines } => Some(crosses_lines),
            Edge::Bare | Edge::Flexible { .. } => None,
        }
    }
}

/// The marked place, relative to the tokens of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Start,
    End,
    Before(usize),
    After(usize),
    Inside { token: usize, bytes: usize },
}

/// Where a pattern matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The matched bytes.
    pub range: Range<usize>,
    /// Whether the match starts or ends inside a word.
    pub partial: bool,
}

impl Pattern {
    /// Compiles a find, with its marker if it has one.
    pub fn new(find: &str) -> Pattern {
        let marked = take_marker(find);
        let tokens = tokenize(&marked.text);
        let lead = edge(&marked.text, 0..tokens.first().map_or(0, |token| token.at.start), tokens.first());
        let last_end = tokens.last().map_or(0, |token| token.at.end);
        let trail = edge(&marked.text, last_end..marked.text.len(), tokens.last());
        let marker = marked.at.map(|at| place(&marked.text, &tokens, at));
        let rarest = Rarest::likely(&marked.text, &tokens);
        let is_word = |token: Option<&Token>| token.is_some_and(|token| token.is_word);
        Pattern {
            is_bare: lead == Edge::Bare && trail == Edge::Bare,
            starts_with_word: is_word(tokens.first()),
            ends_with_word: is_word(tokens.last()),
            text: marked.text,
            tokens,
            lead,
            trail,
            marker,
            rarest,
        }
    }

    /// Whether there is no text to find. Such a pattern matches only at the start of its scope.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The find without its marker.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there are no blanks at either end.
    pub(super) fn is_bare(&self) -> bool {
        self.is_bare
    }

    /// Completes a match whose tokens have the range `tokens`: adds the blanks at its edges, and tells whether it cuts
    /// a word. `None` if required blanks are missing.
    ///
    /// The number of blanks that were read is added to `work`.
    #[inline(always)]
    pub(super) fn finish(
        &self,
        source: &[u8],
        region: &Range<usize>,
        tokens: Range<usize>,
        work: &mut usize,
    ) -> Option<Match> {
        let (start, end) = (tokens.start, tokens.end);
        let range = if self.is_bare {
            tokens
        } else {
            self.with_edges(&source[..region.end], region.start, tokens, work)?
        };
        // An end of the match that is a blank or punctuation cuts no word.
        let cuts_start =
            self.starts_with_word && range.start == start && tokens::is_word_before(source, start);
        let cuts_end = self.ends_with_word && range.end == end && tokens::is_word_at(source, end);
        Some(Match { range, partial: cuts_start || cuts_end })
    }

    /// The range of a match together with the blanks at its edges. `None` if required blanks are missing.
    #[inline]
    fn with_edges(
        &self,
        text: &[u8],
        floor: usize,
        tokens: Range<usize>,
        work: &mut usize,
    ) -> Option<Range<usize>> {
        let start = match self.lead {
            Edge::Bare => tokens.start,
            Edge::Flexible { crosses_lines } | Edge::Mandatory { crosses_lines } => {
                let before =
                    if crosses_lines { tokens::blanks_before } else { tokens::blanks_before_on_line };
                floor + before(&text[floor..], tokens.start - floor)
            }
        };
        let end = match self.trail {
            Edge::Bare => tokens.end,
            Edge::Flexible { crosses_lines } | Edge::Mandatory { crosses_lines } => {
                let after = if crosses_lines { tokens::blanks_after } else { tokens::blanks_after_on_line };
                after(text, tokens.end)
            }
        };
        *work += (tokens.start - start) + (end - tokens.end);
        let is_missing = |edge: Edge, is_empty: bool| matches!(edge, Edge::Mandatory { .. }) && is_empty;
        let is_match =
            !is_missing(self.lead, start == tokens.start) && !is_missing(self.trail, end == tokens.end);
        is_match.then_some(start..end)
    }

    /// The place that a match means: where the marker is, or the start of the match without a marker.
    pub fn place(&self, source: &[u8], found: &Match) -> usize {
        let Some(marker) = self.marker else { return found.range.start };
        match marker {
            Place::Start => found.range.start,
            Place::End => found.range.end,
            Place::Before(token) => self.token_at(source, found, token),
            Place::After(token) => self.token_at(source, found, token) + self.tokens[token].at.len(),
            Place::Inside { token, bytes } => self.token_at(source, found, token) + bytes,
        }
    }

    pub(super) fn bytes(&self, token: usize) -> &[u8] {
        &self.text.as_bytes()[self.tokens[token].at.clone()]
    }

    /// Where a token of the pattern starts in a match.
    fn token_at(&self, source: &[u8], found: &Match, token: usize) -> usize {
        let mut at = tokens::blanks_after(source, found.range.start);
        for before in &self.tokens[..token] {
            at = tokens::blanks_after(source, at + before.at.len());
        }
        at
    }
}

fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        match class_of(character) {
            Class::Blank => {}
            Class::Word => match tokens.last_mut() {
                Some(word) if word.is_word && word.at.end == at => word.at.end = end,
                _ => tokens.push(Token { at: at..end, is_word: true }),
            },
            Class::Punctuation | Class::Bad => tokens.push(Token { at: at..end, is_word: false }),
        }
    }
    tokens
}

/// The blanks at an end of the pattern. They are required beside a word, and optional beside punctuation. In a pattern
/// without tokens they are required.
fn edge(text: &str, blanks: Range<usize>, beside: Option<&Token>) -> Edge {
    let blanks = &text[blanks];
    let crosses_lines = blanks.contains(['\n', '\r']);
    match beside {
        _ if blanks.is_empty() => Edge::Bare,
        Some(token) if !token.is_word => Edge::Flexible { crosses_lines },
        _ => Edge::Mandatory { crosses_lines },
    }
}

/// Where a marker at the byte `at` of the pattern is in a match.
///
/// - `sel<|>f`: inside the token.
/// - `a <|>b` and `a <|> b`: directly before the token that follows it.
/// - `a<|> b`: directly after the token before it, if only its right side has blanks.
/// - `<|>a` and `a<|>`: at the start or end of the match, if nothing precedes or follows it.
fn place(text: &str, tokens: &[Token], at: usize) -> Place {
    let cut = tokens.iter().position(|token| token.at.start < at && at < token.at.end);
    if let Some(token) = cut {
        return Place::Inside { token, bytes: at - tokens[token].at.start };
    }
    let before = tokens.iter().rposition(|token| token.at.end <= at);
    let after = tokens.iter().position(|token| at <= token.at.start);
    let blank_before = text[..at].ends_with(char::is_whitespace);
    let blank_after = text[at..].starts_with(char::is_whitespace);
    match (before, after) {
        (_, None) if at == text.len() => Place::End,
        (None, _) if at == 0 => Place::Start,
        (Some(token), _) if blank_after && !blank_before => Place::After(token),
        (_, Some(token)) => Place::Before(token),
        (_, None) => Place::End,
    }
}
