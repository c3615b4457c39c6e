//! How the descriptor writes values and names as text.

use crate::value;

/// The default of a field, by its type.
pub(super) fn default_value(written: &[u8], declared: &str) -> Vec<u8> {
    match declared {
        "string" => value::strings(written),
        "bytes" => escaped(&value::strings(written)),
        "double" | "float" => number(written, |text| {
            // The words `inf` and `nan` stay words.
            let is_word = text.first().is_some_and(u8::is_ascii_alphabetic);
            value::float(text).filter(|_| !is_word).map(shortest)
        }),
        "bool" => written.to_vec(),
        _ => number(written, |text| value::integer(text).map(|number| number.to_string())),
    }
}

/// A number behind its sign, as `read` writes it; what is no number stays as it is.
fn number(written: &[u8], read: impl Fn(&[u8]) -> Option<String>) -> Vec<u8> {
    let (sign, digits) = match written.strip_prefix(b"-") {
        Some(rest) => ("-", rest.trim_ascii_start()),
        None => ("", written),
    };
    let digits = read(digits).unwrap_or_else(|| String::from_utf8_lossy(digits).into_owned());
    format!("{sign}{digits}").into_bytes()
}

/// Bytes as a C string literal writes them.
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

/// A number in as few digits as lead back to it, as C's `%g` writes it: `1.5`, `1e-05`, `1e+20`.
fn shortest(number: f64) -> String {
    let digits = [6i32, 15, 17].into_iter().find_map(|n| {
        let text = format!("{:.*e}", usize::try_from(n - 1).ok()?, number);
        let is_same = text.parse::<f64>().is_ok_and(|read| read == number);
        (is_same || n == 17).then_some((n, text))
    });
    let Some((most, text)) = digits else { return number.to_string() };
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    match (-4..most).contains(&exponent) {
        true => trimmed(&format!("{number:.*}", usize::try_from(most - 1 - exponent).unwrap_or(0))),
        false => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
        }
    }
}

/// The name of a field in JSON: `page_size` is `pageSize`.
pub(super) fn json_name(name: &str) -> String {
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
