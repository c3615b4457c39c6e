//! `move`: moves a symbol to another place or file.

use std::collections::HashSet;

use clap::Args;
use locant_engine::{self as engine, Change, Document, Stretch, SymbolId};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use super::edit::changes;
use crate::edits::{Planned, Target, Uses};
use crate::failure::{Failure, Kind, unwritten};
use crate::files::Source;
use crate::flags::Flags;
use crate::how::How;
use crate::how_found::HowFound;
use crate::phrase::Phrase;
use crate::preview::{Applying, Changes, Checking, PreviewAnswer, refuse_outside};
use crate::request::Context;
use crate::subject::Subject;
use crate::wire::Spoken;
use crate::word_filter::words;

/// Move a symbol with its comments to another file, or behind another symbol
///
/// Without a symbol, `--to FILE` means behind the last declaration of the file. The answer is a preview, as of an edit;
/// both files change, or none. Where the language has a server, or locant knows its names, the answer says which places
/// use the symbol and may need another import now, and which symbols of the old file it uses. `--check` says what would
/// be unknown in both files.
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

impl Move {
    fn moving(&self, flags: &Flags, context: Context<'_>) -> Result<Moving, Failure> {
        let are_texts = self.subject.text.is_some() || self.subject.files.is_some();
        let source = Target::find(&self.subject, &Change::Delete, None, flags, context.files)?;
        let Stretch::Symbol(id) = source.stretch else { return Err(no_symbol(&source.said)) };
        let text = text_of(&source.document, id)?;
        let (to, place) = self.target(flags, context)?;
        for document in [&source.document, &to.document].into_iter().filter(|_| !are_texts) {
            refuse_outside(document.path(), flags)?;
        }
        let uses = Uses::of(&source.document, id, &self.subject, flags, context);
        let rewrite = |document: &Document, stretch, change: &Change| {
            engine::change(document, stretch, change).map_err(crate::edits::unchangeable)
        };
        let removed = rewrite(&source.document, source.stretch, &Change::Delete)?;
        let added = rewrite(&to.document, place, &Change::After(text))?;
        let title = format!("Move `{}` to `{}`", source.said, to.said);
        let how = source.how.clone();
        let is_one_file = source.document.path() == to.document.path();
        let notes = if is_one_file {
            Vec::new()
        } else {
            let own = needed(&source.document, id, &to.document);
            std::iter::once(imports(uses, to.document.path())).chain(own).collect()
        };
        let edits = vec![
            Planned {
                said: source.said,
                document: source.document,
                how: source.how,
                rewrite: removed,
                around_mark: None,
            },
            Planned { said: to.said, document: to.document, how: to.how, rewrite: added, around_mark: None },
        ];
        Ok(Moving { changes: changes(title, edits, are_texts, flags)?, how, notes })
    }

    /// Where the symbol goes.
    fn target(&self, flags: &Flags, context: Context<'_>) -> Result<(Target, Stretch), Failure> {
        let exists = |path: &str| {
            let is_given = self.subject.files.as_ref().is_some_and(|files| files.contains_key(path));
            is_given || context.files.exists(path, flags)
        };
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
            return Ok((target, stretch));
        }
        let text = self.subject.files.as_ref().and_then(|files| files.get(&location.path));
        let text = text.map(|text| text.clone().into_bytes());
        let document = context.files.open(Source { path: &location.path, text }, flags)?;
        let stretch = end_of(&document);
        let how = How::EXACT;
        Ok((Target { said: location.path, document, how, stretch }, stretch))
    }
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

/// Which places may need another import now.
fn imports(uses: Result<Uses, Failure>, to: &str) -> Phrase {
    match uses {
        Err(why) => why.message.into(),
        Ok(Uses { places, gaps }) => {
            let elsewhere: Vec<String> = places
                .into_iter()
                .filter(|(path, _)| path != to)
                .map(|(_, candidate)| format!("`{}`", candidate.location))
                .collect();
            let more = gaps.iter().map(|gap| format!("; {gap}")).collect::<String>();
            match elsewhere.as_slice() {
                [] => format!("no other file uses it{more}").into(),
                all => format!("these places may need another import now: {}{more}", all.join(", ")).into(),
            }
        }
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
