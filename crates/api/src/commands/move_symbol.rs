//! `move`: moves a symbol to another place or file.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use locant_engine::names::Replacement;
use locant_engine::{self as engine, Change, Document, Stretch, SymbolId};
use locant_workspace::Documents;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use super::edit::changes;
use crate::edits::new_file::text_of_new;
use crate::edits::{Planned, Target, Uses, Using, key};
use crate::failure::{Failure, Kind, unwritten};
use crate::files::Source;
use crate::flags::Flags;
use crate::how::How;
use crate::how_found::HowFound;
use crate::phrase::Phrase;
use crate::preview::imports::{self, Import};
use crate::preview::{
    Applying, Around, ChangedFile, Changes, Checking, PreviewAnswer, Whole, refuse_outside,
};
use crate::request::Context;
use crate::subject::Subject;
use crate::wire::{Candidate, Reach, Spoken};
use crate::word_filter::words;

/// Move a symbol with its comments to another file, or behind another symbol
///
/// Without a symbol, `--to FILE` means behind the last declaration of the file; a file that is not there is made. The
/// answer is a preview, as of an edit; all files change, or none. Where a language server offers the imports that are
/// needed now, they are part of it. For the rest, the answer says which places use the symbol and may need another
/// import, and which symbols of the old file it uses. `--check` says what would be unknown in the changed files.
///
///   locant move util.py:parse --to parser.py
///   locant move util.py:parse --to parser.py:Parser --apply
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Move {
    #[command(flatten)]
    #[serde(flatten)]
    subject: Subject,
    /// The file, or the symbol in it, behind which the symbol goes: FILE or FILE:SYMBOL
    #[arg(long, value_name = "FILE[:SYMBOL]")]
    to: Spoken,
    #[command(flatten)]
    #[serde(flatten)]
    applying: Applying,
    #[command(flatten)]
    #[serde(flatten)]
    checking: Checking,
}

impl Ask for Move {
    type Answer = HowFound<PreviewAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<PreviewAnswer>, Failure> {
        let Moving { changes, how, notes } = self.moving(flags, context).map_err(unwritten)?;
        let check = self.checking.of_edits(&changes, flags, context);
        let preview = changes.preview(self.applying, flags, context.files)?.with_check(check);
        Ok(HowFound::new(preview.with_notes(notes), how))
    }
}

/// What changes when a symbol moves.
struct Moving {
    changes: Changes,
    /// How the symbol was found.
    how: How,
    /// What may need another import now.
    notes: Vec<Phrase>,
}

/// Where a symbol goes.
enum Goal {
    /// Behind a place of a file.
    Behind(Target, Stretch),
    /// To a file that is not there yet. The document has its path, and no text.
    New(Arc<Document>),
}

impl Goal {
    fn document(&self) -> &Arc<Document> {
        match self {
            Goal::Behind(target, _) => &target.document,
            Goal::New(document) => document,
        }
    }

    /// The location as it was given.
    fn said(&self) -> &str {
        match self {
            Goal::Behind(target, _) => &target.said,
            Goal::New(document) => document.path(),
        }
    }
}

impl Move {
    fn are_texts(&self) -> bool {
        self.subject.text.is_some() || self.subject.files.is_some()
    }

    fn moving(&self, flags: &Flags, context: Context<'_>) -> Result<Moving, Failure> {
        let source = Target::find(&self.subject, &Change::Delete, None, flags, context.files)?;
        let Stretch::Symbol(id) = source.stretch else { return Err(no_symbol(&source.said)) };
        let goal = self.goal(flags, context)?;
        let (from, to) = (Arc::clone(&source.document), Arc::clone(goal.document()));
        for document in [&from, &to].into_iter().filter(|_| !self.are_texts()) {
            refuse_outside(document.path(), flags)?;
        }
        let uses = Uses::of(&from, id, &self.subject, flags, context);
        let how = source.how.clone();
        let changes = self.changes(source, id, goal, flags)?;
        if key(&from, flags) == key(&to, flags) {
            return Ok(Moving { changes, how, notes: Vec::new() });
        }
        let (changes, imports) = if self.are_texts() {
            (changes, Vec::new())
        } else {
            with_imports(changes, uses.as_ref().ok(), flags, context)
        };
        let is_done = |path: &str| imports.iter().any(|import| import.path == path && import.is_all);
        let own = needed(&from, id, &to).filter(|_| !is_done(&key(&to, flags)));
        let added = imports.iter().map(|import| format!("`{}`: {}", import.path, import.title).into());
        let elsewhere = users(uses, &key(&to, flags), &is_done);
        let circle = [&from, &to]
            .iter()
            .all(|one| imports.iter().any(|import| import.path == key(one, flags) && import.names_another));
        let circle =
            circle.then(|| Phrase::from("both files import each other now, which not every language allows"));
        let notes = added.chain(circle).chain([elsewhere]).chain(own).collect();
        Ok(Moving { changes, how, notes })
    }

    /// What is removed and what is added.
    fn changes(&self, source: Target, id: SymbolId, goal: Goal, flags: &Flags) -> Result<Changes, Failure> {
        let text = text_of(&source.document, id)?;
        let title = format!("Move `{}` to `{}`", source.said, goal.said());
        let rewrite = |document: &Document, stretch, change: &Change| {
            engine::change(document, stretch, change).map_err(crate::edits::unchangeable)
        };
        let removed = rewrite(&source.document, source.stretch, &Change::Delete)?;
        let from = Arc::clone(&source.document);
        let planned = |target: Target, rewrite| Planned {
            said: target.said,
            document: target.document,
            how: target.how,
            rewrite,
            removes: None,
            around_mark: None,
        };
        let mut edits = vec![planned(source, removed)];
        let created = match goal {
            Goal::Behind(target, place) => {
                let added = rewrite(&target.document, place, &Change::After(text))?;
                edits.push(planned(target, added));
                None
            }
            Goal::New(document) => {
                let text = text_of_new(&from, id, &text, document.path(), &flags.base())?;
                Some((document, text))
            }
        };
        let mut changes = changes(title, edits, self.are_texts(), flags)?;
        changes.files.extend(created.map(|(document, text)| {
            let path = if self.are_texts() { document.path().to_owned() } else { key(&document, flags) };
            let nowhere = engine::Range::of_indices(0..0);
            let replacements = vec![Replacement { path: path.clone(), range: nowhere, text }];
            ChangedFile { path, document, replacements, whole: Whole::Created }
        }));
        Ok(changes)
    }

    /// Where the symbol goes.
    fn goal(&self, flags: &Flags, context: Context<'_>) -> Result<Goal, Failure> {
        let given = |path: &str| self.subject.files.as_ref().and_then(|files| files.get(path));
        let exists = |path: &str| given(path).is_some() || context.files.exists(path, flags);
        let location = self.to.clone().location(&exists)?;
        if location.scope.is_some() || location.find.is_some() {
            let subject = Subject {
                locate: Some(self.to.clone()),
                text: self.subject.text.clone(),
                files: self.subject.files.clone(),
                ..Subject::default()
            };
            let target = Target::find(&subject, &Change::Delete, None, flags, context.files)?;
            let stretch = target.stretch;
            return Ok(Goal::Behind(target, stretch));
        }
        let path = location.path;
        if !exists(&path) && is_free(&path, flags)? {
            let document = Document::new(path.as_str(), "").map_err(|_| no_symbol(&path))?;
            return Ok(Goal::New(Arc::new(document)));
        }
        let text = given(&path).map(|text| text.clone().into_bytes());
        let document = context.files.open(Source { path: &path, text }, flags)?;
        let stretch = end_of(&document);
        Ok(Goal::Behind(Target { said: path, document, how: How::EXACT, stretch }, stretch))
    }
}

/// Whether a new file may get this path: whether it is inside of the boundary, and has the name of a file.
fn is_free(path: &str, flags: &Flags) -> Result<bool, Failure> {
    flags.admit(path)?;
    let on_disk = flags.base().absolute(path);
    let is_there = std::fs::symlink_metadata(&on_disk).is_ok();
    Ok(!is_there && !path.ends_with(['/', '\\']) && on_disk.file_name().is_some())
}

/// The changes with the imports that a language server offers for them.
fn with_imports(
    changes: Changes,
    uses: Option<&Uses>,
    flags: &Flags,
    context: Context<'_>,
) -> (Changes, Vec<Import>) {
    let (base, snapshot) = (flags.base(), context.files.workspace().snapshot(Documents::new()));
    let around = Around {
        snapshot: &snapshot,
        files: context.files,
        flags,
        base: &base,
        import_roots: &[],
        voice: context.voice,
    };
    let mut files = changes.files;
    // Paths of another root would not be those of the answer.
    for (using, _) in
        uses.filter(|uses| uses.root == changes.reach.root).into_iter().flat_map(|uses| &uses.places)
    {
        if files.iter().all(|file| file.path != using.path) {
            let (path, document) = (using.path.clone(), Arc::clone(&using.document));
            files.push(ChangedFile { path, document, replacements: Vec::new(), whole: Whole::Stays });
        }
    }
    let root = changes.reach.root.clone();
    let (files, imports) = imports::with_imports(files, root.as_deref().map(Path::new), &around);
    let who = imports.first().map(|import| import.who.clone());
    (Changes { files, reach: Reach { who, ..changes.reach }, ..changes }, imports)
}

/// The last declaration of a file, or else its last line that is not blank.
fn end_of(document: &Document) -> Stretch {
    let outline = document.outline();
    let top =
        outline.into_iter().flat_map(|outline| outline.iter()).filter(|(_, symbol)| symbol.parent.is_none());
    if let Some((last, _)) = top.max_by_key(|(_, symbol)| symbol.extent.end()) {
        return Stretch::Symbol(last);
    }
    let text = document.text();
    let is_blank = |line: &u32| {
        text.line_content(*line).is_none_or(|line| text.slice(line).iter().all(u8::is_ascii_whitespace))
    };
    let last = (1..=text.n_lines()).rev().find(|line| !is_blank(line)).unwrap_or(1);
    Stretch::Lines { first: last, last }
}

/// The text of a symbol. If only blanks are in front of it on its first line, they are included, so that all lines have
/// their indentation.
fn text_of(document: &Document, id: SymbolId) -> Result<String, Failure> {
    let text = document.text();
    let Some(extent) = document.outline().map(|outline| outline.get(id).extent) else {
        return Err(no_symbol(document.path()));
    };
    let line = text.line_start(text.line_of(extent.start())).unwrap_or(extent.start());
    let before = engine::Range::new(line, extent.start());
    let is_alone = text.slice(before).iter().all(u8::is_ascii_whitespace);
    let whole = if is_alone { engine::Range::new(line, extent.end()) } else { extent };
    String::from_utf8(text.slice(whole).to_vec()).map_err(|_| {
        let message = format!("`{}` has bytes there that are no UTF-8", document.path());
        Failure::new(Kind::Refused, message, "mend these bytes first")
    })
}

/// Which places in other files may need another import now.
fn users(uses: Result<Uses, Failure>, to: &str, is_done: &dyn Fn(&str) -> bool) -> Phrase {
    let Uses { places, gaps, .. } = match uses {
        Err(why) => return why.message.into(),
        Ok(uses) => uses,
    };
    let others: Vec<(Using, Candidate)> = places.into_iter().filter(|(using, _)| using.path != to).collect();
    let left = others.iter().filter(|(using, _)| !is_done(&using.path));
    let left: Vec<String> = left.map(|(_, candidate)| format!("`{}`", candidate.location)).collect();
    let more = gaps.iter().map(|gap| format!("; {gap}")).collect::<String>();
    match (others.as_slice(), left.as_slice()) {
        ([], _) => format!("no other file uses it{more}").into(),
        (_, []) => format!("all places that use it have their imports{more}").into(),
        (_, all) => format!("these places may need another import now: {}{more}", all.join(", ")).into(),
    }
}

/// The symbols of the old file that the moved one uses, judging by the words in it; `None` when there are none.
fn needed(from: &Document, id: SymbolId, to: &Document) -> Option<Phrase> {
    let outline = from.outline()?;
    let moved = outline.get(id);
    let text = from.text().lossy(moved.extent);
    let said: HashSet<&str> = words(&text).collect();
    let is_top = |symbol: &engine::Symbol| symbol.parent.is_none();
    let is_known =
        |name: &str| to.outline().is_some_and(|to| to.symbols().iter().any(|symbol| symbol.name == name));
    let others = outline.symbols().iter().filter(|symbol| is_top(symbol) && symbol.extent != moved.extent);
    let mut used: Vec<&str> = others
        .map(|symbol| symbol.name.as_str())
        .filter(|name| *name != moved.name && said.contains(name) && !is_known(name))
        .collect();
    used.sort_unstable();
    used.dedup();
    let names: Vec<String> = used.into_iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| {
        format!("it uses {} of `{}`, which may need an import where it is now", names.join(", "), from.path())
            .into()
    })
}

fn no_symbol(said: &str) -> Failure {
    Failure::invalid(format!("`{said}` is no symbol"), "name the symbol that moves: FILE:SYMBOL")
}
