//! One walk over a program that binds every name.
//!
//! The walk keeps its work as a list of tasks and does not recurse, so that no nesting is too deep. Opening and closing
//! a scope are tasks too: a scope is closed after everything in it has been visited. Most methods that visit a node are
//! named after its kind.

use crate::bind::{Binder, BinderId, BinderKind, Bindings, Meaning, Mention, Scope, Sort, inside_quotes};
use crate::kinds::{Field, Kind, RESERVED};
use crate::names_in_scope::{NameId, NamesInScope};
use crate::syntax::{NodeId, Syntax};

/// Binds every name of a program to its binder.
pub(crate) fn bind(syntax: &Syntax, text: &[u8]) -> Bindings {
    let mut walk = BindingWalk {
        syntax,
        text,
        tasks: Vec::new(),
        open: Vec::new(),
        in_scope: NamesInScope::default(),
        is_broken: syntax.is_broken(),
        n_agents: 0,
        n_bodies: 0,
        found: Bindings::default(),
    };
    walk.enter();
    walk.region(Syntax::ROOT);
    walk.tasks.push(Task::Visit(Syntax::ROOT, PROCESS));
    while let Some(task) = walk.tasks.pop() {
        walk.run(task);
    }
    let mut found = walk.found;
    found.mentions = in_order(found.mentions, syntax.n_nodes());
    found.contracts.sort_unstable();
    found
}

/// Sorts mentions in the order of the text, which is the order of their nodes. No node has two mentions.
fn in_order(mentions: Vec<Mention>, n_nodes: usize) -> Vec<Mention> {
    let mut by_node: Vec<Option<u32>> = vec![None; n_nodes];
    for (mention, number) in mentions.iter().zip(0..) {
        by_node[mention.node as usize] = Some(number);
    }
    by_node.into_iter().flatten().map(|number| mentions[number as usize].clone()).collect()
}

/// How to read a part of the program.
#[derive(Clone, Copy, Debug)]
struct How {
    /// In a pattern: the index in `open` of the scope that gets the names, and how they are bound.
    pattern: Option<(usize, BinderKind)>,
    sort: Sort,
    /// In a pattern: the first binder that can belong to this pattern. Earlier binders of the same scope belong to
    /// other patterns. `None` until the pattern is visited.
    since: Option<BinderId>,
    /// Whether the part is a body inside a pattern. A name that the pattern has bound is used there, not bound twice.
    is_inner: bool,
}

const PROCESS: How = How { pattern: None, sort: Sort::Process, since: None, is_inner: false };

impl How {
    fn name(self) -> How {
        How { sort: Sort::Name, ..self }
    }

    fn process(self) -> How {
        How { sort: Sort::Process, ..self }
    }

    fn inner(self) -> How {
        How { is_inner: true, ..self }
    }
}

#[derive(Clone, Copy, Debug)]
enum Task {
    Visit(NodeId, How),
    /// Opens a scope.
    Enter,
    /// Closes the innermost scope.
    Leave,
    /// Records that the innermost scope applies to the text of this node.
    Region(NodeId),
    /// Binds an identifier in the innermost scope, even if its name is already bound there.
    Bind(NodeId, BinderKind, Sort),
    /// Enters an agent. In an agent `this`, `private` and `return` need no binder.
    EnterAgent,
    LeaveAgent,
    /// Enters an input, a contract or an agent. Names that are bound inside it are not at the top of the program.
    EnterBody,
    LeaveBody,
}

struct BindingWalk<'a> {
    syntax: &'a Syntax,
    text: &'a [u8],
    tasks: Vec<Task>,
    /// The open scopes as indices in `found.scopes`, the innermost last.
    open: Vec<usize>,
    in_scope: NamesInScope<'a>,
    is_broken: bool,
    n_agents: usize,
    n_bodies: usize,
    found: Bindings,
}

impl<'a> BindingWalk<'a> {
    fn run(&mut self, task: Task) {
        match task {
            Task::Visit(node, how) => self.visit(node, how),
            Task::Enter => self.enter(),
            Task::Leave => self.leave(),
            Task::Region(node) => self.region(node),
            Task::Bind(node, kind, sort) => {
                let depth = self.open.len() - 1;
                let name = self.in_scope.name(self.text_of(node));
                self.declare(node, name, depth, kind, sort);
            }
            Task::EnterAgent => self.n_agents += 1,
            Task::LeaveAgent => self.n_agents -= 1,
            Task::EnterBody => self.n_bodies += 1,
            Task::LeaveBody => self.n_bodies -= 1,
        }
    }

    fn visit(&mut self, id: NodeId, how: How) {
        let how = How { since: how.since.or(Some(self.n_binders())), ..how };
        let kind = self.syntax.kind(id);
        if how.pattern.is_none() && kind.is_for_patterns() {
            self.found.misplaced.push(id);
        }
        if let (Kind::Disjunction, Some((scope, _))) = (kind, how.pattern) {
            self.found.choices.push((id, self.open[scope]));
        }
        match kind {
            Kind::Identifier if !self.is_name(id) => {}
            Kind::Identifier => self.identifier(id, how),
            Kind::VarRef => self.reference(id, how),
            Kind::Quote => self.quote(id, how),
            Kind::New => self.new_(id, how),
            Kind::For => self.for_(id, how),
            Kind::Contract => self.contract(id, how),
            Kind::Case => self.case(id, how),
            Kind::Branch => self.branch(id, how),
            Kind::Let => self.let_(id, how),
            Kind::Agent => self.agent(id, how),
            Kind::Constructor | Kind::Method | Kind::Default => self.member(id, how),
            Kind::Binary if self.syntax.child(id, Field::Pattern).is_some() => self.matches(id, how),
            // Names that a negation binds are in scope only inside it.
            Kind::Negation if how.pattern.is_some() => self.negation(id, how),
            Kind::Error => self.error(id, how),
            Kind::Declaration => self.declaration(id),
            Kind::Receipt => self.receipt(id, how),
            _ => self.others(id, how),
        }
    }

    /// Visits the parts of a node that binds nothing itself.
    fn others(&mut self, id: NodeId, how: How) {
        let (syntax, kind) = (self.syntax, self.syntax.kind(id));
        self.plan(|walk| {
            for part in syntax.parts(id) {
                let node = syntax.node(part);
                match (kind, node.field) {
                    // The name of a method is not a name that can be bound.
                    (_, Field::Method) => {}
                    (Kind::Call, _) if node.kind == Kind::Identifier => walk.later(part, how.name()),
                    (_, Field::Channel | Field::Source | Field::Name) => walk.later(part, how.name()),
                    (Kind::Names, _) => walk.later(part, how.name()),
                    _ => walk.later(part, how.process()),
                }
            }
        });
    }

    /// Schedules the tasks that `add` adds to run next, in the order in which they were added.
    fn plan(&mut self, add: impl FnOnce(&mut BindingWalk<'a>)) {
        let n_others = self.tasks.len();
        add(self);
        self.tasks[n_others..].reverse();
    }

    /// Adds a visit to the tasks.
    fn later(&mut self, id: NodeId, how: How) {
        self.tasks.push(Task::Visit(id, how));
    }

    /// Adds a visit of the child in a field of a node.
    fn later_child(&mut self, id: NodeId, field: Field, how: How) {
        if let Some(child) = self.syntax.child(id, field) {
            self.later(child, how);
        }
    }

    /// The parts of a node that have this kind.
    fn parts_of(&self, id: NodeId, kind: Kind) -> impl Iterator<Item = NodeId> + Clone + use<'a> {
        let syntax = self.syntax;
        syntax.parts(id).filter(move |&part| syntax.kind(part) == kind)
    }

    /// How to read a pattern whose names go to a scope that is not open yet. `n_ahead` other scopes will be opened
    /// before it.
    fn pattern(&self, n_ahead: usize, kind: BinderKind) -> How {
        let pattern = Some((self.open.len() + n_ahead, kind));
        How { pattern, sort: Sort::Name, since: Some(0), is_inner: false }
    }

    fn new_(&mut self, id: NodeId, how: How) {
        self.plan(|walk| {
            walk.tasks.push(Task::Enter);
            walk.parts_of(id, Kind::Declaration).for_each(|part| walk.declaration(part));
            walk.body(id, how);
            walk.tasks.push(Task::Leave);
        });
    }

    fn declaration(&mut self, id: NodeId) {
        let name = self.syntax.child(id, Field::Name).filter(|&name| self.is_name(name));
        self.tasks.extend(name.map(|name| Task::Bind(name, BinderKind::New, Sort::Name)));
    }

    /// Adds visits of the guard and the body of a node that binds names, and of errors, as parts of the body.
    fn body(&mut self, id: NodeId, how: How) {
        for part in self.syntax.parts(id) {
            let node = self.syntax.node(part);
            match (node.field, node.kind) {
                (Field::Guard | Field::Body, _) => {
                    self.tasks.push(Task::Region(part));
                    self.later(part, how.inner().process());
                }
                (_, Kind::Error) => self.later(part, how.inner().process()),
                _ => {}
            }
        }
    }

    fn for_(&mut self, id: NodeId, how: How) {
        self.plan(|walk| {
            let receipts = walk.parts_of(id, Kind::Receipt);
            walk.tasks.push(Task::EnterBody);
            for (n_before, receipt) in receipts.clone().enumerate() {
                walk.tasks.push(Task::Region(receipt));
                walk.sources(receipt, how);
                walk.tasks.push(Task::Enter);
                walk.patterns(receipt, walk.pattern(n_before, BinderKind::Received));
            }
            // A guard is checked when all receipts have arrived, so the names of all receipts are in scope.
            receipts.clone().for_each(|receipt| walk.body(receipt, how));
            walk.body(id, how);
            walk.tasks.extend(receipts.map(|_| Task::Leave));
            walk.tasks.push(Task::LeaveBody);
        });
    }

    /// Adds visits of the sources of binds. The names that these binds bind are not in scope in the sources.
    fn sources(&mut self, id: NodeId, how: How) {
        self.parts_of(id, Kind::Bind).for_each(|bind| self.later_child(bind, Field::Source, how.name()));
    }

    fn patterns(&mut self, id: NodeId, how: How) {
        self.parts_of(id, Kind::Bind).for_each(|bind| self.later_child(bind, Field::Names, how));
    }

    fn contract(&mut self, id: NodeId, how: How) {
        self.found.contracts.push(id);
        self.plan(|walk| {
            walk.later_child(id, Field::Name, how.name());
            walk.with_formals(id, how);
        });
    }

    fn member(&mut self, id: NodeId, how: How) {
        self.plan(|walk| walk.with_formals(id, how));
    }

    /// Adds visits of the parameters and of the body. The parameters are in scope in the body.
    fn with_formals(&mut self, id: NodeId, how: How) {
        self.tasks.extend([Task::EnterBody, Task::Enter]);
        self.later_child(id, Field::Formals, self.pattern(0, BinderKind::Formal));
        self.body(id, how);
        self.tasks.extend([Task::Leave, Task::LeaveBody]);
    }

    fn case(&mut self, id: NodeId, how: How) {
        self.plan(|walk| {
            walk.tasks.push(Task::Enter);
            walk.later_child(id, Field::Pattern, walk.pattern(0, BinderKind::Matched).process());
            walk.body(id, how);
            walk.tasks.push(Task::Leave);
        });
    }

    fn branch(&mut self, id: NodeId, how: How) {
        self.plan(|walk| {
            walk.sources(id, how);
            walk.tasks.push(Task::Enter);
            walk.patterns(id, walk.pattern(0, BinderKind::Received));
            walk.body(id, how);
            walk.tasks.push(Task::Leave);
        });
    }

    fn let_(&mut self, id: NodeId, how: How) {
        let is_concurrent = self.syntax.children(id).any(|child| self.is_mark(child, b"&"));
        let bindings: Vec<NodeId> = self.parts_of(id, Kind::Binding).collect();
        let n_scopes = if is_concurrent { 1 } else { bindings.len() };
        self.plan(|walk| {
            for (&binding, n_before) in bindings.iter().zip(0..) {
                walk.bound_values(binding, how);
                if !is_concurrent {
                    walk.tasks.push(Task::Enter);
                    walk.bound_names(binding, walk.pattern(n_before, BinderKind::Let));
                }
            }
            if is_concurrent {
                walk.tasks.push(Task::Enter);
                let pattern = walk.pattern(0, BinderKind::Let);
                bindings.iter().for_each(|&binding| walk.bound_names(binding, pattern));
            }
            walk.body(id, how);
            walk.tasks.extend((0..n_scopes).map(|_| Task::Leave));
        });
    }

    fn bound_values(&mut self, id: NodeId, how: How) {
        for part in self.syntax.parts(id) {
            if matches!(self.syntax.node(part).field, Field::Value | Field::Values) {
                self.tasks.push(Task::Region(part));
                self.later(part, how.process());
            }
        }
    }

    fn bound_names(&mut self, id: NodeId, how: How) {
        for part in self.syntax.parts(id) {
            match self.syntax.node(part).field {
                Field::Names => self.later(part, how),
                // `x = 1` binds a value, as `@x <- 1` does.
                Field::Name => self.later(part, how.process()),
                _ => {}
            }
        }
    }

    /// Visits an agent. The parameters of its constructor are in scope in all its methods.
    fn agent(&mut self, id: NodeId, how: How) {
        let name = self.syntax.child(id, Field::Name);
        let members: Vec<NodeId> = self.syntax.parts(id).filter(|&part| Some(part) != name).collect();
        let pattern = self.pattern(0, BinderKind::Formal);
        self.plan(|walk| {
            walk.later_child(id, Field::Name, how.name());
            walk.tasks.extend([Task::EnterAgent, Task::Enter, Task::Region(id)]);
            walk.parts_of(id, Kind::Constructor)
                .for_each(|constructor| walk.later_child(constructor, Field::Formals, pattern));
            walk.tasks.push(Task::EnterBody);
            for member in members {
                match walk.syntax.kind(member) {
                    Kind::Constructor => walk.body(member, how),
                    _ => walk.later(member, how),
                }
            }
            walk.tasks.extend([Task::LeaveBody, Task::Leave, Task::LeaveAgent]);
        });
    }

    fn matches(&mut self, id: NodeId, how: How) {
        let pattern = self.pattern(0, BinderKind::Matched).process();
        self.plan(|walk| {
            for part in walk.syntax.parts(id) {
                match walk.syntax.node(part).field {
                    Field::Pattern => {
                        walk.tasks.extend([Task::Enter, Task::Visit(part, pattern), Task::Leave]);
                    }
                    _ => walk.later(part, how.process()),
                }
            }
        });
    }

    fn negation(&mut self, id: NodeId, how: How) {
        let kind = how.pattern.map_or(BinderKind::Matched, |(_, kind)| kind);
        let pattern = self.pattern(0, kind).process();
        self.plan(|walk| {
            walk.tasks.push(Task::Enter);
            walk.syntax.parts(id).for_each(|part| walk.later(part, pattern));
            walk.tasks.push(Task::Leave);
        });
    }

    /// Visits a receipt outside of a `for`, in broken code. Its names go to the innermost scope, for all code after it.
    fn receipt(&mut self, id: NodeId, how: How) {
        let here = self.here(BinderKind::Received);
        self.plan(|walk| {
            walk.sources(id, how);
            walk.patterns(id, here);
            walk.body(id, how);
        });
    }

    /// How to read a pattern whose names go to the innermost open scope.
    fn here(&self, kind: BinderKind) -> How {
        let pattern = Some((self.open.len() - 1, kind));
        How { pattern, sort: Sort::Name, since: None, is_inner: false }
    }

    /// Visits an error: code that the parser could not put together, mostly the start of something unfinished. Names
    /// that it binds go to the innermost scope, so that all code after it can use them.
    fn error(&mut self, id: NodeId, how: How) {
        self.plan(|walk| {
            let mut received = Vec::new();
            let mut is_made = walk.is_in_new(id);
            for child in walk.syntax.children(id) {
                match walk.syntax.kind(child) {
                    Kind::Declaration if is_made => walk.declaration(child),
                    // The parser read a declaration, but there is no `new` before it. So the name is used, not bound.
                    Kind::Declaration => walk.later_child(child, Field::Name, how.name()),
                    // In the list of a `new`, a name is a declaration even if the comma is missing.
                    Kind::Identifier if is_made && walk.is_in_list(child) => {
                        walk.tasks.push(Task::Bind(child, BinderKind::New, Sort::Name));
                    }
                    Kind::Formals => walk.later(child, walk.here(BinderKind::Formal)),
                    // The source follows. The names are not in scope there, so they are visited after it.
                    Kind::Names => received.push(Task::Visit(child, walk.here(BinderKind::Received))),
                    Kind::Bind => {
                        walk.later_child(child, Field::Source, how.name());
                        walk.later_child(child, Field::Names, walk.here(BinderKind::Received));
                    }
                    Kind::Binding => {
                        walk.bound_values(child, how);
                        walk.bound_names(child, walk.here(BinderKind::Let));
                    }
                    Kind::Word => is_made = walk.text_of(child) == b"new",
                    Kind::Mark if walk.is_mark(child, b",") => {}
                    Kind::Mark => is_made = false,
                    kind if kind.is_comment() => {}
                    _ => {
                        is_made = false;
                        walk.misread(child, how);
                        walk.tasks.append(&mut received);
                    }
                }
            }
            walk.tasks.append(&mut received);
        });
    }

    /// Adds a visit of a part of an error. Before `=>` the part is a pattern, and after `contract` it is a name.
    fn misread(&mut self, id: NodeId, how: How) {
        if self.is_before_mark(id, b"=>") {
            self.later(id, self.here(BinderKind::Matched).process());
        } else if self.is_after_contract(id) {
            self.later(id, how.name());
        } else {
            self.later(id, how);
        }
    }

    /// Whether the token before a node is the word `contract`.
    fn is_after_contract(&self, id: NodeId) -> bool {
        id > 0 && self.syntax.kind(id - 1) == Kind::Word && self.text_of(id - 1) == b"contract"
    }

    /// Whether a node is in a `new`, before its body.
    fn is_in_new(&self, id: NodeId) -> bool {
        let made = self.syntax.parent(id).filter(|&around| self.syntax.kind(around) == Kind::New);
        made.and_then(|made| self.syntax.child(made, Field::Body)).is_some_and(|body| id < body)
    }

    /// Whether a node is a name that is followed by a separator, by another name or by nothing.
    fn is_in_list(&self, id: NodeId) -> bool {
        let is_separator = |next| self.is_mark(next, b",") || self.is_mark(next, b";");
        let is_next = |next| self.syntax.kind(next) == Kind::Identifier || is_separator(next);
        self.is_name(id) && self.syntax.next_sibling(id).is_none_or(is_next)
    }

    /// Whether the next sibling of a node is this mark.
    fn is_before_mark(&self, id: NodeId, mark: &[u8]) -> bool {
        self.syntax.next_sibling(id).is_some_and(|next| self.is_mark(next, mark))
    }

    /// Whether a node is an identifier that is in the text, and not one that the parser inserted as missing.
    fn is_name(&self, id: NodeId) -> bool {
        self.syntax.kind(id) == Kind::Identifier && !self.syntax.range(id).is_empty()
    }

    fn is_mark(&self, id: NodeId, mark: &[u8]) -> bool {
        self.syntax.kind(id) == Kind::Mark && self.text_of(id) == mark
    }

    fn text_of(&self, id: NodeId) -> &'a [u8] {
        &self.text[self.syntax.range(id).indices()]
    }

    fn identifier(&mut self, id: NodeId, how: How) {
        let name = self.in_scope.name(self.text_of(id));
        let bound = self.in_scope.innermost(name);
        let is_own = |binder| how.since.is_none_or(|since| since <= binder);
        match (how.pattern, bound) {
            (None, Some((binder, _))) => self.mention(id, Meaning::Bound(binder), how.sort),
            (None, None) => self.unbound(id, name, how.sort),
            (Some((scope, _)), Some((binder, depth))) if depth >= scope && is_own(binder) => {
                if depth == scope && !how.is_inner {
                    self.found.duplicates.push((id, binder));
                }
                self.mention(id, Meaning::Bound(binder), how.sort);
            }
            (Some((scope, kind)), _) => self.declare(id, name, scope, kind, how.sort),
        }
    }

    /// Adds a mention of a name that no open scope binds. In a broken program, a surplus bracket may have closed the
    /// scope too early. So the binder that went out of scope last is taken as a guess.
    fn unbound(&mut self, id: NodeId, name: NameId, sort: Sort) {
        // In an error, the parser reads words of the language as names.
        let is_word = |word: &&str| word.as_bytes() == self.text_of(id);
        if self.is_broken && RESERVED.iter().any(is_word) {
            return;
        }
        let is_implicit = self.n_agents > 0 && matches!(self.text_of(id), b"this" | b"private" | b"return");
        let closed = self.in_scope.closed(name).filter(|_| self.is_broken);
        let (meaning, is_guess) = match closed {
            _ if is_implicit => (Meaning::Implicit, false),
            Some(binder) => (Meaning::Bound(binder), true),
            None => (Meaning::Free, false),
        };
        self.found.mentions.push(Mention {
            node: id,
            range: self.syntax.range(id),
            meaning,
            binds: false,
            sort,
            is_guess,
        });
    }

    /// Visits `=x` in a pattern. It means the binder of `x` outside of the pattern.
    fn reference(&mut self, id: NodeId, how: How) {
        let Some(name) = self.syntax.parts(id).find(|&part| self.is_name(part)) else { return };
        let is_name = self.syntax.children(id).any(|child| self.is_mark(child, b"*"));
        let sort = if is_name { Sort::Name } else { Sort::Process };
        let scope = how.pattern.map_or(usize::MAX, |(scope, _)| scope);
        let number = self.in_scope.name(self.text_of(name));
        match self.in_scope.outside(number, scope) {
            Some(binder) => self.mention(name, Meaning::Bound(binder), sort),
            None => self.unbound(name, number, sort),
        }
    }

    fn quote(&mut self, id: NodeId, how: How) {
        match self.syntax.quoted(id) {
            Some(string) if self.syntax.kind(string) == Kind::String && how.pattern.is_none() => {
                let range = inside_quotes(self.syntax.range(string), self.text);
                let sort = Sort::Name;
                let meaning = Meaning::Public;
                let mention = Mention { node: string, range, meaning, binds: false, sort, is_guess: false };
                self.found.mentions.push(mention);
            }
            _ => self.others(id, how),
        }
    }

    fn mention(&mut self, node: NodeId, meaning: Meaning, sort: Sort) {
        let range = self.syntax.range(node);
        self.found.mentions.push(Mention { node, range, meaning, binds: false, sort, is_guess: false });
    }

    fn declare(&mut self, node: NodeId, name: NameId, depth: usize, kind: BinderKind, sort: Sort) {
        let range = self.syntax.range(node);
        let binder = self.n_binders();
        let is_at_top = self.n_bodies == 0;
        self.found.binders.push(Binder { node, range, kind, sort, is_at_top });
        let meaning = Meaning::Bound(binder);
        self.found.mentions.push(Mention { node, range, meaning, binds: true, sort, is_guess: false });
        self.found.scopes[self.open[depth]].binders.push(binder);
        self.in_scope.bind(name, binder, depth);
    }

    fn n_binders(&self) -> BinderId {
        BinderId::try_from(self.found.binders.len()).expect("binders are fewer than bytes")
    }

    fn enter(&mut self) {
        let parent = self.open.last().copied();
        self.open.push(self.found.scopes.len());
        self.found.scopes.push(Scope { parent, binders: Vec::new() });
    }

    fn leave(&mut self) {
        let scope = self.open.pop().expect("every scope that is closed was opened");
        let depth = self.open.len();
        for &binder in &self.found.scopes[scope].binders {
            self.in_scope.close(binder, depth);
        }
    }

    fn region(&mut self, node: NodeId) {
        let scope = *self.open.last().expect("one scope is always open");
        self.found.regions.push((self.syntax.range(node), scope));
    }
}
