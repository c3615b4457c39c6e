//! Finds slips after which the parser would misread the rest of the program. The parser is given a mended text instead.
//! So a slip is one problem, and the rest of the program keeps its meaning.

use locant_text::Range;

/// A small mistake whose intended text is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slip {
    pub(crate) kind: SlipKind,
    /// Where the slip is.
    pub(crate) range: Range,
    /// How to mend the text for the parser, and the byte at which the mended part starts. The mended part is as long as
    /// the old one, so that nothing moves. `None` if there is no room.
    mend: Option<(usize, Mend)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlipKind {
    /// A comment that nothing closes.
    OpenComment,
    /// `=` after a pattern in a `let`, where `<-` should be.
    PatternWithEquals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mend {
    /// Blanks instead of the rest of the text.
    Rest,
    Blank,
    Arrow,
}

impl Slip {
    /// Whether the slip is mended in the text that the parser is given.
    pub(crate) fn is_mended(&self) -> bool {
        self.mend.is_some()
    }
}

/// The slips of a text, in the order of their places.
pub(crate) fn slips(text: &[u8]) -> Vec<Slip> {
    let mut finder = Finder { text, at: 0, depth: 0, open: Vec::new(), slips: Vec::new() };
    while finder.at < text.len() {
        finder.step();
    }
    finder.slips
}

/// The text with its slips mended, for the parser; `None` if there is nothing to mend.
pub(crate) fn mended(text: &[u8]) -> Option<Vec<u8>> {
    let slips = slips(text);
    if slips.iter().all(|slip| slip.mend.is_none()) {
        return None;
    }
    let mut mended = text.to_vec();
    for (at, mend) in slips.into_iter().filter_map(|slip| slip.mend) {
        match mend {
            Mend::Rest => mended[at..].fill(b' '),
            Mend::Blank => mended[at] = b' ',
            Mend::Arrow => mended[at..at + 2].copy_from_slice(b"<-"),
        }
    }
    Some(mended)
}

/// A `let` or `new` whose `in` has not come yet.
struct Waiting {
    /// How many brackets are open around the `let` or `new`.
    depth: usize,
    part: Part,
}

/// What is being read between `let` or `new` and its `in`.
enum Part {
    /// Names that `new` makes.
    Declarations,
    /// The left side of a binding of `let`. For each of its first tokens: where it starts, and whether it is a word.
    Names(Vec<(usize, bool)>),
    /// The right side of a binding.
    Values,
}

struct Finder<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
    open: Vec<Waiting>,
    slips: Vec<Slip>,
}

impl Finder<'_> {
    /// Steps over the next token or comment.
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        match rest {
            [b'/', b'/', ..] => self.at += find(rest, b"\n").unwrap_or(rest.len()),
            [b'/', b'*', ..] => match find(&rest[2..], b"*/") {
                Some(n_inside) => self.at += n_inside + 4,
                None => self.open_comment(),
            },
            [b'"', ..] => {
                self.token(1, false);
                self.at += string_len(rest) - 1;
            }
            [b'`', inside @ ..] => {
                self.token(1, false);
                self.at += find(inside, b"`").map_or(0, |n_inside| n_inside + 1);
            }
            [first, ..] if first.is_ascii_alphabetic() || *first == b'_' => self.word(),
            [first, ..] if first.is_ascii_whitespace() => self.at += 1,
            [b'<', b'-', ..] => self.arrow(),
            [b'=' | b'!' | b'<' | b'>', b'=', ..] | [b'=', b'>', ..] | [b'&', b'&', ..] => {
                self.token(2, false)
            }
            [b'=', ..] => self.note_equals_after_pattern(),
            [b';' | b'&', ..] => self.separator(),
            [b'(' | b'[' | b'{', ..] => {
                self.token(1, false);
                self.depth += 1;
            }
            [b')' | b']' | b'}', ..] => self.close(),
            _ => self.token(1, false),
        }
    }

    fn open_comment(&mut self) {
        self.slips.push(Slip {
            kind: SlipKind::OpenComment,
            range: Range::of_indices(self.at..self.at + 2),
            mend: Some((self.at, Mend::Rest)),
        });
        self.at = self.text.len();
    }

    /// The current part of the innermost `let` or `new` without its `in`, if no bracket is open inside of it.
    fn waiting(&mut self) -> Option<&mut Part> {
        let depth = self.depth;
        self.open.last_mut().filter(|open| open.depth == depth).map(|open| &mut open.part)
    }

    /// Steps over a token, and records it if it is on the left side of a binding.
    fn token(&mut self, len: usize, is_name: bool) {
        let at = self.at;
        // Three tokens are enough to tell apart `x`, `@x` and all other patterns.
        if let Some(Part::Names(words)) = self.waiting()
            && words.len() < 3
        {
            words.push((at, is_name));
        }
        self.at += len;
    }

    fn word(&mut self) {
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'');
        let len = self.text[self.at..].iter().take_while(is_part).count();
        let is_method = self.at > 0 && self.text[self.at - 1] == b'.';
        let depth = self.depth;
        match &self.text[self.at..self.at + len] {
            b"let" if !is_method => self.open.push(Waiting { depth, part: Part::Names(Vec::new()) }),
            b"new" if !is_method => self.open.push(Waiting { depth, part: Part::Declarations }),
            b"in" if self.waiting().is_some() => drop(self.open.pop()),
            _ => return self.token(len, true),
        }
        self.at += len;
    }

    fn arrow(&mut self) {
        if let Some(part) = self.waiting() {
            *part = Part::Values;
        }
        self.at += 2;
    }

    fn separator(&mut self) {
        if let Some(part @ Part::Values) = self.waiting() {
            *part = Part::Names(Vec::new());
        }
        self.at += 1;
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        // A `let` or `new` inside the closed bracket has no `in`.
        while self.open.last().is_some_and(|open| open.depth > self.depth) {
            self.open.pop();
        }
        self.at += 1;
    }

    /// Handles `=`, which is a slip after a pattern. After a single name `=` is right. As the first token of a binding,
    /// it is a part of the pattern.
    fn note_equals_after_pattern(&mut self) {
        let at = self.at;
        let Some(Part::Names(words)) = self.waiting() else { return self.token(1, false) };
        let words = std::mem::take(words);
        if words.is_empty() {
            return self.token(1, false);
        }
        if let Some(part) = self.waiting() {
            *part = Part::Values;
        }
        self.at += 1;
        if !matches!(words.as_slice(), [(_, true)]) {
            let mend = self.mend(at, &words);
            let range = Range::of_indices(at..at + 1);
            self.slips.push(Slip { kind: SlipKind::PatternWithEquals, range, mend });
        }
    }

    /// How to mend `=` after a pattern. `@x = 1` becomes ` x = 1`. After other patterns `=` becomes `<-`, if there is a
    /// blank beside it to make room.
    fn mend(&self, equals: usize, words: &[(usize, bool)]) -> Option<(usize, Mend)> {
        let is_blank = |at: usize| self.text.get(at).is_some_and(u8::is_ascii_whitespace);
        match words {
            [(quote, false), (_, true)] if self.text[*quote] == b'@' => Some((*quote, Mend::Blank)),
            _ if is_blank(equals + 1) => Some((equals, Mend::Arrow)),
            _ if equals > 0 && is_blank(equals - 1) => Some((equals - 1, Mend::Arrow)),
            _ => None,
        }
    }
}

/// The length of the string at the start of a text, including its quotes. A string that is not closed goes on to the
/// end.
fn string_len(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}
