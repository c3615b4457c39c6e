//! Reads JSON with comments and with commas after the last item, and keeps where everything is.

use std::ops::Range;

use crate::fault::Fault;
use crate::value::Value;

/// How deeply values may be nested. No real settings are deeper, and deeper ones could overflow the stack.
const DEEPEST: usize = 100;

/// A value, and where it is.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) range: Range<usize>,
    pub(crate) what: What,
}

#[derive(Debug)]
pub(crate) enum What {
    Text(String),
    Word(String),
    List(Vec<Node>),
    Object(Object),
}

/// The members of an object.
#[derive(Debug, Default)]
pub(crate) struct Object {
    pub(crate) members: Vec<Member>,
    /// Where the comma after the last member is, if there is one.
    pub(crate) comma: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    /// Where the key starts.
    pub(crate) start: usize,
    pub(crate) value: Node,
}

impl Object {
    /// The value under a key. If the key occurs several times, the last one counts.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.members.iter().rev().find(|member| member.key == key).map(|member| &member.value)
    }
}

impl Node {
    pub(crate) fn value(&self) -> Value {
        match &self.what {
            What::Text(text) => Value::Text(text.clone()),
            What::Word(word) => Value::Word(word.clone()),
            What::List(all) => Value::List(all.iter().map(Node::value).collect()),
            What::Object(object) => {
                let member = |member: &Member| (member.key.clone(), member.value.value());
                Value::Table(object.members.iter().map(member).collect())
            }
        }
    }
}

/// Reads a text. `None` if there is nothing in it but blanks and comments.
pub(crate) fn read(text: &str) -> Result<Option<Node>, Fault> {
    let mut reader = Reader { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    reader.skip()?;
    if reader.peek().is_none() {
        return Ok(None);
    }
    let node = reader.node(0)?;
    reader.skip()?;
    match reader.peek() {
        None => Ok(Some(node)),
        Some(_) => Err(reader.fault("something stands after the value")),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over a byte, if it comes next.
    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn fault(&self, message: &str) -> Fault {
        Fault { offset: self.at, message: message.to_owned() }
    }

    /// Steps over blanks and comments.
    fn skip(&mut self) -> Result<(), Fault> {
        loop {
            self.at += blanks(&self.text[self.at..], |c| matches!(c, ' ' | '\t' | '\r' | '\n'));
            match comment(&self.text[self.at..]) {
                Some(Some(length)) => self.at += length,
                Some(None) => return Err(self.fault("the comment has no end")),
                None => return Ok(()),
            }
        }
    }

    fn node(&mut self, depth: usize) -> Result<Node, Fault> {
        if depth > DEEPEST {
            return Err(self.fault("this is nested too deeply"));
        }
        let start = self.at;
        let what = match self.peek() {
            Some(b'{') => What::Object(self.object(depth)?),
            Some(b'[') => What::List(self.list(depth)?),
            Some(b'"') => What::Text(self.string()?),
            _ => What::Word(self.word()?),
        };
        Ok(Node { range: start..self.at, what })
    }

    fn object(&mut self, depth: usize) -> Result<Object, Fault> {
        self.at += 1;
        let mut object = Object::default();
        loop {
            self.skip()?;
            if self.eat(b'}') {
                return Ok(object);
            }
            if !object.members.is_empty() && object.comma.take().is_none() {
                return Err(self.fault("a comma or `}` is missing"));
            }
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.fault("a key in quotes is missing"));
            }
            let key = self.string()?;
            self.skip()?;
            if !self.eat(b':') {
                return Err(self.fault("a colon is missing"));
            }
            self.skip()?;
            let value = self.node(depth + 1)?;
            object.members.push(Member { key, start, value });
            self.skip()?;
            let comma = self.at;
            object.comma = self.eat(b',').then_some(comma);
        }
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node>, Fault> {
        self.at += 1;
        let (mut all, mut may_go_on) = (Vec::new(), true);
        loop {
            self.skip()?;
            if self.eat(b']') {
                return Ok(all);
            }
            if !may_go_on {
                return Err(self.fault("a comma or `]` is missing"));
            }
            all.push(self.node(depth + 1)?);
            self.skip()?;
            may_go_on = self.eat(b',');
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<String, Fault> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let word = &self.text[self.at..][..blanks(&self.text[self.at..], is_part)];
        let is_number = word.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        if !(matches!(word, "true" | "false" | "null") || is_number && word.parse::<f64>().is_ok()) {
            return Err(self.fault("a value is missing"));
        }
        self.at += word.len();
        Ok(word.to_owned())
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut string = String::new();
        loop {
            let n_plain = blanks(&self.text[self.at..], |c| c >= ' ' && !matches!(c, '"' | '\\'));
            string.push_str(&self.text[self.at..self.at + n_plain]);
            self.at += n_plain;
            let escaped = self.escape(self.at);
            match (self.peek(), escaped) {
                (Some(b'"'), _) => {
                    self.at += 1;
                    return Ok(string);
                }
                (Some(b'\\'), Some((c, length))) => {
                    string.push(c);
                    self.at += length;
                }
                _ => return Err(self.fault("the text has no end, or is not written as JSON has it")),
            }
        }
    }

    /// The character that an escape stands for, and how many bytes the escape has.
    fn escape(&self, at: usize) -> Option<(char, usize)> {
        let simple = match self.text[at..].strip_prefix('\\')?.chars().next()? {
            c @ ('"' | '\\' | '/') => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unit(at),
            _ => return None,
        };
        Some((simple, 2))
    }

    /// `\u00e9`, or a pair as `\ud83d\ude00`. Half a pair stands for the replacement character.
    fn unit(&self, at: usize) -> Option<(char, usize)> {
        let digits = |at: usize| {
            let digits = self.text.get(at..at + 6)?.strip_prefix("\\u")?;
            u16::from_str_radix(digits, 16).ok()
        };
        let first = digits(at)?;
        let units = [Some(first), digits(at + 6)];
        let mut decoded = char::decode_utf16(units.into_iter().flatten());
        let c = decoded.next()?.unwrap_or(char::REPLACEMENT_CHARACTER);
        Some((c, 6 * c.len_utf16()))
    }
}

/// How many bytes at the start of a text are characters for which `is_blank` holds.
fn blanks(text: &str, is_blank: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_blank(c)).unwrap_or(text.len())
}

/// How long the comment at the start of a text is, without its line break. `None` if none starts there, `Some(None)` if
/// it has no end.
pub(crate) fn comment(text: &str) -> Option<Option<usize>> {
    if text.starts_with("//") {
        return Some(Some(text.find(['\r', '\n']).unwrap_or(text.len())));
    }
    text.strip_prefix("/*").map(|inside| inside.find("*/").map(|end| end + 4))
}
