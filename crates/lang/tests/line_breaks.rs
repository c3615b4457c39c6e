//! A line may end with a line feed or with a carriage return: the outline is the same.

mod fences;
mod sources;

use locant_lang::Language;
use locant_tree::Symbol;

#[test]
fn a_carriage_return_breaks_a_line_as_a_line_feed_does() {
    let mut wrong = Vec::new();
    for (language, source) in sources::sources() {
        let expected = symbols(language, &source);
        let is = symbols(language, &source.replace('\n', "\r"));
        if expected != is {
            wrong.push(format!("{}: {source}\nis {is:#?}\nnot {expected:#?}", language.name()));
        }
    }
    assert!(wrong.is_empty(), "{} sources\n{}", wrong.len(), wrong.join("\n"));
}

fn symbols(language: &'static Language, source: &str) -> Vec<Symbol> {
    language.outline(source.as_bytes()).iter().map(|(_, symbol)| symbol.clone()).collect()
}
