//! The languages there are, and which one a file is written in.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use locant_parse::Characters;
use locant_text::Range;
use locant_tree::{Outline, Tree};
use tree_sitter::{Node as ParsedNode, Tree as Parsed};
use tree_sitter_language::LanguageFn;

use crate::conflicts::{conflicts, without_conflicts};
use crate::embed::MAX_DEPTH;
use crate::kinds::Kinds;
use crate::level::nest_by_level;
use crate::lines::{depth, marks_in_a_row, tag_depth};
use crate::macros::Macros;
use crate::node::{Node, Unpacked};
use crate::ranges::{apart, before};
use crate::seen::{macros_of, seen, seen_with, with_line_feeds};
use crate::syntax::without_mark;
use crate::table::{Attached, Claim, Tables};
use crate::{lines, settle, walk};

/// A language that can be read: static data, made from its folder in `languages/`.
pub struct Language {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) extensions: &'static [&'static str],
    /// Which files of other languages are in this one.
    pub(crate) claims: &'static [Claim],
    /// Which files with an extension of its own are in another one, which we do not read.
    pub(crate) disclaims: &'static [Claim],
    pub(crate) line_comments: &'static [&'static str],
    pub(crate) block_comments: &'static [(&'static str, &'static str)],
    pub(crate) grammar: LanguageFn,
    pub(crate) tables: Tables,
    pub(crate) kinds: OnceLock<Kinds>,
}

/// All languages, by name.
pub fn all() -> &'static [Language] {
    &registry::LANGUAGES
}

/// The language with this name or alias, in small or capital letters: `python`, `py`.
pub fn by_name(name: &str) -> Option<&'static Language> {
    owner(registry::NAMES, &name.to_ascii_lowercase())
}

/// The language of a file: by its name, then its extension, then the `#!` line. Where two languages share an
/// extension, the text tells which it is; without a text it is the more frequent one.
pub fn for_file(path: &str, text: &[u8]) -> Option<&'static Language> {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    let small = extension.to_ascii_lowercase();
    owner(registry::FILES, file)
        .or_else(|| claimant(extension, text))
        .or_else(|| owner(registry::EXTENSIONS, extension))
        .or_else(|| owner(registry::EXTENSIONS, &small))
        .filter(|language| !is_meant(language.disclaims, &small, text))
        .or_else(|| owner(registry::INTERPRETERS, interpreter(text)?))
}

/// The language that a text in another language calls by a name or extension: `rust,no_run`, `{.python}`.
pub(crate) fn for_word(word: &str) -> Option<&'static Language> {
    let is_apart = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '+' | '#');
    let word = word.split(is_apart).find(|word| !word.is_empty())?;
    by_name(word).or_else(|| owner(registry::EXTENSIONS, &word.to_ascii_lowercase()))
}

impl Language {
    /// The name users give: `cpp`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name people read: `C++`.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// The extensions of its files, without the dot.
    pub fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    /// What opens a comment that runs to the end of the line.
    pub fn line_comments(&self) -> &'static [&'static str] {
        self.line_comments
    }

    /// What opens and closes a comment.
    pub fn block_comments(&self) -> &'static [(&'static str, &'static str)] {
        self.block_comments
    }

    /// Which node kinds and fields of its rules the grammar does not have: misspelled ones, which would find nothing.
    pub fn unknown_kinds(&self) -> Vec<&'static str> {
        self.kinds().unknown(&self.tables)
    }

    /// The named declarations of a text.
    pub fn outline(&'static self, text: &[u8]) -> Outline {
        let text = self.readable(text);
        self.outline_of(&text, self.parse(&text).as_ref().map(Parsed::root_node), 0)
    }

    /// The same from what the parser has made of the text already.
    pub(crate) fn outline_after(&'static self, text: &[u8], parsed: &Parsed) -> Outline {
        self.outline_of(&self.readable(text), Some(parsed.root_node()), 0)
    }

    /// The same from the position tree of the text, which may have been kept, without parsing. `None` when it is no
    /// tree of such a text: it has words that the grammar does not have, or reaches beyond the text.
    pub fn outline_from(&'static self, text: &[u8], tree: &Tree) -> Option<Outline> {
        if tree.end().index() > text.len() {
            return None;
        }
        let unpacked = Unpacked::new(tree, self.kinds().words())?;
        Some(self.outline_of(&self.readable(text), Some(unpacked.root()?), 0))
    }

    /// The same as far as lines tell, for texts that the parser gives up on.
    pub fn outline_by_line(&'static self, text: &[u8]) -> Outline {
        self.outline_of(&self.readable(text), None::<ParsedNode<'_>>, 0)
    }

    /// A text as the grammar is to see it. All places in it stay where they are.
    pub(crate) fn readable<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let text = if self.tables.words.keeps_mark { Cow::Borrowed(text) } else { without_mark(text) };
        self.ended(with_line_feeds(text))
    }

    /// A text with the line break at its end that some grammars want. No symbol ends with it, so nobody sees it.
    fn ended<'t>(&self, text: Cow<'t, [u8]>) -> Cow<'t, [u8]> {
        if self.tables.words.final_break && !text.ends_with(b"\n") {
            Cow::Owned([&text, &b"\n"[..]].concat())
        } else {
            text
        }
    }

    /// Takes a comment that runs to the end of the text without being closed for damage: what it swallowed is meant to
    /// be code. Parsers of languages in which comments nest see nothing wrong with it.
    fn note_unclosed_comment(&self, found: &mut walk::Found, text: &[u8]) {
        let Some(last) = found.attachables.last() else { return };
        let comment = &text[last.range.indices()];
        let is_unclosed = |(open, close): &(&str, &str)| {
            let inside = comment.strip_prefix(open.as_bytes());
            inside.is_some_and(|inside| !inside.ends_with(close.as_bytes()))
        };
        let is_last = text[last.range.end().index()..].trim_ascii().is_empty();
        if is_last && last.attached == Attached::Comment && self.block_comments.iter().any(is_unclosed) {
            found.damage.push(last.range);
            found.attachables.pop();
        }
    }

    /// The outline of a text that `depth` other texts stand around.
    pub(crate) fn outline_within(&'static self, text: &[u8], depth: usize) -> Outline {
        let text = self.ended(Cow::Borrowed(text));
        self.outline_of(&text, self.parse(&text).as_ref().map(Parsed::root_node), depth)
    }

    /// The outline of a text from its syntax tree; without one, by its lines.
    fn outline_of<N: Node>(&'static self, text: &[u8], root: Option<N>, depth: usize) -> Outline {
        let conflicts = conflicts(text);
        let text = without_conflicts(text);
        let text = text.as_ref();
        let mut found = match root {
            Some(root) => walk::walk(root, text, &self.tables, self.kinds()),
            None => walk::Found { damage: vec![Range::of_indices(0..text.len())], ..walk::Found::default() },
        };
        self.note_unclosed_comment(&mut found, text);
        let has_error = root.is_none_or(Node::has_error);
        if let Some(end) =
            root.filter(|_| has_error).and_then(|root| root.children().last()).map(Node::end_byte)
        {
            // The parser may give up on the rest.
            found
                .damage
                .extend((end < text.trim_ascii_end().len()).then(|| Range::of_indices(end..text.len())));
        }
        let is_damaged = has_error || !found.damage.is_empty();
        if is_damaged {
            found.long_tokens = root.map(|root| lines::long_tokens(root, text)).unwrap_or_default();
            crate::mend::mend(&mut found, text, &self.tables);
            crate::mend::hang(&mut found, text, &self.tables);
        }
        nest_by_level(&mut found.items, text);
        let mut embedded = Vec::new();
        if depth < MAX_DEPTH {
            embedded.extend(found.embeds.iter().map(|embed| embed.read(text, &found.items, depth + 1)));
        }
        let mut damage = std::mem::take(&mut found.damage);
        if is_damaged && damage.is_empty() {
            damage.push(Range::of_indices(0..text.len()));
        }
        let conflicts = conflicts.iter().filter_map(|marks| Some(marks.first()?.start..marks.last()?.end));
        damage.extend(conflicts.map(Range::of_indices));
        damage.extend(embedded.iter().flat_map(|embedded| &embedded.damage));
        // The line break that a grammar wants is none of the text.
        let last = text.trim_ascii_end().len();
        let damage = apart(damage.into_iter().map(|range| before(range, last)).collect());
        let mut outline = settle::settle(found, embedded, text, &self.tables);
        outline.is_damaged = !damage.is_empty();
        outline.damage = damage;
        outline.is_by_line = root.is_none();
        outline.silent = self.tables.words.silent;
        outline.spoken = self.tables.words.spoken;
        outline.markup = self.tables.words.markup;
        outline
    }

    /// The syntax tree of a text; broken source has one too.
    ///
    /// `None` when the text takes the parser too much work or memory, as [`locant_parse`] says; when it is nested too
    /// deeply for the grammar, or has more marks in a row than the grammar gets over; and when an annotation ends its
    /// last line without a break.
    pub fn parse(&'static self, text: &[u8]) -> Option<Parsed> {
        self.parse_with(text, &macros_of(text, &self.tables.words), None)
    }

    /// The same for the text as it stands, also where the grammar is shown another one by [`seen`].
    pub(crate) fn parse_as_it_stands(&'static self, text: &[u8]) -> Option<Parsed> {
        if self.is_too_much(text) { None } else { self.parse_seen(text, None) }
    }

    /// Is the grammar shown another text than this one, so that it does not stumble?
    pub fn sees_otherwise(&self, text: &[u8]) -> bool {
        matches!(seen(&self.readable(text), &self.tables.words), Cow::Owned(_))
    }

    fn is_too_much(&self, text: &[u8]) -> bool {
        let words = &self.tables.words;
        words.deepest.is_some_and(|deepest| depth(text, words.bullets) > deepest)
            || words.deepest_tags.is_some_and(|deepest| tag_depth(text) > deepest)
            || words.most_marks.is_some_and(|most| marks_in_a_row(text, words.line_comments) > most)
    }

    /// The same for a text whose macros are known, with the parts of an older tree that its edits have left alone.
    pub(crate) fn parse_with(
        &'static self,
        text: &[u8],
        macros: &Macros,
        old: Option<&Parsed>,
    ) -> Option<Parsed> {
        let is_too_much = old.is_none() && self.is_too_much(text);
        if is_too_much { None } else { self.parse_seen(&seen_with(text, macros, &self.tables.words), old) }
    }

    fn parse_seen(&'static self, text: &[u8], old: Option<&Parsed>) -> Option<Parsed> {
        let words = &self.tables.words;
        let last_line = &text[memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)..];
        if words.final_break && memchr::memmem::find(last_line, words.annotations.as_bytes()).is_some() {
            return None;
        }
        let characters = if words.narrow { Characters::Narrow } else { Characters::All };
        locant_parse::parse(&self.kinds().grammar, text, old, characters)
    }

    pub(crate) fn kinds(&self) -> &Kinds {
        self.kinds.get_or_init(|| Kinds::new(self.grammar.into(), &self.tables))
    }
}

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.name)
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        self.name == other.name
    }
}

impl Eq for Language {}

/// The language that has `word` in one of its lists.
/// The language that a word leads to. Sorted words instead of a look at each language: one start of the program asks
/// for one language, and should not wait for the pages of all others to be read.
fn owner(words: &[(&str, usize)], word: &str) -> Option<&'static Language> {
    let found = words.binary_search_by_key(&word, |(known, _)| known).ok()?;
    Some(&all()[words[found].1])
}

/// The language that claims a file with this extension by what is in it.
fn claimant(extension: &str, text: &[u8]) -> Option<&'static Language> {
    let start = registry::CLAIMS.partition_point(|(known, _)| *known < extension);
    let mut claims = registry::CLAIMS[start..].iter().take_while(|(known, _)| *known == extension);
    claims.find_map(|(_, at)| Some(&all()[*at]).filter(|language| is_meant(language.claims, extension, text)))
}

/// Is a text with this extension one of these?
fn is_meant(claims: &[Claim], extension: &str, text: &[u8]) -> bool {
    let is_start = |at: usize| at == 0 || matches!(text[at - 1], b'\n' | b'\r');
    let has_line = |start: &&str| memchr::memmem::find_iter(text, start).any(is_start);
    claims.iter().any(|claim| {
        claim.extension == extension && claim.lines.iter().any(has_line) && !claim.unless.iter().any(has_line)
    })
}

/// The program a `#!` line names, without folder and version: `python` of `#!/usr/bin/env -S python3.12 -u`.
fn interpreter(text: &[u8]) -> Option<&str> {
    let line = text.strip_prefix(b"#!")?;
    let end = memchr::memchr2(b'\n', b'\r', line).unwrap_or(line.len());
    let words = std::str::from_utf8(&line[..end]).ok()?.split_whitespace();
    let program = words
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// What the build script made of `languages/`.
mod registry {
    #[allow(clippy::wildcard_imports, reason = "the generated tables name everything there is")]
    use crate::table::*;
    use locant_tree::SymbolKind;

    include!(concat!(env!("OUT_DIR"), "/languages.rs"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, first_line: &str, expected: &str) {
        let name = for_file(path, first_line.as_bytes()).map_or("none", Language::name);
        assert_eq!(name, expected, "{path} {first_line}");
    }

    #[test]
    fn file_name_then_extension_then_first_line() {
        check("a/b.py", "", "python");
        check("a/B.PY", "", "python");
        check("a\\b.rs", "", "rust");
        check("tool", "#!/usr/bin/env -S python3.12 -u\n", "python");
        check("tool", "#! /usr/bin/python\n", "python");
        check("tool", "import x", "none");
        check("py", "", "none");
        check("", "", "none");
    }

    #[test]
    fn a_line_tells_which_of_two_languages() {
        check("a.h", "", "cpp");
        check("a.h", "struct A; // @interface A", "cpp");
        check("a.h", "#import <B.h>\r\n@interface A : B\n@end\n", "objc");
        check("a.h", "@protocol A <B>\n@end\n", "objc");
        check("a.h", "/*\n@interface A\n*/\nnamespace n {\n}\n", "cpp");
        check("a.m", "int f();\n", "objc");
        check("a.m", "% Adds.\nfunction y = f(x)\n", "none");
        check("a.m", "#import <B.h>\nint x = 7\n% 2;\n", "objc");
        check("a.hpp", "@interface A\n@end\n", "cpp");
    }

    #[test]
    fn names_and_aliases() {
        assert_eq!(by_name("PY").map(Language::name), Some("python"));
        assert_eq!(by_name("no such"), None);
    }

    #[test]
    fn every_kind_and_field_is_in_its_grammar() {
        for language in all() {
            let unknown = language.unknown_kinds();
            assert!(unknown.is_empty(), "languages/{}: the grammar has no {unknown:?}", language.name);
        }
    }

    #[test]
    fn every_embedded_language_is_read() {
        for language in all() {
            for word in language.tables.embeds.iter().filter_map(|rule| rule.language) {
                assert!(for_word(word).is_some(), "languages/{}: no {word}", language.name);
            }
        }
    }

    #[test]
    fn the_word_of_a_code_fence() {
        let name = |word| for_word(word).map(Language::name);
        assert_eq!(name("rust,no_run"), Some("rust"));
        assert_eq!(name("{.python .numberLines}"), Some("python"));
        assert_eq!(name("PY"), Some("python"));
        assert_eq!(name("hpp"), Some("cpp"));
        assert_eq!(name("text"), None);
        assert_eq!(name(""), None);
    }
}
