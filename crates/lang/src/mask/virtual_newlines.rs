//! Inserts line breaks that the grammar requires but the language does not: `class C { val x = 1 }`.
//!
//! A blank is replaced by a carriage return. Tree-sitter counts lines by line feeds, so line numbers stay the same.

use crate::packed::{List, Word};

/// The offsets of the blanks around a `}` that are replaced by line breaks: the blank before it, and the blank after
/// it if one of `words` follows. The blank before it stays if nothing else comes before it on its line or in its
/// block.
pub(crate) fn around(text: &[u8], brace: usize, words: List<Word>) -> impl Iterator<Item = usize> {
    let is_end = |blank: &usize| is_blank(text[*blank]) && holds_something(&text[..*blank]);
    let front = brace.checked_sub(1).filter(is_end);
    front.into_iter().chain(starts_line(&text[brace + 1..], words).then_some(brace + 1))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether there is something on the last line of `front` that a line break can end. Blanks and `{` do not count.
fn holds_something(front: &[u8]) -> bool {
    let last = front.iter().rev().find(|&&byte| !is_blank(byte));
    last.is_some_and(|last| !matches!(last, b'{' | b'\n' | b'\r'))
}

/// Whether the text starts with a blank and then one of the words.
fn starts_line(rest: &[u8], words: List<Word>) -> bool {
    let Some((_, rest)) = rest.split_first().filter(|(blank, _)| is_blank(**blank)) else { return false };
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    words.iter().any(|word| word.as_bytes() == &rest[..length])
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let words = &crate::by_name("kotlin").expect("Kotlin is a language").tables.words;
        let seen = crate::mask::masked(text.as_bytes(), words);
        assert_eq!(String::from_utf8_lossy(&seen).replace('\r', "~"), expected);
    }

    #[test]
    fn blanks_in_front_of_what_closes_are_breaks() {
        check("class C { val x = 1 }", "class C { val x = 1~}");
        check("{ fun f() {} }  \n}", "{ fun f() {}~}  \n}");
        check("{ } {\n }", "{ } {\n }");
    }

    #[test]
    fn so_are_those_between_a_block_and_a_declaration() {
        check("{ f {} val x = 1 }", "{ f {}~val x = 1~}");
        check("{ f {} value }", "{ f {} value~}");
        check("if (a) { b } else { c }", "if (a) { b~} else { c~}");
    }

    #[test]
    fn strings_and_comments_stay() {
        check(r#""a }" "\" }" '"' }"#, "\"a }\" \"\\\" }\" '\"'~}");
        check("// a }\n/* a } */ \"\"\" a } \"\"\" b }", "// a }\n/* a } */ \"\"\" a } \"\"\" b~}");
        check("\" a }\nb }", "\" a }\nb~}");
    }
}
