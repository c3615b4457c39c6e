//! Questions about the name at a place: what is asked, and the places that are answered.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use locant_engine::names::Names;
use locant_engine::{self as engine, Document, Location, NameIndex, Offset, Range, Reader};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::again;
use crate::answer::Answer;
use crate::disk;
use crate::failure::{Failure, Kind};
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::paging::Listed;
use crate::place::{Located, Place};
use crate::project;
use crate::session::{Breadth, Question, Searched};
use crate::show;
use crate::subject::Subject;
use crate::wire::{self, How, Page, Reach};

/// A place, and where the files around it are.
#[derive(Args, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Around {
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) subject: Subject,
    /// Where imported .proto files are; the default is the root, and the directories above the file
    #[arg(long, value_name = "DIR")]
    pub(crate) proto_path: Vec<String>,
}

/// A place in a document, ready to be asked about.
pub(crate) struct Asked<'f> {
    pub(crate) document: Arc<Document>,
    pub(crate) offset: Offset,
    pub(crate) how: How,
    place: Place,
    is_given: bool,
    others: Option<BTreeMap<String, String>>,
    import_roots: Vec<String>,
    files: &'f Files,
    flags: &'f Flags,
}

impl Around {
    /// Opens the document and finds the place in it. `command` is the name of the command, for what is not built.
    pub(crate) fn open<'f>(
        self,
        command: &str,
        flags: &'f Flags,
        files: &'f Files,
    ) -> Result<Asked<'f>, Failure> {
        let asked = self.open_file(command, flags, files)?;
        let Located { found, how } = asked.place.located(flags)?;
        Ok(Asked { offset: found.offset, how, ..asked })
    }

    /// Opens the document, of which no place is named.
    pub(crate) fn open_file<'f>(
        self,
        command: &str,
        flags: &'f Flags,
        files: &'f Files,
    ) -> Result<Asked<'f>, Failure> {
        let place = self.subject.open(flags, files)?;
        let document = Arc::clone(&place.document);
        match document.reader() {
            Some(reader) if NameIndex::knows(reader) => {}
            _ => return Err(unbuilt(command, &document)),
        }
        let Around { subject, proto_path: import_roots } = self;
        let (is_given, others, offset) = (subject.text.is_some(), subject.files, Offset::ZERO);
        let how = How::EXACT;
        Ok(Asked { document, offset, how, place, is_given, others, import_roots, files, flags })
    }
}

impl Asked<'_> {
    /// Asks the names. `paths` are the files that an answer names.
    pub(crate) fn ask<T>(
        &self,
        breadth: Breadth,
        ask: impl Fn(&NameIndex, &str, Offset) -> T,
        paths: impl Fn(&T) -> Vec<String>,
    ) -> (T, Searched) {
        let word = self.word();
        let question = Question {
            document: &self.document,
            is_given: self.is_given,
            others: self.others.as_ref(),
            import_roots: &self.import_roots,
            word: &word,
            breadth,
            flags: self.flags,
        };
        self.files.session().ask(&question, |names, path| ask(names, path, self.offset), paths)
    }

    /// The name at the place.
    fn word(&self) -> String {
        let bytes = self.document.text().bytes();
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
        let at = self.offset.index().min(bytes.len());
        let before = bytes[..at].iter().rev().take_while(|byte| is_part(byte)).count();
        let after = bytes[at..].iter().take_while(|byte| is_part(byte)).count();
        String::from_utf8_lossy(&bytes[at - before..at + after]).into_owned()
    }

    /// The failure when nothing was found by a command: what is wrong with the name, if anything is known.
    pub(crate) fn nothing(&self, command: &str) -> Failure {
        let is_here = |range: Range| range.touches(self.offset);
        let find = |names: &NameIndex, path: &str, _| {
            names.problems(path).into_iter().find(|problem| is_here(problem.range))
        };
        let (problem, _) = self.ask(Breadth::Needed, find, |_| Vec::new());
        let position = wire::position(&self.document, self.offset, self.flags.encoding());
        let place = show::place(&self.document, position);
        let what = command.replace('-', " ");
        match problem {
            Some(problem) => Failure::new(
                Kind::NotFound,
                format!("{place} has no {what}: {}", problem.message),
                problem.hint,
            ),
            None => {
                let (why, hint) = self.why_nothing(command);
                Failure::new(Kind::NotFound, format!("{place} has no {what}: {why}"), hint)
            }
        }
    }

    /// Why a command finds nothing at a place where nothing is wrong, and what to ask instead.
    fn why_nothing(&self, command: &str) -> (String, String) {
        let path = show::shell_word(self.document.path()).into_owned();
        let outline = format!("name a place in a name; these are declared here: locant outline {path}");
        let (word, reader) = (self.word(), self.document.reader().map(Reader::name));
        match (command, reader) {
            ("type-definition", Some("rholang")) => {
                let location = wire::location(&self.document, self.offset);
                let hint =
                    format!("ask what binds the name: locant declaration {}", show::shell_word(&location));
                return ("names in .rho files have no types".to_owned(), hint);
            }
            ("signature", Some("proto")) => {
                let location = wire::location(&self.document, self.offset);
                let hint = format!("ask what it is: locant hover {}", show::shell_word(&location));
                return ("nothing in .proto files is called".to_owned(), hint);
            }
            ("signature", _) => {
                let hint = "name a place between the parentheses of a send, such as `FILE@name!(<|>`";
                return ("no send is around the place".to_owned(), hint.to_owned());
            }
            _ if word.is_empty() => return ("no name stands there".to_owned(), outline),
            _ => {}
        }
        let ask = |names: &NameIndex, path: &str, at| !names.definition(path, at).is_empty();
        let (is_declared, _) = self.ask(Breadth::Needed, ask, |_| Vec::new());
        match command {
            "type-definition" if is_declared => {
                let location = wire::location(&self.document, self.offset);
                let hint = format!("ask what it is: locant hover {}", show::shell_word(&location));
                (format!("no file declares the type of `{word}`"), hint)
            }
            _ => (format!("`{word}` is not a name that a file of the project declares"), outline),
        }
    }

    /// The answer, with how the place that was asked about was found.
    pub(crate) fn told(&self, answer: impl Answer + 'static) -> Box<dyn Answer> {
        again::found(answer, self.how.clone())
    }

    /// The answer for places that were found.
    pub(crate) fn places(&self, spots: Listed<Spot>, searched: Searched) -> Places {
        let with_document = |mut spot: Spot| {
            let document = Arc::clone(searched.documents.get(&spot.path)?);
            // The copy of what comes with protoc has a path of its own.
            if spot.path != document.path() && !Arc::ptr_eq(&document, &self.document) {
                document.path().clone_into(&mut spot.path);
            }
            Some((document, spot))
        };
        Places {
            spots: spots.filter_map(with_document),
            encoding: self.flags.encoding(),
            base: project::base(self.flags),
            is_relative: Path::new(self.document.path()).is_relative(),
            reach: searched.reach,
        }
    }
}

fn unbuilt(command: &str, document: &Document) -> Failure {
    let language = match document.language() {
        "" => "a language that is not read".to_owned(),
        name => name.to_owned(),
    };
    Failure::new(
        Kind::Unsupported,
        format!("`{command}` is not built yet for `{}`, which is in {language}", document.path()),
        format!("it is built for {} files", built_for(command)),
    )
}

/// The files that a question about names is built for: nothing in protocol buffers is called, and nothing in Rholang
/// has a type.
fn built_for(command: &str) -> &'static str {
    match command {
        "signature" => ".rho",
        "type-definition" => ".proto",
        _ => ".proto and .rho",
    }
}

/// The files that are named, each once.
pub(crate) fn paths<T>(items: &[T], path: impl Fn(&T) -> &String) -> Vec<String> {
    items.iter().map(path).collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

/// A place that an answer names.
pub(crate) struct Spot {
    pub(crate) path: String,
    pub(crate) range: Range,
    pub(crate) is_guess: bool,
}

/// Places that were found.
pub(crate) struct Places {
    spots: Listed<(Arc<Document>, Spot)>,
    encoding: Encoding,
    /// The folder that relative paths start from in requests.
    base: PathBuf,
    /// Does the path that was asked about start there?
    is_relative: bool,
    reach: Reach,
}

/// A place that was found.
#[derive(Debug, JsonSchema, Serialize)]
pub struct PlaceItem {
    /// The file.
    file_path: String,
    /// The name at the place.
    range: wire::Range,
    /// Where it starts.
    position: wire::Position,
    /// The same as a number of bytes from the start of the file.
    offset: u32,
    /// A location that leads there.
    location: String,
    /// The line of the place, without its line break.
    line_text: String,
    /// The names that lead to the innermost symbol around the place; empty outside of symbols.
    symbol_path: Vec<String>,
    /// Is it only likely?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    guess: bool,
}

impl Places {
    /// Is there none? What comes with protoc has no place where no copy of it can be kept.
    pub(crate) fn is_empty(&self) -> bool {
        self.spots.part.total == 0
    }

    /// A path as it can be given back. From the root, where paths start inside of the project and none leads to another
    /// file; else as the path that was asked about.
    fn pasted(&self, path: &str) -> String {
        let root =
            self.reach.root.as_ref().filter(|_| self.reach.is_elsewhere && Path::new(path).is_relative());
        let Some(root) = root.map(Path::new) else { return path.to_owned() };
        if self.base.starts_with(root) && !self.base.join(path).exists() {
            return path.to_owned();
        }
        let whole = root.join(path);
        let below = whole.strip_prefix(&self.base).ok().filter(|_| self.is_relative);
        disk::written(below.unwrap_or(&whole))
    }

    fn item(&self, document: &Document, spot: &Spot) -> PlaceItem {
        let range = wire::range(document, spot.range, self.encoding);
        let described = engine::describe_one_of(document, spot.range.start(), self.spots.items.len());
        let symbol =
            described.as_ref().and_then(|description| Some((document.outline()?, description.symbol?)));
        PlaceItem {
            file_path: spot.path.clone(),
            range,
            position: range.start,
            offset: spot.range.start().to_u32(),
            location: described.as_ref().map_or_else(
                || wire::location(document, spot.range.start()),
                |description| {
                    Location { path: self.pasted(&spot.path), ..description.location.clone() }.to_string()
                },
            ),
            line_text: wire::line_text(document, spot.range.start()),
            symbol_path: symbol.map_or_else(Vec::new, |(outline, symbol)| {
                outline.path(symbol).into_iter().map(str::to_owned).collect()
            }),
            guess: spot.is_guess,
        }
    }

    fn line(&self, document: &Document, spot: &Spot) -> String {
        let wire::Position { line, character } = wire::position(document, spot.range.start(), self.encoding);
        let guess = if spot.is_guess { " (a guess)" } else { "" };
        format!("{}:{line}:{character}{guess}", show::path(&self.pasted(&spot.path)))
    }
}

impl Answer for Places {
    fn json(&self) -> String {
        let items = self.spots.items.iter().map(|(document, spot)| self.item(document, spot)).collect();
        wire::to_json(&Page::new(items, self.spots.part, self.encoding).searched(&self.reach))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (document, spot) in &self.spots.items {
            // Writing to a string does not fail.
            let _ = match self.spots.items.len() {
                1 => write!(text, "{}\n{}", self.line(document, spot), show::snippet(document, spot.range)),
                _ => {
                    let line = wire::line_text(document, spot.range.start());
                    writeln!(text, "{}: {}", self.line(document, spot), line.trim())
                }
            };
        }
        text
    }

    fn markdown(&self) -> String {
        let line = |(document, spot): &(Arc<Document>, Spot)| {
            let text = wire::line_text(document, spot.range.start());
            format!("- {}: {}\n", show::code(&self.line(document, spot)), show::code(text.trim()))
        };
        self.spots.items.iter().map(line).collect()
    }

    fn notes(&self) -> Vec<String> {
        let root = self.reach.root.as_ref().filter(|_| self.reach.is_elsewhere);
        let root = root.filter(|root| self.base.starts_with(root));
        let root = root.map(|root| format!("paths start from `{root}`"));
        root.into_iter().chain(self.reach.gaps()).chain(self.spots.part.note("places")).collect()
    }
}
