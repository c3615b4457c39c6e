//! The rules for the JSON names of fields: no two fields of a message may have the same one.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::Rules;
use crate::descriptor::json_name;
use crate::file::{DeclarationId, Form, Syntax};
use crate::value;

impl Rules<'_> {
    pub(super) fn json_names(&mut self) {
        let mut made: HashSet<(DeclarationId, Vec<u8>)> = HashSet::new();
        // The JSON names that are taken. The value is true if the first field with this name sets it with `json_name`.
        let mut taken: HashMap<(DeclarationId, Vec<u8>), bool> = HashMap::new();
        for (id, what) in self.unit.file.iter() {
            let (Form::Field(field), Some(range)) = (what.form, what.name) else { continue };
            let default = json_name(&self.unit.name(id)).into_bytes();
            let written = field.json_name.map(|range| value::strings(self.text(range)));
            if written.as_ref().is_some_and(|name| name.contains(&0)) {
                self.report(range, "json-name", "a name in JSON has no zero bytes", "remove them");
            }
            if field.extendee.is_some() {
                if written.is_some() {
                    self.report(range, "json-name", "an extension has no json_name", "remove it");
                }
                continue;
            }
            let Some(parent) = what.parent else { continue };
            if self.unit.says(parent, b"deprecated_legacy_json_field_conflicts") {
                continue;
            }
            let is_given = written.as_ref().is_some_and(|name| *name != default);
            let name = written.unwrap_or_else(|| default.clone());
            if is_given && name.starts_with(b"[") && name.ends_with(b"]") {
                let message = "in JSON, a name in brackets means an extension";
                self.report(range, "json-name", message, "rename it");
                continue;
            }
            // Field masks ignore `json_name`, so the default JSON names must differ too.
            let is_made_twice = !made.insert((parent, default));
            let is_strict = !self.is_lenient_in_json(parent);
            let is_wrong = match taken.entry((parent, name)) {
                Entry::Occupied(first) if is_given && *first.get() => true,
                Entry::Occupied(first) => is_strict && (is_given || *first.get() || is_made_twice),
                Entry::Vacant(free) => {
                    free.insert(is_given);
                    is_strict && is_made_twice
                }
            };
            if is_wrong {
                let message = "another field has the same name in JSON";
                self.report(range, "json-name", message, "rename one, or give it a json_name");
            }
        }
    }

    /// Whether two fields of a message may have the same default JSON name. In proto2 they may, because it is older
    /// than the JSON format.
    fn is_lenient_in_json(&self, message: DeclarationId) -> bool {
        match self.unit.file.syntax {
            Syntax::Proto2 => true,
            Syntax::Proto3 => false,
            Syntax::Edition(_) => self.unit.feature(message, b"json_format") == Some(b"LEGACY_BEST_EFFORT"),
        }
    }
}
