//! Walks over the tree of a script and collects what its parts declare.
//!
//! The code follows the rules in `languages/javascript/language.toml` and `languages/typescript/language.toml`.

use std::collections::BTreeSet;

use locant_text::{Offset, Range};
use locant_tree::{Frame, Item, SymbolKind};

use super::Scripted;
use super::names::{Name, Names, Unsure};
use super::tree::{Kind, NONE, Node, Part, Tree};
use crate::item::Findings;
use crate::stream::Stream;

/// What all parts directly inside a part have in common.
#[derive(Clone, Copy)]
pub(super) struct Level {
    pub(super) frame: Frame,
    pub(super) owner: Option<usize>,
    /// The range of the statement around, if a declaration directly inside gets this whole range.
    pub(super) wrapper: Option<Range>,
    /// Whether the part itself declares `owner`.
    pub(super) is_direct: bool,
    /// Whether the part is the body of a function or a loop.
    pub(super) is_local: bool,
}

/// The walk over one script.
pub(super) struct Walk<'a> {
    pub(super) stream: &'a Stream<'a>,
    pub(super) tree: &'a Tree,
    pub(super) names: Names<'a>,
    /// For each node that was visited, the nearest node around that is not thin. Thin nodes may be nested as deep as
    /// the text is long.
    holders: Vec<u32>,
    pub(super) found: &'a mut Findings,
}

/// A declaration that a rule found.
pub(super) struct Found {
    pub(super) kind: SymbolKind,
    /// The part with its name.
    pub(super) name: Part,
    /// The token that its body starts with.
    pub(super) body: u32,
}

/// What the rules for one part have declared so far.
#[derive(Default)]
pub(super) struct Declared {
    /// Where the names start that a rule has declared.
    taken: BTreeSet<Offset>,
    /// The symbol whose members are declared inside the part.
    pub(super) holder: Option<usize>,
}

/// Collects what a script declares.
pub(super) fn walk(found: &mut Findings, stream: &Stream<'_>, tree: &Tree, dialect: &Scripted) -> Option<()> {
    let names = Names { stream, silent: dialect.words.silent };
    let mut walk = Walk { stream, tree, names, holders: vec![NONE; tree.nodes.len()], found };
    let top = Level { frame: Frame::File, owner: None, wrapper: None, is_direct: false, is_local: false };
    let mut stack = vec![(tree.get(0).child, top)];
    while let Some((node, level)) = stack.pop() {
        if node == NONE {
            continue;
        }
        stack.push((tree.get(node).next, level));
        walk.note_holder(node);
        if let Some(inner) = walk.visit(node, level).ok()? {
            stack.push((tree.get(node).child, inner));
        }
    }
    Some(())
}

impl Level {
    /// Whether a declaration here can be a member: of a file, a module, a type, or a value with a name.
    pub(super) fn is_open(self) -> bool {
        !self.is_local && self.frame != Frame::Function
    }

    pub(super) fn is_in(self, frames: &[Frame]) -> bool {
        !self.is_local && frames.contains(&self.frame)
    }
}

impl Walk<'_> {
    /// Collects what a part declares. Returns the level for the parts in it, if they are to be visited.
    fn visit(&mut self, at: u32, level: Level) -> Result<Option<Level>, Unsure> {
        let node = self.tree.get(at);
        let mut declared = Declared::default();
        let mut scope = None;
        match node.kind {
            Kind::Block => return Ok(Some(self.block(at, level))),
            Kind::Declarator => self.declarator(&mut declared, at, level)?,
            Kind::Assignment => scope = self.assignment(&mut declared, at, level)?,
            Kind::Pair => scope = self.pair(&mut declared, at, level)?,
            Kind::Call => {
                if self.call(&mut declared, &node, level)? {
                    return Ok(None);
                }
            }
            _ => self.declare_plain(&mut declared, at, level)?,
        }
        let below = Level { wrapper: None, is_direct: false, ..level };
        let mut inner = match declared.holder {
            Some(owner) => self.level_of(owner),
            None => scope.unwrap_or(below),
        };
        if node.kind == Kind::Ambient && node.is_marked {
            inner = Level { frame: Frame::Module, is_local: false, is_direct: true, ..below };
        }
        if self.is_wrapper(&node) {
            inner.wrapper = level.wrapper.or(Some(self.range(&node)));
        }
        Ok(Some(inner))
    }

    fn note_holder(&mut self, at: u32) {
        let parent = self.tree.get(at).parent;
        let is_thin = self
            .tree
            .nodes
            .get(parent as usize)
            .is_some_and(|parent| matches!(parent.kind, Kind::Parenthesized | Kind::Thin));
        self.holders[at as usize] = if is_thin { self.holders[parent as usize] } else { parent };
    }

    /// The nearest node around that is not thin.
    fn up(&self, at: u32) -> Option<u32> {
        self.holders.get(at as usize).copied().filter(|&holder| holder != NONE)
    }

    fn level_of(&self, owner: usize) -> Level {
        let frame = self.found.items[owner].frame;
        Level { frame, owner: Some(owner), wrapper: None, is_direct: true, is_local: false }
    }

    fn is_wrapper(&self, node: &Node) -> bool {
        match node.kind {
            Kind::Export | Kind::Declaration | Kind::ExpressionStatement | Kind::Ambient => true,
            Kind::Assignment => node.back.kind == Kind::Assignment,
            _ => false,
        }
    }

    fn range(&self, node: &Node) -> Range {
        self.stream.span(node.first as usize, node.last as usize)
    }

    /// The level in a block. Declarations at the top of a file count, and so do those in blocks there and in functions
    /// that are called where they are written.
    fn block(&self, at: u32, level: Level) -> Level {
        let below = Level { wrapper: None, is_direct: false, ..level };
        if level.is_in(&[Frame::File]) && self.is_open_block(at) {
            return Level { is_direct: true, ..below };
        }
        let is_body_of_members = level.is_direct && level.is_in(&[Frame::Module, Frame::Type]);
        Level { is_local: level.is_local || !is_body_of_members, ..below }
    }

    fn is_open_block(&self, at: u32) -> bool {
        let around = |at: u32| self.up(at).map(|up| (up, self.tree.get(up)));
        let Some((up, parent)) = around(at) else { return false };
        if matches!(parent.kind, Kind::Program | Kind::Block | Kind::Branch) {
            return true;
        }
        if !matches!(parent.kind, Kind::Function | Kind::Arrow) {
            return false;
        }
        let Some((up, holder)) = around(up) else { return false };
        if holder.kind != Kind::Arguments {
            return holder.kind == Kind::Call;
        }
        let function = around(up).filter(|(_, call)| call.kind == Kind::Call).map(|(_, call)| call.front);
        function.is_some_and(|function| {
            matches!(function.kind, Kind::Parenthesized | Kind::Function)
                || self.says(function, &["define", "require", "requirejs"])
        })
    }

    /// Declares the parts whose kind alone shows that they are declarations.
    fn declare_plain(&mut self, declared: &mut Declared, at: u32, level: Level) -> Result<(), Unsure> {
        let node = self.tree.get(at);
        let parent = self.tree.nodes.get(node.parent as usize).map(|parent| parent.kind);
        let is_in_class = matches!(parent, Some(Kind::Class | Kind::ClassDeclaration));
        let is_constructor = is_in_class && self.says(node.front, &["constructor"]);
        let kind = match node.kind {
            Kind::FunctionDeclaration | Kind::Signature => SymbolKind::Function,
            Kind::ClassDeclaration => SymbolKind::Class,
            Kind::Class if self.kind_up(at, 1) == Some(Kind::Arguments) => SymbolKind::Class,
            Kind::Method | Kind::MethodSignature if is_constructor => SymbolKind::Constructor,
            Kind::Method if level.is_open() && node.is_marked => SymbolKind::Property,
            Kind::Method if level.is_open() => SymbolKind::Method,
            Kind::MethodSignature if level.is_in(&[Frame::Type, Frame::Value]) => SymbolKind::Method,
            Kind::Field if matches!(node.back.kind, Kind::Arrow | Kind::Function) => {
                let body = self.body(node.back);
                return self.declare(
                    declared,
                    at,
                    level,
                    &Found { kind: SymbolKind::Method, name: node.front, body },
                );
            }
            Kind::Field => SymbolKind::Field,
            Kind::Parameter if node.is_marked => SymbolKind::Field,
            Kind::Interface => SymbolKind::Interface,
            Kind::PropertySignature if level.is_in(&[Frame::Type, Frame::Value]) => SymbolKind::Property,
            Kind::TypeAlias => SymbolKind::Type,
            Kind::Enum => SymbolKind::Enum,
            Kind::EnumMember
                if node.is_marked || matches!(node.front.kind, Kind::Identifier | Kind::Text) =>
            {
                SymbolKind::EnumMember
            }
            Kind::Module => SymbolKind::Module,
            _ => return Ok(()),
        };
        self.declare(declared, at, level, &Found { kind, name: node.front, body: node.body })?;
        if node.kind == Kind::Parameter
            && let Some(item) = declared.holder
        {
            let items = &self.found.items;
            let mut outward = std::iter::successors(level.owner, |&item| items[item].parent);
            self.found.items[item].parent = outward.find(|&item| items[item].frame == Frame::Type);
        }
        Ok(())
    }

    /// Declares what a rule found. Declarations inside the part become its members.
    pub(super) fn declare(
        &mut self,
        declared: &mut Declared,
        at: u32,
        level: Level,
        found: &Found,
    ) -> Result<(), Unsure> {
        let first = self.found.items.len();
        self.declare_beside(declared, at, level, found)?;
        if first < self.found.items.len() {
            declared.holder = declared.holder.or(Some(first));
        }
        Ok(())
    }

    /// Declares what a rule found. Declarations inside the part become members of something else.
    pub(super) fn declare_beside(
        &mut self,
        declared: &mut Declared,
        at: u32,
        level: Level,
        found: &Found,
    ) -> Result<(), Unsure> {
        for name in self.names.of(found.name)? {
            self.add(declared, at, level, found, name);
        }
        Ok(())
    }

    /// Declares one name, unless another rule has declared it.
    pub(super) fn add(&mut self, declared: &mut Declared, at: u32, level: Level, found: &Found, name: Name) {
        let start = name.range.start();
        if !declared.taken.insert(start) {
            return;
        }
        let node = self.tree.get(at);
        let range = level.wrapper.unwrap_or_else(|| self.range(&node)).cover(name.range);
        let body = (found.body != NONE).then(|| self.stream.start(found.body as usize));
        let item = Item::new(found.kind, name.range, range, level.owner);
        self.found.items.push(Item { body, qualifier: name.qualifier, ..item });
    }

    /// The token that the body of a function or class starts with.
    pub(super) fn body(&self, part: Part) -> u32 {
        self.tree.of(part).map_or(NONE, |node| node.body)
    }

    /// Whether the text of a part is one of these.
    pub(super) fn says(&self, part: Part, texts: &[&str]) -> bool {
        if part.is_nothing() {
            return false;
        }
        let range = self.stream.span(part.first as usize, part.last as usize);
        let own = &self.stream.text[range.indices()];
        texts.iter().any(|text| text.as_bytes() == own)
    }

    /// The node `n` steps outward. Parentheses do not count.
    pub(super) fn node_up(&self, at: u32, n: usize) -> Option<Node> {
        let up = (0..n).try_fold(at, |at, _| self.up(at))?;
        Some(self.tree.get(up))
    }

    pub(super) fn kind_up(&self, at: u32, n: usize) -> Option<Kind> {
        self.node_up(at, n).map(|node| node.kind)
    }
}
