//! Values and names as the descriptor writes them.

use crate::value;

/// The default value of a field with the type `declared`.
pub(super) fn default_value(written: &[u8], declared: &str) -> Vec<u8> {
    match declared {
        "string" => value::strings(written),
        "bytes" => escaped(&value::strings(written)),
        // A nan loses its sign in a default value.
        "double" | "float" if written.ends_with(b"nan") => b"nan".to_vec(),
        "double" | "float" => number(written, |text| {
            // The words `inf` and `nan` stay words.
            let is_word = text.first().is_some_and(u8::is_ascii_alphabetic);
            let number = value::float(text).filter(|_| !is_word)?;
            Some(shortest(number, declared == "float"))
        }),
        "bool" => written.to_vec(),
        _ => number(written, |text| value::integer(text).map(|number| number.to_string())),
    }
}

/// The sign of a number, followed by what `read` makes of its digits. If `read` returns `None`, the digits stay as they
/// are.
fn number(written: &[u8], read: impl Fn(&[u8]) -> Option<String>) -> Vec<u8> {
    let (is_negative, digits) = value::signed(written);
    let sign = if is_negative { "-" } else { "" };
    let digits = read(digits).unwrap_or_else(|| String::from_utf8_lossy(digits).into_owned());
    format!("{sign}{digits}").into_bytes()
}

/// Bytes with the escapes of a C string literal.
fn escaped(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    for &byte in bytes {
        match byte {
            b'\n' => text.extend(b"\\n"),
            b'\r' => text.extend(b"\\r"),
            b'\t' => text.extend(b"\\t"),
            b'"' | b'\'' | b'\\' => text.extend([b'\\', byte]),
            0x20..=0x7e => text.push(byte),
            _ => text.extend(format!("\\{byte:03o}").bytes()),
        }
    }
    text
}

/// Whether a text parses to this number, as an `f32` if `is_short`.
fn reads_as(text: &str, number: f64, is_short: bool) -> bool {
    if is_short {
        text.parse::<f32>().is_ok_and(|read| f64::from(read) == number)
    } else {
        text.parse::<f64>().is_ok_and(|read| read == number)
    }
}

/// A number in the form of C's `%g`: `1.5`, `1e-05`, `1e+20`. It has 15 digits (6 for a float) if these parse to the
/// same number. Otherwise it has 17 digits (9 for a float), which always do.
fn shortest(number: f64, is_short: bool) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "a float has fewer digits")]
    let number = if is_short { f64::from(number as f32) } else { number };
    if number.is_infinite() {
        return "inf".to_owned();
    }
    let in_digits = |n: usize| format!("{number:.*e}", n - 1);
    let (few, all) = if is_short { (6, 9) } else { (15, 17) };
    let (most, text) = match in_digits(few) {
        text if reads_as(&text, number, is_short) => (few, text),
        _ => (all, in_digits(all)),
    };
    let most = i32::try_from(most).expect("it is small");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if (-4..most).contains(&exponent) {
        trimmed(&format!("{number:.*}", usize::try_from(most - 1 - exponent).unwrap_or(0)))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
    }
}

/// The name of a field in JSON: `page_size` is `pageSize`.
pub(crate) fn json_name(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut is_raised = false;
    for letter in name.chars() {
        match letter {
            '_' => is_raised = true,
            letter if is_raised => {
                camel.push(letter.to_ascii_uppercase());
                is_raised = false;
            }
            letter => camel.push(letter),
        }
    }
    camel
}
