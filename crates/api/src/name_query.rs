//! Questions about the name at a place: what is asked, and the places that are answered.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use locant_engine::names::{Diagnostic, Mention, Question, Target};
use locant_engine::{self as engine, Document, Location, NameIndex, Offset, Range};
use locant_workspace::{
    Advice, Answered, Base, Documents, Gap, Known, Project, Provider, Scope, Snapshot, Unanswered, built_in,
    written,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Form;
use crate::encoding::Encoding;
use crate::failure::{Failure, Kind};
use crate::files::Files;
use crate::flags::Flags;
use crate::gaps;
use crate::grouped::line_around;
use crate::how::How;
use crate::how_found::HowFound;
use crate::paging::Listed;
use crate::phrase::{Phrase, call, phrase};
use crate::place::{Located, Place};
use crate::preview;
use crate::request::Context;
use crate::show::{self, Excerpt};
use crate::subject::Subject;
use crate::wire::{self, Item, Page, Reach};

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

/// A place in a document, ready for a question about the name there.
pub(crate) struct Asked<'f> {
    pub(crate) document: Arc<Document>,
    pub(crate) offset: Offset,
    pub(crate) how: How,
    place: Place,
    question: Question,
    snapshot: Snapshot,
    /// The path of the document in the snapshot.
    path: PathBuf,
    project: Project,
    base: Base,
    import_roots: Vec<String>,
    context: Context<'f>,
    flags: &'f Flags,
}

impl Around {
    /// Opens the document and finds the place in it.
    pub(crate) fn open<'f>(
        self,
        question: Question,
        flags: &'f Flags,
        context: Context<'f>,
    ) -> Result<Asked<'f>, Failure> {
        let asked = self.open_file(question, flags, context)?;
        let Located { found, how } = asked.place.located(flags)?;
        Ok(Asked { offset: found.offset, how, ..asked })
    }

    /// Opens the document, and finds the place and the range that the location means.
    pub(crate) fn open_range<'f>(
        self,
        question: Question,
        flags: &'f Flags,
        context: Context<'f>,
    ) -> Result<(Asked<'f>, Range), Failure> {
        let asked = self.open(question, flags, context)?;
        let range = asked.place.range(flags)?.found.range;
        Ok((asked, range))
    }

    /// Opens the document, and finds the range that the location means; none when it means the whole file.
    pub(crate) fn open_part<'f>(
        self,
        question: Question,
        flags: &'f Flags,
        context: Context<'f>,
    ) -> Result<(Asked<'f>, Option<Range>), Failure> {
        let asked = self.open_file(question, flags, context)?;
        if asked.place.is_whole_file() {
            return Ok((asked, None));
        }
        // The place is the mark in a find, and the range is all of the find.
        let Located { found, how } = asked.place.located(flags)?;
        let range = asked.place.range(flags)?.found.range;
        Ok((Asked { offset: found.offset, how, ..asked }, Some(range)))
    }

    /// Opens the document, without looking for the place in it.
    pub(crate) fn open_file<'f>(
        self,
        question: Question,
        flags: &'f Flags,
        context: Context<'f>,
    ) -> Result<Asked<'f>, Failure> {
        let files = context.files;
        let place = self.subject.open(flags, files)?;
        let document = Arc::clone(&place.document);
        let base = flags.base();
        if self.subject.files.is_none() {
            self.proto_path.iter().try_for_each(|folder| flags.admit(folder))?;
            flags.admit(document.path())?;
        }
        let snapshot = self.subject.snapshot(&document, flags, files);
        let path = if snapshot.is_closed() {
            PathBuf::from(document.path())
        } else {
            base.absolute(document.path())
        };
        let project = Project::around(document.path(), &base);
        let asked = Asked {
            offset: Offset::ZERO,
            how: How::EXACT,
            place,
            question,
            snapshot,
            path,
            project,
            base,
            import_roots: self.proto_path,
            context,
            flags,
            document,
        };
        if files.providers().know(&asked.document) { Ok(asked) } else { Err(asked.unsupported()) }
    }
}

impl Subject {
    /// The files that the request sees: the files on disk with the texts of the request on top, or only the texts of
    /// the request.
    fn snapshot(&self, document: &Arc<Document>, flags: &Flags, files: &Files) -> Snapshot {
        if let Some(others) = &self.files {
            let others = others.iter().filter_map(|(path, text)| {
                let document = Document::new(path.as_str(), text.as_bytes()).ok()?;
                Some((PathBuf::from(path), Arc::new(document)))
            });
            let asked = (PathBuf::from(document.path()), Arc::clone(document));
            return Snapshot::of_given(others.chain([asked]).collect());
        }
        let path = flags.base().absolute(document.path());
        // A text that equals the one on disk, in the language of its file name, needs no layer above the disk.
        let on_disk =
            || files.workspace().read(&path).is_ok_and(|text| text.bytes() == document.text().bytes());
        let is_given = self.text.is_some() || flags.language.is_some() || !on_disk();
        let given = is_given.then(|| (path, Arc::clone(document)));
        files.workspace().snapshot(given.into_iter().collect::<Documents>())
    }
}

impl Asked<'_> {
    /// Asks the providers for this language.
    pub(crate) fn ask<T>(
        &self,
        ask: impl Fn(&dyn Provider, &locant_workspace::Asked<'_>) -> Answered<T>,
    ) -> Result<Known<T>, Failure> {
        let asked = self.asked();
        let answer = self.context.files.providers().ask(|provider| ask(provider, &asked));
        answer.map_err(|why| self.unanswered(&why))
    }

    /// Asks the providers for this language where something is.
    pub(crate) fn targets(
        &self,
        ask: impl Fn(&dyn Provider, &locant_workspace::Asked<'_>) -> Answered<Vec<Target>>,
    ) -> Result<Known<Vec<Target>>, Failure> {
        let asked = self.asked();
        let answer = self.context.files.providers().targets(|provider| ask(provider, &asked));
        answer.map_err(|why| self.unanswered(&why))
    }

    /// The question in the form that providers take.
    pub(crate) fn asked(&self) -> locant_workspace::Asked<'_> {
        locant_workspace::Asked {
            scope: Scope {
                snapshot: &self.snapshot,
                project: &self.project,
                base: &self.base,
                import_roots: &self.import_roots,
                beside: &[],
                server: self.flags.server.as_deref(),
                is_alone: self.flags.no_daemon,
            },
            document: &self.document,
            at: self.offset,
        }
    }

    fn unanswered(&self, why: &Unanswered) -> Failure {
        let command = self.question.word();
        match why {
            Unanswered::Unsupported => self.unsupported(),
            Unanswered::NotReady(_) => Failure::new(
                Kind::Server,
                format!("`{command}` cannot be answered yet: {why}"),
                "ask again in a moment",
            ),
            Unanswered::Failed(_) => Failure::new(
                Kind::Server,
                format!("`{command}` was not answered: {why}"),
                "ask again; if it fails again, the reason is with whoever answers",
            ),
            Unanswered::Forbidden { folder, .. } => Failure::new(
                Kind::Refused,
                format!("`{command}` was not asked: {why}, and running it was not allowed"),
                phrase![
                    "look at what it would run, then allow it: `",
                    call("servers").with("allow", written(folder)),
                    "`"
                ],
            ),
            Unanswered::Cancelled => {
                Failure::new(Kind::Server, format!("`{command}` was stopped before it was done"), "ask again")
            }
        }
    }

    fn unsupported(&self) -> Failure {
        let command = self.question.word();
        let language = match self.document.language() {
            "" => "a language that is not read",
            name => name,
        };
        Failure::new(
            Kind::Unsupported,
            format!("nobody here answers `{command}` for `{}`, which is in {language}", self.document.path()),
            self.how_to_get_an_answer(),
        )
    }

    /// Which language server would answer, and how to install it.
    fn how_to_get_an_answer(&self) -> Phrase {
        let advice = self.advice();
        match advice.iter().find(|advice| !advice.is_here).or(advice.first()) {
            Some(first) => {
                let here = advice.iter().filter(|advice| advice.is_here);
                let here: Vec<String> = here.map(|advice| format!("`{}`", advice.server)).collect();
                let how = match (here.is_empty(), first.is_here) {
                    (true, _) => format!("install a language server for it, such as {}", first.server),
                    (false, true) => format!("it is not offered by {}", show::listed(&here)),
                    (false, false) => {
                        format!(
                            "it is not offered by {}; another server is {}",
                            show::listed(&here),
                            first.server
                        )
                    }
                };
                let install = if first.is_here { String::new() } else { format!(": `{}`", first.install) };
                phrase![format!("{how}{install}; `"), call("servers"), "` lists all that are known"]
            }
            None => {
                let extensions = self.context.files.providers().extensions(self.question);
                let extensions =
                    extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>();
                format!("it is answered for {} files", show::listed(&extensions)).into()
            }
        }
    }

    /// Which files an answer comes from.
    pub(crate) fn reach<T>(&self, known: &Known<T>) -> Reach {
        Reach {
            root: known.root.as_deref().map(written),
            who: Some(known.who.clone()),
            is_elsewhere: known.root.as_ref().is_some_and(|root| *root != self.base.folder()),
            gaps: known.gaps.iter().map(|gap| self.gap(gap).said(self.context.voice)).collect(),
        }
    }

    /// The sentence for a gap. Of an answer by text, it also says how to get a better one.
    fn gap(&self, gap: &Gap) -> Phrase {
        let said = gaps::said(gap);
        let can_be_better = matches!(gap, Gap::ByText { .. }) && !self.advice().is_empty();
        if can_be_better { said.and("; ").and(self.how_to_get_an_answer()) } else { said }
    }

    /// What a check of changes needs to know: the files, the flags, and where imports are.
    pub(crate) fn around(&self) -> preview::Around<'_> {
        preview::Around {
            snapshot: &self.snapshot,
            files: self.context.files,
            flags: self.flags,
            base: &self.base,
            import_roots: &self.import_roots,
            voice: self.context.voice,
        }
    }

    fn advice(&self) -> Vec<Advice> {
        self.context.files.providers().advice(self.question, &self.document)
    }

    /// The document that an answer names by a path from `root`.
    pub(crate) fn document_at(&self, root: Option<&Path>, path: &str) -> Option<Arc<Document>> {
        let on_disk = root.map_or_else(|| PathBuf::from(path), |root| root.join(path));
        if on_disk == self.path {
            return Some(Arc::clone(&self.document));
        }
        self.snapshot.document(&on_disk, path).or_else(|| {
            // A file that comes with a compiler is not in any folder, so a copy is written to disk.
            let text = NameIndex::built_in_file(path)?;
            Document::new(built_in::copy_of(path)?, text.into_bytes()).ok().map(Arc::new)
        })
    }

    /// The failure when nothing was found. If the name has a known problem, the failure reports it.
    pub(crate) fn nothing(&self) -> Failure {
        let position = wire::position(&self.document, self.offset, self.flags.encoding());
        let place = show::place(self.document.path(), position);
        let what = self.question.word().replace('-', " ");
        match self.known_problems().into_iter().find(|problem| problem.range.touches(self.offset)) {
            Some(problem) => Failure::new(
                Kind::NotFound,
                format!("{place} has no {what}: {}", problem.message),
                problem.hint,
            ),
            None => {
                let (why, hint) = self.why_nothing();
                Failure::new(Kind::NotFound, format!("{place} has no {what}: {why}"), hint)
            }
        }
    }

    /// The problems of the document, if they are known without a language server. To ask a server would take too long.
    fn known_problems(&self) -> Vec<Diagnostic> {
        if !self.document.reader().is_some_and(NameIndex::knows) {
            return Vec::new();
        }
        let problems = self.ask(|provider, asked| provider.problems(asked));
        problems.map(|known| known.value).unwrap_or_default()
    }

    /// Why nothing is found at a place that has no problem, and what to ask instead.
    fn why_nothing(&self) -> (String, Phrase) {
        let outline = call("outline").with("file_path", self.document.path());
        let outline = phrase!["name a place in a name; these are declared here: ", outline];
        let word = self.asked().word();
        if let Some(never) = self.context.files.providers().why_never(self.question, &self.document) {
            return (never, self.ask_hover());
        }
        match self.question {
            Question::Signature => {
                let hint = "name a place between the parentheses of a call, such as `FILE@name(<|>`";
                ("no call is around the place".to_owned(), hint.into())
            }
            _ if word.is_empty() => ("no name stands there".to_owned(), outline),
            Question::TypeDefinition if self.is_declared() => {
                (format!("no file declares the type of `{word}`"), self.ask_hover())
            }
            _ => (format!("`{word}` is not a name that a file of the project declares"), outline),
        }
    }

    fn ask_hover(&self) -> Phrase {
        let location = wire::location(&self.document, self.offset);
        phrase!["ask what it is: ", call("hover").with("locate", location)]
    }

    fn is_declared(&self) -> bool {
        let known = self.ask(|provider, asked| provider.definition(asked));
        known.is_ok_and(|known| !known.value.is_empty())
    }

    /// Adds to an answer how its place was found.
    pub(crate) fn told<T>(&self, answer: T) -> HowFound<T> {
        HowFound::new(answer, self.how.clone())
    }

    /// The answer for places that were found in the files of `reach`.
    pub(crate) fn places(&self, spots: Listed<Spot>, root: Option<&Path>, reach: &Reach) -> Page<PlaceItem> {
        self.page(spots, root, reach, Spot::clone, |_, place, _| place)
    }

    /// The answer for things that were found in the files of `reach`, each with its place.
    pub(crate) fn page<T, I>(
        &self,
        listed: Listed<T>,
        root: Option<&Path>,
        reach: &Reach,
        spot: impl Fn(&T) -> Spot,
        item: impl Fn(T, PlaceItem, &Places<'_>) -> I,
    ) -> Page<I> {
        let listed = listed.filter_map(|one| {
            let mut spot = spot(&one);
            let document = self.document_at(root, &spot.path)?;
            // The copy of a file that comes with a compiler has its own path.
            if spot.path != document.path() && !Arc::ptr_eq(&document, &self.document) {
                document.path().clone_into(&mut spot.path);
            }
            Some((one, document, spot))
        });
        let places = Places {
            n_places: listed.items.len(),
            encoding: self.flags.encoding(),
            base: self.base.folder(),
            is_relative: Path::new(self.document.path()).is_relative(),
            form: self.context.form,
            reach,
        };
        let items = listed.items.into_iter().map(|(one, document, spot)| {
            let place = places.item(&document, &spot);
            item(one, place, &places)
        });
        Page::new(items.collect(), listed.part, places.encoding).searched(reach).with_notes(places.notes())
    }
}

/// A place that an answer names.
#[derive(Clone)]
pub(crate) struct Spot {
    pub(crate) path: String,
    pub(crate) range: Range,
    pub(crate) is_guess: bool,
}

impl Spot {
    pub(crate) fn of_target(target: Target) -> Option<Spot> {
        Some(Spot { path: target.path, range: target.name, is_guess: target.is_guess })
    }

    pub(crate) fn of_mention(mention: Mention) -> Option<Spot> {
        Some(Spot { path: mention.path, range: mention.range, is_guess: mention.is_guess })
    }
}

/// What the places of one answer have in common.
pub(crate) struct Places<'r> {
    n_places: usize,
    encoding: Encoding,
    /// The folder that relative paths of requests start from.
    base: PathBuf,
    /// Whether the path in the request is relative.
    is_relative: bool,
    form: Form,
    reach: &'r Reach,
}

/// A place that was found.
#[derive(Debug, JsonSchema, Serialize)]
pub struct PlaceItem {
    /// The path of the file.
    file_path: String,
    /// The range of the name at the place.
    range: wire::Range,
    /// Where the name starts.
    position: wire::Position,
    /// The position as a number of bytes from the start of the file.
    offset: u32,
    /// A location that leads to the place.
    location: String,
    /// The line of the place, without its line break.
    line_text: String,
    /// The names of the symbols around the place, outermost first; empty outside of symbols.
    symbol_path: Vec<String>,
    /// Whether the place is only a guess.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    guess: bool,
    /// The path of the file as the next request can use it.
    #[serde(skip)]
    pasted: String,
    /// The place in the form that terminals and editors jump to, relative to the working directory.
    #[serde(skip)]
    written: String,
    #[serde(skip)]
    excerpt: Excerpt,
    /// The symbol around the place, and the line of the place, cut to what is near it.
    #[serde(skip)]
    within: String,
    #[serde(skip)]
    shown: String,
}

impl PlaceItem {
    /// The symbol that the place names or stands in, with its line.
    pub(crate) fn named(&self) -> String {
        format!(":{} {}", self.position.line, self.symbol())
    }

    /// The symbol that the place names or stands in.
    pub(crate) fn symbol(&self) -> String {
        show::visible(&self.symbol_path.join(".")).into_owned()
    }
}

impl Item for PlaceItem {
    const PLURAL: &'static str = "places";

    fn text(&self, is_alone: bool) -> String {
        if is_alone {
            format!("{}\n{}", self.written, show::snippet(&self.excerpt))
        } else {
            format!("{}: {}\n", self.written, self.line_text.trim())
        }
    }

    fn path(&self) -> Option<String> {
        Some(show::path(&self.pasted))
    }

    fn within(&self) -> Option<String> {
        Some(self.within.clone())
    }

    fn markdown(&self) -> String {
        let guess = if self.guess { "(a guess) " } else { "" };
        format!(":{} {guess}{}\n", self.position.line, show::visible(&self.shown))
    }
}

impl Places<'_> {
    /// A path that the next request can use. It starts from the root, if relative paths start below the root and the
    /// path means no other file there. Otherwise it is relative to the folder that requests start from if the path in
    /// the request was relative, and absolute if not.
    pub(crate) fn pasted(&self, path: &str) -> String {
        let root =
            self.reach.root.as_ref().filter(|_| self.reach.is_elsewhere && Path::new(path).is_relative());
        let Some(root) = root.map(Path::new) else { return path.to_owned() };
        if self.base.starts_with(root) && !self.base.join(path).exists() {
            return path.to_owned();
        }
        let whole = root.join(path);
        let below = whole.strip_prefix(&self.base).ok().filter(|_| self.is_relative);
        written(below.unwrap_or(&whole))
    }

    fn item(&self, document: &Document, spot: &Spot) -> PlaceItem {
        let (start, range) = (spot.range.start(), wire::range(document, spot.range, self.encoding));
        let (location, symbol_path, declares) = match self.form {
            Form::Json | Form::Markdown => self.described(document, spot),
            // Describing places parses their files, and these forms do not show the result.
            Form::Text | Form::Line => (String::new(), Vec::new(), false),
        };
        // The line of a declaration says what it declares.
        let n_around = symbol_path.len() - usize::from(declares && !symbol_path.is_empty());
        let wire::Position { line, character } = range.start;
        let guess = if spot.is_guess { " (a guess)" } else { "" };
        let (pasted, is_alone) = (self.pasted(&spot.path), self.n_places == 1);
        PlaceItem {
            file_path: spot.path.clone(),
            range,
            position: range.start,
            offset: start.to_u32(),
            location,
            line_text: wire::line_text(document, start),
            within: symbol_path[..n_around].join("."),
            shown: line_around(document, start),
            symbol_path,
            guess: spot.is_guess,
            written: format!("{}:{line}:{character}{guess}", show::path(&pasted)),
            pasted,
            excerpt: if is_alone { show::excerpt(document, spot.range) } else { Excerpt::default() },
        }
    }

    /// A location that leads to a place; empty in forms that do not show it.
    pub(crate) fn location(&self, document: &Document, spot: &Spot) -> String {
        match self.form {
            Form::Json | Form::Markdown => self.described(document, spot).0,
            Form::Text | Form::Line => String::new(),
        }
    }

    /// The location of a place, the path of the symbol around it, and whether the place is the name of that symbol.
    fn described(&self, document: &Document, spot: &Spot) -> (String, Vec<String>, bool) {
        let start = spot.range.start();
        let Some(description) = engine::describe_one_of(document, start, self.n_places) else {
            return (wire::location(document, start), Vec::new(), false);
        };
        let symbol = description.symbol.and_then(|symbol| Some((document.outline()?, symbol)));
        let path = symbol.map(|(outline, symbol)| outline.path(symbol)).unwrap_or_default();
        let declares =
            symbol.is_some_and(|(outline, symbol)| outline.get(symbol).name_range.start() == start);
        let location = Location { path: self.pasted(&spot.path), ..description.location };
        (location.to_string(), path.into_iter().map(str::to_owned).collect(), declares)
    }

    fn notes(&self) -> Vec<Phrase> {
        let is_elsewhere = |root: &&String| self.reach.is_elsewhere && self.base.starts_with(root);
        let root = self.reach.root.as_ref().filter(is_elsewhere);
        let root = root.map(|root| format!("paths start from `{root}`").into());
        root.into_iter().chain(self.reach.gaps()).collect()
    }
}
