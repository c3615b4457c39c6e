//! If a text is skimmed, its outline equals the exact one.

use std::path::PathBuf;

use locant_lang::{Language, by_name};
use locant_tree::Outline;

/// The texts of a language, from `tests/cases/LANGUAGE.md` and from the cases of the language itself.
fn texts(language: &str) -> Vec<String> {
    let cases = format!("{}/../../languages/{language}/cases.md", env!("CARGO_MANIFEST_DIR"));
    let markdown = std::fs::read_to_string(cases).expect("a language has cases");
    [own_texts(language), fenced(&markdown, language)].concat()
}

/// The code blocks of a language in a Markdown page.
fn fenced(markdown: &str, language: &str) -> Vec<String> {
    let mut texts = Vec::new();
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
    texts
}

/// The texts in `tests/cases/LANGUAGE.md`. All of them must be skimmed.
fn own_texts(language: &str) -> Vec<String> {
    let file = format!("{}/tests/cases/{language}.md", env!("CARGO_MANIFEST_DIR"));
    fenced(&std::fs::read_to_string(file).unwrap_or_default(), language)
}

/// The symbols of an outline, one per line, so that a person can see where two outlines differ.
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
        assert!(n_skimmed > 0, "{name} is not skimmed");
    }
}

/// Asserts that the outline of a text that the grammar accepts is the exact one. Returns whether there is one.
fn check_exact(language: &'static Language, text: &str) -> bool {
    let bytes = text.as_bytes();
    let skimmed = locant_skim::exact_outline(language.name(), bytes, &|text| language.accepts(text));
    let Some(skimmed) = skimmed else { return false };
    let (exact, name) = (language.outline(bytes), language.name());
    assert_eq!(shown(&skimmed), shown(&exact), "{name}:\n{text}");
    assert_eq!(skimmed, exact, "{name}:\n{text}");
    true
}

#[test]
fn a_text_that_the_grammar_accepts_has_its_exact_outline() {
    for name in locant_skim::exact_languages() {
        let language = by_name(name).expect("what is skimmed can be read");
        assert!(texts(name).iter().any(|text| check_exact(language, text)), "{name} accepts nothing");
        for text in own_texts(name) {
            assert!(check_exact(language, &text), "{name} does not accept:\n{text}");
        }
    }
}

#[test]
fn the_sources_of_this_project_have_their_exact_outlines() {
    let rust = by_name("rust").expect("Rust is read");
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")];
    let mut n_exact = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the crates are there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source is UTF-8");
                n_exact += usize::from(check_exact(rust, &text));
            }
        }
    }
    assert!(n_exact > 300, "only {n_exact} sources are read without a tree");
}

/// Python's grammar takes what a line lacks from the next line, so it accepts all of these.
#[test]
fn an_unfinished_line_is_left_to_the_exact_reading() {
    let python = by_name("python").expect("Python is read");
    for line in ["a =", "a = b.", "a = not", "x:", "a = b: c", "class B:c:", "a = 1,", "from c import", "\\"]
    {
        for next in ["b = 1", "    b = 1", "def f(): pass", "    def f(): pass", "\"text\""] {
            check_exact(python, &format!("{line}\n{next}\nc = 2\n"));
            check_exact(python, &format!("class A:\n    {line}\n{next}\n    c = 2\nd = 3\n"));
            check_exact(python, &format!("def g():\n    {line}\n{next}\n    c = 2\nd = 3\n"));
        }
    }
}

/// A text inside another one may be indented as a whole.
#[test]
fn an_indented_text_has_its_exact_outline() {
    for name in locant_skim::exact_languages() {
        let language = by_name(name).expect("what is skimmed can be read");
        for text in own_texts(name) {
            let indented: String = text.split_inclusive('\n').map(|line| format!("    {line}")).collect();
            check_exact(language, &indented);
            check_exact(language, &format!("\n{indented}"));
            check_exact(language, &format!("    {text}"));
        }
    }
}

/// The grammar of Go takes keywords for names where it expects nothing but a name, and looks in the next line for what
/// is missing.
#[test]
fn go_that_nobody_writes_is_left_to_the_exact_reading() {
    let go = by_name("go").expect("Go is read");
    for line in [
        "func (t *T) func() int { return 1 }",
        "func f() { x.type\n\tfoo := 1\n\t_ = foo }",
        "func f() { x.func(func() { var a = func() {} }) }",
        "type A interface { ~struct { b B[c] } }",
        "type A interface { type() }",
        "type A struct { type int }",
        "type type struct { a int }",
        "var func = 1",
        "func f() { type := func() {} }",
        "func f() { for type range x {} }",
        "func f()\n{ a := func() {} }",
        "var (\n\t_ \n\tT2\n)",
        "var (\n\ta\n\tb = c\n)",
        "func f() {\n\ta := func() {}\n\t(((a)))(0)\n}",
    ] {
        check_exact(go, &format!("package p\n\n{line}\n\nfunc g() {{}}\n"));
    }
}

/// The grammars of scripts take words for names, and any operand for what is assigned to.
#[test]
fn scripts_that_nobody_writes_are_left_to_the_exact_reading() {
    for name in ["javascript", "typescript"] {
        let language = by_name(name).expect("it is read");
        for line in [
            "export\nfunction f() {}",
            "export\n/** Docs. */\nclass A {}",
            "await\nfunction f() {}",
            "let\n\na = 1",
            "a.b ^\nc.d = function () {}",
            "a<B>\nc.d = function () {}",
            "typeof a.b = function () {}",
            "!a.b = { c: function () {} }",
            "a ^ b.c += function d() {}",
        ] {
            check_exact(language, &format!("var x = 1;\n{line};\nfunction g() {{}}\n"));
        }
    }
}

#[test]
fn a_text_with_an_error_never_has_another_outline() {
    const MARKS: &[&str] = &[
        "(", ")", "{", "}", "]", "\"", "'", "\"\"\"", "/*", "#", ":", ";", "= =", "class", "if", "x y", "\t",
        "@",
    ];
    for name in locant_skim::exact_languages() {
        let language = by_name(name).expect("what is skimmed can be read");
        for text in texts(name) {
            let places = text.char_indices().map(|(at, _)| at).step_by(3);
            for (at, mark) in places.zip(MARKS.iter().cycle()) {
                check_exact(language, &format!("{}{mark}{}", &text[..at], &text[at..]));
                check_exact(language, &text[..at]);
            }
        }
    }
}

#[test]
fn our_own_texts_are_skimmed() {
    for name in locant_skim::languages() {
        let language = by_name(name).expect("what is skimmed can be read");
        let texts = own_texts(name);
        assert!(!texts.is_empty(), "{name} has texts in tests/cases");
        for text in texts {
            assert!(!language.outline(text.as_bytes()).is_damaged, "{name} has a slip in:\n{text}");
            assert!(locant_skim::outline(name, text.as_bytes()).is_some(), "{name} is not sure of:\n{text}");
        }
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
