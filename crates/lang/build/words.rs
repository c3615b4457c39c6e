//! The words of a language, from the `[words]` section of its rule file.

use std::fmt;

use crate::emit::frame;
use crate::pack::Pack;
use crate::section::{Result, Section};

/// The words of a language. Its `{:?}` output is the code of the `Words` in the tables, field by field.
#[derive(Debug)]
#[expect(dead_code, reason = "its fields are read where it is printed")]
pub(crate) struct Words {
    terminator: Option<u8>,
    closing: Option<u8>,
    bullets: Code,
    front: Code,
    deepest: Option<usize>,
    deepest_tags: Option<usize>,
    most_marks: Option<usize>,
    final_break: bool,
    narrow: bool,
    breaks: Code,
    markers: Code,
    attributes: Code,
    exported: Code,
    attributed: Code,
    enums: Code,
    titled: Code,
    methods: Code,
    ranged: Code,
    blocks: Code,
    sections: Code,
    signs: Code,
    holes: Code,
    unseen: Code,
    unannotated: Code,
    clauses: Code,
    joints: Code,
    headers: Code,
    unpointed: Option<u8>,
    markup: Code,
    spoken: Code,
    keeps_mark: bool,
    has_root: bool,
    listed: bool,
    goes_on: Code,
    closes: Code,
    opens: Code,
    texts: Code,
    end: Code,
    quotes: Code,
    doubled: Code,
    silent: Code,
    nameless: Code,
    name_marks: Code,
    keywords: Code,
    reserved: Code,
    modifiers: Code,
    declares: Code,
    annotations: Code,
    macros: bool,
    any_case: bool,
    constructor_named_as_type: bool,
    line_comments: Code,
    inner_comments: Code,
}

/// Code that `{:?}` prints unchanged.
struct Code(String);

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The section that the words are read from, and where they are packed.
struct Source<'a> {
    section: &'a mut Section,
    pack: &'a Pack,
}

impl Source<'_> {
    fn list(&mut self, key: &str) -> Result<Code> {
        Ok(Code(self.pack.words(&self.section.words(key)?)))
    }

    fn text(&mut self, key: &str) -> Result<Code> {
        Ok(Code(self.pack.word(&self.section.optional(key)?.unwrap_or_default())))
    }

    /// Pairs of a mark and the mark that the grammar is given instead.
    fn signs(&mut self) -> Result<Code> {
        let signs = self.section.words("signs")?;
        match signs.iter().find(|sign| sign.len() != 2) {
            Some(sign) => Err(self
                .section
                .error(format!("signs: {sign:?} must be two marks, the second for the first"))),
            None => Ok(Code(self.pack.words(&signs))),
        }
    }

    /// Pairs of words, separated by a blank.
    fn pairs(&mut self, key: &str, what: &str) -> Result<Code> {
        let pairs = self.section.words(key)?;
        match pairs.iter().find(|pair| pair.split_ascii_whitespace().count() != 2) {
            Some(pair) => Err(self.section.error(format!("{key}: {pair:?} must be {what}"))),
            None => Ok(Code(self.pack.words(&pairs))),
        }
    }
}

impl Words {
    pub(crate) fn new(
        mut section: Section,
        line_comments: &[String],
        inner_comments: &[String],
        pack: &Pack,
    ) -> Result<Words> {
        let comments = [line_comments, inner_comments].map(|words| Code(pack.words(words)));
        let words = Words::read(&mut Source { section: &mut section, pack }, comments)?;
        section.finish()?;
        Ok(words)
    }

    fn read(source: &mut Source<'_>, [line_comments, inner_comments]: [Code; 2]) -> Result<Words> {
        let markers = source.section.words("markers")?;
        // Markers are not names in recovered lines either.
        let keywords = [source.section.words("keywords")?, markers.clone()].concat();
        Ok(Words {
            keywords: Code(source.pack.words(&keywords)),
            markers: Code(source.pack.words(&markers)),
            breaks: source.list("breaks")?,
            attributes: source.list("attributes")?,
            exported: source.list("exported")?,
            attributed: source.list("attributed")?,
            enums: source.list("enums")?,
            titled: source.list("titled")?,
            sections: source.list("sections")?,
            unseen: source.list("unseen")?,
            unannotated: source.list("unannotated")?,
            clauses: source.list("clauses")?,
            joints: source.list("joints")?,
            ranged: source.list("ranged")?,
            blocks: source.list("blocks")?,
            methods: source.list("methods")?,
            goes_on: source.list("goes_on")?,
            closes: source.list("closes")?,
            opens: source.list("opens")?,
            texts: source.list("texts")?,
            silent: Code(format!("&{:?}", source.section.words("silent")?)),
            nameless: source.list("nameless")?,
            modifiers: source.list("modifiers")?,
            declares: source.list("declares")?,
            reserved: source.list("reserved")?,
            terminator: character(source.section, "terminator")?,
            closing: character(source.section, "closing")?,
            unpointed: character(source.section, "unpointed")?,
            signs: source.signs()?,
            holes: source.pairs("holes", "what opens and what closes one")?,
            headers: source.pairs("headers", "what opens one and what goes on with it")?,
            spoken: spoken(source.section)?,
            deepest: source.section.number("deepest")?,
            deepest_tags: source.section.number("deepest_tags")?,
            most_marks: source.section.number("most_marks")?,
            final_break: source.section.flag("final_break", false)?,
            narrow: source.section.flag("narrow", false)?,
            keeps_mark: source.section.flag("keeps_mark", false)?,
            has_root: source.section.flag("has_root", false)?,
            listed: source.section.flag("listed", false)?,
            macros: source.section.flag("macros", false)?,
            any_case: source.section.flag("any_case", false)?,
            constructor_named_as_type: source.section.flag("constructor_named_as_type", false)?,
            front: front(source.section)?,
            line_comments,
            inner_comments,
            bullets: source.text("bullets")?,
            end: source.text("end")?,
            quotes: source.text("quotes")?,
            doubled: source.text("doubled")?,
            name_marks: source.text("name_marks")?,
            annotations: source.text("annotations")?,
            markup: Code(format!("{:?}", source.section.optional("markup")?.unwrap_or_default())),
        })
    }
}

/// The frame of the names in a qualifier, if the file does not declare them.
fn front(section: &mut Section) -> Result<Code> {
    let front = section.optional("front")?.unwrap_or_else(|| "type".to_owned());
    let front = frame(&front).map_err(|message| section.error(message))?.0;
    Ok(Code(format!("Frame::{front}")))
}

/// Pairs of a word that references use and the word that the declaration uses instead. They are a slice because
/// outlines refer to them.
fn spoken(section: &mut Section) -> Result<Code> {
    let words = section.words("spoken")?;
    let pair = |words: String| match words.split_once(' ') {
        Some((said, declared)) => Ok((said.to_owned(), declared.to_owned())),
        None => Err(section.error(format!("spoken: {words:?} must be two words"))),
    };
    let pairs = words.into_iter().map(pair).collect::<Result<Vec<_>>>()?;
    Ok(Code(format!("&{pairs:?}")))
}

/// A single byte, or nothing.
fn character(section: &mut Section, key: &str) -> Result<Option<u8>> {
    match section.optional(key)? {
        None => Ok(None),
        Some(word) => match *word.as_bytes() {
            [byte] => Ok(Some(byte)),
            _ => Err(section.error(format!("{key} {word:?} must be one character"))),
        },
    }
}
