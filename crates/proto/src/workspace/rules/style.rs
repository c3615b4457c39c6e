//! The rules for the naming style. Edition 2024 and later editions enforce it.

use super::Rules;
use crate::file::{DeclarationId, Form, Holder, Syntax};
use crate::value;

/// The first edition that enforces the naming style.
const FIRST_WITH_STYLE: u32 = 2024;

/// A way to write names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `ShopOrder`
    Title,
    /// `shop_order`
    Lower,
    /// `SHOP_ORDER`
    Upper,
}

impl Rules<'_> {
    pub(super) fn style(&mut self) {
        if !matches!(self.unit.file.syntax, Syntax::Edition(FIRST_WITH_STYLE..)) {
            return;
        }
        let feature: [&[u8]; 2] = [b"features", b"enforce_naming_style"];
        if let Some(range) = self.unit.file.package
            && is_enforced(self.unit.said(Holder::File, &feature))
            && !value::dotted(self.text(range)).split('.').all(|part| Style::Lower.is_kept(part.as_bytes()))
        {
            self.report(range, "naming-style", "the name is not written as `shop_order`", HINT);
        }
        for (id, what) in self.unit.file.iter() {
            let (Some(style), Some(range)) = (style_of(what.form), what.name) else { continue };
            if !style.is_kept(self.text(range)) && is_enforced(self.naming_style(id)) {
                let message = format!("the name is not written as `{}`", style.example());
                self.report(range, "naming-style", message, HINT);
            }
        }
    }

    fn naming_style(&self, id: DeclarationId) -> Option<&[u8]> {
        self.unit.feature(id, b"enforce_naming_style")
    }
}

const HINT: &str = "rename it, or set features.enforce_naming_style = STYLE_LEGACY";

fn is_enforced(said: Option<&[u8]>) -> bool {
    said != Some(b"STYLE_LEGACY")
}

fn style_of(form: Form) -> Option<Style> {
    match form {
        Form::Message { .. } | Form::Enum | Form::Service | Form::Method(_) => Some(Style::Title),
        Form::Field(_) | Form::Oneof => Some(Style::Lower),
        Form::Value { .. } => Some(Style::Upper),
    }
}

impl Style {
    fn example(self) -> &'static str {
        match self {
            Style::Title => "ShopOrder",
            Style::Lower => "shop_order",
            Style::Upper => "SHOP_ORDER",
        }
    }

    fn is_kept(self, name: &[u8]) -> bool {
        // Names must differ even without their underscores. `a_1` and `a1` would not, so `_` must be followed by a
        // letter.
        let is_parted = |two: &[u8]| two[0] != b'_' || two[1].is_ascii_alphabetic();
        name.first().is_some_and(|byte| self.may_start_with(*byte))
            && name.iter().all(|byte| self.may_have(*byte))
            && name.windows(2).all(is_parted)
            && name.last() != Some(&b'_')
    }

    fn may_start_with(self, byte: u8) -> bool {
        if self == Style::Lower { byte.is_ascii_lowercase() } else { byte.is_ascii_uppercase() }
    }

    fn may_have(self, byte: u8) -> bool {
        match self {
            Style::Title => byte.is_ascii_alphanumeric(),
            Style::Lower => byte == b'_' || byte.is_ascii_digit() || byte.is_ascii_lowercase(),
            Style::Upper => byte == b'_' || byte.is_ascii_digit() || byte.is_ascii_uppercase(),
        }
    }
}
