//! The rules for features: each can be set only on some kinds of declarations, and only in some editions.

use super::Rules;
use crate::file::{Form, Holder, OptionUse, Syntax};

/// A feature, the first edition that has it, and the forms of declarations that can set it. A file can set every
/// feature.
struct Feature {
    name: &'static [u8],
    since: u32,
    is_for: fn(Form) -> bool,
}

const FEATURES: &[Feature] = &[
    Feature { name: b"field_presence", since: 2023, is_for: is_field },
    Feature { name: b"repeated_field_encoding", since: 2023, is_for: is_field },
    Feature { name: b"utf8_validation", since: 2023, is_for: is_field },
    Feature { name: b"message_encoding", since: 2023, is_for: is_field },
    Feature { name: b"enum_type", since: 2023, is_for: |form| form == Form::Enum },
    Feature {
        name: b"json_format",
        since: 2023,
        is_for: |form| matches!(form, Form::Message { .. } | Form::Enum),
    },
    Feature { name: b"enforce_naming_style", since: 2024, is_for: |_| true },
    Feature { name: b"default_symbol_visibility", since: 2024, is_for: |_| false },
];

fn is_field(form: Form) -> bool {
    matches!(form, Form::Field(_))
}

impl Rules<'_> {
    pub(super) fn features(&mut self) {
        for option in &self.unit.file.options {
            let parts = self.unit.file.name_of(option);
            if parts.first().is_some_and(|part| !part.is_extension && self.text(part.name) == b"features") {
                self.feature(option);
            }
        }
    }

    fn feature(&mut self, option: &OptionUse) {
        let Some(range) = self.name_of(option) else { return };
        let Syntax::Edition(year) = self.unit.file.syntax else {
            return self.report(range, "not-in-dialect", "only editions have features", "remove it");
        };
        for feature in FEATURES {
            let Some(value) = self.unit.said_by(option, &[b"features", feature.name]) else { continue };
            let is_for_it = match option.holder {
                Holder::File => true,
                Holder::Declaration(id) => (feature.is_for)(self.unit.file.get(id).form),
                Holder::ExtensionRange { .. } => feature.name == b"enforce_naming_style",
            };
            let name = String::from_utf8_lossy(feature.name);
            if year < feature.since {
                let message = format!("features.{name} comes with edition {}", feature.since);
                self.report(range, "not-in-dialect", message, "remove it");
            } else if !is_for_it {
                self.report(range, "not-for-this", format!("features.{name} is not for this"), "remove it");
            } else if option.holder == Holder::File && value == b"LEGACY_REQUIRED" {
                let message = "a file cannot make all its fields required";
                self.report(range, "not-for-this", message, "set it on single fields");
            }
        }
    }
}
