//! One walk over a program that binds every name.
//!
//! What is still to be done is kept as a list of tasks, not on the stack, so that no nesting is too deep. Scopes open
//! and close in the order of the tasks; by then, everything that was bound in them has been seen.

use std::collections::HashMap;

use crate::bind::{Binder, BinderId, BinderKind, Bindings, Meaning, Mention, Scope, Sort, inside_quotes};
use crate::kinds::{Field, Kind};
use crate::syntax::{NodeId, Syntax};

/// Binds the names of a program.
pub(crate) fn bind(syntax: &Syntax, text: &[u8]) -> Bindings {
    let mut walk = Walk {
        syntax,
        text,
        tasks: Vec::new(),
        open: Vec::new(),
        known: HashMap::new(),
        closed: HashMap::new(),
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
    found.mentions.sort_by_key(|mention| (mention.range.start(), mention.range.end()));
    found.contracts.sort_unstable();
    found
}

/// How a part of the program is to be read.
#[derive(Clone, Copy, Debug)]
struct How {
    /// In a pattern: which of the open scopes gets what it binds, and how that is bound.
    pattern: Option<(usize, BinderKind)>,
    sort: Sort,
    /// In a pattern: what its scope has bound before this binder is not of the pattern; `None` is not told yet.
    since: Option<BinderId>,
    /// Is it in the body of something inside a pattern, where a name that comes again is only used?
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
    /// Notes that the innermost scope is the one of this node.
    Region(NodeId),
    /// Binds a name whatever is known of it.
    Bind(NodeId, BinderKind, Sort),
    /// From here on, names are those of an agent, or no longer.
    Agent(bool),
    /// From here on, what is bound is not at the top of the program, or is again.
    Body(bool),
}

struct Walk<'a> {
    syntax: &'a Syntax,
    text: &'a [u8],
    tasks: Vec<Task>,
    /// The open scopes, the innermost last.
    open: Vec<usize>,
    /// By name: what is bound, with the place of its scope among the open ones; the innermost last.
    known: HashMap<&'a [u8], Vec<(BinderId, usize)>>,
    /// By name: what was bound last in a scope that is closed; in broken programs only.
    closed: HashMap<&'a [u8], BinderId>,
    is_broken: bool,
    n_agents: usize,
    n_bodies: usize,
    found: Bindings,
}

impl<'a> Walk<'a> {
    fn run(&mut self, task: Task) {
        match task {
            Task::Visit(node, how) => self.visit(node, how),
            Task::Enter => self.enter(),
            Task::Leave => self.leave(),
            Task::Region(node) => self.region(node),
            Task::Bind(node, kind, sort) => {
                let depth = self.open.len() - 1;
                self.declare(node, depth, kind, sort);
            }
            Task::Agent(true) => self.n_agents += 1,
            Task::Agent(false) => self.n_agents -= 1,
            Task::Body(true) => self.n_bodies += 1,
            Task::Body(false) => self.n_bodies -= 1,
        }
    }

    fn visit(&mut self, id: NodeId, how: How) {
        let how = How { since: how.since.or(Some(self.n_binders())), ..how };
        match self.syntax.kind(id) {
            Kind::Identifier => self.identifier(id, how),
            Kind::VarRef => self.reference(id, how),
            Kind::Quote => self.quote(id, how),
            Kind::New => self.made(id, how),
            Kind::For => self.input(id, how),
            Kind::Contract => self.contract(id, how),
            Kind::Case => self.case(id, how),
            Kind::Branch => self.branch(id, how),
            Kind::Let => self.let_(id, how),
            Kind::Agent => self.agent(id, how),
            Kind::Constructor | Kind::Method | Kind::Default => self.member(id, how),
            Kind::Binary if self.syntax.child(id, Field::Pattern).is_some() => self.matches(id, how),
            // What is bound there is known nowhere else.
            Kind::Negation if how.pattern.is_some() => self.negation(id, how),
            Kind::Error => self.error(id, how),
            Kind::Declaration => self.plan(self.declared(id)),
            Kind::Receipt => self.plan(self.received(&[id], how)),
            _ => self.others(id, how),
        }
    }

    /// Visits the parts of a node that binds nothing itself.
    fn others(&mut self, id: NodeId, how: How) {
        let syntax = self.syntax;
        let tasks = syntax.parts(id).filter_map(|part| {
            let node = syntax.node(part);
            match (syntax.kind(id), node.field) {
                // Methods are no names.
                (_, Field::Method) => None,
                (Kind::Call, _) if node.kind == Kind::Identifier => Some(Task::Visit(part, how.name())),
                (_, Field::Channel | Field::Source | Field::Name) => Some(Task::Visit(part, how.name())),
                (Kind::Names, _) => Some(Task::Visit(part, how.name())),
                _ => Some(Task::Visit(part, how.process())),
            }
        });
        self.plan(tasks);
    }

    /// Puts tasks in front of all others, the first of them first.
    fn plan(&mut self, tasks: impl IntoIterator<Item = Task>) {
        let n_others = self.tasks.len();
        self.tasks.extend(tasks);
        self.tasks[n_others..].reverse();
    }

    /// How the pattern is to be read whose names go to a scope that is about to be opened, so many from now.
    fn pattern(&self, n_ahead: usize, kind: BinderKind) -> How {
        let pattern = Some((self.open.len() + n_ahead, kind));
        How { pattern, sort: Sort::Name, since: Some(0), is_inner: false }
    }

    fn made(&mut self, id: NodeId, how: How) {
        let mut tasks = vec![Task::Enter];
        for part in self.syntax.parts(id).filter(|&part| self.syntax.kind(part) == Kind::Declaration) {
            tasks.extend(self.declared(part));
        }
        tasks.extend(self.body(id, how));
        tasks.push(Task::Leave);
        self.plan(tasks);
    }

    fn declared(&self, id: NodeId) -> Vec<Task> {
        let name = self.syntax.child(id, Field::Name);
        name.map(|name| Task::Bind(name, BinderKind::New, Sort::Name)).into_iter().collect()
    }

    /// The body of what binds, and the errors in it, which may be parts of the body.
    fn body(&self, id: NodeId, how: How) -> Vec<Task> {
        let mut tasks = Vec::new();
        for part in self.syntax.parts(id) {
            let node = self.syntax.node(part);
            match (node.field, node.kind) {
                (Field::Guard | Field::Body, _) => {
                    tasks.extend([Task::Region(part), Task::Visit(part, how.inner().process())]);
                }
                (_, Kind::Error) => tasks.push(Task::Visit(part, how.inner().process())),
                _ => {}
            }
        }
        tasks
    }

    fn input(&mut self, id: NodeId, how: How) {
        let parts = self.syntax.parts(id);
        let receipts: Vec<NodeId> = parts.filter(|&part| self.syntax.kind(part) == Kind::Receipt).collect();
        let mut tasks = vec![Task::Body(true)];
        for (n_before, &receipt) in receipts.iter().enumerate() {
            tasks.push(Task::Region(receipt));
            tasks.extend(self.sources(receipt, how));
            tasks.push(Task::Enter);
            tasks.extend(self.patterns(receipt, self.pattern(n_before, BinderKind::Received)));
        }
        // A guard is asked when everything is there.
        for &receipt in &receipts {
            tasks.extend(self.body(receipt, how));
        }
        tasks.extend(self.body(id, how));
        tasks.extend(receipts.iter().map(|_| Task::Leave));
        tasks.push(Task::Body(false));
        self.plan(tasks);
    }

    /// The sources of binds: what is bound beside them is not known there.
    fn sources(&self, id: NodeId, how: How) -> Vec<Task> {
        let binds = self.syntax.parts(id).filter(|&part| self.syntax.kind(part) == Kind::Bind);
        let sources = binds.filter_map(|bind| self.syntax.child(bind, Field::Source));
        sources.map(|source| Task::Visit(source, how.name())).collect()
    }

    fn patterns(&self, id: NodeId, how: How) -> Vec<Task> {
        let binds = self.syntax.parts(id).filter(|&part| self.syntax.kind(part) == Kind::Bind);
        let names = binds.filter_map(|bind| self.syntax.child(bind, Field::Names));
        names.map(|names| Task::Visit(names, how)).collect()
    }

    fn contract(&mut self, id: NodeId, how: How) {
        self.found.contracts.push(id);
        let name = self.syntax.child(id, Field::Name);
        let mut tasks: Vec<Task> = name.map(|name| Task::Visit(name, how.name())).into_iter().collect();
        tasks.extend(self.with_formals(id, how));
        self.plan(tasks);
    }

    fn member(&mut self, id: NodeId, how: How) {
        let tasks = self.with_formals(id, how);
        self.plan(tasks);
    }

    /// Parameters, and the body in which they are known.
    fn with_formals(&self, id: NodeId, how: How) -> Vec<Task> {
        let mut tasks = vec![Task::Body(true), Task::Enter];
        let formals = self.syntax.child(id, Field::Formals);
        tasks.extend(formals.map(|formals| Task::Visit(formals, self.pattern(0, BinderKind::Formal))));
        tasks.extend(self.body(id, how));
        tasks.extend([Task::Leave, Task::Body(false)]);
        tasks
    }

    fn case(&mut self, id: NodeId, how: How) {
        let pattern = self.pattern(0, BinderKind::Matched).process();
        let mut tasks = vec![Task::Enter];
        tasks.extend(self.syntax.child(id, Field::Pattern).map(|node| Task::Visit(node, pattern)));
        tasks.extend(self.body(id, how));
        tasks.push(Task::Leave);
        self.plan(tasks);
    }

    fn branch(&mut self, id: NodeId, how: How) {
        let mut tasks = self.sources(id, how);
        tasks.push(Task::Enter);
        tasks.extend(self.patterns(id, self.pattern(0, BinderKind::Received)));
        tasks.extend(self.body(id, how));
        tasks.push(Task::Leave);
        self.plan(tasks);
    }

    fn let_(&mut self, id: NodeId, how: How) {
        let parts = self.syntax.parts(id);
        let bindings: Vec<NodeId> = parts.filter(|&part| self.syntax.kind(part) == Kind::Binding).collect();
        let is_concurrent = self.syntax.children(id).any(|child| self.is_mark(child, b"&"));
        let mut tasks = Vec::new();
        let mut n_scopes = 0;
        for binding in &bindings {
            tasks.extend(self.bound_values(*binding, how));
            if !is_concurrent {
                tasks.push(Task::Enter);
                tasks.extend(self.bound_names(*binding, self.pattern(n_scopes, BinderKind::Let)));
                n_scopes += 1;
            }
        }
        if is_concurrent {
            tasks.push(Task::Enter);
            let pattern = self.pattern(0, BinderKind::Let);
            tasks.extend(bindings.iter().flat_map(|binding| self.bound_names(*binding, pattern)));
            n_scopes = 1;
        }
        tasks.extend(self.body(id, how));
        tasks.extend((0..n_scopes).map(|_| Task::Leave));
        self.plan(tasks);
    }

    fn bound_values(&self, id: NodeId, how: How) -> Vec<Task> {
        let is_value = |&part: &NodeId| matches!(self.syntax.node(part).field, Field::Value | Field::Values);
        let values = self.syntax.parts(id).filter(is_value);
        values.flat_map(|value| [Task::Region(value), Task::Visit(value, how.process())]).collect()
    }

    fn bound_names(&self, id: NodeId, how: How) -> Vec<Task> {
        let name = |part: NodeId| match self.syntax.node(part).field {
            Field::Names => Some(Task::Visit(part, how)),
            // `x = 1` binds a value, as `@x <- 1` does.
            Field::Name => Some(Task::Visit(part, how.process())),
            _ => None,
        };
        self.syntax.parts(id).filter_map(name).collect()
    }

    /// What makes an agent is known to all its methods.
    fn agent(&mut self, id: NodeId, how: How) {
        let name = self.syntax.child(id, Field::Name);
        let mut tasks: Vec<Task> = name.map(|name| Task::Visit(name, how.name())).into_iter().collect();
        tasks.extend([Task::Agent(true), Task::Enter, Task::Region(id)]);
        let pattern = self.pattern(0, BinderKind::Formal);
        let members: Vec<NodeId> = self.syntax.parts(id).filter(|&part| Some(part) != name).collect();
        let is_constructor = |&part: &NodeId| self.syntax.kind(part) == Kind::Constructor;
        for constructor in members.iter().copied().filter(is_constructor) {
            let formals = self.syntax.child(constructor, Field::Formals);
            tasks.extend(formals.map(|formals| Task::Visit(formals, pattern)));
        }
        tasks.push(Task::Body(true));
        for member in members {
            match is_constructor(&member) {
                true => tasks.extend(self.body(member, how)),
                false => tasks.push(Task::Visit(member, how)),
            }
        }
        tasks.extend([Task::Body(false), Task::Leave, Task::Agent(false)]);
        self.plan(tasks);
    }

    fn matches(&mut self, id: NodeId, how: How) {
        let pattern = self.pattern(0, BinderKind::Matched).process();
        let is_pattern = |part: NodeId| self.syntax.node(part).field == Field::Pattern;
        let mut tasks = Vec::new();
        for part in self.syntax.parts(id) {
            match is_pattern(part) {
                true => tasks.extend([Task::Enter, Task::Visit(part, pattern), Task::Leave]),
                false => tasks.push(Task::Visit(part, how.process())),
            }
        }
        self.plan(tasks);
    }

    fn negation(&mut self, id: NodeId, how: How) {
        let kind = how.pattern.map_or(BinderKind::Matched, |(_, kind)| kind);
        let pattern = How { sort: Sort::Process, ..self.pattern(0, kind) };
        let mut tasks = vec![Task::Enter];
        tasks.extend(self.syntax.parts(id).map(|part| Task::Visit(part, pattern)));
        tasks.push(Task::Leave);
        self.plan(tasks);
    }

    fn received(&self, receipts: &[NodeId], how: How) -> Vec<Task> {
        let pattern = Some((self.open.len() - 1, BinderKind::Received));
        let here = How { pattern, since: None, ..how.name() };
        let mut tasks = Vec::new();
        for &receipt in receipts {
            tasks.extend(self.sources(receipt, how));
            tasks.extend(self.patterns(receipt, here));
            tasks.extend(self.body(receipt, how));
        }
        tasks
    }

    /// What the parser could not put together. What is bound in it may be meant by all that follows: mostly it is the
    /// start of something that is not finished.
    fn error(&mut self, id: NodeId, how: How) {
        let scope = self.open.len() - 1;
        let here =
            |kind| How { pattern: Some((scope, kind)), sort: Sort::Name, since: None, is_inner: false };
        let mut tasks = Vec::new();
        let mut received = Vec::new();
        let mut is_made = false;
        for child in self.syntax.children(id) {
            match self.syntax.kind(child) {
                Kind::Declaration if is_made => tasks.extend(self.declared(child)),
                Kind::Declaration => tasks.extend(self.misread(child, how)),
                Kind::Formals => tasks.push(Task::Visit(child, here(BinderKind::Formal))),
                // The source follows, and is not to know the names.
                Kind::Names => received.push(Task::Visit(child, here(BinderKind::Received))),
                Kind::Bind => {
                    let source = self.syntax.child(child, Field::Source);
                    tasks.extend(source.map(|source| Task::Visit(source, how.name())));
                    let names = self.syntax.child(child, Field::Names);
                    tasks.extend(names.map(|names| Task::Visit(names, here(BinderKind::Received))));
                }
                Kind::Binding => {
                    tasks.extend(self.bound_values(child, how));
                    tasks.extend(self.bound_names(child, here(BinderKind::Let)));
                }
                Kind::Word => is_made = self.text_of(child) == b"new",
                Kind::Mark if self.is_mark(child, b",") => {}
                Kind::Mark => is_made = false,
                kind if kind.is_comment() => {}
                _ => {
                    is_made = false;
                    tasks.push(match self.is_in_front_of(child, b"=>") {
                        true => Task::Visit(child, here(BinderKind::Matched).process()),
                        false if self.is_contract_word(child) => Task::Visit(child, how.name()),
                        false => Task::Visit(child, how),
                    });
                    tasks.append(&mut received);
                }
            }
        }
        tasks.append(&mut received);
        self.plan(tasks);
    }

    /// What was taken for a part of `new` though none stands there.
    fn misread(&self, id: NodeId, how: How) -> Option<Task> {
        self.syntax.child(id, Field::Name).map(|name| Task::Visit(name, how.name()))
    }

    /// Does `contract` stand right in front of a node?
    fn is_contract_word(&self, id: NodeId) -> bool {
        id > 0 && self.syntax.kind(id - 1) == Kind::Word && self.text_of(id - 1) == b"contract"
    }

    /// Does a mark stand right behind a node?
    fn is_in_front_of(&self, id: NodeId, mark: &[u8]) -> bool {
        self.syntax.next_sibling(id).is_some_and(|next| self.is_mark(next, mark))
    }

    fn is_mark(&self, id: NodeId, mark: &[u8]) -> bool {
        self.syntax.kind(id) == Kind::Mark && self.text_of(id) == mark
    }

    fn text_of(&self, id: NodeId) -> &'a [u8] {
        &self.text[self.syntax.range(id).indices()]
    }

    fn identifier(&mut self, id: NodeId, how: How) {
        let name = self.text_of(id);
        if name.is_empty() {
            return;
        }
        let known = self.known.get(name).and_then(|known| known.last()).copied();
        let is_own = |binder| how.since.is_none_or(|since| since <= binder);
        match (how.pattern, known) {
            (None, Some((binder, _))) => self.mention(id, Meaning::Bound(binder), how.sort),
            (None, None) => self.unknown(id, how.sort),
            (Some((scope, _)), Some((binder, depth))) if depth >= scope && is_own(binder) => {
                if depth == scope && !how.is_inner {
                    self.found.duplicates.push((id, binder));
                }
                self.mention(id, Meaning::Bound(binder), how.sort);
            }
            (Some((scope, kind)), _) => self.declare(id, scope, kind, how.sort),
        }
    }

    /// A name that nothing around binds. In a broken program, a bracket too many may have closed its scope.
    fn unknown(&mut self, id: NodeId, sort: Sort) {
        let name = self.text_of(id);
        let is_implicit = self.n_agents > 0 && matches!(name, b"this" | b"private" | b"return");
        let closed = self.closed.get(name).copied().filter(|_| self.is_broken);
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

    /// `=x` in a pattern is what was bound before the pattern.
    fn reference(&mut self, id: NodeId, how: How) {
        let Some(name) = self.syntax.parts(id).find(|&part| self.syntax.kind(part) == Kind::Identifier)
        else {
            return;
        };
        let is_name = self.syntax.children(id).any(|child| self.is_mark(child, b"*"));
        let sort = if is_name { Sort::Name } else { Sort::Process };
        let scope = how.pattern.map_or(usize::MAX, |(scope, _)| scope);
        let known = self.known.get(self.text_of(name));
        let known = known.and_then(|known| known.iter().rev().find(|(_, depth)| *depth < scope));
        match known.copied() {
            _ if self.text_of(name).is_empty() => {}
            Some((binder, _)) => self.mention(name, Meaning::Bound(binder), sort),
            None => self.unknown(name, sort),
        }
    }

    fn quote(&mut self, id: NodeId, how: How) {
        match self.syntax.child(id, Field::Process) {
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

    fn declare(&mut self, node: NodeId, depth: usize, kind: BinderKind, sort: Sort) {
        let (name, range) = (self.text_of(node), self.syntax.range(node));
        if name.is_empty() || self.syntax.kind(node) != Kind::Identifier {
            return;
        }
        let binder = self.n_binders();
        let is_at_top = self.n_bodies == 0;
        self.found.binders.push(Binder { node, range, kind, sort, is_at_top });
        let meaning = Meaning::Bound(binder);
        self.found.mentions.push(Mention { node, range, meaning, binds: true, sort, is_guess: false });
        self.found.scopes[self.open[depth]].binders.push(binder);
        self.known.entry(name).or_default().push((binder, depth));
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
            let name = &self.text[self.found.binders[binder as usize].range.indices()];
            let known = self.known.get_mut(name).expect("what is bound is known");
            known.retain(|&(_, other)| other < depth);
            if self.is_broken {
                self.closed.insert(name, binder);
            }
        }
    }

    fn region(&mut self, node: NodeId) {
        let scope = *self.open.last().expect("one scope is always open");
        self.found.regions.push((self.syntax.range(node), scope));
    }
}
