//! Where a text is skimmed, its outline is the exact one.

use std::path::Path;

use locant_lang::by_name;
use locant_tree::Outline;

/// Texts of each language, in `tests/cases/LANGUAGE.md` and in the cases of the language itself.
fn texts(language: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = root.join("tests/cases").join(format!("{language}.md"));
    let cases = root.join("../../languages").join(language).join("cases.md");
    let mut texts = Vec::new();
    for file in [own, cases] {
        let markdown = std::fs::read_to_string(&file).unwrap_or_default();
        let mut lines = markdown.lines();
        while let Some(line) = lines.next() {
            let info = line.trim_start_matches('`');
            let fence = &line[..line.len() - info.len()];
            if fence.len() < 3 {
                continue;
            }
            let block = lines.by_ref().take_while(|line| *line != fence);
            let text: String = block.map(|line| format!("{line}\n")).collect();
            match info.split_once(' ') {
                Some((name, "crlf")) if name == language => texts.push(text.replace('\n', "\r\n")),
                _ if info == language => texts.push(text),
                _ => {}
            }
        }
    }
    texts
}

/// A person can read where two outlines differ.
fn shown(outline: &Outline) -> String {
    outline.symbols().iter().map(|symbol| format!("{symbol:?}\n")).collect()
}

#[test]
fn a_skimmed_outline_is_the_exact_one() {
    for name in locant_skim::languages() {
        let language = by_name(name).expect("what is skimmed can be read");
        let texts = texts(name);
        assert!(texts.len() > 3, "{name} has cases");
        let mut n_skimmed = 0;
        for text in &texts {
            let exact = language.outline(text.as_bytes());
            let Some(skimmed) = locant_skim::outline(name, text.as_bytes()) else { continue };
            n_skimmed += 1;
            if !exact.is_damaged {
                assert_eq!(shown(&skimmed), shown(&exact), "{name}:\n{text}");
                assert_eq!(skimmed, exact, "{name}:\n{text}");
            }
        }
        assert!(n_skimmed * 3 > texts.len(), "{name}: only {n_skimmed} of {}", texts.len());
    }
}

#[test]
fn lines_that_are_missing_never_make_another_outline() {
    for name in locant_skim::languages() {
        let language = by_name(name).expect("what is skimmed can be read");
        for text in texts(name) {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            for cut in 0..lines.len() {
                let text = [&lines[..cut], &lines[cut + 1..]].concat().concat();
                let Some(skimmed) = locant_skim::outline(name, text.as_bytes()) else { continue };
                let exact = language.outline(text.as_bytes());
                if !exact.is_damaged {
                    assert_eq!(shown(&skimmed), shown(&exact), "{name}:\n{text}");
                }
            }
        }
    }
}
