//! Masks for dialects: replacements for marks, holes, fractions, statements and clauses that the grammar does not know.
//!
//! For example, the grammar is given `_size` for `$size`, `.a-_____` for `.a-#{$i}`, and `3303%` for `33.3%` before a
//! block. A statement that it cannot read is replaced by blanks. A clause before a declaration becomes a comment.

use std::borrow::Cow;
use std::ops::Range;

use crate::bytes::string;
use crate::packed::{List, Word};
use crate::table::Words;

/// A text with all these masks. Strings and comments stay unchanged.
pub(crate) fn with_dialect<'t>(text: &'t [u8], words: &Words) -> Cow<'t, [u8]> {
    let mut masked = Cow::Borrowed(text);
    if !has_dialect(words) {
        return masked;
    }
    let mut at = 0;
    while at < text.len() {
        if let Some(length) = unseen(text, at, words.unseen) {
            let statement = &mut masked.to_mut()[at..at + length];
            blank(statement);
            at += length;
            continue;
        }
        if let Some(clause) = clause(text, at, words.clauses) {
            masked.to_mut()[at..at + 2].copy_from_slice(b"/*");
            masked.to_mut()[at + clause - 2..at + clause].copy_from_slice(b"*/");
            at += clause;
            continue;
        }
        if let Some(modifiers) = modifiers_below(text, at, words) {
            blank(&mut masked.to_mut()[modifiers]);
        }
        let length = passed_over(text, at);
        if length > 0 {
            at += length;
            continue;
        }
        let hole = hole(&text[at..], words.holes);
        if let Some(length) = hole {
            masked.to_mut()[at..at + length].fill(b'_');
        } else if let Some(sign) = sign(text, at, words) {
            masked.to_mut()[at] = sign;
        } else if let Some(length) = joint(text, at, words.joints) {
            masked.to_mut()[at..at + length].fill(b'_');
        } else if is_point(text, at, words.unpointed) {
            masked.to_mut()[at] = b'0';
        }
        at += hole.unwrap_or(1);
    }
    masked
}

fn blank(part: &mut [u8]) {
    part.iter_mut().filter(|byte| !byte.is_ascii_whitespace()).for_each(|byte| *byte = b' ');
}

/// Whether a language has any masks of this kind.
pub(crate) fn has_dialect(words: &Words) -> bool {
    let lists = [words.signs, words.holes, words.unseen, words.joints, words.clauses, words.headers];
    lists.iter().any(|list| !list.is_empty()) || words.unpointed.is_some()
}

/// The length of the statement to hide at `at`, which must be the start of a line. The statement is one of
/// `statements` and the annotations after it. If a block follows the annotations, the statement is not hidden.
fn unseen(text: &[u8], at: usize, statements: List<Word>) -> Option<usize> {
    let starts_line = at == 0 || matches!(text[at - 1], b'\n' | b'\r');
    let statement =
        statements.iter().find(|start| starts_line && text[at..].starts_with(start.as_bytes()))?;
    let blanks = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let mut end = at + statement.len();
    let mut next = end + blanks(end);
    while text.get(next) == Some(&b'@') {
        end = next + 1 + text[next + 1..].iter().take_while(|&&byte| is_word(byte)).count();
        if text.get(end) == Some(&b'(') {
            end += group(&text[end..])?;
        }
        next = end + blanks(end);
    }
    (end > at + statement.len() && text.get(next) != Some(&b'{')).then_some(end - at)
}

/// The length of the clause at `at`, if it starts a line and a word follows it, on the same line or below:
/// `context(Foo) fun f()`.
fn clause(text: &[u8], at: usize, clauses: List<Word>) -> Option<usize> {
    let word = clauses.iter().find(|word| text[at..].starts_with(word.as_bytes()))?;
    let before = text[..at].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    let starts_line = before.is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let length = word.len() + group(&text[at + word.len()..]).filter(|_| starts_line)?;
    let next = text[at + length..].trim_ascii_start().first();
    next.is_some_and(|&byte| is_word(byte) || byte == b'@').then_some(length)
}

/// The modifiers to hide in a header that opens at `at`: those between its annotations and the word that continues the
/// header, such as `internal` in `class A⏎@Inject⏎internal constructor(…)`.
fn modifiers_below(text: &[u8], at: usize, words: &Words) -> Option<Range<usize>> {
    if at > 0 && is_word(text[at - 1]) {
        return None;
    }
    let text = &text[..text.len().min(at + LONGEST)];
    let pairs = words.headers.iter().filter_map(|header| header.split_once(' '));
    let (opens, goes_on) = pairs.into_iter().find(|(opens, _)| starts_with_word(&text[at..], opens))?;
    let blanks =
        |from: usize| from + text[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let word = |from: usize| from + text[from..].iter().take_while(|&&byte| is_word(byte)).count();
    let mut next = blanks(word(blanks(at + opens.len())));
    let annotations = next;
    while text.get(next) == Some(&b'@') {
        next = word(next + 1);
        next = blanks(next + group(&text[next..]).unwrap_or_default());
    }
    let start = next;
    while words.modifiers.iter().any(|modifier| starts_with_word(&text[next..], modifier)) {
        next = blanks(word(next));
    }
    let is_below = annotations < start && start < next && starts_with_word(&text[next..], goes_on);
    // Line breaks stay: `internal` and `constructor` may be on two lines.
    is_below.then(|| start..start + text[start..next].trim_ascii_end().len())
}

fn starts_with_word(text: &[u8], word: &str) -> bool {
    text.starts_with(word.as_bytes()) && !text.get(word.len()).is_some_and(|&byte| is_word(byte))
}

/// The length of the group in parentheses that the text starts with.
fn group(text: &[u8]) -> Option<usize> {
    let text = Some(&text[..text.len().min(LONGEST)]).filter(|text| text.starts_with(b"("))?;
    let (mut at, mut depth) = (0, 0_usize);
    while at < text.len() {
        match text[at] {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
        at += passed_over(text, at).max(1);
    }
    None
}

/// The length of the string or comment that starts at `at`, or 0 if there is none. An unclosed string ends with its
/// line.
fn passed_over(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    let line = || memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    match rest {
        [quote @ (b'"' | b'\''), ..] => string(&rest[..line()], *quote),
        // In `url(http://…)`, the two slashes do not open a comment.
        [b'/', b'/', ..] if at == 0 || text[at - 1] != b':' => line(),
        [b'/', b'*', ..] => memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2),
        _ => 0,
    }
}

/// The length of the hole that the text starts with.
fn hole(text: &[u8], holes: List<Word>) -> Option<usize> {
    let (open, close) = holes
        .iter()
        .filter_map(|hole| hole.get().split_once(' '))
        .find(|(open, _)| text.starts_with(open.as_bytes()))?;
    let text = &text[..text.len().min(LONGEST)];
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(open.as_bytes()) {
            depth += 1;
            at += open.len();
        } else if rest.starts_with(close.as_bytes()) {
            depth -= 1;
            at += close.len();
            if depth == 0 {
                return Some(at);
            }
        } else if matches!(rest[0], b'\n' | b'\r' | b'{') {
            return None;
        } else {
            at += 1;
        }
    }
    None
}

/// The replacement for a mark that is directly before a word and not directly after one.
fn sign(text: &[u8], at: usize, words: &Words) -> Option<u8> {
    let sign = words.signs.iter().map(|sign| sign.as_bytes()).find(|sign| sign[0] == text[at])?;
    let rest = &text[at + 1..];
    let starts_word = rest.first().is_some_and(|&byte| is_word(byte) && !byte.is_ascii_digit())
        || hole(rest, words.holes).is_some();
    // In `-$size`, the `-` is a minus sign and not part of a word.
    let is_after_word = at > 0 && text[at - 1] != b'-' && is_word(text[at - 1]);
    (starts_word && !is_after_word).then_some(sign[1])
}

/// The length of the mark at `at`, if it joins two words: `a::b` becomes one word.
fn joint(text: &[u8], at: usize, joints: List<Word>) -> Option<usize> {
    let length = joints.iter().find(|joint| text[at..].starts_with(joint.as_bytes()))?.len();
    let is_letter = |byte: &u8| is_word(*byte) && *byte != b'-';
    let joins = at > 0 && is_letter(&text[at - 1]) && text.get(at + length).is_some_and(is_letter);
    joins.then_some(length)
}

/// Whether the byte is the decimal point of a number that is followed by `mark` and then by a block or comma.
fn is_point(text: &[u8], at: usize, mark: Option<u8>) -> bool {
    let Some(mark) = mark.filter(|_| text[at] == b'.') else { return false };
    let n_digits =
        |bytes: &mut dyn Iterator<Item = &u8>| bytes.take_while(|byte| byte.is_ascii_digit()).count();
    let start = at - n_digits(&mut text[..at].iter().rev());
    let end = at + 1 + n_digits(&mut text[at + 1..].iter());
    let is_number = end > at + 1 && (start == 0 || !is_word(text[start - 1]) && text[start - 1] != b'.');
    let after = text.get(end).filter(|&&byte| byte == mark).map(|_| text[end + 1..].trim_ascii_start());
    is_number && after.is_some_and(|after| matches!(after.first(), Some(b'{' | b',')))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || !byte.is_ascii()
}

/// How many bytes of a hole, group or header are read. The limit makes many unclosed ones cheap.
const LONGEST: usize = 1 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        check_in("css", text, expected);
    }

    #[track_caller]
    fn check_in(language: &str, text: &str, expected: &str) {
        let language = crate::by_name(language).expect("it is a language");
        let seen = with_dialect(text.as_bytes(), &language.tables.words);
        assert_eq!(String::from_utf8_lossy(&seen), expected);
    }

    #[test]
    fn marks_in_front_of_words_are_seen_as_others() {
        check("$size: 1px; a { b: -$size }", "_size: 1px; a { b: -_size }");
        check("&__item, &--big { @extend %base }", ".__item, .--big { @extend _base }");
        check("& > &:hover, a[b$=c] { d: 50% }", "& > &:hover, a[b$=c] { d: 50% }");
    }

    #[test]
    fn holes_are_seen_as_parts_of_words() {
        check(".a-#{$i} { b: c }", ".a-_____ { b: c }");
        check("&#{$x} #{f(#{$y})} {}", "._____ ___________ {}");
        check("#{$x\n} #{ {} #{", "#{_x\n} #{ {} #{");
    }

    #[test]
    fn fractions_in_front_of_a_block_are_seen_without_their_point() {
        check("33.3% { } 1.5%, .5%\n{", "3303% { } 105%, 05%\n{");
        check("a { width: 33.3%; } .x5%", "a { width: 33.3%; } .x5%");
    }

    #[test]
    fn statements_that_are_only_annotated_are_not_seen() {
        check_in("graphql", "extend schema @a\ntype B", "                \ntype B");
        check_in(
            "graphql",
            "extend schema\n  @a(b: \")\") @c\n{ d: E }",
            "extend schema\n  @a(b: \")\") @c\n{ d: E }",
        );
        check_in("graphql", "extend schema @a(b\n", "extend schema @a(b\n");
        check_in("graphql", "extend schema\n  @a(b: \")\")\n\n#", "             \n            \n\n#");
    }

    #[test]
    fn words_that_are_joined_are_one() {
        check_in("objc", "a::B c::d(\"e::f\") ::g() { c::~c }", "a__B c__d(\"e::f\") ::g() { c::~c }");
    }

    #[test]
    fn clauses_in_front_of_a_declaration_are_comments() {
        check_in("kotlin", "context(a: A)\nprivate fun f()", "/*ntext(a: */\nprivate fun f()");
        check_in(
            "kotlin",
            "f(context(a) to b)\ncontext(a) {}\ncontext(a",
            "f(context(a) to b)\ncontext(a) {}\ncontext(a",
        );
    }

    #[test]
    fn headers_go_on_below_annotations_without_modifiers() {
        check_in(
            "kotlin",
            "class A\n@B(\")\")\ninternal constructor(",
            "class A\n@B(\")\")\n         constructor(",
        );
        check_in("kotlin", "class A internal constructor(", "class A internal constructor(");
        check_in("kotlin", "class A\n@B\ninternal class C", "class A\n@B\ninternal class C");
    }

    #[test]
    fn strings_and_comments_stay() {
        let text = "\"$a\" '#{$b}' /* $c */ // $d\nurl(http://$e) \"\\\"$f\"";
        check(text, &text.replace("$e", "_e"));
    }
}
