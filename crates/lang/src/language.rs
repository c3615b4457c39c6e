//! The list of languages, and how to find out which one a file is written in.

use std::fmt;
use std::sync::OnceLock;

use tree_sitter_language::LanguageFn;

use crate::kinds::Kinds;
use crate::packed::{List, Word};
use crate::table::{Claim, Tables};

/// A language: static data made from its folder in `languages/`.
pub struct Language {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) extensions: &'static [&'static str],
    /// If one of these claims holds, a file is in this language though its extension belongs to another one.
    pub(crate) claims: List<Claim>,
    /// If one of these claims holds, a file with an extension of this language is in a language that cannot be read.
    pub(crate) disclaims: List<Claim>,
    pub(crate) line_comments: &'static [&'static str],
    pub(crate) block_comments: &'static [(&'static str, &'static str)],
    /// The statement that does nothing, if a block must not be empty.
    pub(crate) empty_block: Option<&'static str>,
    pub(crate) grammar: LanguageFn,
    pub(crate) tables: Tables,
    pub(crate) kinds: OnceLock<Kinds>,
}

/// A language whose grammar the features of this build leave out.
#[derive(Debug)]
pub struct LeftOut {
    /// The name for display: `C++`.
    pub title: &'static str,
    /// The package of the grammar, which is also the name of its feature: `tree-sitter-cpp`.
    pub package: &'static str,
    extensions: &'static [&'static str],
}

/// The languages that are left out, sorted by name. There are none by default.
pub fn left_out() -> &'static [LeftOut] {
    registry::LEFT_OUT
}

/// The language that a file with this path would be in if its grammar were not left out.
pub fn left_out_of(path: &str) -> Option<&'static LeftOut> {
    let (_, extension) = path.rsplit_once('.')?;
    left_out().iter().find(|language| language.extensions.contains(&extension))
}

/// All languages, sorted by name.
pub fn all() -> &'static [Language] {
    &registry::LANGUAGES
}

/// The language with this name or alias, in any letter case: `python`, `py`.
pub fn by_name(name: &str) -> Option<&'static Language> {
    owner(registry::NAMES, &name.to_ascii_lowercase())
}

/// The language of a file: first by its file name, then by its extension, then by its `#!` line. If two languages
/// share an extension, the text decides; an empty text counts as the more common language.
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

/// The language that a word names, as in a code fence: `rust,no_run`, `{.python}`. The word is a name, alias or
/// extension.
pub(crate) fn for_word(word: &str) -> Option<&'static Language> {
    let is_apart = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '+' | '#');
    let word = word.split(is_apart).find(|word| !word.is_empty())?;
    by_name(word).or_else(|| owner(registry::EXTENSIONS, &word.to_ascii_lowercase()))
}

impl Language {
    /// The name for use in commands: `cpp`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name for display: `C++`.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// The extensions of its files, without the dot.
    pub fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    /// The marks that open a comment that runs to the end of the line.
    pub fn line_comments(&self) -> &'static [&'static str] {
        self.line_comments
    }

    /// The pairs of marks that open and close a block comment.
    pub fn block_comments(&self) -> &'static [(&'static str, &'static str)] {
        self.block_comments
    }

    /// The statement that does nothing, if a block of this language must have one: `pass`.
    pub fn empty_block(&self) -> Option<&'static str> {
        self.empty_block
    }

    /// The node kinds and fields in the rules that the grammar does not have. They are misspelled: they never match.
    pub fn unknown_kinds(&self) -> Vec<&'static str> {
        self.kinds().unknown(&self.tables)
    }

    pub(crate) fn kinds(&self) -> &Kinds {
        self.kinds.get_or_init(|| Kinds::new(self.grammar.into(), &self.tables))
    }
}

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

/// The language that a sorted list has for a word. A list is used because a run of the program usually needs only one
/// language, and looking at each language would load the memory pages of all of them.
fn owner(words: &[(&str, usize)], word: &str) -> Option<&'static Language> {
    let found = words.binary_search_by_key(&word, |(known, _)| known).ok()?;
    Some(&all()[words[found].1])
}

/// The language that claims a file with this extension because of its text.
fn claimant(extension: &str, text: &[u8]) -> Option<&'static Language> {
    let start = registry::CLAIMS.partition_point(|(known, _)| *known < extension);
    let mut claims = registry::CLAIMS[start..].iter().take_while(|(known, _)| *known == extension);
    claims.find_map(|(_, at)| Some(&all()[*at]).filter(|language| is_meant(language.claims, extension, text)))
}

/// Whether one of the claims holds for a text with this extension.
fn is_meant(claims: List<Claim>, extension: &str, text: &[u8]) -> bool {
    let is_start = |at: usize| at == 0 || matches!(text[at - 1], b'\n' | b'\r');
    let has_line = |start: &Word| memchr::memmem::find_iter(text, start.as_bytes()).any(is_start);
    claims.iter().any(|claim| {
        claim.extension.get() == extension
            && claim.lines.iter().any(has_line)
            && !claim.unless.iter().any(has_line)
    })
}

/// The program that a `#!` line names, without its folder and version: `python` in `#!/usr/bin/env -S python3.12 -u`.
fn interpreter(text: &[u8]) -> Option<&str> {
    let line = text.strip_prefix(b"#!")?;
    let end = memchr::memchr2(b'\n', b'\r', line).unwrap_or(line.len());
    let words = std::str::from_utf8(&line[..end]).ok()?.split_whitespace();
    let program = words
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

pub(crate) use registry::TEXT;

/// The tables that the build script made from `languages/`.
mod registry {
    use crate::packed::{Kept, List, Word};
    #[allow(clippy::wildcard_imports, reason = "the generated tables name everything there is")]
    use crate::table::*;
    use locant_tree::{Frame, SymbolKind};

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
    #[cfg(feature = "all-languages")]
    fn no_grammar_is_left_out_by_default() {
        assert!(left_out().is_empty(), "add to `all-languages` in Cargo.toml: {:?}", left_out());
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
                assert!(for_word(&word).is_some(), "languages/{}: no {word:?}", language.name);
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
