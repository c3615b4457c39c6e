//! Bytes in JSON: as a string if they are UTF-8, otherwise as an object with their hexadecimal digits.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum Written<'b> {
    Text(std::borrow::Cow<'b, str>),
    Bytes { hex: String },
}

pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let written = match std::str::from_utf8(bytes) {
        Ok(text) => Written::Text(text.into()),
        Err(_) => Written::Bytes { hex: bytes.iter().map(|byte| format!("{byte:02x}")).collect() },
    };
    written.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    match Written::deserialize(deserializer)? {
        Written::Text(text) => Ok(text.into_owned().into_bytes()),
        Written::Bytes { hex } => {
            let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
            let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
            bytes.ok_or_else(|| serde::de::Error::custom("these are no hexadecimal digits"))
        }
    }
}
