//! The rules for extensions: the extended message must leave the number to extensions, and no two may have the same
//! number.

use std::collections::HashMap;

use super::{MOST_NUMBER, Rules};
use crate::file::{DeclarationId, Field, Form, Label, Reserved};
use crate::pool::SymbolRef;

impl Rules<'_> {
    pub(super) fn extensions(&mut self) {
        let mut taken: HashMap<(SymbolRef, i32), DeclarationId> = HashMap::new();
        for (id, what) in self.unit.file.iter() {
            let (Form::Field(field), Some(range)) = (what.form, what.name) else { continue };
            let Some(message) = self.pool.extended(SymbolRef { unit: self.id, id }) else { continue };
            let is_required = self.unit.feature(id, b"field_presence") == Some(b"LEGACY_REQUIRED");
            if field.label == Some(Label::Required) || is_required {
                self.report(range, "not-in-dialect", "an extension is not required", "write `optional`");
            }
            if self.is_set(message) && !self.is_one_message(id, &field) {
                let message = "extensions of a set of messages are single messages";
                self.report(range, "not-for-this", message, "write `optional` and the name of a message");
            }
            let Some(number) = field.number else { continue };
            if !self.is_for_extensions(message, number) {
                let message = format!("the message does not leave the number {number} to extensions");
                self.report(range, "no-extension-number", message, "take a number of its `extensions`");
            }
            let first = *taken.entry((message, number)).or_insert(id);
            if first != id {
                let message = format!("`{}` has the number {number} already", self.unit.name(first));
                self.report(range, "number-taken", message, "give it another number");
            }
        }
        self.extension_ranges();
    }

    fn is_for_extensions(&self, message: SymbolRef, number: i32) -> bool {
        let unit = self.pool.unit(message.unit);
        // The descriptor has the end of a range as one more than its largest number, and that must fit into an `i32`.
        let most = if self.is_set(message) { i32::MAX - 1 } else { MOST_NUMBER };
        let reservations = unit.file.reservations.iter();
        let mut ranges = reservations.filter(|reservation| reservation.owner == message.id);
        ranges.any(|range| match range.what {
            Reserved::Extensions(start, end) => start <= number && number <= end.unwrap_or(most),
            Reserved::Numbers(..) | Reserved::Name(_) => false,
        })
    }

    /// Whether a message sets the option `message_set_wire_format`.
    fn is_set(&self, message: SymbolRef) -> bool {
        self.pool.unit(message.unit).says(message.id, b"message_set_wire_format")
    }

    fn is_one_message(&self, id: DeclarationId, field: &Field) -> bool {
        let named = self.pool.type_of(SymbolRef { unit: self.id, id });
        let is_message = named.is_some_and(|named| self.pool.declaration(named).form != Form::Enum);
        is_message && field.label != Some(Label::Repeated)
    }

    fn extension_ranges(&mut self) {
        for reservation in &self.unit.file.reservations {
            let (Reserved::Extensions(start, end), Some(range)) =
                (reservation.what, self.unit.file.get(reservation.owner).name)
            else {
                continue;
            };
            // The range may be larger if the message sets `message_set_wire_format`.
            let is_beyond = end.is_some_and(|end| end > MOST_NUMBER)
                && !self.unit.says(reservation.owner, b"message_set_wire_format");
            if start <= 0 || is_beyond {
                let hint = "numbers go from 1 to 536870911";
                self.report(range, "out-of-range", "a range for extensions is out of range", hint);
            }
        }
    }
}
