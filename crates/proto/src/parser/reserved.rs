//! Reads `extensions` and `reserved` statements: numbers for extensions, and numbers and names that no field may use.

use super::recovery::MOST_AHEAD;
use super::{Parser, range};
use crate::file::{DeclarationId, Form, Holder, OptionUse, Reservation, Reserved, Syntax};
use crate::lexer::TokenKind;
use crate::number::{message as number, range as part};
use crate::table::{Layer, LocationId};
use crate::value;

/// If the keyword is missing and the ends of a range are at least this far apart, the range is read as one for
/// extensions.
const LONG_RANGE: u64 = 9;

impl Parser<'_> {
    /// Reads `extensions 4, 10 to 20 [options];`.
    pub(super) fn extension_ranges(&mut self, has_keyword: bool) {
        let Some(message) = self.scope().message else { return };
        let location = self.open(&[number::EXTENSION_RANGE], Layer::Plain);
        if has_keyword {
            self.bump();
        } else {
            self.missing("`extensions`")
        }
        let first = self.scope().n_extension_ranges;
        let mut index = first;
        loop {
            if let Some((start, end)) = self.range_of(&[number::EXTENSION_RANGE, index], false) {
                let what = Reserved::Extensions(start, end);
                self.file.reservations.push(Reservation { owner: message, what });
                index += 1;
            } else if self.at(b',') {
                // A range that is missing between commas still takes an index in the list.
                index += 1;
            }
            if !self.another(TokenKind::Integer) {
                break;
            }
        }
        self.scope().n_extension_ranges = index;
        if self.at(b'[') || self.has_lost_bracket() {
            self.range_options(message, first..index);
        }
        self.end_statement(Some(location));
        self.close(location);
    }

    /// Reads the options after ranges. They belong to each of the ranges, so their locations are repeated for every
    /// range.
    fn range_options(&mut self, message: DeclarationId, ranges: std::ops::Range<i32>) {
        let first = self.file.table.next_id();
        let n_options = self.file.options.len();
        let depth = self.path.len();
        let tail = [number::EXTENSION_RANGE, ranges.start, part::OPTIONS];
        let location = self.open(&tail, Layer::Plain);
        let holder = |index| Holder::ExtensionRange { message, index };
        self.option_list(holder(ranges.start), &tail);
        self.close(location);
        let recorded = self.file.table.take_from(first);
        let options = self.file.options.split_off(n_options);
        for index in ranges {
            let base = self.file.table.next_id();
            for (path, start, end, layer) in &recorded {
                let mut path = path.clone();
                path[depth + 1] = index;
                let location = self.file.table.open(&path, &[], *start, *layer);
                self.file.table.close(location, *end);
            }
            self.file.options.extend(options.iter().map(|option| {
                let location = option.location.moved(first, base);
                OptionUse { holder: holder(index), location, ..*option }
            }));
        }
    }

    /// Reads `reserved …;` in a message.
    pub(super) fn reserved(&mut self, message: DeclarationId) {
        let (mut n_ranges, mut n_names) = (self.scope().n_reserved_ranges, self.scope().n_reserved_names);
        let ranges = (number::RESERVED_RANGE, &mut n_ranges);
        self.reserved_in(message, ranges, (number::RESERVED_NAME, &mut n_names));
        self.scope().n_reserved_ranges = n_ranges;
        self.scope().n_reserved_names = n_names;
    }

    /// Reads reserved names or numbers whose keyword is missing.
    pub(super) fn lost_reserved(&mut self, message: DeclarationId) {
        if self.looks_like_extensions() { self.extension_ranges(false) } else { self.reserved(message) }
    }

    /// Whether the numbers here look like ranges for extensions rather than reserved numbers. Only ranges for
    /// extensions have options. A range up to `max`, or a single long one, is usually for extensions.
    fn looks_like_extensions(&self) -> bool {
        if self.file.syntax == Syntax::Proto3 || !self.at_integer() {
            return false;
        }
        let (mut lexer, mut numbers) = (self.ahead(), vec![value::integer(self.text(self.current))]);
        for _ in 0..MOST_AHEAD {
            let token = lexer.next();
            match token.kind {
                TokenKind::Symbol(b'[') => return true,
                TokenKind::Identifier if self.text(token) == b"max" => return true,
                TokenKind::Identifier if self.text(token) == b"to" => {}
                TokenKind::Symbol(b',') => {}
                TokenKind::Integer => numbers.push(value::integer(self.text(token))),
                TokenKind::Symbol(b';') => break,
                _ => return false,
            }
        }
        matches!(numbers[..], [Some(start), Some(end)] if end >= start.saturating_add(LONG_RANGE))
    }

    /// Reads `reserved …;` of a message or an enum. Each of the two lists, ranges and names, is given by its field
    /// number and its current length.
    pub(super) fn reserved_in(
        &mut self,
        owner: DeclarationId,
        (range_list, n_ranges): (i32, &mut i32),
        (name_list, n_names): (i32, &mut i32),
    ) {
        let start = self.current.start;
        if !self.eat_word(b"reserved") {
            self.missing("`reserved`");
        }
        let has_names = self.at_string() || self.at_identifier();
        let list = if has_names { name_list } else { range_list };
        let location = self.open_at(&[list], start, Layer::Plain);
        let is_signed = self.file.declarations[owner.index()].form == Form::Enum;
        loop {
            let what = if has_names {
                self.reserved_name(&[list, *n_names], n_names)
            } else {
                self.range_of(&[list, *n_ranges], is_signed).map(|(start, end)| {
                    *n_ranges += 1;
                    Reserved::Numbers(start, end)
                })
            };
            if what.is_none() && self.at(b',') {
                *(if has_names { &mut *n_names } else { &mut *n_ranges }) += 1;
            }
            self.file.reservations.extend(what.map(|what| Reservation { owner, what }));
            let element = if has_names { TokenKind::String } else { TokenKind::Integer };
            if !self.another(element) {
                break;
            }
        }
        self.end_statement(Some(location));
        self.close(location);
    }

    fn reserved_name(&mut self, tail: &[i32], n_names: &mut i32) -> Option<Reserved> {
        let is_word = self.at_identifier();
        if !is_word && !self.at_string() {
            self.missing("a name");
            return None;
        }
        *n_names += 1;
        let location = self.open(tail, Layer::Plain);
        let name = if is_word {
            let name = range(self.current.start, self.current.end);
            self.bump();
            Some(name)
        } else {
            self.strings()
        };
        self.close(location);
        name.map(Reserved::Name)
    }

    /// Reads `4`, `10 to 20` or `30 to max`. Both ends are included, and an end of `None` stands for `max`.
    fn range_of(&mut self, tail: &[i32; 2], is_signed: bool) -> Option<(i32, Option<i32>)> {
        let is_number = self.at_integer() || is_signed && self.at(b'-');
        if !is_number {
            self.missing("a number");
            if !self.at_word(b"to") {
                return None;
            }
            let location = self.open(tail, Layer::Plain);
            self.bump();
            return Some((0, self.close_range(tail, location, is_signed)));
        }
        let location = self.open(tail, Layer::Plain);
        let first_token = range(self.current.start, self.current.end);
        let start = self.bound(&[tail[0], tail[1], part::START], is_signed);
        if start.is_some_and(|start| self.has_lost_to(start)) {
            self.missing("`to`");
            return Some((start.unwrap_or(0), self.close_range(tail, location, is_signed)));
        }
        let end = if self.eat_word(b"to") {
            self.range_end(&[tail[0], tail[1], part::END], is_signed)
        } else {
            // As in protoc, the location of the end of a single number is its first token: for `-5`, the sign.
            self.record(&[tail[0], tail[1], part::END], first_token);
            start
        };
        self.close(location);
        Some((start.unwrap_or(0), end))
    }

    /// Whether `to`, and not a comma, is missing here: a number follows that is larger than `start` by more than 1.
    fn has_lost_to(&self, start: i32) -> bool {
        if !self.at_integer() || self.is_first_of_line() || self.text(self.next_token()) == b"to" {
            return false;
        }
        let number = value::integer(self.text(self.current)).and_then(|number| i32::try_from(number).ok());
        number.is_some_and(|number| number > start.saturating_add(1))
    }

    fn close_range(&mut self, tail: &[i32; 2], location: LocationId, is_signed: bool) -> Option<i32> {
        let end = self.range_end(&[tail[0], tail[1], part::END], is_signed);
        self.close(location);
        end
    }

    fn range_end(&mut self, tail: &[i32; 3], is_signed: bool) -> Option<i32> {
        if self.at_word(b"max") {
            self.record_token(tail, Layer::Plain);
            return None;
        }
        self.bound(tail, is_signed)
    }

    fn bound(&mut self, tail: &[i32; 3], is_signed: bool) -> Option<i32> {
        let location = self.open(tail, Layer::Plain);
        let is_negative = is_signed && self.eat(b'-');
        let number = self.integer(is_negative);
        self.close(location);
        number
    }

    /// Goes to the next element of a list; `false` when there is none. If the comma is missing, the next token must be
    /// of the kind `element` and on the same line.
    fn another(&mut self, element: TokenKind) -> bool {
        if self.eat(b',') {
            return true;
        }
        let is_element = self.current.kind == element && !self.is_first_of_line();
        if is_element {
            self.missing("`,`");
        }
        is_element
    }
}

impl LocationId {
    /// The location that is as far after `to` as this location is after `from`.
    fn moved(self, from: LocationId, to: LocationId) -> LocationId {
        LocationId::at(self.index() - from.index() + to.index())
    }
}
