//! The documents that the client has open.

use std::sync::Arc;

use gen_lsp_types as lsp;
use locant_engine::{Document, Encoding, Reader, Text};

use super::convert::Sheet;

/// A document that the client has open.
#[derive(Clone)]
pub(super) struct Open {
    /// The URI, as the client writes it.
    pub(super) uri: String,
    pub(super) version: i32,
    path: String,
    /// The language id that the client gives.
    language: String,
    content: Content,
}

/// The text of a document, readable or not.
#[derive(Clone)]
enum Content {
    Readable(Arc<Document>),
    /// The text cannot be read as a document, for example because it is binary. The next change may make it readable.
    Unreadable(Arc<Text>),
}

impl Open {
    pub(super) fn new(path: String, item: lsp::TextDocumentItem) -> Open {
        let language = item.language_id.to_string();
        let content = Content::new(&path, &language, item.text.into_bytes());
        Open { uri: item.uri.to_string(), version: item.version, path, language, content }
    }

    pub(super) fn text(&self) -> Arc<Text> {
        match &self.content {
            Content::Readable(document) => Arc::clone(document.shared_text()),
            Content::Unreadable(text) => Arc::clone(text),
        }
    }

    pub(super) fn document(&self) -> Option<&Arc<Document>> {
        match &self.content {
            Content::Readable(document) => Some(document),
            Content::Unreadable(_) => None,
        }
    }

    /// Makes changes in order. Each change is relative to the text after the previous one.
    pub(super) fn change(&mut self, changes: Vec<lsp::TextDocumentContentChangeEvent>, encoding: Encoding) {
        let mut bytes = self.text().bytes().to_vec();
        for change in changes {
            bytes = match change {
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                    edited(bytes, change.range, &change.text, encoding)
                }
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => {
                    change.text.into_bytes()
                }
            };
        }
        self.content = Content::new(&self.path, &self.language, bytes);
    }
}

/// A text with one part replaced.
fn edited(bytes: Vec<u8>, range: lsp::Range, insert: &str, encoding: Encoding) -> Vec<u8> {
    // A text that is too large counts as empty, as in `Content::new`.
    let Ok(text) = Text::new(bytes) else { return Vec::new() };
    let range = Sheet { text: &text, encoding, counts_mark: true }.stretch(range);
    let bytes = text.bytes();
    let (before, behind) = (&bytes[..range.start().index()], &bytes[range.end().index()..]);
    [before, insert.as_bytes(), behind].concat()
}

impl Content {
    fn new(path: &str, language: &str, bytes: Vec<u8>) -> Content {
        match Document::new(path, bytes.clone()) {
            Ok(document) => Content::Readable(Arc::new(in_language(document, language))),
            Err(_) => {
                let text = Text::new(bytes).or_else(|_| Text::new("")).expect("nothing is not too large");
                Content::Unreadable(Arc::new(text))
            }
        }
    }
}

/// The document in the language of its file name, or else in the one that the client gives.
fn in_language(document: Document, language: &str) -> Document {
    match (document.reader(), Reader::by_name(language)) {
        (None, Some(reader)) => document.in_language(reader),
        _ => document,
    }
}
