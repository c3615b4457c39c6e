//! A file as the engine sees it: its path, its text, and the tree and symbols parsed from it.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use locant_lang::{Language, Syntax};
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
    /// The lines in the form that relocation compares. They are made once and serve every place that is looked for.
    lines: OnceLock<Arc<Lines>>,
    reader: Option<Reader>,
    /// The result of the parser. It takes some twenty times the memory of the text, so it is dropped once `tree` is
    /// made from it.
    parsed: Mutex<Option<Syntax>>,
    tree: OnceLock<Option<Tree>>,
    outline: OnceLock<Outline>,
    proto: OnceLock<File>,
    /// Where its outline is kept, if it is.
    kept: Option<Arc<dyn Outlines>>,
}

/// A place where outlines are kept between runs of a program, so that a text is read by its grammar only once.
///
/// The outline of a text in a language is always the same in one version of the program ([`crate::READERS`]).
pub trait Outlines: fmt::Debug + Send + Sync {
    /// The outline that was kept for a text; `None` if there is none.
    fn kept(&self, language: &str, text: &[u8]) -> Option<Outline>;

    /// Keeps the outline of a text.
    fn keep(&self, language: &str, text: &[u8], outline: &Outline);
}

/// Why the bytes of a file cannot be a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The file has more bytes than 32 bits can count.
    TooLarge,
    /// The file is not text: there is a zero byte near its start.
    Binary {
        /// Whether it starts with a byte-order mark of UTF-16, so that it could be converted.
        looks_like_utf16: bool,
    },
}

impl Document {
    /// A document from a path and the bytes of the file. Its language is chosen by path and text.
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
        Ok(Document { path, text, lines, reader, parsed: Mutex::default(), tree, outline, proto, kept: None })
    }

    /// The same document, whose symbols are looked up in `outlines` before the text is read by its grammar.
    pub fn kept_in(self, outlines: Arc<dyn Outlines>) -> Document {
        Document { kept: Some(outlines), ..self }
    }

    /// The same document, read in the given language.
    pub fn in_language(self, reader: Reader) -> Document {
        let (parsed, tree, outline) = (Mutex::default(), OnceLock::new(), OnceLock::new());
        Document { reader: Some(reader), parsed, tree, outline, ..self }
    }

    /// The same document with symbols that are read from its tokens alone, if its language allows that. This is many
    /// times faster than a parse, for questions about a whole tree of files. In a text with syntax errors, the symbols
    /// may differ from those of a parse.
    pub fn skimmed(self) -> Document {
        let text = self.text.bytes();
        let skimmed = match self.reader {
            Some(Reader::Grammar(language)) => skimmed(language, text).unwrap_or_else(|| {
                // A page is parsed, but the scripts in it are most of some pages.
                language.outline_with(text, &skimmed)
            }),
            Some(Reader::Proto) | None => return self,
        };
        Document { outline: OnceLock::from(skimmed), ..self }
    }

    /// Its path, as locations name it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Its text, for a caller that wants to keep it.
    pub fn shared_text(&self) -> &Arc<Text> {
        &self.text
    }

    /// The reader of its language; `None` when its language is not supported.
    pub fn reader(&self) -> Option<Reader> {
        self.reader
    }

    /// The name of its language; empty when the language is not supported.
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

    /// Parses the text now and keeps the result. For a caller that asks for [`Document::outline`] and then for
    /// [`Document::tree`]: without this call, each of them would parse.
    pub fn parse(&self) {
        let is_done = self.tree.get().is_some() || self.outline.get().is_some() || self.parsed().is_some();
        let Some(Reader::Grammar(language)) = self.reader.filter(|_| !is_done) else { return };
        let syntax = Syntax::new(language, self.text.bytes());
        if syntax.is_none() {
            self.tree.get_or_init(|| None);
        }
        *self.parsed() = syntax;
    }

    /// Its position tree, made at the first call and then kept. `None` when its language is not supported or the parser
    /// gives up on the text.
    ///
    /// Once the tree exists, symbols are read from it. Asking for symbols alone does not make the tree.
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

    /// The position tree of the text exactly as it is. By contrast, [`Document::tree`] may be parsed from a changed
    /// text, in which comments replace macros that the grammar cannot read.
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
    /// only code. Positions and symbols are the same as before. `None` when there is no position tree.
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
            kept: None,
        })
    }

    fn parsed(&self) -> MutexGuard<'_, Option<Syntax>> {
        // Safe after a panic of another thread: the value is only stored or taken as a whole.
        self.parsed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes for a cache, so that the text need not be parsed again: a checksum of everything that decides the position
    /// tree, then the tree in its wire form. `None` when the tree has not been made, and for a .proto file, where a
    /// cache would save nothing.
    pub fn to_stored(&self) -> Option<Vec<u8>> {
        let tree = self.tree.get()?.as_ref().filter(|_| matches!(self.reader, Some(Reader::Grammar(_))))?;
        Some([&self.check().to_le_bytes()[..], &tree.to_bytes()].concat())
    }

    /// The same document with the tree from bytes of [`Document::to_stored`]. Bytes that are damaged, or that belong to
    /// another text, language or version, are ignored.
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

    /// A checksum of everything that decides the position tree: text, language and version of this crate.
    fn check(&self) -> u64 {
        let reader = [env!("CARGO_PKG_VERSION"), self.language()].join(" ");
        check_of(self.text.bytes()) ^ check_of(reader.as_bytes()).rotate_left(32)
    }

    /// Its symbols; `None` when its language is not supported.
    pub fn outline(&self) -> Option<&Outline> {
        let reader = self.reader?;
        let text = self.text.bytes();
        Some(self.outline.get_or_init(|| match (reader, self.proto()) {
            (Reader::Grammar(language), _) => match self.tree.get() {
                None => match &*self.parsed() {
                    Some(syntax) => syntax.outline(text),
                    None => self.outline_without_parse(language),
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

    /// The symbols of a text that has not been parsed: those that are kept, or those that its tokens tell, or else
    /// those of a parse.
    fn outline_without_parse(&self, language: &'static Language) -> Outline {
        let text = self.text.bytes();
        let kept = self.kept.as_ref().and_then(|outlines| outlines.kept(language.name(), text));
        if let Some(kept) = kept {
            return language.worded(kept);
        }
        let outline = outline_without_tree(language, text)
            .unwrap_or_else(|| language.outline_with(text, &outline_without_tree));
        if let Some(outlines) = &self.kept {
            outlines.keep(language.name(), text, &outline);
        }
        outline
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

/// The outline that the tokens of a text tell, which is exact if the text has no syntax errors.
fn skimmed(language: &Language, text: &[u8]) -> Option<Outline> {
    locant_skim::outline(language.name(), text)
}

/// The exact outline, without the tree that takes most of the time of a parse. `None` if the text may have syntax
/// errors, or if its tokens alone do not tell its symbols.
fn outline_without_tree(language: &Language, text: &[u8]) -> Option<Outline> {
    locant_skim::exact_outline(language.name(), text, &|text| language.accepts(text))
}

fn has_utf16_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}
