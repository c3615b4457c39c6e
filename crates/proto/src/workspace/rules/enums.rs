//! The rules for enums: the first value, aliases, and values that must differ even without the name of the enum in
//! front.

use std::collections::HashMap;

use super::Rules;
use crate::file::{Declaration, DeclarationId, Form, Holder, Syntax};

impl Rules<'_> {
    pub(super) fn enum_(&mut self, id: DeclarationId, what: &Declaration) {
        self.first_value(id, what);
        // The values of an enum come right after it in `declarations`.
        let members = self.unit.file.declarations[id.index() + 1..].iter();
        let values: Vec<Declaration> =
            members.take_while(|member| member.parent == Some(id)).copied().collect();
        self.aliases(id, &values);
        self.clashes(id, &values);
    }

    /// Checks that an enum has a value, and that an open enum starts with zero.
    fn first_value(&mut self, id: DeclarationId, what: &Declaration) {
        let Some(range) = what.name else { return };
        let first = self.unit.file.declarations.get(id.index() + 1);
        let first = first.filter(|first| first.parent == Some(id));
        match first.map(|first| first.form) {
            Some(Form::Value { number }) => {
                if self.unit.is_open_enum(id) && number.is_some_and(|number| number != 0) {
                    let message = "the first value of an open enum is zero";
                    self.report(range, "first-value", message, "put a value with the number 0 in front");
                }
            }
            _ => self.report(range, "no-values", "an enum has at least one value", "add one"),
        }
    }

    /// Checks that `allow_alias` is set only to `true`, and only where two values have the same number.
    fn aliases(&mut self, id: DeclarationId, values: &[Declaration]) {
        let mut numbers: Vec<i32> = values.iter().filter_map(number).collect();
        numbers.sort_unstable();
        let has_alias = numbers.windows(2).any(|two| two[0] == two[1]);
        match self.unit.said(Holder::Declaration(id), &[b"allow_alias"]) {
            Some(b"true") if !has_alias => {
                let message = "no two values of the enum have the same number";
                self.refuse_option(id, b"allow_alias", message, "remove it");
            }
            Some(b"false") => {
                self.refuse_option(id, b"allow_alias", "`false` is the default", "remove it");
            }
            _ => {}
        }
    }

    /// Checks that values differ even without the name of the enum in front, because generated code may leave it out.
    fn clashes(&mut self, id: DeclarationId, values: &[Declaration]) {
        let is_lenient = self.unit.says(id, b"deprecated_legacy_json_field_conflicts");
        if is_lenient && self.unit.file.syntax == Syntax::Proto2 {
            return;
        }
        let prefix = self.unit.name(id);
        let mut taken: HashMap<String, Declaration> = HashMap::new();
        for value in values {
            let Some(range) = value.name else { continue };
            let name = String::from_utf8_lossy(self.text(range));
            let first = *taken.entry(camel(without_prefix(&name, &prefix))).or_insert(*value);
            let Some(first_range) = first.name else { continue };
            if number(&first) != number(value) && self.text(first_range) != self.text(range) {
                let first = String::from_utf8_lossy(self.text(first_range));
                let message = format!("without the name of the enum, this is the same as `{first}`");
                self.report(range, "declared-twice", message, "rename one of the two");
            }
        }
    }
}

fn number(value: &Declaration) -> Option<i32> {
    match value.form {
        Form::Value { number } => number,
        _ => None,
    }
}

/// The name of a value without the name of its enum in front: `RED` for `COLOR_RED` in `Color`. Case and underscores do
/// not matter for the comparison.
fn without_prefix<'n>(name: &'n str, prefix: &str) -> &'n str {
    let mut rest = name;
    for letter in prefix.chars().filter(|&letter| letter != '_') {
        rest = rest.trim_start_matches('_');
        match rest.chars().next() {
            Some(first) if first.eq_ignore_ascii_case(&letter) => rest = &rest[first.len_utf8()..],
            _ => return name,
        }
    }
    let rest = rest.trim_start_matches('_');
    if rest.is_empty() { name } else { rest }
}

/// A name as it is in generated code: `MaxSize` for `MAX_SIZE`.
fn camel(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..].to_ascii_lowercase()).collect()
}
