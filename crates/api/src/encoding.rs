//! The units in which columns are counted.

use clap::ValueEnum;
use locant_engine as engine;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The unit in which columns are counted.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize, ValueEnum)]
pub enum Encoding {
    /// Units of UTF-16, as the language server protocol counts by default.
    #[default]
    #[value(name = "utf-16", alias = "utf16")]
    #[serde(rename = "utf-16", alias = "utf16")]
    Utf16,
    /// Bytes of UTF-8.
    #[value(name = "utf-8", alias = "utf8")]
    #[serde(rename = "utf-8", alias = "utf8")]
    Utf8,
    /// Characters, as code points.
    #[value(name = "utf-32", alias = "utf32")]
    #[serde(rename = "utf-32", alias = "utf32")]
    Utf32,
}

impl From<Encoding> for engine::Encoding {
    fn from(encoding: Encoding) -> engine::Encoding {
        match encoding {
            Encoding::Utf16 => engine::Encoding::Utf16,
            Encoding::Utf8 => engine::Encoding::Utf8,
            Encoding::Utf32 => engine::Encoding::Utf32,
        }
    }
}
