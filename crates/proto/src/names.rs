//! Paths through the descriptor by name: `[4, 0, 2, 0, 1]` is `message_type[0].field[0].name`.
//!
//! The names are the fields of descriptor.proto. Custom options are in parentheses, as in option statements:
//! `message_type[0].options.(my.option)[1].text`.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::file::{FieldKind, Label};
use crate::pool::{Pool, SymbolRef, UnitId, Wanted};
use crate::value;

/// The fields of all messages of a pool, by number and by name.
#[derive(Debug)]
pub struct Names<'p> {
    pool: &'p Pool,
    root: Option<SymbolRef>,
    by_number: HashMap<(SymbolRef, i32), SymbolRef>,
    by_name: HashMap<(SymbolRef, String), SymbolRef>,
}

/// One step of a path by name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    name: String,
    is_extension: bool,
    indices: Vec<i32>,
}

impl<'p> Names<'p> {
    /// Collects the fields of a pool.
    pub fn new(pool: &'p Pool) -> Names<'p> {
        let root = pool.find_anywhere("google.protobuf.FileDescriptorProto");
        let mut names = Names { pool, root, by_number: HashMap::new(), by_name: HashMap::new() };
        for (unit, _) in pool.units() {
            names.collect(unit);
        }
        names
    }

    fn collect(&mut self, unit: UnitId) {
        let pool = self.pool;
        for (id, declaration) in pool.unit(unit).file.iter() {
            let Some(field) = declaration.field() else { continue };
            let symbol = SymbolRef { unit, id };
            let (message, name) = match field.extendee {
                None => (declaration.parent.map(|id| SymbolRef { unit, id }), pool.unit(unit).name(id)),
                Some(range) => {
                    let extendee = value::dotted(&pool.unit(unit).text[range.indices()]);
                    let full_name = pool.full_name(symbol);
                    let message = pool.look_up(unit, &extendee, &full_name, Wanted::Type);
                    // There may be several copies of descriptor.proto. Paths start in the copy that `find_anywhere`
                    // finds, so the extensions of all copies are recorded for that one.
                    let message = message
                        .map(|message| pool.find_anywhere(&pool.full_name(message)).unwrap_or(message));
                    (message, full_name)
                }
            };
            let Some(message) = message else { continue };
            self.by_name.entry((message, name)).or_insert(symbol);
            if let Some(number) = field.number {
                self.by_number.entry((message, number)).or_insert(symbol);
            }
        }
    }

    /// The name of a path. A number that no field has stays a number.
    pub fn name(&self, path: &[i32]) -> String {
        let mut name = String::new();
        let mut message = self.root;
        let mut is_list = false;
        for &number in path {
            if std::mem::take(&mut is_list) {
                // Writing to a string does not fail.
                let _ = write!(name, "[{number}]");
                continue;
            }
            if !name.is_empty() {
                name.push('.');
            }
            let field = message.and_then(|message| self.by_number.get(&(message, number)));
            message = match field {
                Some(&field) => {
                    name.push_str(&self.field_name(field));
                    is_list = self.is_list(field);
                    self.pool.type_of(field)
                }
                None => {
                    let _ = write!(name, "{number}");
                    None
                }
            };
        }
        name
    }

    /// The path that a name means; `None` when a part of the name is not a field.
    pub fn path(&self, name: &str) -> Option<Vec<i32>> {
        let mut path = Vec::new();
        let mut message = self.root;
        for step in steps(name)? {
            let field = self.field(message, &step)?;
            path.push(self.pool.declaration(field).field()?.number?);
            if step.indices.len() > usize::from(self.is_list(field)) {
                return None;
            }
            path.extend(step.indices);
            message = self.pool.type_of(field);
        }
        Some(path)
    }

    fn field(&self, message: Option<SymbolRef>, step: &Step) -> Option<SymbolRef> {
        let message = message?;
        let key = (message, step.name.trim_start_matches('.').to_owned());
        if let Some(&field) = self.by_name.get(&key) {
            return (step.is_extension <= self.pool.declaration(field).is_extension()).then_some(field);
        }
        // An extension may be named without its package.
        let ending = format!(".{}", key.1);
        let mut found = self.by_name.iter().filter(|((within, name), field)| {
            *within == message && name.ends_with(&ending) && self.pool.declaration(**field).is_extension()
        });
        match (found.next(), found.next()) {
            (Some((_, &field)), None) => Some(field),
            _ => None,
        }
    }

    fn field_name(&self, field: SymbolRef) -> String {
        if self.pool.declaration(field).is_extension() {
            format!("({})", self.pool.full_name(field))
        } else {
            self.pool.unit(field.unit).name(field.id)
        }
    }

    fn is_list(&self, field: SymbolRef) -> bool {
        let field = self.pool.declaration(field).field();
        field.is_some_and(|field| {
            field.label == Some(Label::Repeated) || matches!(field.kind, FieldKind::Map { .. })
        })
    }
}

/// Reads a name such as `message_type[0].options.(a.b)`; `None` when it has another form.
fn steps(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after, is_extension) = match rest.strip_prefix('(') {
            Some(inside) => {
                let (name, after) = inside.split_once(')')?;
                (name, after, true)
            }
            None => {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                (&rest[..end], &rest[end..], false)
            }
        };
        let (indices, after) = indices(after)?;
        if name.is_empty() {
            return None;
        }
        steps.push(Step { name: name.to_owned(), is_extension, indices });
        rest = match after.strip_prefix('.') {
            Some("") => return None,
            Some(rest) => rest,
            None if after.is_empty() => "",
            None => return None,
        };
    }
    Some(steps)
}

fn indices(text: &str) -> Option<(Vec<i32>, &str)> {
    let mut indices = Vec::new();
    let mut rest = text;
    while let Some(inside) = rest.strip_prefix('[') {
        let (index, after) = inside.split_once(']')?;
        indices.push(index.trim().parse().ok()?);
        rest = after;
    }
    Some((indices, rest))
}
