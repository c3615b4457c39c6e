//! Answers the questions about names for Rholang.

use locant_names::{
    Fix, Fold, FoundSymbol, Hover, Mention, Names, Problem, Question, Refusal, Replacement, Role,
    SignatureHelp, Suggestion, Target, Token,
};
use locant_text::{Offset, Range};

use crate::workspace::{At, ContractAt, Thing, Workspace, thing};
use crate::{fixes, folds, format, hover, problems, rename, signature, suggest, symbols, tokens};

impl Names for Workspace {
    fn set(&mut self, path: &str, text: &[u8]) {
        self.put(path, text);
    }

    fn remove(&mut self, path: &str) {
        self.take(path);
    }

    fn why_never(&self, question: Question) -> Option<&'static str> {
        (question == Question::TypeDefinition).then_some("names in .rho files have no types")
    }

    fn definition(&self, path: &str, at: Offset) -> Vec<Target> {
        let Some(at) = self.at(path, at) else { return Vec::new() };
        let contracts = self.contracts(at);
        if contracts.is_empty() {
            bound(at).into_iter().collect()
        } else {
            contracts.iter().filter_map(|place| self.target(place)).collect()
        }
    }

    fn declaration(&self, path: &str, at: Offset) -> Vec<Target> {
        let Some(found) = self.at(path, at) else { return Vec::new() };
        match bound(found) {
            Some(binder) => vec![binder],
            None => self.definition(path, at),
        }
    }

    fn type_definition(&self, _: &str, _: Offset) -> Vec<Target> {
        Vec::new()
    }

    fn references(&self, path: &str, at: Offset) -> Vec<Mention> {
        let Some(at) = self.at(path, at) else { return Vec::new() };
        let mention = |(at, is_guess): (At<'_>, bool)| Mention {
            path: at.path.to_owned(),
            range: at.program.mention(at.mention).range,
            role: role(at),
            is_guess,
        };
        self.mentions(at).into_iter().map(mention).collect()
    }

    fn hover(&self, path: &str, at: Offset) -> Option<Hover> {
        hover::hover(self, self.at(path, at)?)
    }

    fn renamable(&self, path: &str, at: Offset) -> Result<Range, Refusal> {
        rename::renamable(self, path, at)
    }

    fn rename(&self, path: &str, at: Offset, name: &str) -> Result<Vec<Replacement>, Refusal> {
        rename::rename(self, path, at, name)
    }

    fn suggestions(&self, path: &str, at: Offset) -> Vec<Suggestion> {
        self.program(path).map_or_else(Vec::new, |program| suggest::suggestions(self, program, at))
    }

    fn signatures(&self, path: &str, at: Offset) -> Option<SignatureHelp> {
        signature::signatures(self, path, at)
    }

    fn symbols(&self, query: &str) -> Vec<FoundSymbol> {
        symbols::symbols(self, query)
    }

    fn problems(&self, path: &str) -> Vec<Problem> {
        self.program(path).map_or_else(Vec::new, |program| problems::problems(self, path, program))
    }

    fn fixes(&self, path: &str, within: Range) -> Vec<Fix> {
        let touches = |range: Range| range.start() <= within.end() && within.start() <= range.end();
        let problems = self.problems(path).into_iter().filter(|problem| touches(problem.range));
        problems.filter_map(|problem| fixes::fix(&problem)).collect()
    }

    fn format(&self, path: &str, within: Option<Range>) -> Result<Vec<Replacement>, Problem> {
        let Some(program) = self.program(path) else { return Ok(Vec::new()) };
        let replacement = |(range, text)| Replacement { path: path.to_owned(), range, text };
        Ok(format::format(program, within)?.into_iter().map(replacement).collect())
    }

    fn tokens(&self, path: &str) -> Vec<Token> {
        self.program(path).map_or_else(Vec::new, tokens::tokens)
    }

    fn folds(&self, path: &str) -> Vec<Fold> {
        self.program(path).map_or_else(Vec::new, folds::folds)
    }
}

impl Workspace {
    fn target(&self, place: &ContractAt) -> Option<Target> {
        let (name, extent) = self.contract_ranges(place)?;
        Some(Target { path: place.path.clone(), name, extent, is_guess: place.is_guess })
    }
}

/// The binder of a mention as a target, if the mention has a binder.
fn bound(at: At<'_>) -> Option<Target> {
    let Thing::Bound(binder) = thing(at) else { return None };
    let name = at.program.bindings.binders[binder as usize].range;
    let extent = at.program.binder_extent(binder);
    let is_guess = at.program.mention(at.mention).is_guess;
    Some(Target { path: at.path.to_owned(), name, extent, is_guess })
}

fn role(at: At<'_>) -> Role {
    match (at.program.mention(at.mention).binds, at.program.contract_named(at.mention)) {
        (true, _) => Role::Declaration,
        (false, Some(_)) => Role::Definition,
        (false, None) => Role::Use,
    }
}
