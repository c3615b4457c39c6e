//! Compares a parameter that the user wrote with a declared one. The user may write its type, in any of several forms,
//! or its name: `int`, `x` or `int x` for `int x`.
//!
//! Only the text of the parameter is read, not a syntax tree. So the comparison works for all languages with a common
//! notation.

use locant_text::Text;

use crate::types::{self, Brackets, Likeness, Token, is_separator, is_word, tokens};

/// Whether the parameter has a default, or takes any number of arguments.
pub(crate) fn is_optional(parameter: &[u8]) -> bool {
    parameter.iter().any(|byte| matches!(byte, b'=' | b'*' | b'?'))
        || has(parameter, b"...")
        || has(parameter, b"\\\\")
        || words(parameter).next() == Some(b"vararg")
}

fn has(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

/// How similar a written list of parameters is to the declared list `own`; `None` if they contradict each other. The
/// imports in `text` tell where types come from.
pub(crate) fn likeness_of_lists(own: &[&[u8]], written: &[&[u8]], text: &Text) -> Option<Likeness> {
    let (same, more) = own.split_at_checked(written.len())?;
    let most = match more {
        [] => Likeness::Exact,
        more if more.iter().all(|parameter| is_optional(parameter)) => Likeness::Part,
        _ => return None,
    };
    let likenesses = same.iter().zip(written).map(|(own, written)| {
        likeness(own, written)
            .filter(|like| *like != Likeness::Part || !is_imported_otherwise(own, written, text))
    });
    likenesses.min().unwrap_or(Some(most)).map(|likeness| likeness.min(most))
}

fn likeness(own: &[u8], written: &[u8]) -> Option<Likeness> {
    let [own, written] = [own, written].map(plain_tokens);
    let forms = forms(&own);
    if forms.contains(&written) {
        return Some(Likeness::Exact);
    }
    forms.iter().filter_map(|form| type_likeness(form, &written)).max()
}

/// Whether a written type means the declared type `own`. The user may leave out marks, paths and type arguments.
pub(crate) fn is_same_type(own: &[Token<'_>], written: &[Token<'_>]) -> bool {
    let [own, written] = [own, written].map(|tokens| with_plain_numbers(tokens.to_vec()));
    type_likeness(&own, &written).is_some()
}

/// How similar a written type is to the declared type `own`; `None` if they contradict each other. The caller has
/// already checked that their tokens are not all equal.
fn type_likeness(own: &[Token<'_>], written: &[Token<'_>]) -> Option<Likeness> {
    let [own, written] = [own, written].map(with_const_in_front);
    if !has_asides(&own, &written) || !types::have_same_places(&own, &written) {
        return None;
    }
    if telling(&own) == telling(&written) {
        return Some(Likeness::Whole);
    }
    let short = telling(&without_places(&written));
    let form = telling(&without_places(&own));
    let is_erased = without_arguments(&short) == short;
    (form == short || is_erased && without_arguments(&form) == short).then_some(Likeness::Part)
}

/// Whether the declared type `own` has all marks that were written, such as `const` and `&`. The user may leave out a
/// mark, but must not write one that the declaration does not have.
fn has_asides(own: &[Token<'_>], written: &[Token<'_>]) -> bool {
    const MARKS: [&[u8]; 6] = [b"ref", b"in", b"out", b"inout", b"const", b"mut"];
    let n_references = |tokens: &[Token<'_>]| tokens.iter().filter(|token| **token == b"&").count();
    let has_marks = MARKS.iter().all(|mark| !written.contains(mark) || own.contains(mark));
    has_marks && (n_references(written) == 0 || n_references(written) == n_references(own))
}

/// A type with `const` in its usual place: `T const&` becomes `const T&`. On a parameter that is passed by value,
/// `const` means nothing to callers and is removed.
fn with_const_in_front<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    if !tokens.contains(&&b"const"[..]) {
        return tokens.to_vec();
    }
    let mut depth = 0_usize;
    let mut last_mark = None;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            b"<" | b"(" => depth += 1,
            b">" | b")" => depth = depth.saturating_sub(1),
            b"*" | b"&" if depth == 0 => last_mark = Some(at),
            _ => {}
        }
    }
    let first_mark = tokens.iter().position(|token| matches!(*token, b"*" | b"&"));
    let Some((first, last)) = first_mark.zip(last_mark) else {
        return tokens.iter().copied().filter(|token| *token != b"const").collect();
    };
    let (base, rest) = tokens.split_at(first);
    let is_const = base.contains(&&b"const"[..]);
    let base = base.iter().filter(|token| **token != b"const");
    let rest = rest.iter().enumerate().filter(|(at, token)| at + first < last || **token != b"const");
    let front = is_const.then_some(&b"const"[..]);
    front.into_iter().chain(base.copied()).chain(rest.map(|(_, token)| *token)).collect()
}

/// Whether an import of the file shows that the declared type comes from another place than the written one. If the
/// file imports `java.util.List`, a written `foo.List` does not mean its `List`.
fn is_imported_otherwise(own: &[u8], written: &[u8], text: &Text) -> bool {
    let [own, written] = [own, written].map(tokens);
    let is_place =
        |at: usize| written.get(at + 1).is_some_and(|next| is_separator(next)) && is_word(&written[at][0]);
    let Some(start) = (0..written.len()).find(|&at| is_place(at)) else { return false };
    let mut end = start + 1;
    while end + 1 < written.len() && is_separator(written[end]) {
        end += 2;
    }
    let path: Vec<Token<'_>> =
        written[start..end].iter().copied().filter(|token| !is_separator(token)).collect();
    let Some(name) = path.last() else { return false };
    let says_place =
        own.iter().enumerate().any(|(at, token)| token == name && at > 0 && is_separator(own[at - 1]));
    !says_place && own.contains(name) && imported(text, name).is_some_and(|known| !known.ends_with(&path))
}

/// The path under which the file imports a name, as its words: `java`, `util`, `List`.
fn imported<'t>(text: &'t Text, name: &[u8]) -> Option<Vec<Token<'t>>> {
    const OPENERS: [&[u8]; 3] = [b"import ", b"use ", b"using "];
    let all = text.slice(text.range());
    let imports = all.split(|byte| *byte == b'\n').filter_map(|line| {
        let line = line.trim_ascii();
        OPENERS.iter().find_map(|opener| line.strip_prefix(*opener))
    });
    let paths = imports.map(|path| {
        let tokens = tokens(path);
        let names = tokens.into_iter().take_while(|token| is_separator(token) || is_word(&token[0]));
        names.filter(|token| !is_separator(token)).collect::<Vec<_>>()
    });
    paths.into_iter().find(|path| path.len() > 1 && path.last() == Some(&name))
}

/// The tokens of a parameter without its default and annotations. `String...` becomes `String[]`.
fn plain_tokens(parameter: &[u8]) -> Vec<Token<'_>> {
    let all = without_annotations(tokens(without_attributes(without_default(parameter))));
    let mut plain = Vec::with_capacity(all.len());
    let mut rest = &all[..];
    while let Some((first, more)) = rest.split_first() {
        rest = match rest {
            [b".", b".", b".", more @ ..] => {
                plain.extend([&b"["[..], b"]"]);
                more
            }
            _ => {
                plain.push(*first);
                more
            }
        };
    }
    if plain.first() == Some(&&b"vararg"[..]) {
        plain.remove(0);
        plain.extend([&b"["[..], b"]"]);
    }
    with_plain_numbers(plain)
}

/// The tokens with each number type of C as one token: `unsigned int` becomes `unsigned`, and `long int` becomes
/// `long`.
fn with_plain_numbers(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    const WORDS: [&[u8]; 6] = [b"unsigned", b"signed", b"long", b"short", b"int", b"char"];
    if !tokens.iter().any(|token| matches!(*token, b"unsigned" | b"signed" | b"long" | b"short")) {
        return tokens;
    }
    let mut plain = Vec::with_capacity(tokens.len());
    let mut rest = &tokens[..];
    while let Some((&first, more)) = rest.split_first() {
        let n_words = rest.iter().take_while(|token| WORDS.contains(token)).count();
        if n_words == 0 {
            plain.push(first);
            rest = more;
            continue;
        }
        let (words, more) = rest.split_at(n_words);
        plain.push(number_of(words));
        rest = more;
    }
    plain
}

fn number_of(words: &[Token<'_>]) -> Token<'static> {
    let count = |word: &[u8]| words.iter().filter(|token| **token == word).count();
    let is_unsigned = count(b"unsigned") > 0;
    match (count(b"char"), count(b"short"), count(b"long")) {
        (1.., ..) if is_unsigned => b"unsigned char",
        (1.., ..) if count(b"signed") > 0 => b"signed char",
        (1.., ..) => b"char",
        (_, 1.., _) if is_unsigned => b"unsigned short",
        (_, 1.., _) => b"short",
        (_, _, 2..) if is_unsigned => b"unsigned long long",
        (_, _, 2..) => b"long long",
        (_, _, 1) if is_unsigned => b"unsigned long",
        (_, _, 1) => b"long",
        _ if is_unsigned => b"unsigned",
        _ => b"int",
    }
}

/// Whether the token is a type that cannot be the name of a parameter.
fn is_number(token: &[u8]) -> bool {
    matches!(
        token,
        b"int" | b"char" | b"long" | b"short" | b"unsigned" | b"void" | b"bool" | b"float" | b"double"
    ) || token.contains(&b' ')
}

/// A parameter without the attributes in brackets before it: `[FromBody] string s`, `#[Attr] string $s`.
pub(crate) fn without_attributes(parameter: &[u8]) -> &[u8] {
    let parameter = parameter.trim_ascii_start();
    let group = parameter.strip_prefix(b"#").unwrap_or(parameter);
    let end = if group.starts_with(b"[") { types::group_end(group) } else { None };
    match end.map(|end| &group[end..]) {
        // An attribute is followed by a blank and the parameter. `[4]byte` and `[a, b]: T` have no attribute.
        Some(rest)
            if rest.starts_with(b" ") && rest.trim_ascii_start().first().is_some_and(is_word_or_more) =>
        {
            without_attributes(rest)
        }
        _ => parameter,
    }
}

fn is_word_or_more(byte: &u8) -> bool {
    is_word(byte) || matches!(byte, b'[' | b'#' | b'@')
}

/// The tokens without annotations and their arguments: `String s` of `@Nullable String s`.
fn without_annotations(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut rest = &tokens[..];
    while let Some((&first, more)) = rest.split_first() {
        rest = more;
        if first != b"@" {
            kept.push(first);
            continue;
        }
        let mut last = first;
        while let [name, more @ ..] = rest
            && is_word(&name[0])
        {
            last = name;
            rest = more;
            match more {
                [joint, next, ..] if is_separator(joint) && is_word(&next[0]) => rest = &more[1..],
                _ => break,
            }
        }
        // Brackets belong to the annotation only if they directly follow its name. Those of `@escaping () -> Void` do
        // not.
        let is_beside = |open: &&Token<'_>| last.as_ptr_range().end == open.as_ptr();
        if rest.first().filter(is_beside) == Some(&&b"("[..]) {
            rest = &rest[group_length(rest)..];
        }
    }
    kept
}

/// How many tokens the group in brackets at the start has, including the brackets.
fn group_length(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    let is_last = |token: &&[u8]| {
        match *token {
            b"(" => depth += 1,
            b")" => depth -= 1,
            _ => {}
        }
        depth == 0
    };
    tokens.iter().position(is_last).map_or(tokens.len(), |at| at + 1)
}

/// A type without the path to it: `string` of `std::string`.
fn without_places<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let is_place =
        |at: usize| tokens.get(at + 1).is_some_and(|next| is_separator(next)) && is_word(&tokens[at][0]);
    let kept = tokens.iter().enumerate().filter(|(at, token)| !is_place(*at) && !is_separator(token));
    kept.map(|(_, token)| *token).collect()
}

/// A type without its arguments: `Map` of `Map<String, Integer>`, `List` of `List[Int]`. `[]` and `[4]` are kept, since
/// an array is another type.
fn without_arguments<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut kept: Vec<Token<'t>> = Vec::with_capacity(tokens.len());
    let mut depth = 0_usize;
    for (at, &token) in tokens.iter().enumerate() {
        let is_after_word = at > 0 && is_word(&tokens[at - 1][0]);
        let has_word = tokens.get(at + 1).is_some_and(|next| is_word(&next[0]) && !next[0].is_ascii_digit());
        match token {
            b"<" => depth += 1,
            b"[" if depth > 0 || is_after_word && has_word => depth += 1,
            b">" | b"]" if depth > 0 => depth -= 1,
            _ if depth == 0 => kept.push(token),
            _ => {}
        }
    }
    kept
}

/// The tokens that distinguish a type from others.
fn telling<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    tokens.iter().copied().filter(|token| !is_aside(token)).collect()
}

/// All forms in which a user may write a parameter: the whole parameter, its type alone, or its name alone. In some
/// languages the type comes first, in others the name, so both orders are tried.
fn forms<'t>(own: &[Token<'t>]) -> Vec<Vec<Token<'t>>> {
    let mut forms = vec![own.to_vec()];
    if let Some(colon) = own.iter().position(|token| *token == b":") {
        let (name, declared) = (&own[..colon], &own[colon + 1..]);
        let name = name.strip_suffix(&[&b"?"[..]]).unwrap_or(name);
        forms.extend([name.to_vec(), declared.to_vec()]);
        if let [label, .., inner] = name {
            // In Swift, the parameter `from a: Int` has the name `from` for callers and `a` inside the function.
            forms.extend([vec![*label], vec![*inner]]);
            forms.push([&[*label, b":"], declared].concat());
        }
        return forms;
    }
    let n_list = list_length(own);
    let (front, list) = own.split_at(own.len() - n_list);
    if let Some((last, before)) = front.split_last().filter(|(last, _)| is_name(last) && !is_number(last)) {
        forms.extend([vec![*last], [before, list].concat()]);
        // In C, an array parameter of any length is a pointer to its first element.
        if let Some(close) = list.iter().position(|token| *token == b"]").filter(|_| !before.is_empty()) {
            forms.push([before, &[b"*"], &list[close + 1..]].concat());
            forms.push([before, &[b"[", b"]"], &list[close + 1..]].concat());
        }
        if let Some((b"*", before)) = before.split_last().map(|(last, before)| (*last, before)) {
            forms.push([before, &[b"[", b"]"]].concat());
        }
    }
    if let Some((first, rest)) = own.split_first().filter(|(first, _)| is_name(first) && !is_number(first)) {
        forms.push(rest.to_vec());
        // In Go the name comes first: `n int`.
        forms.extend(rest.last().filter(|last| is_number(last)).map(|_| vec![*first]));
    }
    // A pointer to a function, `void (*back)(int)`, has its name in the middle.
    let pointer =
        own.windows(4).position(|window| matches!(window, [b"(", b"*" | b"&", name, b")"] if is_name(name)));
    if let Some(at) = pointer {
        forms.extend([vec![own[at + 2]], [&own[..at + 2], &own[at + 3..]].concat()]);
    }
    forms
}

fn is_name(token: &Token<'_>) -> bool {
    is_word(&token[0]) && !token[0].is_ascii_digit()
}

/// How many tokens the brackets after the name have: 5 in `char s[4][]`.
fn list_length(own: &[Token<'_>]) -> usize {
    let mut end = own.len();
    while own[..end].last() == Some(&&b"]"[..]) {
        let Some(open) = own[..end].iter().rposition(|token| *token == b"[") else { break };
        end = open;
    }
    // If there is only a type before the brackets and no name, they are a part of the type.
    if end > 1 && is_name(&own[end - 1]) && !is_separator(own[end - 2]) { own.len() - end } else { 0 }
}

/// Whether the token can be added to a type without making it another type.
fn is_aside(token: &[u8]) -> bool {
    const ASIDE: [&[u8]; 25] = [
        b"final",
        b"const",
        b"volatile",
        b"readonly",
        b"ref",
        b"in",
        b"out",
        b"inout",
        b"params",
        b"scoped",
        b"this",
        b"val",
        b"var",
        b"mut",
        b"struct",
        b"class",
        b"enum",
        b"private",
        b"protected",
        b"public",
        b"implicit",
        b"using",
        b"noinline",
        b"crossinline",
        b"&",
    ];
    ASIDE.contains(&token)
}

/// A parameter without its default.
fn without_default(parameter: &[u8]) -> &[u8] {
    let mut brackets = Brackets::default();
    let mut at = 0;
    while at < parameter.len() {
        let is_equals = parameter[at] == b'=' && !matches!(parameter.get(at + 1), Some(b'>' | b'='));
        if is_equals && brackets.n_open == 0 {
            // Some languages write `:=` before a default.
            let front = parameter[..at].trim_ascii_end();
            return front.strip_suffix(b":").unwrap_or(front);
        }
        at += brackets.pass(parameter, at).0;
    }
    parameter
}

/// The words of a text.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_word(byte)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(own: &str, written: &str, expected: Option<Likeness>) {
        assert_eq!(likeness(own.as_bytes(), written.as_bytes()), expected, "{own} for {written}");
    }

    #[test]
    fn a_parameter_is_written_by_its_type_or_its_name() {
        for (own, written) in [
            ("int x", "int"),
            ("int x", "x"),
            ("int x", "int  x"),
            ("int[] x", "int[]"),
            ("int x[]", "int[]"),
            ("char s[4][2]", "char[4][2]"),
            ("const char* s", "const char *"),
            ("List<String> xs", "List<String>"),
            ("x: str", "str"),
            ("x: str = 'a, b'", "x"),
            ("_ a: Int", "Int"),
            ("from a: Int", "from"),
            ("from a: Int", "from: Int"),
            ("a?: string[]", "string[]"),
            ("b []byte", "[]byte"),
            ("xs ...int", "...int"),
            ("string $name", "string"),
            ("string ...$names", "string..."),
            ("std::string", "std::string"),
            ("void (*back)(int)", "void (*)(int)"),
            ("a: (Int) -> Unit", "(Int) -> Unit"),
        ] {
            check(own, written, Some(Likeness::Exact));
        }
    }

    #[test]
    fn annotations_make_no_other_type() {
        for (own, written) in [
            ("@Nullable String s", "String"),
            ("@Size(max = 3, min = 1) @NotNull java.util.List<String> s", "java.util.List<String>"),
            ("@Named(\"a, b\") String s", "String"),
            ("@org.a.Nullable String s", "String"),
            ("@Nullable Object @Nullable ... args", "Object..."),
            ("String @Nullable [] s", "String[]"),
            ("/* the name, mostly */ String s", "String"),
            ("[FromBody] string s", "string"),
            ("[FromQuery(Name = \"a\")] [Required] string s", "string"),
            ("#[Sensitive] string $s", "string"),
            ("@Inject() x: Foo", "Foo"),
            ("f: @escaping () -> Void", "() -> Void"),
        ] {
            check(own, written, Some(Likeness::Exact));
        }
    }

    #[test]
    fn any_number_of_a_type_is_a_list_of_it() {
        for (own, written) in [
            ("String... s", "String[]"),
            ("String[] s", "String..."),
            ("String ...s", "String..."),
            ("vararg s: String", "String..."),
            ("vararg s: String", "String[]"),
            ("Args&&... args", "Args&&..."),
            ("Point p...", "Point..."),
        ] {
            check(own, written, Some(Likeness::Exact));
        }
        check("params string[] s", "string[]", Some(Likeness::Whole));
    }

    #[test]
    fn some_words_make_no_other_type() {
        check("final int y", "int", Some(Likeness::Whole));
        check("const char* s", "char*", Some(Likeness::Whole));
        check("const std::string& s", "std::string", Some(Likeness::Whole));
        check("const std::string& s", "string", Some(Likeness::Part));
        check("this string s", "string", Some(Likeness::Whole));
        check("final java.util.Map<String, List<Integer>> all", "Map", Some(Likeness::Part));
        check("java.util.Map<String, Integer> all", "Map<String, Integer>", Some(Likeness::Part));
        check("xs: List[Int]", "List", Some(Likeness::Part));
    }

    #[test]
    fn signs_make_another_type() {
        for (own, written) in [
            ("int[] x", "int"),
            ("int x", "int[]"),
            ("String... x", "String"),
            ("char c", "char*"),
            ("x: Int?", "Int"),
            ("int x", "long"),
            ("@Nullable String s", "Nullable"),
            ("std::vector<std::string> v", "std::string"),
            ("std::function<void(std::string)> f", "std::string"),
            ("Map.Entry<String, List<Integer>> e", "List<String>"),
        ] {
            check(own, written, None);
        }
    }
}
