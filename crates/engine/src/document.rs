//! A file as the engine sees it: its path, its text, and what is known of them.

use std::fmt;
use std::sync::OnceLock;

use locant_lang::Language;
use locant_text::{Nature, Text};
use locant_tree::Outline;

/// One file.
#[derive(Debug)]
pub struct Document {
    path: String,
    text: Text,
    language: Option<&'static Language>,
    outline: OnceLock<Outline>,
}

/// Why bytes are no document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Too many bytes to count in 32 bits.
    TooLarge,
    /// A zero byte near the start: no text.
    Binary {
        /// Does it look like UTF-16, which people may want to convert?
        looks_like_utf16: bool,
    },
}

impl Document {
    /// A document from a path and the bytes of the file, in the language that path and `#!` line tell.
    pub fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Result<Document, Unreadable> {
        let text = Text::new(bytes).map_err(|_| Unreadable::TooLarge)?;
        if text.nature() == Nature::Binary {
            return Err(Unreadable::Binary { looks_like_utf16: has_utf16_mark(text.bytes()) });
        }
        let path = path.into();
        let language = locant_lang::for_file(&path, first_line(&text));
        Ok(Document { path, text, language, outline: OnceLock::new() })
    }

    /// The same document, read in the given language.
    pub fn in_language(self, language: &'static Language) -> Document {
        Document { language: Some(language), outline: OnceLock::new(), ..self }
    }

    /// Its path, as locations name it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The language it is read in; `None` when that is none we read.
    pub fn language(&self) -> Option<&'static Language> {
        self.language
    }

    /// Its symbols; `None` when it is in a language that is not read.
    pub fn outline(&self) -> Option<&Outline> {
        let language = self.language?;
        Some(self.outline.get_or_init(|| language.outline(self.text.bytes())))
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

fn first_line(text: &Text) -> &[u8] {
    let bytes = &text.bytes()[text.start().min(text.end()).index()..];
    let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(bytes.len());
    &bytes[..end]
}

fn has_utf16_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}
