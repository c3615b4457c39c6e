//! Reads a .proto file by recursive descent.
//!
//! The parser never gives up. A missing token is reported, and reading goes on as if it were there. A statement whose
//! keyword is missing is recognised by the rest of it. A statement that cannot be read is skipped. Every intact
//! declaration must keep its index in its list, because paths are made of these indices.
//!
//! The first reading cannot tell where a missing `}` belongs. A file with problems that has more `{` than `}` is
//! therefore read again, and this time a block may end where the indentation says it does.

mod cursor;
mod enums;
mod field;
mod file;
mod hints;
mod message;
mod options;
mod recovery;
mod reserved;
mod service;

use std::cell::Cell;

use locant_text::{Offset, Range};

use crate::comments::Comment;
use crate::file::{DeclarationId, File};
use crate::lexer::{Lexer, Token, TokenKind};
use crate::table::Layer;

/// Messages nested more deeply than this are not read. protoc allows 32 levels.
const MOST_DEPTH: usize = 64;

impl File {
    /// Reads a .proto file. Any bytes will do: the intact parts of a broken file are read.
    pub fn parse(bytes: &[u8]) -> File {
        let file = Parser::new(bytes, 0).run();
        if file.problems.is_empty() {
            return file;
        }
        match usize::try_from(recovery::balance(bytes)) {
            Ok(n) if n > 0 => Parser::new(bytes, n).run(),
            _ => file,
        }
    }
}

struct Parser<'t> {
    bytes: &'t [u8],
    lexer: Lexer<'t>,
    current: Token,
    /// Where the token before `current` ends.
    last_end: u32,
    /// The path to the message that is being read; empty at the top of the file.
    path: Vec<i32>,
    /// The file and the messages that are being read, the innermost last.
    scopes: Vec<Scope>,
    /// The leading comment of the next declaration.
    leading: Option<Comment>,
    /// The detached comments before the next declaration.
    detached: Vec<Comment>,
    /// How many blocks may still be closed by indentation.
    n_to_close: usize,
    /// How many more `{` than `}` there are; counted on first use.
    balance: Option<isize>,
    /// A cache of the line that was looked up last. Most lookups are for the same line or the next.
    line: Cell<recovery::Line>,
    hints: hints::Hints<'t>,
    file: File,
}

/// The file or a message, and the current lengths of its lists.
#[derive(Default)]
struct Scope {
    message: Option<DeclarationId>,
    n_fields: i32,
    n_messages: i32,
    n_enums: i32,
    n_extensions: i32,
    n_extension_ranges: i32,
    n_oneofs: i32,
    n_reserved_ranges: i32,
    n_reserved_names: i32,
    n_services: i32,
    n_dependencies: i32,
    n_public: i32,
    n_weak: i32,
    n_option_dependencies: i32,
    n_options: i32,
}

impl<'t> Parser<'t> {
    fn new(bytes: &'t [u8], n_to_close: usize) -> Parser<'t> {
        Parser {
            bytes,
            lexer: Lexer::new(bytes),
            current: Token { kind: TokenKind::End, start: 0, end: 0 },
            last_end: 0,
            path: Vec::new(),
            scopes: vec![Scope::default()],
            leading: None,
            detached: Vec::new(),
            n_to_close,
            balance: None,
            line: Cell::default(),
            hints: hints::Hints::default(),
            file: File::default(),
        }
    }

    /// Reads the whole file.
    fn run(mut self) -> File {
        self.start();
        let root = self.open(&[], Layer::Plain);
        while !self.at_end() {
            self.with_progress(Self::file_statement);
        }
        self.close(root);
        self.file
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the scope of the file is never left")
    }

    /// Whether the innermost scope is the file.
    fn is_in_file(&self) -> bool {
        self.scopes.len() == 1
    }

    /// Runs a step, and steps over a token if the step did not read any.
    fn with_progress(&mut self, step: impl FnOnce(&mut Self)) {
        let before = self.current.start;
        step(self);
        if self.current.start == before && !self.at_end() {
            self.bump();
        }
    }
}

fn range(start: u32, end: u32) -> Range {
    Range::new(Offset::new(start), Offset::new(end.max(start)))
}
