//! The words of a language: what its lines start with, what closes them, what people say for them.

use std::fmt;

use crate::emit::frame;
use crate::section::{Result, Section};

/// The words of a language. What `{:?}` prints of it is the code of the `Words` of the tables, field by field.
#[derive(Debug)]
#[expect(dead_code, reason = "its fields are read where it is printed")]
pub(crate) struct Words {
    terminator: Option<u8>,
    closing: Option<u8>,
    bullets: String,
    front: Code,
    deepest: Option<usize>,
    deepest_tags: Option<usize>,
    most_marks: Option<usize>,
    final_break: bool,
    narrow: bool,
    breaks: List<String>,
    markers: List<String>,
    attributes: List<String>,
    exported: List<String>,
    attributed: List<String>,
    enums: List<String>,
    titled: List<String>,
    methods: List<String>,
    ranged: List<String>,
    blocks: List<String>,
    sections: List<String>,
    signs: List<String>,
    holes: List<String>,
    unseen: List<String>,
    unannotated: List<String>,
    clauses: List<String>,
    joints: List<String>,
    headers: List<String>,
    unpointed: Option<u8>,
    markup: String,
    spoken: List<(String, String)>,
    keeps_mark: bool,
    has_root: bool,
    listed: bool,
    goes_on: List<String>,
    closes: List<String>,
    opens: List<String>,
    texts: List<String>,
    end: String,
    quotes: String,
    doubled: String,
    silent: List<String>,
    nameless: List<String>,
    name_marks: String,
    keywords: List<String>,
    reserved: List<String>,
    modifiers: List<String>,
    declares: List<String>,
    annotations: String,
    macros: bool,
    any_case: bool,
    constructor_named_as_type: bool,
    line_comments: List<String>,
    inner_comments: List<String>,
}

/// A list, printed as a slice: `&["a", "b"]`.
struct List<T>(Vec<T>);

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "&{:?}", self.0)
    }
}

/// What is printed as it is.
struct Code(String);

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Words {
    pub(crate) fn new(
        mut section: Section,
        line_comments: Vec<String>,
        inner_comments: Vec<String>,
    ) -> Result<Words> {
        let words = Words::read(&mut section, line_comments, inner_comments)?;
        section.finish()?;
        Ok(words)
    }

    fn read(section: &mut Section, line_comments: Vec<String>, inner_comments: Vec<String>) -> Result<Words> {
        let markers = list(section, "markers")?;
        Ok(Words {
            // Nor are they names where they are read by the line.
            keywords: List([list(section, "keywords")?.0, markers.0.clone()].concat()),
            markers,
            breaks: list(section, "breaks")?,
            attributes: list(section, "attributes")?,
            exported: list(section, "exported")?,
            attributed: list(section, "attributed")?,
            enums: list(section, "enums")?,
            titled: list(section, "titled")?,
            sections: list(section, "sections")?,
            unseen: list(section, "unseen")?,
            unannotated: list(section, "unannotated")?,
            clauses: list(section, "clauses")?,
            joints: list(section, "joints")?,
            ranged: list(section, "ranged")?,
            blocks: list(section, "blocks")?,
            methods: list(section, "methods")?,
            goes_on: list(section, "goes_on")?,
            closes: list(section, "closes")?,
            opens: list(section, "opens")?,
            texts: list(section, "texts")?,
            silent: list(section, "silent")?,
            nameless: list(section, "nameless")?,
            modifiers: list(section, "modifiers")?,
            declares: list(section, "declares")?,
            reserved: list(section, "reserved")?,
            terminator: character(section, "terminator")?,
            closing: character(section, "closing")?,
            unpointed: character(section, "unpointed")?,
            signs: signs(section)?,
            holes: pairs(section, "holes", "what opens and what closes one")?,
            headers: pairs(section, "headers", "what opens one and what goes on with it")?,
            spoken: spoken(section)?,
            deepest: section.number("deepest")?,
            deepest_tags: section.number("deepest_tags")?,
            most_marks: section.number("most_marks")?,
            final_break: section.flag("final_break", false)?,
            narrow: section.flag("narrow", false)?,
            keeps_mark: section.flag("keeps_mark", false)?,
            has_root: section.flag("has_root", false)?,
            listed: section.flag("listed", false)?,
            macros: section.flag("macros", false)?,
            any_case: section.flag("any_case", false)?,
            constructor_named_as_type: section.flag("constructor_named_as_type", false)?,
            front: front(section)?,
            line_comments: List(line_comments),
            inner_comments: List(inner_comments),
            bullets: text(section, "bullets")?,
            end: text(section, "end")?,
            quotes: text(section, "quotes")?,
            doubled: text(section, "doubled")?,
            name_marks: text(section, "name_marks")?,
            annotations: text(section, "annotations")?,
            markup: text(section, "markup")?,
        })
    }
}

/// What names in front stand for.
fn front(section: &mut Section) -> Result<Code> {
    let front = section.optional("front")?.unwrap_or_else(|| "type".to_owned());
    let front = frame(&front).map_err(|message| section.error(message))?.0;
    Ok(Code(format!("Frame::{front}")))
}

fn list(section: &mut Section, key: &str) -> Result<List<String>> {
    section.words(key).map(List)
}

fn text(section: &mut Section, key: &str) -> Result<String> {
    section.optional(key).map(Option::unwrap_or_default)
}

/// Marks that the grammar is shown in place of others.
fn signs(section: &mut Section) -> Result<List<String>> {
    let signs = section.words("signs")?;
    match signs.iter().find(|sign| sign.len() != 2) {
        Some(sign) => {
            Err(section.error(format!("signs: {sign:?} must be two marks, the second for the first")))
        }
        None => Ok(List(signs)),
    }
}

/// Two words each, with a blank between.
fn pairs(section: &mut Section, key: &str, what: &str) -> Result<List<String>> {
    let pairs = section.words(key)?;
    match pairs.iter().find(|pair| pair.split_ascii_whitespace().count() != 2) {
        Some(pair) => Err(section.error(format!("{key}: {pair:?} must be {what}"))),
        None => Ok(List(pairs)),
    }
}

/// Words that people say for others.
fn spoken(section: &mut Section) -> Result<List<(String, String)>> {
    let words = section.words("spoken")?;
    let pair = |words: String| match words.split_once(' ') {
        Some((said, declared)) => Ok((said.to_owned(), declared.to_owned())),
        None => Err(section.error(format!("spoken: {words:?} must be two words"))),
    };
    words.into_iter().map(pair).collect::<Result<_>>().map(List)
}

/// One byte that may be absent.
fn character(section: &mut Section, key: &str) -> Result<Option<u8>> {
    match section.optional(key)? {
        None => Ok(None),
        Some(word) => match *word.as_bytes() {
            [byte] => Ok(Some(byte)),
            _ => Err(section.error(format!("{key} {word:?} must be one character"))),
        },
    }
}
