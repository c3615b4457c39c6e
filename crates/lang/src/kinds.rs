//! Maps the grammar's ids for kinds and fields to the numbers in the tables. The names are looked up once per language.

use std::cmp::Ordering;
use std::sync::OnceLock;

use memchr::memmem::Finder;
use tree_sitter::Language as Grammar;

use crate::bytes::is_word;
use crate::events::GrammarWords;
use crate::node::Node;
use crate::table::{Local, Role, Tables};

/// A grammar, and how its ids map to the numbers in the tables.
pub(crate) struct Kinds {
    pub(crate) grammar: Grammar,
    /// For each kind id, the number in the tables, or `NONE`.
    locals: Vec<Local>,
    /// The number for error nodes, or `NONE`. The id of error nodes is larger than all ids of the grammar.
    error: Local,
    /// For each field number in the tables, the grammar's id. 0 if the grammar lacks the field.
    field_ids: Vec<u16>,
    /// Every declaration inside a body contains at least one of these words.
    declares: Vec<Finder<'static>>,
    words: OnceLock<GrammarWords>,
}

const NONE: Local = Local::MAX;

/// The name of error nodes in rules.
const ERROR: &str = "ERROR";

const MAX_BODY: usize = 1 << 16;

/// Whether `text[start..end]` is not part of a longer word.
fn is_whole(text: &[u8], start: usize, end: usize) -> bool {
    let joins = |at: usize| is_word(text[at - 1]) && is_word(text[at]);
    (start == 0 || !joins(start)) && (end == text.len() || !joins(end))
}

impl Kinds {
    /// Makes one pass over the names of the grammar. To look up each name of the tables in the grammar would take one
    /// pass for each name.
    pub(crate) fn new(grammar: Grammar, tables: &Tables) -> Kinds {
        let local = |id: u16| {
            let name = grammar.node_kind_for_id(id)?;
            // A token sorts after a named kind with the same name, which is the order that the build script writes.
            let is_token = !grammar.node_kind_is_named(id);
            let at =
                tables.kinds.binary_search_by(|kind| (kind.name.get(), !kind.named).cmp(&(name, is_token)));
            at.ok().map(|at| tables.kinds[at].local)
        };
        let n_kinds = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let locals = (0..n_kinds).map(|id| local(id).unwrap_or(NONE)).collect();
        let mut field_ids = vec![0; tables.fields.len()];
        let n_fields = u16::try_from(grammar.field_count()).unwrap_or(u16::MAX);
        for id in 1..=n_fields {
            let name = grammar.field_name_for_id(id).unwrap_or_default();
            let order = |field: &crate::table::FieldName| -> Ordering { field.name.get().cmp(name) };
            if let Ok(at) = tables.fields.binary_search_by(order) {
                field_ids[usize::from(tables.fields[at].local)] = id;
            }
        }
        let declares = tables.words.declares.iter().map(|word| Finder::new(word.as_bytes())).collect();
        let error = tables.kinds.iter().find(|kind| kind.named && kind.name.get() == ERROR);
        let error = error.map_or(NONE, |kind| kind.local);
        Kinds { grammar, locals, error, field_ids, declares, words: OnceLock::new() }
    }

    /// The names of the grammar's kinds and fields, for position trees. They are collected on first use.
    pub(crate) fn words(&self) -> &GrammarWords {
        self.words.get_or_init(|| GrammarWords::new(&self.grammar))
    }

    /// Whether a body with this text can declare anything. Searching for words is much cheaper than a walk. Huge
    /// bodies are not searched, because they may be nested in each other.
    pub(crate) fn may_declare(&self, body: &[u8]) -> bool {
        let occurs = |finder: &Finder<'_>| {
            let length = finder.needle().len();
            finder.find_iter(body).any(|start| is_whole(body, start, start + length))
        };
        self.declares.is_empty() || body.len() > MAX_BODY || self.declares.iter().any(occurs)
    }

    /// The number of the node's kind, if a rule mentions it.
    pub(crate) fn of(&self, node: impl Node) -> Option<Local> {
        let local = self.locals.get(usize::from(node.kind_id())).copied().unwrap_or(self.error);
        Some(local).filter(|&local| local != NONE)
    }

    /// What the rules say about the node's kind.
    pub(crate) fn role<'t>(&self, tables: &'t Tables, node: impl Node) -> Option<&'t Role> {
        self.of(node).map(|local| &tables.roles[usize::from(local)])
    }

    /// The grammar's id of a field.
    pub(crate) fn field(&self, local: Local) -> u16 {
        self.field_ids[usize::from(local)]
    }

    /// The names in the tables that the grammar does not have.
    pub(crate) fn unknown(&self, tables: &Tables) -> Vec<&'static str> {
        let known =
            |kind: &crate::table::KindName| kind.local == self.error || self.locals.contains(&kind.local);
        let kinds = tables.kinds.iter().filter(|kind| !known(kind)).map(|kind| kind.name.get());
        let fields =
            tables.fields.iter().filter(|field| self.field(field.local) == 0).map(|field| field.name.get());
        kinds.chain(fields).collect()
    }
}
