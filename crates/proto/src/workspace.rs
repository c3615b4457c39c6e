//! Many .proto files, and what the names in them mean.
//!
//! Names are looked up as protoc does: from the innermost scope outward, in the file itself, in its imports, and in
//! what these import publicly. An import is searched for in the roots, then in the directories above the importing
//! file. If none of them has it, the file of the workspace whose path ends with the import is taken, the nearest if
//! there are several. Last come the files that are part of protoc.

mod declarers;
mod fixes;
mod hover;
mod imports;
mod linked;
mod mentions;
mod problems;
mod rename;
mod rules;
mod suggestions;
mod tokens;
mod values;

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use locant_names::{
    Fix, Fold, FoundSymbol, Hover, Mention, Names, Problem, Question, Refusal, Replacement, SignatureHelp,
    Suggestion, Target, Token,
};
use locant_text::{Offset, Range};

use crate::file::{File, Form};
use crate::format::format;
use crate::known::known_file;
use crate::outline::kind;
use crate::pool::{SymbolRef, Unit, UnitId};
use linked::{Files, Linked};
use mentions::Thing;

/// A set of .proto files whose names are looked up together.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    files: Files,
    /// The files linked by their imports. Computed on first use.
    linked: OnceLock<Linked>,
}

impl Workspace {
    /// A workspace without files. Imports are searched for in `roots` first. Paths are written with `/`.
    pub fn new(roots: Vec<String>) -> Workspace {
        Workspace { files: Files::new(roots), ..Workspace::default() }
    }

    fn linked(&self) -> &Linked {
        self.linked.get_or_init(|| Linked::new(&self.files))
    }

    /// The mention at a place.
    fn mention(&self, path: &str, at: Offset) -> Option<(UnitId, &mentions::Mention)> {
        let linked = self.linked();
        let id = linked.file(path)?;
        Some((id, mentions::at(linked.mentions(id), at)?))
    }
}

impl Names for Workspace {
    fn set(&mut self, path: &str, text: &[u8]) {
        if self.files.units.get(path).is_some_and(|unit| unit.text == text) {
            return;
        }
        let unit = Arc::new(Unit::new(path, text.to_vec(), File::parse(text)));
        self.files.insert(Arc::clone(&unit));
        if let Some(linked) = self.linked.get_mut() {
            linked.put(&self.files, unit);
        }
    }

    fn remove(&mut self, path: &str) {
        let is_gone = self.files.remove(path).is_some();
        if let Some(linked) = self.linked.get_mut().filter(|_| is_gone) {
            linked.remove(&self.files, path);
            if linked.is_mostly_empty() {
                self.linked.take();
            }
        }
    }

    fn wanted(&self, path: &str) -> Option<Vec<String>> {
        let unit = self.files.units.get(path);
        Some(unit.map(|unit| self.files.outside_imports(unit)).unwrap_or_default())
    }

    fn imported(&self, path: &str) -> Vec<String> {
        let unit = self.files.units.get(path);
        unit.map(|unit| self.files.inside_imports(unit)).unwrap_or_default()
    }

    fn lacks(&self, path: &str) -> bool {
        let linked = self.linked();
        let is_unknown = |mention: &mentions::Mention| matches!(mention.thing, Thing::Unknown(_));
        linked.file(path).is_some_and(|id| linked.mentions(id).iter().any(is_unknown))
    }

    fn why_never(&self, question: Question) -> Option<&'static str> {
        (question == Question::Signature).then_some("nothing in .proto files is called")
    }

    fn built_in(&self, path: &str) -> Option<String> {
        known_file(path)
    }

    fn imports_any(&self, text: &[u8], file_names: &HashSet<&[u8]>) -> Option<bool> {
        Some(imports::imports_any(text, file_names))
    }

    fn fixes(&self, path: &str, within: Range) -> Vec<Fix> {
        let linked = self.linked();
        linked.file(path).map(|id| fixes::fixes(linked, id, within)).unwrap_or_default()
    }

    fn definition(&self, path: &str, at: Offset) -> Vec<Target> {
        let Some((id, mention)) = self.mention(path, at) else { return Vec::new() };
        let linked = self.linked();
        match &mention.thing {
            Thing::Symbol(symbol) => vec![linked.target(*symbol)],
            Thing::File(file) => vec![linked.file_target(*file)],
            Thing::Package(name) => linked.package_targets(id, name),
            Thing::Unknown(_) => Vec::new(),
        }
    }

    fn type_definition(&self, path: &str, at: Offset) -> Vec<Target> {
        let Some((_, mention)) = self.mention(path, at) else { return Vec::new() };
        let Thing::Symbol(symbol) = mention.thing else { return Vec::new() };
        let linked = self.linked();
        linked.type_of(symbol).map(|kind| linked.target(kind)).into_iter().collect()
    }

    fn references(&self, path: &str, at: Offset) -> Vec<Mention> {
        let Some((_, mention)) = self.mention(path, at) else { return Vec::new() };
        let linked = self.linked();
        let files = linked.mentioning(&mention.thing);
        files.flat_map(|file| linked.mentions_of(&mention.thing, file)).collect()
    }

    fn highlights(&self, path: &str, at: Offset) -> Vec<Mention> {
        let Some((id, mention)) = self.mention(path, at) else { return Vec::new() };
        self.linked().mentions_of(&mention.thing, id)
    }

    fn hover(&self, path: &str, at: Offset) -> Option<Hover> {
        let (_, mention) = self.mention(path, at)?;
        hover::hover(self.linked(), mention)
    }

    fn renamable(&self, path: &str, at: Offset) -> Result<Range, Refusal> {
        let found = self.mention(path, at);
        rename::renamable(self.linked(), found.map(|(_, mention)| mention)).map(|(range, _)| range)
    }

    fn rename(&self, path: &str, at: Offset, name: &str) -> Result<Vec<Replacement>, Refusal> {
        let found = self.mention(path, at);
        let (_, symbol) = rename::renamable(self.linked(), found.map(|(_, mention)| mention))?;
        rename::rename(self, symbol, name)
    }

    fn suggestions(&self, path: &str, at: Offset) -> Vec<Suggestion> {
        let linked = self.linked();
        linked.file(path).map(|id| suggestions::suggestions(linked, id, at)).unwrap_or_default()
    }

    fn signatures(&self, _: &str, _: Offset) -> Option<SignatureHelp> {
        None
    }

    fn symbols(&self, query: &str) -> Vec<FoundSymbol> {
        let linked = self.linked();
        let mut found = Vec::new();
        for (id, unit) in linked.files() {
            for (declaration, form) in unit.file.iter().map(|(id, declaration)| (id, declaration.form)) {
                let symbol = SymbolRef { unit: id, id: declaration };
                let is_group_field = mentions::canonical(&linked.pool, symbol) != symbol;
                let name = unit.name(declaration);
                if name.is_empty() || is_group_field || !has_letters(&name, query) {
                    continue;
                }
                let container = unit.full_name(declaration);
                let container = container.strip_suffix(&name).unwrap_or_default().trim_end_matches('.');
                let container = match (form, unit.file.get(declaration).parent) {
                    (Form::Value { .. }, Some(parent)) => unit.full_name(parent),
                    _ => container.to_owned(),
                };
                let target = linked.target(symbol);
                found.push(FoundSymbol { name, kind: kind(unit.file.get(declaration)), container, target });
            }
        }
        found
    }

    fn problems(&self, path: &str) -> Vec<Problem> {
        let linked = self.linked();
        linked.file(path).map(|id| problems::problems(linked, id)).unwrap_or_default()
    }

    fn format(&self, path: &str, within: Option<Range>) -> Result<Vec<Replacement>, Problem> {
        let Some(unit) = self.files.units.get(path) else { return Ok(Vec::new()) };
        let replacement = |(range, text)| Replacement { path: path.to_owned(), range, text };
        Ok(format(&unit.text, within)?.into_iter().map(replacement).collect())
    }

    fn tokens(&self, path: &str) -> Vec<Token> {
        let linked = self.linked();
        linked.file(path).map(|id| tokens::tokens(linked, id)).unwrap_or_default()
    }

    fn folds(&self, path: &str) -> Vec<Fold> {
        self.files.units.get(path).map(|unit| tokens::folds(unit)).unwrap_or_default()
    }
}

/// Whether a name contains the letters of a query in this order, ignoring case. Other letters may be between them.
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}
