//! Finds locations by path and by place, and says why something has no location.

use locant_text::{Offset, Range};

use crate::descriptor::entry_name;
use crate::file::{DeclarationId, FieldKind, File, Form, Label, Syntax};
use crate::interpret::{Interpretation, TableKind};
use crate::lexer::{Lexer, TokenKind};
use crate::names::Names;
use crate::number::{file, message};
use crate::pool::{Pool, Unit, UnitId};
use crate::table::Location;

/// A location of one of the tables.
#[derive(Clone, Debug)]
pub struct Row<'t> {
    /// Its path in that table.
    pub path: Vec<i32>,
    /// Its span in the text, and its comments.
    pub location: Location<'t>,
}

/// Lookups in one file.
#[derive(Debug)]
pub struct Lookup<'p> {
    pool: &'p Pool,
    interpretation: &'p Interpretation,
}

/// Why a path or a place has no location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The message for the entries of a map, which is not in the text.
    MapEntry,
    /// The oneof that proto3 makes for a field with `optional`, which is not in the text.
    SyntheticOneof,
    /// A label that is not written.
    NoLabel,
    /// A value that is not written.
    NotWritten,
    /// A part of an option's value in braces. Only the whole value has a location.
    InsideAggregate,
    /// A list: only its elements have locations.
    List,
    /// An element past the end of its list.
    PastTheEnd,
    /// A path that leads to nothing in the file.
    Unknown,
    /// `export` or `local`.
    Modifier,
    /// A comment, which belongs to a declaration as text but has no span of its own.
    Comment,
    /// Blanks outside of all declarations.
    Blank,
}

impl Row<'_> {
    /// The range of the location; empty when it ends before it starts.
    pub fn range(&self) -> Range {
        let (start, end) = (self.location.start(), self.location.end());
        if end < start { Range::empty(start) } else { Range::new(start, end) }
    }

    /// Whether the location covers a place. An empty location covers the place where it is.
    fn covers(&self, offset: Offset) -> bool {
        let (start, end) = (self.location.start(), self.location.end());
        start <= offset && offset < end || start == end && start == offset
    }
}

impl<'p> Lookup<'p> {
    /// Lookups in the file that a pool was made for.
    pub fn new(pool: &'p Pool, interpretation: &'p Interpretation) -> Lookup<'p> {
        Lookup { pool, interpretation }
    }

    fn unit(&self) -> &'p Unit {
        self.pool.unit(UnitId::MAIN)
    }

    /// A whole table, in protoc's order.
    pub fn rows(&self, kind: TableKind) -> Vec<Row<'p>> {
        let rows = self.interpretation.rows(self.pool, kind).into_iter();
        rows.map(|(path, location)| Row { path: path.into_owned(), location }).collect()
    }

    /// All locations with this path, in the order of the table. If the table of this kind has none, the raw table is
    /// searched.
    pub fn by_path(&self, path: &[i32], kind: TableKind) -> Vec<Row<'p>> {
        let with_path = |kind| {
            let rows = self.interpretation.rows(self.pool, kind).into_iter();
            let same = rows.filter(|(own, _)| own.as_ref() == path);
            same.map(|(own, location)| Row { path: own.into_owned(), location }).collect::<Vec<_>>()
        };
        let found = with_path(kind);
        if found.is_empty() { with_path(TableKind::Raw) } else { found }
    }

    /// The path that `words` mean: numbers (`4,0`), names of descriptor fields (`message_type[0]`), or a symbol
    /// (`Foo.bar`).
    pub fn path(&self, words: &str) -> Option<Vec<i32>> {
        numbers(words).or_else(|| Names::new(self.pool).path(words)).or_else(|| self.symbol_path(words))
    }

    /// The path of a symbol: `Foo.bar`, with its package or without.
    fn symbol_path(&self, words: &str) -> Option<Vec<i32>> {
        self.declared_path(words).or_else(|| self.entry_path(words))
    }

    fn declared_path(&self, words: &str) -> Option<Vec<i32>> {
        let unit = self.unit();
        let words = words.trim_start_matches('.');
        let in_package = format!("{}.{words}", unit.package);
        let is_whole = |name: &String| *name == words || *name == in_package;
        let is_named = |id| self.spellings(id).iter().any(is_whole);
        let id = unit.file.iter().map(|(id, _)| id).find(|&id| is_named(id));
        let id = id.or_else(|| match *self.ending_with(words).as_slice() {
            [only] => Some(only),
            _ => None,
        })?;
        Some(unit.file.table.get(unit.file.get(id).location).path().to_vec())
    }

    /// The full names of all symbols that end with `words`.
    pub fn symbols_ending_with(&self, words: &str) -> Vec<String> {
        self.ending_with(words).into_iter().map(|id| self.unit().full_name(id)).collect()
    }

    fn ending_with(&self, words: &str) -> Vec<DeclarationId> {
        let ids = self.unit().file.iter().map(|(id, _)| id);
        let is_end = |name: &String| name.strip_suffix(words).is_some_and(|front| front.ends_with('.'));
        ids.filter(|&id| self.spellings(id).iter().any(is_end)).collect()
    }

    /// The full names by which a symbol can be found. People write a value after its enum and a field after its oneof,
    /// though the enum and the oneof are not part of the full name.
    fn spellings(&self, id: DeclarationId) -> Vec<String> {
        let unit = self.unit();
        let declaration = unit.file.get(id);
        let written_after = match declaration.form {
            Form::Value { .. } => declaration.parent,
            Form::Field(field) => field.oneof,
            _ => None,
        };
        let longer = written_after.map(|around| format!("{}.{}", unit.full_name(around), unit.name(id)));
        [Some(unit.full_name(id)), longer].into_iter().flatten().collect()
    }

    /// The path of the message that a map field makes for its entries, by its name: `Foo.BarEntry` for `bar` in `Foo`.
    fn entry_path(&self, words: &str) -> Option<Vec<i32>> {
        let unit = self.unit();
        let (around, entry) = words.rsplit_once('.')?;
        let mut path = self.declared_path(around)?;
        let is_around =
            |declaration: &crate::file::Declaration| unit.file.table.get(declaration.location).path() == path;
        let (message, _) = unit.file.iter().find(|(_, declaration)| is_around(declaration))?;
        let is_map = |member: &crate::file::Declaration| {
            member.field().is_some_and(|field| matches!(field.kind, FieldKind::Map { .. }))
        };
        let listed = unit
            .file
            .children(Some(message))
            .filter(|(_, member)| is_map(member) || matches!(member.form, Form::Message { .. }));
        let index = listed.enumerate().find_map(|(index, (id, member))| {
            (is_map(member) && entry_name(&unit.name(id)) == entry).then_some(index)
        })?;
        path.extend([message::NESTED, i32::try_from(index).ok()?]);
        Some(path)
    }

    /// All locations that cover a place, the most specific first: the shortest, then the deepest.
    pub fn at(&self, offset: Offset, kind: TableKind) -> Vec<Row<'p>> {
        let mut rows: Vec<Row<'p>> = self.rows(kind).into_iter().filter(|row| row.covers(offset)).collect();
        rows.sort_by_key(|row| (row.range().extent(), std::cmp::Reverse(row.path.len()), row.location.id()));
        rows
    }

    /// Why a path has no location.
    pub fn why_not(&self, path: &[i32]) -> Why {
        let file = &self.unit().file;
        let n_known =
            (0..=path.len()).rev().find(|&n| !self.by_path(&path[..n], TableKind::Retained).is_empty());
        let Some(n_known) = n_known else { return Why::Unknown };
        let (known, rest) = path.split_at(n_known);
        let holder =
            file.iter().find(|(_, declaration)| file.table.get(declaration.location).path() == known);
        let is_element = |row: &Row<'_>| row.path.len() == path.len() + 1 && row.path.starts_with(path);
        if self.rows(TableKind::Retained).iter().any(is_element) {
            return Why::List;
        }
        if self.is_option(known) {
            return Why::InsideAggregate;
        }
        match (holder.map(|(id, declaration)| (id, declaration.form)), rest) {
            (Some((id, Form::Message { .. })), [message::NESTED, index, ..]) => {
                if is_map_entry(file, id, *index) { Why::MapEntry } else { Why::PastTheEnd }
            }
            (Some((id, Form::Message { .. })), [message::ONEOF, index, ..]) => {
                if is_synthetic_oneof(file, id, *index) { Why::SyntheticOneof } else { Why::PastTheEnd }
            }
            (Some((_, Form::Field(field))), [crate::number::field::LABEL]) if field.label.is_none() => {
                Why::NoLabel
            }
            (Some(_), [_]) => Why::NotWritten,
            (None, [file::MESSAGE..=file::EXTENSION, _, ..]) | (Some(_), [_, _, ..]) => Why::PastTheEnd,
            (None, [_]) => Why::NotWritten,
            _ => Why::Unknown,
        }
    }

    fn is_option(&self, path: &[i32]) -> bool {
        let file = &self.unit().file;
        let meanings = file.options.iter().filter_map(|option| self.interpretation.meaning(option.location));
        meanings.flatten().any(|meaning| meaning.path == path)
    }

    /// A sentence that says which location has the comment at a place; `None` when there is no comment.
    pub fn comment_at(&self, offset: Offset, kind: TableKind) -> Option<String> {
        if self.why_nothing_at(offset) != Some(Why::Comment) {
            return None;
        }
        let of_row = |row: Row<'p>| Some((row.location.role_of_comment(offset)?, row.path));
        Some(match self.rows(kind).into_iter().find_map(of_row) {
            Some((role, path)) => {
                let path: Vec<String> = path.iter().map(i32::to_string).collect();
                format!("the comment has no location of its own: it is a {role} comment of [{}]", path.join(","))
            }
            None => "the comment belongs to no location: comments inside a declaration and after its `}` are dropped"
                .to_owned(),
        })
    }

    /// Why only the file as a whole covers a place; `None` in any token other than `export` and `local`.
    pub fn why_nothing_at(&self, offset: Offset) -> Option<Why> {
        let text = &self.unit().text;
        let mut lexer = Lexer::new(text);
        let mut last_end = lexer.at;
        loop {
            let token = lexer.next();
            if offset.to_u32() < token.start || token.kind == TokenKind::End {
                let gap = &text[last_end..token.start as usize];
                let is_comment = in_comment(gap, offset.index().saturating_sub(last_end));
                return Some(if is_comment { Why::Comment } else { Why::Blank });
            }
            if offset.to_u32() < token.end {
                let word = &text[token.start as usize..token.end as usize];
                return matches!(word, b"export" | b"local").then_some(Why::Modifier);
            }
            last_end = token.end as usize;
        }
    }
}

impl Why {
    /// The reason, as a sentence without its full stop.
    pub fn message(self) -> &'static str {
        match self {
            Why::MapEntry => "it is the message that a map field makes, which stands nowhere in the text",
            Why::SyntheticOneof => {
                "it is the oneof that an optional field makes, which stands nowhere in the text"
            }
            Why::NoLabel => "the field has no label in the text",
            Why::NotWritten => "it is not written in the text",
            Why::InsideAggregate => "it is inside a value in braces, which has one location as a whole",
            Why::List => "it is a list, and its elements have the locations: name one, such as `[0]`",
            Why::PastTheEnd => "the list is shorter than that",
            Why::Unknown => "nothing in the file has such a path",
            Why::Modifier => "modifiers have no location, and what they modify starts after them",
            Why::Comment => "comments belong to locations as text, but have no location themselves",
            Why::Blank => "only blanks are there",
        }
    }
}

/// Reads `[4,0,2]` or `4,0,2`.
fn numbers(words: &str) -> Option<Vec<i32>> {
    let words = words.trim();
    let inside = words.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(words);
    if inside.trim().is_empty() {
        return words.starts_with('[').then(Vec::new);
    }
    inside.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// Whether the nested message at `index`, which has no location, is one that a map field makes.
fn is_map_entry(file: &File, message: DeclarationId, index: i32) -> bool {
    let members = || file.children(Some(message)).map(|(_, member)| member);
    let n_messages = members().filter(|member| matches!(member.form, Form::Message { .. })).count();
    let is_map = |kind: FieldKind| matches!(kind, FieldKind::Map { .. });
    let n_maps = members().filter(|member| member.field().is_some_and(|field| is_map(field.kind))).count();
    usize::try_from(index).is_ok_and(|index| index < n_messages + n_maps)
}

fn is_synthetic_oneof(file: &File, message: DeclarationId, index: i32) -> bool {
    let members = || file.children(Some(message)).map(|(_, member)| member);
    let n_oneofs = members().filter(|member| member.form == Form::Oneof).count();
    let is_optional = |label: Option<Label>| label == Some(Label::Optional);
    let n_optional =
        members().filter(|member| member.field().is_some_and(|field| is_optional(field.label))).count();
    file.syntax == Syntax::Proto3 && usize::try_from(index).is_ok_and(|index| index < n_oneofs + n_optional)
}

/// Whether `at`, an index into the text between two tokens, lies in a comment.
fn in_comment(gap: &[u8], at: usize) -> bool {
    let mut from = 0;
    while let Some(start) = gap[from..].windows(2).position(|pair| pair == b"//" || pair == b"/*") {
        let start = from + start;
        let is_block = gap[start + 1] == b'*';
        let ending: &[u8] = if is_block { b"*/" } else { b"\n" };
        let inside = start + 2;
        let end = gap[inside..].windows(ending.len()).position(|window| window == ending);
        let end = end.map_or(gap.len(), |end| inside + end + ending.len());
        if start <= at && at < end {
            return true;
        }
        from = end;
    }
    false
}
