//! Laws that hold for every text: there is always an outline, and its ranges are consistent.

mod fences;
mod sources;

use locant_lang::{Language, Syntax, all, by_name};
use locant_tree::{Outline, SymbolKind};
use sources::sources;

#[track_caller]
fn check_ranges(language: &Language, outline: &Outline, text: &[u8]) {
    for (id, symbol) in outline.iter() {
        let start = String::from_utf8_lossy(&text[symbol.name_range.indices()]);
        // If a name has several parts, the range is that of the first part.
        let is_heading = symbol.kind == SymbolKind::Heading;
        let is_long = start.contains(['\n', '\r']);
        let may_be_long = is_heading || symbol.kind == SymbolKind::Selector;
        assert!(!is_long || may_be_long, "{language:?} {symbol:?}");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let start = if is_heading || is_long { words(&start) } else { start.into_owned() };
        let rest = if is_heading { words(&symbol.name) } else { symbol.name.clone() };
        // A symbol that has no name in the source is named after the word at its range: `Companion`.
        let start = if start == "companion" { rest.clone() } else { start };
        let rest = rest.strip_prefix(&start);
        // The rest of a heading may be in tags.
        let is_apart = |rest: &str| rest.is_empty() || rest.starts_with(':') || is_heading;
        assert!(rest.is_some_and(is_apart), "{language:?} {symbol:?}");
        assert!(symbol.extent.covers(symbol.declaration), "{language:?} {symbol:?}");
        assert!(symbol.declaration.covers(symbol.header), "{language:?} {symbol:?}");
        assert!(symbol.extent.covers(symbol.name_range), "{language:?} {symbol:?}");
        assert!(symbol.extent.end().index() <= text.len(), "{language:?} {symbol:?}");
        assert!(symbol.parent.is_none_or(|parent| parent < id), "{language:?} {symbol:?}");
    }
}

#[test]
fn every_line_may_be_missing() {
    for (language, source) in sources() {
        let lines: Vec<&str> = source.split_inclusive('\n').collect();
        for cut in 0..lines.len() {
            let text = [&lines[..cut], &lines[cut + 1..]].concat().concat();
            check_ranges(language, &language.outline(text.as_bytes()), text.as_bytes());
        }
    }
}

#[test]
fn every_byte_may_be_the_last_or_broken() {
    for (language, source) in sources() {
        for at in (0..source.len()).step_by(7) {
            let text = &source.as_bytes()[..at];
            check_ranges(language, &language.outline(text), text);
            let mut text = source.clone().into_bytes();
            text[at] = 0xff;
            check_ranges(language, &language.outline(&text), &text);
        }
    }
}

#[test]
fn a_text_of_another_language_has_an_outline() {
    for (_, source) in sources().iter().step_by(3) {
        for language in all() {
            check_ranges(language, &language.outline(source.as_bytes()), source.as_bytes());
        }
    }
}

#[test]
fn names_that_are_no_utf8_are_lossy() {
    let outline = by_name("python").unwrap().outline(b"def f\xffg(): pass\nclass \xc3\xa9: x = 1\n");
    let names: Vec<&str> = outline.symbols().iter().map(|symbol| symbol.name.as_str()).collect();
    assert!(names.contains(&"é"), "{names:?}");
}

#[test]
fn deep_nesting_is_walked_without_recursion() {
    const DEPTH: usize = 100_000;
    let functions = "function f() {".repeat(DEPTH) + &"}".repeat(DEPTH);
    let objects = "const x = ".to_owned() + &"{ a: ".repeat(DEPTH) + "{ f() {} }" + &"}".repeat(DEPTH);
    let brackets = "[".repeat(DEPTH);
    let members = "a".to_owned() + &".b".repeat(DEPTH) + " = function () {}";
    // From every key, a rule follows a path through all parentheses to the variable.
    let keys = format!("const x = {}{{{}}}{}", "(".repeat(DEPTH), "a: 1,".repeat(DEPTH), ")".repeat(DEPTH));
    let javascript = by_name("javascript").unwrap();
    for (text, n_least) in [(functions, DEPTH), (objects, 1), (brackets, 0), (members, 0), (keys, 1)] {
        let outline = javascript.outline(text.as_bytes());
        assert!(outline.symbols().len() >= n_least);
    }
}

/// Tokens that make the error recovery of some parser try every possibility. Each is tested in the language where it
/// is worst.
#[test]
fn repeated_tokens_end_in_an_answer() {
    let repeated = [
        ("erlang", ".x{ : "),
        ("tsx", "!\n}"),
        ("zig", ";x |="),
        ("python", "+ +="),
        ("python", "/*\n"),
        ("elixir", "not x :  x + "),
        ("rust", "break x&&,"),
        ("csharp", "x~-"),
        ("c", "x=>"),
        ("java", "x=>"),
        ("objc", "x=>"),
    ];
    for (name, unit) in repeated {
        let text = unit.repeat(12_000 / unit.len());
        let outline = by_name(name).unwrap().outline(text.as_bytes());
        assert!(outline.is_damaged, "{name} {unit:?}");
    }
}

/// The stack of a thread is small. These texts are nested in the syntax, in the parser's own stack, or in a scanner.
#[test]
fn openers_end_in_an_answer_on_any_thread() {
    let openers = [
        ("go", "[{"),
        ("php", "$("),
        ("c", "{- "),
        ("cpp", "{- "),
        ("java", "{- "),
        ("javascript", "{x:"),
        ("typescript", "{x:"),
        ("ocaml", "(* "),
        ("haskell", "{- "),
        ("swift", "/* "),
        ("c", "struct A {"),
    ];
    for (name, open) in openers {
        let thread = std::thread::Builder::new().stack_size(512 << 10);
        let thread = thread.spawn(move || {
            by_name(name).unwrap().outline(open.repeat(50_000).as_bytes());
        });
        thread.unwrap().join().unwrap_or_else(|_| panic!("{name} {open:?}"));
    }
}

/// The scanner stores the length of a heredoc word in one byte, and asserts that it fits.
#[test]
fn what_a_scanner_does_not_expect_ends_its_parse_only() {
    let ruby = by_name("ruby").unwrap();
    for length in [255, 256, 300, 520, 1100] {
        let word = "A".repeat(length);
        let outline = ruby.outline(format!("x = <<{word}\nfoo\n{word}\ndef f; end\n").as_bytes());
        assert!(outline.symbols().iter().any(|symbol| symbol.name == "f"), "{length}");
    }
}

/// Scanners read a long word again and again, in pieces that end inside characters.
#[test]
fn long_words_of_any_character_end_in_an_answer() {
    for language in all() {
        for (unit, n_units) in [("é ", 50_000), ("あ", 35_012), ("\u{d7ff}", 35_012), ("é ", 12_667)] {
            for start in ["", "x"] {
                language.outline((start.to_owned() + &unit.repeat(n_units)).as_bytes());
            }
        }
    }
}

#[test]
fn any_character_may_stand_anywhere() {
    for language in all() {
        for character in ["\u{80}", "\u{ff}", "\u{100}", "\u{2028}", "\u{ffff}", "\u{10ffff}"] {
            for start in ["{", "", "$", "\"", "'", "a", "\n", "#", "0", "<"] {
                let text = format!("{start}{character} {character}{start}");
                check_ranges(language, &language.outline(text.as_bytes()), text.as_bytes());
            }
        }
    }
}

#[test]
fn lines_that_are_nested_too_deeply_for_a_parser_are_still_read() {
    let yaml = by_name("yaml").unwrap();
    let stairs: String = (0..1000).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    assert_eq!(yaml.outline(stairs.as_bytes()).symbols().len(), 1000);
    for bullet in ["- ", "? ", ": ", "-\t", "? - : "] {
        yaml.outline(bullet.repeat(10_000).as_bytes());
        yaml.outline(format!("{}\na: 1", bullet.repeat(10_000)).as_bytes());
    }
    let list = "- ".repeat(10_000) + "a: 1\nb: 2\n";
    assert_eq!(yaml.outline(list.as_bytes()).symbols().len(), 2);
}

#[test]
fn elements_that_are_nested_too_deeply_for_a_parser_are_still_read() {
    let xml = by_name("xml").unwrap();
    let stairs: String = (0..2000).map(|level| format!("{}<a>\n", " ".repeat(level % 50))).collect();
    let outline = xml.outline(stairs.as_bytes());
    assert_eq!(outline.symbols().len(), 2000);
    assert!(outline.is_by_line, "the parser was not asked");
    let flat = format!("<r>\n{}</r>\n", "  <a/><b x='1' /><c></c>\n".repeat(2000));
    assert!(!xml.outline(flat.as_bytes()).is_damaged, "many elements are not deep");
}

#[test]
fn marks_that_a_parser_does_not_get_over_leave_the_rest() {
    for (name, function) in [("swift", "func f() {}"), ("zig", "fn f() void {}")] {
        let text = format!("{function}\n\n{}", "/* ".repeat(5000));
        let outline = by_name(name).unwrap().outline(text.as_bytes());
        assert_eq!(outline.symbols().len(), 1, "{name}");
        assert!(outline.is_damaged, "{name}");
    }
}

/// Each error makes the parser look back over its stack, which grows with the text. This takes time but no memory.
#[test]
fn errors_in_a_row_do_not_take_time_that_grows_with_their_square() {
    let haskell = by_name("haskell").unwrap();
    let outline = haskell.outline("\r\n<a>".repeat(24_000).as_bytes());
    assert!(outline.is_by_line, "the parser looked back over its stack without a bound");
}

#[test]
fn an_annotation_may_be_the_end() {
    let kotlin = by_name("kotlin").unwrap();
    assert_eq!(kotlin.outline(b"class A\n@Foo").symbols().len(), 1);
    assert!(kotlin.parse(b"class A\n@Foo").is_none(), "the grammar would never end");
}

#[test]
fn texts_in_texts_end_somewhere() {
    let nested = (3..100).fold(String::new(), |inner, n| {
        let fence = "`".repeat(n);
        format!("# h{n}\n\n{fence}md\n{inner}{fence}\n")
    });
    let outline = by_name("markdown").unwrap().outline(nested.as_bytes());
    let names: Vec<&str> = outline.symbols().iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["h99", "h98", "h97", "h96"]);
}

/// A stored tree may be applied to a different text. The outline is then meaningless, but making it must not fail.
#[test]
fn the_tree_of_another_text_has_an_outline_or_none() {
    let sources = sources();
    for pair in sources.windows(2) {
        let [(language, source), (_, other)] = pair else { unreachable!("windows have two") };
        let tree = Syntax::new(language, source.as_bytes()).unwrap();
        let shifted: Vec<u8> = source.bytes().skip(7).chain(source.bytes().take(7)).collect();
        let line = other.to_owned() + "\n";
        let repeated = line.repeat(source.len() / line.len() + 1).into_bytes();
        for text in [shifted, repeated, vec![b'\n'; source.len()], vec![b'`'; source.len()]] {
            let outline = language.outline_from(&text, tree.tree()).unwrap();
            for (_, symbol) in outline.iter() {
                assert!(symbol.extent.end().index() <= text.len(), "{language:?} {symbol:?}");
            }
        }
        let end = tree.tree().nodes()[0].range.end().index();
        let short = &source.as_bytes()[..end.saturating_sub(1)];
        assert_eq!(language.outline_from(short, tree.tree()).is_some(), end == 0, "{language:?} {source}");
    }
    let (python, rust) = (by_name("python").unwrap(), by_name("rust").unwrap());
    let tree = Syntax::new(python, b"def f(): pass\n").unwrap();
    assert_eq!(rust.outline_from(b"def f(): pass\n", tree.tree()), None, "rust knows no such words");
}
