//! The meanings of names, for the languages whose names locant reads.

use std::collections::{BTreeMap, HashMap};

use locant_engine::names::{Names as _, Target, Token, TokenKind};
use locant_engine::{NameIndex, Range};
use locant_stop::unharmed;

use super::symbol::Symbols;
use super::tree::{Listed, Tree};

/// What the names in the files of a tree mean.
pub(super) struct Meanings {
    index: NameIndex,
    /// For each file, its symbols by the ranges of their names.
    symbols: HashMap<String, HashMap<Range, String>>,
}

/// A name that refers to a symbol.
pub(super) struct Mention {
    pub(super) range: Range,
    pub(super) symbol: String,
}

/// Something that is declared in a file but is not in its outline, so that no other file can name it.
pub(super) struct Local {
    pub(super) name: Range,
    pub(super) extent: Range,
    pub(super) symbol: String,
    pub(super) is_parameter: bool,
}

/// The names in one file that refer to something.
#[derive(Default)]
pub(super) struct Mentioned {
    pub(super) mentions: Vec<Mention>,
    pub(super) locals: Vec<Local>,
}

impl Meanings {
    pub(super) fn of(tree: &Tree) -> Meanings {
        let mut meanings = Meanings { index: NameIndex::new(vec![String::new()]), symbols: HashMap::new() };
        tree.each_known(|document| {
            let path = document.path();
            let Some((reader, outline)) = document.reader().zip(document.outline()) else { return };
            let index = &mut meanings.index;
            // A file on which the reader panics is left out, so that the others can still be used.
            if unharmed(|| index.set_as(reader, path, document.text().bytes())).is_err() {
                let _ = unharmed(|| index.remove(path));
                return;
            }
            let listed = Listed::of(outline);
            let symbols = Symbols::of(path, outline, &listed);
            let places = listed.ids.iter().filter_map(|&id| {
                let symbol = symbols.get(id)?.to_owned();
                Some((outline.get(id).name_range, symbol))
            });
            meanings.symbols.insert(path.to_owned(), places.collect());
        });
        meanings
    }

    /// The names of a file and what they refer to, in the order of the text. Guesses are left out, and so are names of
    /// things outside of the tree.
    pub(super) fn mentioned(&self, path: &str) -> Mentioned {
        let mut mentioned = Mentioned::default();
        if !self.index.has(path) {
            return mentioned;
        }
        let mut locals: BTreeMap<usize, Local> = BTreeMap::new();
        for token in self.index.tokens(path).into_iter().filter(is_name) {
            let targets = self.index.definition(path, token.range.start());
            for target in targets.into_iter().filter(|target| !target.is_guess) {
                let symbol = match self.symbol(&target) {
                    Some(symbol) => symbol.to_owned(),
                    None if target.path == path && may_be_local(&token) => {
                        let symbol = format!("local {}", locals.len());
                        let local = locals.entry(target.name.start().index());
                        local.or_insert_with(|| local_of(&target, &token, symbol)).symbol.clone()
                    }
                    None => continue,
                };
                let is_declaration = target.path == path && target.name == token.range;
                if !is_declaration {
                    mentioned.mentions.push(Mention { range: token.range, symbol });
                }
            }
        }
        mentioned.locals = locals.into_values().collect();
        mentioned
    }

    fn symbol(&self, target: &Target) -> Option<&str> {
        self.symbols.get(&target.path)?.get(&target.name).map(String::as_str)
    }
}

fn local_of(target: &Target, token: &Token, symbol: String) -> Local {
    let is_parameter = token.kind == TokenKind::Parameter;
    Local { name: target.name, extent: target.extent, symbol, is_parameter }
}

/// Whether a token may be a name.
fn is_name(token: &Token) -> bool {
    use TokenKind::{Comment, Keyword, Number, Operator};
    !matches!(token.kind, Comment | Keyword | Number | Operator)
}

/// Whether a token may name something local to its file. Packages, for example, span several files.
fn may_be_local(token: &Token) -> bool {
    use TokenKind::{Function, Parameter, Property, Variable};
    matches!(token.kind, Function | Parameter | Property | Variable)
}
