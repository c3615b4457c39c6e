//! The names that other programs have for languages.

use locant_engine::Reader;

/// The name of a language in locant, in universal-ctags and in SCIP, if these differ.
struct Names {
    title: &'static str,
    ctags: &'static str,
    scip: &'static str,
}

const NAMES: &[Names] = &[
    Names { title: "Bash", ctags: "Sh", scip: "ShellScript" },
    Names { title: "C#", ctags: "C#", scip: "CSharp" },
    Names { title: "C++", ctags: "C++", scip: "CPP" },
    Names { title: "Make", ctags: "Make", scip: "Makefile" },
    Names { title: "OCaml interface", ctags: "OCaml", scip: "OCaml" },
    Names { title: "Objective-C", ctags: "ObjectiveC", scip: "Objective_C" },
    Names { title: "TSX", ctags: "TypeScript", scip: "TypeScriptReact" },
    Names { title: "YAML", ctags: "Yaml", scip: "YAML" },
];

/// The name of the reader's language in universal-ctags.
pub(super) fn ctags(reader: Reader) -> &'static str {
    let title = title(reader);
    NAMES.iter().find(|names| names.title == title).map_or(title, |names| names.ctags)
}

/// The name of the reader's language in SCIP.
pub(super) fn scip(reader: Reader) -> &'static str {
    let title = title(reader);
    NAMES.iter().find(|names| names.title == title).map_or(title, |names| names.scip)
}

fn title(reader: Reader) -> &'static str {
    match reader {
        Reader::Grammar(language) => language.title(),
        Reader::Proto => "Protobuf",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_that_has_another_name_is_read() {
        let titles: Vec<&str> = Reader::names().into_iter().filter_map(Reader::by_name).map(title).collect();
        for names in NAMES {
            assert!(titles.contains(&names.title), "{}", names.title);
        }
    }
}
