//! Reads options: statements, and lists in brackets.

use locant_text::Range;

use super::cursor::Block;
use super::{Parser, range};
use crate::file::{Holder, NamePart, OptionUse, OptionValue};
use crate::flaw::Flaw;
use crate::lexer::TokenKind;
use crate::number::{UNINTERPRETED, option as number};
use crate::table::Layer;
use crate::value;

impl Parser<'_> {
    /// Reads `option … = …;`. `tail` is the end of the path to the options of the holder. `n_options` counts these
    /// options; if it is `None`, the scope counts them.
    pub(super) fn option_statement(&mut self, holder: Holder, tail: &[i32], n_options: Option<&mut i32>) {
        let location = self.open(tail, Layer::Plain);
        self.counted(holder, tail, n_options, true);
        self.close(location);
    }

    /// Reads an option statement whose keyword is missing.
    pub(super) fn lost_option(&mut self, holder: Holder, tail: &[i32]) {
        self.missing("`option`");
        self.option_statement(holder, tail, None);
    }

    fn counted(&mut self, holder: Holder, tail: &[i32], n_options: Option<&mut i32>, is_statement: bool) {
        match n_options {
            Some(n_options) => self.option(holder, tail, n_options, is_statement),
            None => {
                let mut n_options = self.scope().n_options;
                self.option(holder, tail, &mut n_options, is_statement);
                self.scope().n_options = n_options;
            }
        }
    }

    /// Reads one option. A statement also has the keyword before the option and `;` after it.
    pub(super) fn option(&mut self, holder: Holder, tail: &[i32], n_options: &mut i32, is_statement: bool) {
        let depth = self.path.len();
        self.path.extend(tail);
        self.path.extend([UNINTERPRETED, *n_options]);
        *n_options += 1;
        let location = self.open(&[], Layer::Option);
        if is_statement {
            self.eat_word(b"option");
        }
        let name = self.option_name();
        self.expect(b'=', "`=`");
        let value = self.option_value();
        self.file.options.push(OptionUse { holder, location, name, value });
        self.path.truncate(depth);
        if is_statement {
            self.end_statement(Some(location));
        }
        self.close(location);
    }

    fn option_name(&mut self) -> (u32, u32) {
        let first = self.n_name_parts();
        let location = self.open(&[number::NAME], Layer::OptionPart);
        let mut index = 0;
        loop {
            self.name_part(index);
            index += 1;
            if self.at(b')') {
                self.missing("`(`");
                self.bump();
            }
            if !self.eat(b'.') && !self.has_lost_dot() {
                break;
            }
        }
        self.close(location);
        (first, self.n_name_parts())
    }

    /// Whether another part of the name follows, with the dot before it missing.
    fn has_lost_dot(&mut self) -> bool {
        let is_part = (self.at_identifier() || self.at(b'('))
            && !self.is_first_of_line()
            && match self.next_token().kind {
                TokenKind::Symbol(b'=' | b'.') => self.at_identifier(),
                _ => self.at(b'('),
            };
        if is_part {
            self.missing("`.`");
        }
        is_part
    }

    fn n_name_parts(&self) -> u32 {
        u32::try_from(self.file.name_parts.len()).expect("fewer names than bytes")
    }

    fn name_part(&mut self, index: i32) {
        let is_extension = self.at(b'(');
        if !is_extension && !self.at_identifier() {
            return self.missing("the name of an option");
        }
        let part = self.open(&[number::NAME, index], Layer::OptionPart);
        self.eat(b'(');
        let start = self.current.start;
        let inner = self.open(&[number::NAME, index, number::NAME_PART], Layer::OptionPart);
        if is_extension {
            let _ = self.dotted("the name of an extension");
        } else {
            self.bump();
        }
        self.close(inner);
        let name = range(start, self.last_end);
        if is_extension {
            self.expect(b')', "`)`");
        }
        self.close(part);
        self.file.name_parts.push(NamePart { name, is_extension });
    }

    fn option_value(&mut self) -> OptionValue {
        let start = self.current.start;
        let is_negative = self.at(b'-');
        let token = if is_negative { self.next_token() } else { self.current };
        let is_small = || {
            let number = value::integer(self.text(token));
            number.is_some_and(|number| !is_negative || number <= 1 << 63)
        };
        let part = match token.kind {
            TokenKind::Identifier if self.has_lost_brace() => number::AGGREGATE,
            TokenKind::Identifier if self.starts_statement() => {
                self.missing("a value");
                return OptionValue::Missing;
            }
            TokenKind::Identifier => number::IDENTIFIER,
            TokenKind::Integer if !is_small() => number::DOUBLE,
            TokenKind::Integer if is_negative => number::NEGATIVE,
            TokenKind::Integer => number::POSITIVE,
            TokenKind::Float => number::DOUBLE,
            TokenKind::String => number::STRING,
            TokenKind::Symbol(b'{') => number::AGGREGATE,
            _ => {
                self.missing("a value");
                return OptionValue::Missing;
            }
        };
        let location = self.open(&[part], Layer::OptionPart);
        self.eat(b'-');
        match part {
            number::STRING => drop(self.strings()),
            number::AGGREGATE => self.aggregate(),
            _ => self.bump(),
        }
        self.close(location);
        let written = self.since(start);
        match part {
            number::IDENTIFIER => OptionValue::Identifier(written),
            number::POSITIVE | number::NEGATIVE => OptionValue::Integer(written),
            number::DOUBLE => OptionValue::Float(written),
            number::STRING => OptionValue::String(written),
            _ => OptionValue::Aggregate(written),
        }
    }

    /// Whether the fields of an aggregate start here, with its `{` missing.
    fn has_lost_brace(&self) -> bool {
        matches!(self.next_token().kind, TokenKind::Symbol(b':' | b'{'))
    }

    /// Steps over the fields of an aggregate. They are read when the option is interpreted.
    fn aggregate(&mut self) {
        let block = self.block_at("value", self.current.start);
        let start = self.current.start;
        self.expect(b'{', "`{`");
        let mut depth = 1;
        while !self.at_end() {
            let is_lost = self.n_to_close > 0
                && (self.at(b';') && !self.is_separator(block)
                    || self.is_outside(block) && !(self.at(b'}') && depth == 1));
            if is_lost {
                self.n_to_close -= usize::from(depth == 1);
                return self.missing("`}`");
            }
            match self.current.kind {
                TokenKind::Symbol(b'{') => depth += 1,
                TokenKind::Symbol(b'}') => depth -= 1,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return self.skip_spare_brace();
            }
        }
        self.report(range(start, start), Flaw::Unclosed("value"));
    }

    /// Whether the current `;` separates fields of a value. Otherwise it ends a statement, and the `}` of the value is
    /// missing.
    fn is_separator(&self, block: Block) -> bool {
        let mut lexer = self.ahead();
        let next = lexer.next();
        match next.kind {
            TokenKind::Symbol(b'}') => self.column_of(next) >= block.indent,
            TokenKind::Symbol(b'[') => true,
            TokenKind::Identifier => matches!(lexer.next().kind, TokenKind::Symbol(b':' | b'{' | b'<')),
            _ => false,
        }
    }

    /// Skips a `}` between a value and the end of its option. It is there because a `{` inside the value is missing.
    fn skip_spare_brace(&mut self) {
        let ends = |kind| matches!(kind, TokenKind::Symbol(b';' | b']' | b','));
        if self.at(b'}') && ends(self.next_token().kind) && self.balance() < 0 {
            self.missing("`{`");
            self.bump();
        }
    }

    /// Reads the options in brackets after extension ranges or an enum value.
    pub(super) fn option_list(&mut self, holder: Holder, tail: &[i32]) -> Range {
        let start = self.current.start;
        self.expect(b'[', "`[`");
        let mut n_options = 0;
        loop {
            self.option(holder, tail, &mut n_options, false);
            if !self.another_option() {
                break;
            }
        }
        self.expect(b']', "`]`");
        self.since(start)
    }
}
