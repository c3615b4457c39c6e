//! Puts the page together from its parts: markup, style, scripts, and what is known of the file.
//!
//! A file may contain anything, so nothing of it is ever read as markup or as a script. Its bytes are in base64, and
//! its names and paths are in JSON without `<`. The policy in the head of the page names the only style and the only
//! script that may run, by their digests, and forbids every connection.

use std::ops::RangeInclusive;

use locant_engine::Document;
use locant_workspace::preview::sha256;

use super::facts::Facts;
use crate::base64::base64;

const MARKUP: &str = include_str!("page/page.html");

const STYLE: &str = include_str!("page/style.css");

/// The scripts, in the order in which they use each other.
const SCRIPTS: &[&str] = &[
    include_str!("page/text.js"),
    include_str!("page/tree.js"),
    include_str!("page/find.js"),
    include_str!("page/location.js"),
    include_str!("page/resolve.js"),
    include_str!("page/places.js"),
    include_str!("page/show.js"),
    include_str!("page/source.js"),
    include_str!("page/list.js"),
    include_str!("page/panels.js"),
    include_str!("page/chain.js"),
    include_str!("page/main.js"),
];

/// The page of a file.
pub(super) fn of(document: &Document, facts: &Facts) -> String {
    let (style, script) =
        (format!("\n{}", one_break(STYLE)), format!("\n{}", one_break(&SCRIPTS.join("\n"))));
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        digest(&script),
        digest(&style)
    );
    let facts = serde_json::to_string(facts).expect("the facts have string keys and no failing parts");
    // In JSON, `<` occurs only inside of strings, where it can be written as its number.
    let facts = facts.replace('<', "\\u003c");
    let title = escaped(document.path());
    let parts =
        [("POLICY", &policy), ("TITLE", &title), ("STYLE", &style), ("FACTS", &facts), ("SCRIPT", &script)];
    let mut page = String::with_capacity(MARKUP.len() + style.len() + facts.len() + script.len());
    let mut rest = MARKUP;
    for (name, part) in parts {
        let (before, after) =
            rest.split_once(&format!("{{{{{name}}}}}")).expect("the markup names every part");
        page.push_str(&one_break(before));
        page.push_str(part);
        rest = after;
    }
    page + &one_break(rest)
}

/// The text with `\n` for every line break. Browsers change line breaks in this way before they compare the text with
/// its digest, and some systems check out files with other line breaks.
fn one_break(text: &str) -> String {
    text.replace('\r', "")
}

/// The digest of a style or script, as a policy names it.
fn digest(text: &str) -> String {
    let digits = sha256(text.as_bytes());
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("a digest consists of digits");
    let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
    format!("sha256-{}", base64(&bytes))
}

/// Characters that are not seen, or that change the direction of others, beside the control characters.
const UNSEEN: [RangeInclusive<char>; 6] = [
    '\u{ad}'..='\u{ad}',
    '\u{61c}'..='\u{61c}',
    '\u{200b}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
];

/// A text for markup. Characters that are not seen, or that change the direction of others, are replaced.
fn escaped(text: &str) -> String {
    let is_unseen = |c: char| c.is_control() || UNSEEN.iter().any(|range| range.contains(&c));
    let seen = text.replace(is_unseen, "\u{fffd}");
    seen.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_as_policies_have_them() {
        assert_eq!(digest(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn nothing_in_the_scripts_and_the_style_ends_them_early() {
        for part in SCRIPTS.iter().chain([&STYLE]) {
            for end in ["</", "<!--", "innerHTML", "http"] {
                assert!(!part.contains(end), "{end} in {}", &part[..60]);
            }
        }
    }
}
