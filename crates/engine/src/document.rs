//! A file as the engine sees it: its path, its text, and what was parsed from it.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use locant_lang::Syntax;
use locant_locate::relocate::Lines;
use locant_locate::{Diagnosis, Scope};
use locant_proto::File;
use locant_text::{Nature, Range, Text};
use locant_tree::{Outline, Tree, check_of};

use crate::Reader;
use crate::code::code_of;
use crate::descriptor;

/// One file.
#[derive(Debug)]
pub struct Document {
    path: String,
    text: Arc<Text>,
    /// The lines as relocation compares them, made once for all places.
    lines: OnceLock<Arc<Lines>>,
    reader: Option<Reader>,
    /// The result of the parser, kept until the tree is made from it: it takes some twenty times the memory of the
    /// text.
    parsed: Mutex<Option<Syntax>>,
    tree: OnceLock<Option<Tree>>,
    outline: OnceLock<Outline>,
    proto: OnceLock<File>,
}

/// Why bytes are no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Too many bytes to count in 32 bits.
    TooLarge,
    /// A zero byte near the start: no text.
    Binary {
        /// Whether it looks like UTF-16, which people may want to convert.
        looks_like_utf16: bool,
    },
}

impl Document {
    /// A document from a path and the bytes of the file. Path and text tell its language.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Result<Document, Unreadable> {
        Document::of_text(path, Arc::new(Text::new(bytes).map_err(|_| Unreadable::TooLarge)?))
    }

    /// A document from a path and a text that is shared with others.
    pub fn of_text(path: impl Into<String>, text: Arc<Text>) -> Result<Document, Unreadable> {
        if text.nature() == Nature::Binary {
            return Err(Unreadable::Binary { looks_like_utf16: has_utf16_mark(text.bytes()) });
        }
        let path = path.into();
        let reader = Reader::for_file(&path, &text.bytes()[text.start().min(text.end()).index()..]);
        let (tree, outline, proto) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let lines = OnceLock::new();
        Ok(Document { path, text, lines, reader, parsed: Mutex::default(), tree, outline, proto })
    }

    /// The same document, read in the given language.
    pub fn in_language(self, reader: Reader) -> Document {
        let (parsed, tree, outline) = (Mutex::default(), OnceLock::new(), OnceLock::new());
        Document { reader: Some(reader), parsed, tree, outline, ..self }
    }

    /// The same document with the symbols that its tokens alone tell, where they do: many times faster than a parse,
    /// for whoever looks at a whole tree. In a text with syntax errors they may differ from the exact ones.
    pub fn skimmed(self) -> Document {
        match locant_skim::outline(self.language(), self.text.bytes()) {
            Some(outline) => Document { outline: OnceLock::from(outline), ..self },
            None => self,
        }
    }

    /// Its path, as locations name it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Its text, to be kept by the caller.
    pub fn shared_text(&self) -> &Arc<Text> {
        &self.text
    }

    /// What reads it; `None` when it is in a language that is not read.
    pub fn reader(&self) -> Option<Reader> {
        self.reader
    }

    /// The name of the language it is read in; empty when it is in a language that is not read.
    pub fn language(&self) -> &'static str {
        self.reader.map_or("", Reader::name)
    }

    /// Its declarations as a .proto file; `None` when it is in another language.
    pub fn proto(&self) -> Option<&File> {
        match self.reader {
            Some(Reader::Proto) => Some(self.proto.get_or_init(|| File::parse(self.text.bytes()))),
            _ => None,
        }
    }

    /// Parses it, so that symbols and nodes that are needed later come from one parse.
    pub fn parse(&self) {
        let is_done = self.tree.get().is_some() || self.outline.get().is_some() || self.parsed().is_some();
        let Some(Reader::Grammar(language)) = self.reader.filter(|_| !is_done) else { return };
        let syntax = Syntax::new(language, self.text.bytes());
        if syntax.is_none() {
            self.tree.get_or_init(|| None);
        }
        *self.parsed() = syntax;
    }

    /// Its position tree, which is kept; `None` when it is in a language that is not read, or the parser gives up on
    /// it.
    ///
    /// Once the tree is there, symbols are read from it. Asking for symbols alone does not make the tree.
    pub fn tree(&self) -> Option<&Tree> {
        let reader = self.reader?;
        let tree = self.tree.get_or_init(|| match reader {
            Reader::Grammar(language) => {
                let parsed = self.parsed().take();
                let syntax = parsed.or_else(|| Syntax::new(language, self.text.bytes()))?;
                Some(syntax.tree().clone())
            }
            Reader::Proto => Some(locant_proto::tree(self.proto()?, self.text.bytes())),
        });
        tree.as_ref()
    }

    /// The position tree of the text exactly as it is. The tree from which symbols are read may be of a changed text,
    /// with comments in place of macros that the grammar cannot read.
    pub fn tree_as_it_stands(&self) -> Option<Cow<'_, Tree>> {
        let text = self.text.bytes();
        match self.reader? {
            Reader::Grammar(language) if language.sees_otherwise(text) => {
                Some(Cow::Owned(Syntax::as_it_stands(language, text)?.tree().clone()))
            }
            Reader::Grammar(_) | Reader::Proto => self.tree().map(Cow::Borrowed),
        }
    }

    /// The same document with blanks in place of its comments and the contents of its strings, so that a find matches
    /// code alone. Its positions and symbols are those of the whole text. `None` when there is no position tree.
    pub fn code_only(&self) -> Option<Document> {
        self.parse();
        let outline = self.outline()?.clone();
        let text = Text::new(code_of(self.text.bytes(), &*self.tree_as_it_stands()?, &outline)).ok()?;
        Some(Document {
            path: self.path.clone(),
            text: Arc::new(text),
            lines: OnceLock::new(),
            reader: self.reader,
            parsed: Mutex::default(),
            tree: OnceLock::new(),
            outline: OnceLock::from(outline),
            proto: OnceLock::new(),
        })
    }

    fn parsed(&self) -> MutexGuard<'_, Option<Syntax>> {
        // Safe after a panic elsewhere: the value is only ever put there or taken out whole.
        self.parsed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that a cache may store, so that the text need not be parsed again: a checksum of what the position tree
    /// was made from, then the tree in its wire form. `None` as long as the tree was not made, or for a .proto file,
    /// where it would save nothing.
    pub fn to_stored(&self) -> Option<Vec<u8>> {
        let tree = self.tree.get()?.as_ref().filter(|_| matches!(self.reader, Some(Reader::Grammar(_))))?;
        Some([&self.check().to_le_bytes()[..], &tree.to_bytes()].concat())
    }

    /// The same document with the tree from stored bytes. Bytes that are damaged, or are from another text, another
    /// language or another version, are ignored.
    pub fn with_stored(self, stored: &[u8]) -> Document {
        let fits = |tree: &Tree| tree.end() <= self.text.end();
        let tree = match stored.split_first_chunk() {
            Some((check, tree)) if u64::from_le_bytes(*check) == self.check() => Tree::from_bytes(tree).ok(),
            _ => None,
        };
        match tree.filter(fits) {
            Some(tree) => Document { tree: OnceLock::from(Some(tree)), outline: OnceLock::new(), ..self },
            None => self,
        }
    }

    /// A checksum of all that its position tree is made from: text, language and version.
    fn check(&self) -> u64 {
        let reader = [env!("CARGO_PKG_VERSION"), self.language()].join(" ");
        check_of(self.text.bytes()) ^ check_of(reader.as_bytes()).rotate_left(32)
    }

    /// Its symbols; `None` when it is in a language that is not read.
    pub fn outline(&self) -> Option<&Outline> {
        let reader = self.reader?;
        let text = self.text.bytes();
        Some(self.outline.get_or_init(|| match (reader, self.proto()) {
            (Reader::Grammar(language), _) => match self.tree.get() {
                None => match &*self.parsed() {
                    Some(syntax) => syntax.outline(text),
                    None => language.outline(text),
                },
                Some(None) => language.outline_by_line(text),
                // A stored tree may have been forged, with kinds that the grammar does not have.
                Some(Some(tree)) => {
                    language.outline_from(text, tree).unwrap_or_else(|| language.outline(text))
                }
            },
            (Reader::Proto, Some(file)) => locant_proto::outline(file, text),
            (Reader::Proto, None) => Outline::default(),
        }))
    }
}

impl locant_locate::Document for Document {
    fn path(&self) -> &str {
        self.path()
    }

    fn text(&self) -> &Text {
        self.text()
    }

    fn outline(&self) -> Option<&Outline> {
        self.outline()
    }

    fn lines(&self) -> Arc<Lines> {
        Arc::clone(self.lines.get_or_init(|| Arc::new(Lines::new(&self.text))))
    }

    fn descriptor_spans(&self, scope: &Scope) -> Option<Result<Vec<Range>, Diagnosis>> {
        descriptor::spans(self.path(), self.text.bytes(), self.proto()?, scope)
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unreadable::TooLarge => "the file is larger than 4 GiB",
            Unreadable::Binary { looks_like_utf16: false } => {
                "the file is binary: it has a zero byte near its start"
            }
            Unreadable::Binary { looks_like_utf16: true } => "the file is UTF-16; only UTF-8 is read",
        })
    }
}

impl std::error::Error for Unreadable {}

fn has_utf16_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}
