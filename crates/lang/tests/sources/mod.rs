//! The sources in the cases of all languages. A test that uses this module must also declare `fences`.

use locant_lang::{Language, all, by_name};

/// The sources of all cases, each with its language.
pub(crate) fn sources() -> Vec<(&'static Language, String)> {
    let mut sources = Vec::new();
    for language in all() {
        let file = format!("{}/../../languages/{}/cases.md", env!("CARGO_MANIFEST_DIR"), language.name());
        let Ok(markdown) = std::fs::read_to_string(file) else { continue };
        let mut lines = markdown.lines();
        while let Some(line) = lines.next() {
            if let Some(block) = crate::fences::opened(line, &mut lines)
                && by_name(block.info.split(' ').next().unwrap_or_default()) == Some(language)
            {
                sources.push((language, block.text));
            }
        }
    }
    assert!(sources.len() > all().len(), "the cases are found");
    sources
}
