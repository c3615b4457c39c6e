//! Declarations: variables, imports and exports, and those of types.

use super::tree::{Kind, Part};
use super::{Reader, What, index};
use crate::tokens::{TEXT, WORD};

impl Reader<'_> {
    /// Reads a declaration. It starts at `first`, with its decorators.
    pub(super) fn declaration(&mut self, first: usize) -> Option<Part> {
        self.decorators()?;
        match self.word() {
            b"const" if self.dialect.has_types && self.stream.is(self.at + 1, "enum") => {
                self.at += 1;
                self.enumeration(first)
            }
            b"var" | b"let" | b"const" => {
                let part = self.variables(first)?;
                self.semicolon()?;
                self.tree.at(part.node).last = index(self.at - 1);
                Some(self.tree.part(part.node))
            }
            b"function" => self.function(first, Kind::FunctionDeclaration),
            b"async" => {
                self.at += 1;
                self.function(first, Kind::FunctionDeclaration)
            }
            b"class" => self.class(first, Kind::ClassDeclaration),
            b"import" => self.import(first),
            b"export" => self.export(first),
            _ if !self.dialect.has_types => None,
            b"abstract" => {
                self.at += 1;
                self.stream.is(self.at, "class").then_some(())?;
                self.class(first, Kind::ClassDeclaration)
            }
            b"enum" => self.enumeration(first),
            b"type" => self.alias(first),
            b"interface" => self.interface(first),
            b"namespace" | b"module" => self.module(first),
            b"declare" => self.ambient(first),
            _ => None,
        }
    }

    /// Reads variables, up to the semicolon.
    pub(super) fn variables(&mut self, first: usize) -> Option<Part> {
        let node = self.begin(Kind::Declaration, first);
        self.tree.at(node).is_marked = self.stream.is(self.at, "const");
        self.at += 1;
        loop {
            let declarator = self.begin(Kind::Declarator, self.at);
            let pattern = self.pattern()?;
            self.tree.at(declarator).front = pattern;
            self.tree.adopt(declarator, pattern.node);
            if self.dialect.has_types {
                self.takes(b'!');
                if self.takes(b':') {
                    self.type_into(declarator)?;
                }
            }
            if self.takes(b'=') {
                let value = self.operand()?;
                self.tree.adopt(declarator, value.node);
                self.tree.at(declarator).back = value;
            }
            self.end(declarator);
            self.tree.adopt(node, declarator);
            if !self.takes(b',') {
                return Some(self.end(node));
            }
        }
    }

    /// Reads an import, which declares nothing.
    fn import(&mut self, first: usize) -> Option<Part> {
        self.at += 1;
        loop {
            match self.mark() {
                WORD | b',' | b'*' => self.at += 1,
                b'{' => self.skip(),
                TEXT => {
                    self.at += 1;
                    self.attributes();
                    break;
                }
                b'=' if self.dialect.has_types => {
                    self.at += 1;
                    let part = self.expression()?;
                    if part.node != super::NONE {
                        return None;
                    }
                    break;
                }
                _ => return None,
            }
        }
        self.semicolon()?;
        Some(self.nothing(first))
    }

    /// Skips `with { … }` after the name of a module.
    fn attributes(&mut self) {
        if matches!(self.word(), b"with" | b"assert") && self.mark_after(1) == b'{' {
            self.at += 1;
            self.skip();
        }
    }

    /// Reads an export. It starts at `first`, with its decorators.
    fn export(&mut self, first: usize) -> Option<Part> {
        let node = self.begin(Kind::Export, first);
        self.at += 1;
        // The grammar reads less than this from a word that is alone on its line.
        if self.is_below(self.at) {
            return None;
        }
        match self.mark() {
            b'*' => {
                self.at += 1;
                if self.takes_word("as") {
                    self.at += 1;
                }
                self.source()?;
            }
            b'{' => self.listed()?,
            b'=' if self.dialect.has_types => {
                self.at += 1;
                self.exported_value(node)?;
            }
            b'@' => self.exported(node)?,
            WORD => match self.word() {
                b"default" => {
                    self.at += 1;
                    self.default(node)?;
                }
                b"as" if self.stream.is(self.at + 1, "namespace") => {
                    self.at += 3;
                    self.semicolon()?;
                }
                b"type" if self.mark_after(1) == b'{' => {
                    self.at += 1;
                    self.listed()?;
                }
                b"type" if self.mark_after(1) == b'*' => return None,
                _ => self.exported(node)?,
            },
            _ => return None,
        }
        Some(self.end(node))
    }

    /// `{ a, b as c } from "d"`
    fn listed(&mut self) -> Option<()> {
        self.skip();
        if self.stream.is(self.at, "from") && self.mark_after(1) == TEXT {
            return self.source();
        }
        self.semicolon()
    }

    /// `from "a"`
    fn source(&mut self) -> Option<()> {
        self.takes_word("from").then_some(())?;
        self.take(TEXT)?;
        self.attributes();
        self.semicolon()
    }

    fn exported(&mut self, node: u32) -> Option<()> {
        let part = self.declaration(self.at)?;
        self.tree.adopt(node, part.node);
        Some(())
    }

    fn exported_value(&mut self, node: u32) -> Option<()> {
        let part = self.operand()?;
        self.semicolon()?;
        self.tree.adopt(node, part.node);
        Some(())
    }

    /// Reads what comes after `export default`.
    fn default(&mut self, node: u32) -> Option<()> {
        let at = self.at;
        if self.mark() == b'@' {
            return self.exported(node);
        }
        let has_types = self.dialect.has_types;
        let is_declaration = match self.word() {
            b"function" => self.is_named_function(at),
            b"async" if self.stream.is(at + 1, "function") && !self.is_below(at + 1) => {
                self.is_named_function(at + 1)
            }
            b"class" => {
                self.mark_after(1) == WORD && !matches!(self.stream.word(at + 1), b"extends" | b"implements")
            }
            // A class without a name is a value, but an abstract one must have a name.
            b"abstract" if has_types => self.stream.is(at + 1, "class") && self.mark_after(2) == WORD,
            b"interface" | b"enum" | b"type" | b"namespace" | b"declare" if has_types => {
                self.mark_after(1) == WORD
            }
            _ => false,
        };
        if is_declaration { self.exported(node) } else { self.exported_value(node) }
    }

    fn is_named_function(&self, at: usize) -> bool {
        let name = if self.stream.mark(at + 1) == b'*' { at + 2 } else { at + 1 };
        self.stream.mark(name) == WORD
    }

    fn enumeration(&mut self, first: usize) -> Option<Part> {
        self.at += 1;
        let node = self.begin(Kind::Enum, first);
        self.tree.at(node).front = self.name_here();
        self.take(WORD)?;
        (self.mark() == b'{').then_some(())?;
        self.tree.at(node).body = index(self.at);
        self.later(What::EnumMembers, node, self.at);
        self.skip();
        Some(self.end(node))
    }

    fn alias(&mut self, first: usize) -> Option<Part> {
        self.at += 1;
        let node = self.begin(Kind::TypeAlias, first);
        self.tree.at(node).front = self.name_here();
        self.take(WORD)?;
        if self.mark() == b'<' {
            self.at = self.after_type_arguments(self.at)?;
        }
        self.take(b'=')?;
        self.type_into(node)?;
        self.semicolon()?;
        Some(self.end(node))
    }

    fn interface(&mut self, first: usize) -> Option<Part> {
        self.at += 1;
        let node = self.begin(Kind::Interface, first);
        self.tree.at(node).front = self.name_here();
        self.take(WORD)?;
        loop {
            match self.mark() {
                b'<' => self.at = self.after_type_arguments(self.at)?,
                WORD | b'.' | b',' => self.at += 1,
                b'{' => break,
                _ => return None,
            }
        }
        self.tree.at(node).body = index(self.at);
        self.later(What::Signatures, node, self.at);
        self.skip();
        Some(self.end(node))
    }

    /// `namespace A.B { … }`, `module "a";`
    fn module(&mut self, first: usize) -> Option<Part> {
        self.at += 1;
        let node = self.begin(Kind::Module, first);
        let start = self.at;
        let kind = if self.mark() == TEXT { Kind::Text } else { Kind::Member };
        loop {
            self.at += 1;
            if kind == Kind::Text || !self.takes(b'.') {
                break;
            }
            (self.mark() == WORD).then_some(())?;
        }
        self.tree.at(node).front = self.leaf(kind, start);
        if self.mark() == b'{' {
            self.tree.at(node).body = index(self.at);
            let block = self.block();
            self.tree.adopt(node, block.node);
        } else {
            (kind == Kind::Text).then_some(())?;
        }
        Some(self.end(node))
    }

    /// `declare …`
    fn ambient(&mut self, first: usize) -> Option<Part> {
        let node = self.begin(Kind::Ambient, first);
        self.at += 1;
        if self.stream.is(self.at, "global") {
            self.at += 1;
            (self.mark() == b'{').then_some(())?;
            self.tree.at(node).is_marked = true;
            let block = self.block();
            self.tree.adopt(node, block.node);
        } else {
            self.exported(node)?;
        }
        Some(self.end(node))
    }
}
