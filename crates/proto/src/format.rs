//! Lays out a .proto file anew: each statement on its own line, indented by two spaces for each block around it.
//!
//! Only blanks change. Most line breaks inside a statement stay where the author put them. Several blank lines become
//! one. A comment that shares its line with a token still does so afterwards, because the line decides which
//! declaration a comment belongs to.

mod pieces;
mod spacing;

use locant_layout::{Gap, Layout, within};
use locant_names::{Problem, Severity};
use locant_text::Range;

use crate::file::File;
use crate::flaw;
use crate::lexer::TokenKind;
use pieces::{Piece, Word, pieces};
use spacing::{Neighbours, gap};

/// By how many spaces the content of a block is indented.
const UNIT: usize = 2;

/// By how many more spaces a line is indented if it continues the statement of the line before.
const MORE: usize = 4;

/// The replacements that lay out a file, or only the lines of `part`. A file with syntax errors is not laid out: its
/// first error is returned.
pub(crate) fn format(text: &[u8], part: Option<Range>) -> Result<Vec<(Range, String)>, Problem> {
    let flaws = File::parse(text).problems;
    if let Some(flaw) = flaws.into_iter().find(|problem| problem.flaw.is_of_syntax()) {
        return Err(said(flaw));
    }
    let replacements = laid_out(text);
    Ok(match part {
        Some(part) => within(text, part, replacements),
        None => replacements,
    })
}

fn said(problem: flaw::Problem) -> Problem {
    Problem {
        range: problem.range,
        severity: Severity::Error,
        code: problem.flaw.code(),
        message: problem.flaw.message(),
        hint: problem.flaw.hint().to_owned(),
        is_unused: false,
    }
}

fn laid_out(text: &[u8]) -> Vec<(Range, String)> {
    let pieces = pieces(text);
    let mut formatter = Formatter {
        text,
        layout: Layout::new(text),
        open: Vec::new(),
        n_blocks: 0,
        statement: Statement::default(),
        last: None,
        is_after_comment: false,
    };
    for piece in &pieces {
        match *piece {
            Piece::Comment { start, end } => formatter.comment(start, end),
            Piece::Word(word) => formatter.word(word),
        }
    }
    formatter.layout.finish()
}

struct Formatter<'t> {
    text: &'t [u8],
    layout: Layout<'t>,
    /// The open brackets, the innermost last.
    open: Vec<Open>,
    /// How many of the open brackets are blocks.
    n_blocks: usize,
    statement: Statement,
    /// The last token.
    last: Option<Word>,
    /// Whether there is a comment between the last token and the next one.
    is_after_comment: bool,
}

/// An open bracket.
#[derive(Clone, Copy)]
struct Open {
    bracket: Bracket,
    /// By how many spaces the line with the bracket is indented.
    indent: usize,
    /// Whether a line break follows the opening bracket.
    is_broken: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    /// The braces around statements.
    Block,
    /// The braces, or `<` and `>`, around the fields of a value.
    Value,
    /// Parentheses.
    Round,
    /// Square brackets.
    Square,
    /// `<` and `>` around the types of a map.
    Types,
}

/// The statement that is being laid out.
#[derive(Clone, Copy, Default)]
struct Statement {
    /// How many tokens it has so far.
    n_words: usize,
    /// Whether it declares a method.
    is_method: bool,
}

impl Formatter<'_> {
    fn comment(&mut self, start: usize, end: usize) {
        let gap = match self.layout.breaks_before(start) {
            0 => match self.last {
                Some(last) if !self.is_after_comment && last.opens() && self.bracket() != Bracket::Block => {
                    Gap::Tight
                }
                _ => Gap::Space,
            },
            _ => {
                self.note_break();
                Gap::Lines
            }
        };
        let indent = self.indent();
        self.layout.comment(start, end, gap, indent);
        self.is_after_comment = true;
    }

    fn word(&mut self, word: Word) {
        let bracket = self.opened_by(word);
        let (gap, indent) = match self.bracket() {
            Bracket::Block => self.in_block(word, bracket),
            inner => (self.in_brackets(word, inner), self.indent_of(word)),
        };
        if matches!(gap, Gap::Line | Gap::Lines) {
            self.note_break();
        }
        self.layout.token(word.start, word.end, gap, indent);
        self.is_after_comment = false;
        self.last = Some(word);
        self.statement.is_method |= self.statement.n_words == 0 && self.text[word.range()] == *b"rpc";
        self.statement.n_words += 1;
        match bracket {
            Some(bracket) => self.enter(bracket),
            None => self.leave(word),
        }
    }

    /// The innermost open bracket. If none is open, the whole file counts as a block.
    fn bracket(&self) -> Bracket {
        self.open.last().map_or(Bracket::Block, |open| open.bracket)
    }

    /// Notes that a line break follows the last token, which may be an opening bracket.
    fn note_break(&mut self) {
        let is_first = self.last.is_some_and(|last| last.opens());
        if let Some(open) = self.open.last_mut().filter(|_| is_first && !self.is_after_comment) {
            open.is_broken = true;
        }
    }

    /// The bracket that a token opens, if it opens one.
    fn opened_by(&self, word: Word) -> Option<Bracket> {
        let TokenKind::Symbol(symbol) = word.kind else { return None };
        let is_value = self.bracket() != Bracket::Block || self.last.is_some_and(|last| last.is(b'='));
        match symbol {
            b'{' if is_value => Some(Bracket::Value),
            b'{' => Some(Bracket::Block),
            b'<' if self.bracket() == Bracket::Block => Some(Bracket::Types),
            b'<' => Some(Bracket::Value),
            b'(' => Some(Bracket::Round),
            b'[' => Some(Bracket::Square),
            _ => None,
        }
    }

    fn enter(&mut self, bracket: Bracket) {
        self.open.push(Open { bracket, indent: self.layout.indent(), is_broken: false });
        if bracket == Bracket::Block {
            self.n_blocks += 1;
            self.statement = Statement::default();
        }
    }

    /// Leaves the innermost bracket if the token closes it, and the statement if the token ends it.
    fn leave(&mut self, word: Word) {
        let closes = word.is_any(b"}])>");
        let was_block = self.bracket() == Bracket::Block;
        if closes {
            let closed = self.open.pop();
            self.n_blocks -= usize::from(closed.is_some_and(|open| open.bracket == Bracket::Block));
        }
        if was_block && (closes || word.is(b';')) {
            self.statement = Statement::default();
        }
    }

    /// The gap before a token that is directly in a block or in the file, and the indentation if the token starts a
    /// line.
    fn in_block(&self, word: Word, bracket: Option<Bracket>) -> (Gap, usize) {
        let block = UNIT * self.n_blocks;
        let has_break = self.layout.breaks_before(word.start) > 0;
        let closes = word.is(b'}');
        let indent = if closes { block.saturating_sub(UNIT) } else { block };
        let gap = match self.last {
            None if self.is_after_comment => self.after_comment(word),
            None => Gap::Line,
            _ if self.statement.n_words > 0 => {
                let joins = bracket == Some(Bracket::Block) || word.is_any(b";,");
                return match has_break && (self.is_after_comment || !joins) {
                    true if joins => (Gap::Line, block),
                    true => (Gap::Line, block + MORE),
                    false => (self.spacing(word), block + MORE),
                };
            }
            Some(_) if self.is_after_comment => self.after_comment(word),
            Some(last) if closes && last.is(b'{') => Gap::Tight,
            Some(last) if word.is(b';') && !last.is(b'{') => Gap::Tight,
            Some(last) if closes || last.is(b'{') => Gap::Line,
            Some(_) => Gap::Lines,
        };
        (gap, indent)
    }

    /// The gap between a comment and the next token. They stay on one line or on separate lines, as they were, because
    /// this decides which declaration the comment belongs to.
    fn after_comment(&self, word: Word) -> Gap {
        match self.layout.breaks_before(word.start) {
            0 => Gap::Space,
            _ => Gap::Lines,
        }
    }

    /// The gap before a token inside brackets.
    fn in_brackets(&self, word: Word, inner: Bracket) -> Gap {
        let is_broken = self.open.last().is_some_and(|open| open.is_broken);
        let has_break = self.layout.breaks_before(word.start) > 0;
        let is_first = self.last.is_some_and(|last| last.opens()) && !self.is_after_comment;
        let closes = word.closes(inner);
        let joins = word.is_any(b",;") || closes && is_first;
        match has_break {
            true if joins && !self.is_after_comment => self.spacing(word),
            true if closes || is_first => Gap::Line,
            true => Gap::Lines,
            false if closes && is_broken => Gap::Line,
            false => self.spacing(word),
        }
    }

    /// The gap before a token that stays on the line of the last token.
    fn spacing(&self, word: Word) -> Gap {
        let Some(last) = self.last else { return Gap::Tight };
        gap(&Neighbours {
            last,
            next: word,
            bracket: self.bracket(),
            is_after_comment: self.is_after_comment,
            touch: self.layout.touches(word.start),
            is_name_of_method: self.statement.is_method && self.statement.n_words == 2,
        })
    }

    /// The indentation of a line that starts with a token inside of brackets.
    fn indent_of(&self, word: Word) -> usize {
        let Some(open) = self.open.last() else { return 0 };
        let goes_on = self.last.is_some_and(|last| {
            last.is_any(b"=:") || last.kind == TokenKind::String && word.kind == TokenKind::String
        });
        match open.bracket {
            bracket if word.closes(bracket) && bracket != Bracket::Round => open.indent,
            _ if goes_on => self.indent() + MORE,
            _ => self.indent(),
        }
    }

    /// The indentation of a line inside the innermost open bracket.
    fn indent(&self) -> usize {
        let block = UNIT * self.n_blocks;
        match self.open.last() {
            Some(Open { bracket: Bracket::Value | Bracket::Square, indent, .. }) => indent + UNIT,
            Some(Open { bracket: Bracket::Round | Bracket::Types, .. }) => block + MORE,
            Some(Open { bracket: Bracket::Block, .. }) | None if self.statement.n_words > 0 => block + MORE,
            Some(Open { bracket: Bracket::Block, .. }) | None => block,
        }
    }
}
