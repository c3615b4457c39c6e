//! The parts of a script that matter for its outline, as a tree.
//!
//! A part that cannot contain a declaration has no node: of an operand without functions, classes or objects, only the
//! kind and the tokens are known.

/// What a part of a script is. A kind that the rules of the language ask for has the name of the grammar's node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Program,
    /// `{ … }` with statements.
    Block,
    /// `if`, `else`, `try`, `catch`, `finally`.
    Branch,
    /// The head of `for (…; …; …)`.
    For,
    /// Anything that no rule asks for.
    Other,
    ExpressionStatement,
    /// `var` or `let`, or `const` if the node is marked.
    Declaration,
    Export,
    /// `declare …`, or `declare global` if the node is marked.
    Ambient,
    Declarator,
    FunctionDeclaration,
    /// A function that is declared without a body.
    Signature,
    ClassDeclaration,
    Class,
    /// A method in a class or an object, or an accessor if the node is marked.
    Method,
    /// A method without a body.
    MethodSignature,
    Field,
    /// A parameter. The node is marked if the parameter declares a field.
    Parameter,
    Interface,
    TypeAlias,
    Enum,
    EnumMember,
    Module,
    PropertySignature,
    ObjectType,
    Function,
    Generator,
    Arrow,
    Object,
    ObjectPattern,
    /// A key and its value. The node is marked if the key is computed.
    Pair,
    Call,
    New,
    Arguments,
    /// Operands with operators between them.
    Binary,
    Assignment,
    Augmented,
    /// A single operand in parentheses.
    Parenthesized,
    /// `a as B`, `a!`. Rules look through such a node.
    Thin,
    Member,
    Subscript,
    Identifier,
    Text,
}

/// No node, or no token.
pub(super) const NONE: u32 = u32::MAX;

/// A part of a script, with the indices of its first and last tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) kind: Kind,
    /// The node of the part. `NONE` if it has no node.
    pub(super) node: u32,
    pub(super) first: u32,
    pub(super) last: u32,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) is_marked: bool,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) parent: u32,
    pub(super) next: u32,
    pub(super) child: u32,
    last_child: u32,
    /// The name, left side, function, key, or first argument.
    pub(super) front: Part,
    /// The value, right side, arguments, or second argument.
    pub(super) back: Part,
    /// The token that the body starts with.
    pub(super) body: u32,
    /// How many arguments there are.
    pub(super) n_arguments: u32,
}

/// The nodes of a script.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Part {
    /// A part that is not there.
    pub(super) const NOTHING: Part = Part { kind: Kind::Other, node: NONE, first: NONE, last: NONE };

    pub(super) fn is_nothing(self) -> bool {
        self.first == NONE
    }

    /// Whether the part is a function that is a value.
    pub(super) fn is_function(self) -> bool {
        matches!(self.kind, Kind::Arrow | Kind::Function | Kind::Generator)
    }
}

impl Tree {
    pub(super) fn new() -> Tree {
        Tree { nodes: Vec::new() }
    }

    pub(super) fn get(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    pub(super) fn at(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// The node of a part. `None` if it has none.
    pub(super) fn of(&self, part: Part) -> Option<Node> {
        self.nodes.get(part.node as usize).copied()
    }

    /// Adds a node without a parent.
    pub(super) fn add(&mut self, kind: Kind, first: u32, last: u32) -> u32 {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "there are fewer nodes than bytes, and those are fewer than 4 GB"
        )]
        let own = self.nodes.len() as u32;
        self.nodes.push(Node {
            kind,
            is_marked: false,
            first,
            last,
            parent: NONE,
            next: NONE,
            child: NONE,
            last_child: NONE,
            front: Part::NOTHING,
            back: Part::NOTHING,
            body: NONE,
            n_arguments: 0,
        });
        own
    }

    /// Makes a node the last child of another. Does nothing for `NONE`.
    pub(super) fn adopt(&mut self, parent: u32, child: u32) {
        if child == NONE {
            return;
        }
        self.at(child).parent = parent;
        let before = std::mem::replace(&mut self.at(parent).last_child, child);
        if before == NONE {
            self.at(parent).child = child;
        } else {
            self.at(before).next = child;
        }
    }

    /// A node as a part.
    pub(super) fn part(&self, node: u32) -> Part {
        let Node { kind, first, last, .. } = self.get(node);
        Part { kind, node, first, last }
    }
}
