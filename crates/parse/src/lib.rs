//! How is a text parsed so that no input ends the process or keeps it busy for long?
//!
//! tree-sitter accepts any text, but some texts cost too much: a few kilobytes of the wrong tokens keep it busy for a
//! minute or fill the memory, and deep nesting overflows the stack of the thread. [`parse`] bounds the work of every
//! parse (bytes allocated, bytes read, steps). The bounds grow with the length of the text. [`parse`] also provides a
//! stack that is deep enough for any parse within these bounds. A parse that reaches a bound gives no tree, and the
//! caller then reads the text line by line.
//!
//! [`accepts`] tells whether a text has syntax errors without making a tree, which takes most of the time of a parse.
//!
//! Invariants:
//! - Whether a text has a tree depends on the text alone, never on a clock or on the load of the machine.
//! - A parse that is abandoned leaks no memory.
//! - The parse of a text that is accepted has no errors.
//! - Nothing here starts a process or a thread.

mod guard;

use tree_sitter::{Language, Tree};

use guard::Bounds;

/// Which characters the scanner of a grammar can handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Characters {
    /// Every character.
    All,
    /// Only those of Latin-1, for scanners that look characters up in a table of 256. Any other character is replaced
    /// by U+00FF, the last one of Latin-1.
    Narrow,
}

/// The syntax tree of a text. Broken source has a tree too. If `old` is given, edits must already have been applied to
/// it, and only the changed parts are parsed again. `None` if the text is too long or takes too much work.
pub fn parse(language: &Language, text: &[u8], old: Option<&Tree>, characters: Characters) -> Option<Tree> {
    if text.len() > LONGEST {
        return None;
    }
    let bounds = Bounds {
        allocated: (FREE_ALLOCATED + ALLOCATED_A_BYTE * text.len()).min(MOST_ALLOCATED),
        read: FREE_READ + READ_A_BYTE * text.len(),
        progress: (FREE_STEPS + STEPS_A_BYTE * text.len()) / STEPS_A_PROGRESS,
        walked: FREE_WALKED + WALKED_A_BYTE * text.len(),
    };
    let stack = FREE_STACK + STACK_A_BYTE * text.len();
    let tree = stacker::maybe_grow(stack, stack, || guard::parse(language, old, text, characters, bounds));
    // A parse that was stopped gives no tree either. Unwinding here tells it apart from a parse that reached a bound.
    locant_stop::check();
    tree
}

/// Whether a grammar accepts a text: a parse would find no error in it. This takes a quarter of the time of a parse,
/// because no tree is made. `false` if there may be an error, or if only a parse can tell.
pub fn accepts(language: &Language, text: &[u8], characters: Characters) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    if text.len() > LONGEST || text.starts_with(BYTE_ORDER_MARK) {
        return false;
    }
    let bounds = Bounds {
        allocated: FREE_ALLOCATED + text.len(),
        read: FREE_READ + READ_A_BYTE * text.len(),
        progress: FREE_STEPS + STEPS_A_BYTE * text.len(),
        walked: 0,
    };
    let stack = FREE_STACK + STACK_A_BYTE * text.len();
    let is_accepted =
        stacker::maybe_grow(stack, stack, || guard::accepts(language, text, characters, bounds));
    locant_stop::check();
    is_accepted
}

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// The longest text that is parsed. The tree of a longer text would take gigabytes.
pub const LONGEST: usize = 64 << 20;

/// How many bytes may be allocated: a fixed number, plus a number for each byte of text, up to a maximum. Most real
/// sources need about 30 bytes for each byte of text, few need 100, and only files smaller than a kilobyte need 300.
/// Most of this memory becomes the tree.
const FREE_ALLOCATED: usize = 16 << 20;
const ALLOCATED_A_BYTE: usize = 500;
const MOST_ALLOCATED: usize = 3 << 30;

/// How many bytes may be read. tree-sitter reads a place again for each alternative that it tries there. Real sources
/// are read less than twice.
const FREE_READ: usize = 4 << 20;
const READ_A_BYTE: usize = 32;

/// How many steps may be taken. Real sources take less than four steps for each byte.
const FREE_STEPS: usize = 1 << 16;
const STEPS_A_BYTE: usize = 64;

/// After how many steps tree-sitter reports its progress.
const STEPS_A_PROGRESS: usize = 100;

/// How many nodes of its parse stack tree-sitter may visit after errors. Real sources need less than half of this.
const FREE_WALKED: usize = 2 << 20;
const WALKED_A_BYTE: usize = 40;

/// How many bytes of the thread's stack must be free. tree-sitter frees its parse stack by recursion, one level for
/// each token, and some scanners recurse for each nested comment. Each level takes at least one byte of text and about
/// a hundred bytes of stack.
const FREE_STACK: usize = 512 << 10;
const STACK_A_BYTE: usize = 160;

#[cfg(test)]
mod tests {
    use super::*;

    fn languages() -> [(&'static str, Language, Characters); 4] {
        [
            ("bash", tree_sitter_bash::LANGUAGE.into(), Characters::Narrow),
            ("c", tree_sitter_c::LANGUAGE.into(), Characters::All),
            ("json", tree_sitter_json::LANGUAGE.into(), Characters::All),
            ("ocaml", tree_sitter_ocaml::LANGUAGE_OCAML.into(), Characters::All),
        ]
    }

    fn parsed(name: &str, text: &[u8]) -> Option<Tree> {
        let (_, language, characters) = languages().into_iter().find(|(known, ..)| *known == name)?;
        parse(&language, text, None, characters)
    }

    #[test]
    fn a_text_that_takes_too_much_memory_has_no_tree_and_leaves_nothing_behind() {
        let text = "x=>".repeat(4000);
        for _ in 0..50 {
            assert!(parsed("c", text.as_bytes()).is_none());
        }
        let whole = parsed("c", b"int f(void) { return 1; }").expect("a small text has a tree");
        assert!(!whole.root_node().has_error());
        #[cfg(target_os = "linux")]
        assert!(
            most_resident_kilobytes() < 400 << 10,
            "50 parses were given up, and their memory is still taken"
        );
    }

    /// The most memory that this process has used so far.
    #[cfg(target_os = "linux")]
    fn most_resident_kilobytes() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells of each process");
        let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("the most it had is told");
        line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number of kilobytes")
    }

    #[test]
    fn deep_texts_do_not_overflow_the_stack_of_any_thread() {
        for (name, open) in [("json", "["), ("ocaml", "(* "), ("c", "{- "), ("bash", "$(")] {
            let text = open.repeat(100_000);
            let thread = std::thread::Builder::new().stack_size(256 << 10);
            let thread = thread.spawn(move || drop(parsed(name, text.as_bytes())));
            thread.expect("a thread").join().expect("the parse comes back");
        }
    }

    #[test]
    fn a_parse_can_be_stopped() {
        let stop = locant_stop::Stop::default();
        stop.ask();
        let text = "int f(void) { return 1; }\n".repeat(1000);
        let stopped = locant_stop::until(&stop, || parsed("c", text.as_bytes()).is_some());
        assert_eq!(stopped, Err(locant_stop::Stopped));
    }

    #[test]
    fn characters_are_read_as_tree_sitter_reads_them() {
        let mut parser = tree_sitter::Parser::new();
        let (_, language, _) = languages().into_iter().next().expect("there are four");
        parser.set_language(&language).expect("the grammar fits");
        let long = format!("echo {} # é\n", "é ".repeat(20_000));
        for text in [
            &b"echo \xc3\xa9 \xff\xfe a\xc3"[..],
            b"a=\xed\xa0\x80 \xf4\x90\x80\x80",
            b"\xe2\x82",
            long.as_bytes(),
        ] {
            let ours = parse(&language, text, None, Characters::Narrow).expect("a small text has a tree");
            let theirs = parser.parse(text, None).expect("no bound was set");
            assert_eq!(ours.root_node().to_sexp(), theirs.root_node().to_sexp(), "{text:?}");
        }
    }

    #[test]
    fn what_is_accepted_has_a_tree_without_errors() {
        const SOUND: [(&str, &str); 4] = [
            (
                "bash",
                "f() {\n  cat <<EOF | tr a b\n$1 é\nEOF\n  case $x in a) ;; *) echo ${x[0]} ;; esac\n}\n",
            ),
            (
                "c",
                "typedef struct { int a, b; } pair;\n/* é */ int f(pair p) { return (p.a) * (p.b) - -p.a; }\n",
            ),
            ("json", "{\"a\": [1, -2.5e3, null], \"é\": \"\\u00e9\"}\n"),
            ("ocaml", "(* a (* b *) *)\nlet rec f x = if x then {|y|} else match x with _ -> \"z\"\n"),
        ];
        for (name, text) in SOUND {
            let (_, language, characters) =
                languages().into_iter().find(|(known, ..)| *known == name).expect("it is one of the four");
            assert!(accepts(&language, text.as_bytes(), characters), "{name}: {text}");
            let check = |text: String| {
                let tree = parse(&language, text.as_bytes(), None, characters);
                let has_error = tree.is_none_or(|tree| tree.root_node().has_error());
                let is_accepted = accepts(&language, text.as_bytes(), characters);
                assert!(!is_accepted || !has_error, "{name} accepts {text:?}");
            };
            for (at, _) in text.char_indices() {
                check(text[..at].to_owned());
                for mark in ["(", "}", "\"", "'", ";", "x y", "\n", "<<", "(*", "\\", "= =", "\0"] {
                    check(format!("{}{mark}{}", &text[..at], &text[at..]));
                    let rest = text[at..].trim_start_matches(char::is_alphanumeric);
                    check(format!("{}{mark}{rest}", &text[..at]));
                }
            }
        }
    }

    #[test]
    fn a_text_that_takes_too_much_is_not_accepted() {
        for (name, language, characters) in languages() {
            for text in ["(", "[", "(* ", "$(", "x=>", "{ ", "if x then ", "a * b; "] {
                let text = text.repeat(20_000);
                for _ in 0..3 {
                    let is_accepted = accepts(&language, text.as_bytes(), characters);
                    let tree = || parse(&language, text.as_bytes(), None, characters);
                    assert!(
                        !is_accepted || tree().is_some_and(|tree| !tree.root_node().has_error()),
                        "{name}"
                    );
                }
            }
            assert!(!accepts(&language, b"\xff", characters), "{name} reads only UTF-8 here");
        }
    }

    #[test]
    fn no_character_leads_a_scanner_out_of_its_table() {
        for character in ['\u{100}', '\u{FFFF}', '\u{10FFFF}'] {
            for start in ["{", "${", "$", "<<", "", "a=", "[[ "] {
                parsed("bash", format!("{start}{character}").as_bytes()).expect("a small text has a tree");
            }
        }
    }
}
