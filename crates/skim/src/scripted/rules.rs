//! The symbols that variables, assignments, keys and calls declare. The order of the rules matters: a name goes to the
//! first rule that accepts it.

use locant_tree::{Frame, Item, SymbolKind};

use super::marks::CHAIN;
use super::names::{Name, Unsure};
use super::tree::{Kind, NONE, Node, Part};
use super::walk::{Declared, Found, Level, Walk};
use crate::tokens::WORD;

/// Calls that pass a function through: `useCallback(() => {})`.
const PASSERS: &[&str] = &[
    "useCallback",
    "React.useCallback",
    "useEvent",
    "useEffectEvent",
    "React.useEffectEvent",
    "memo",
    "React.memo",
    "forwardRef",
    "React.forwardRef",
    "observer",
    "debounce",
    "_.debounce",
    "lodash.debounce",
    "throttle",
    "_.throttle",
    "lodash.throttle",
    "once",
    "_.once",
    "memoize",
    "_.memoize",
    "useDebouncedCallback",
    "useThrottledCallback",
];

/// The names of the value that a module exports.
const EXPORTS: &[&str] = &["exports", "module.exports"];

/// Calls that name a group of tests.
const GROUPS: &[&str] = &[
    "describe",
    "describe.only",
    "describe.skip",
    "context",
    "suite",
    "suite.only",
    "suite.skip",
    "test.describe",
    "QUnit.module",
    "fdescribe",
    "xdescribe",
];

/// Calls that name a test.
const TESTS: &[&str] = &[
    "it",
    "it.only",
    "it.skip",
    "test",
    "test.only",
    "test.skip",
    "specify",
    "t.test",
    "QUnit.test",
    "Deno.test",
    "bench",
    "fit",
    "xit",
];

/// Calls whose arguments describe properties. The keys in these arguments are not symbols.
const DESCRIBERS: &[&str] =
    &["Object.defineProperty", "Object.defineProperties", "Object.create", "Reflect.defineProperty"];

impl Walk<'_> {
    /// `const a = …`
    pub(super) fn declarator(
        &mut self,
        declared: &mut Declared,
        at: u32,
        level: Level,
    ) -> Result<(), Unsure> {
        let node = self.tree.get(at);
        let (name, value) = (node.front, node.back);
        self.chain(declared, at, level, &node)?;
        if name.kind == Kind::Identifier
            && let Some((kind, body)) = self.passed(value, level)
        {
            self.declare(declared, at, level, &Found { kind, name, body })?;
        }
        if let Some(kind) = made(value) {
            self.declare(declared, at, level, &Found { kind, name, body: self.body(value) })?;
        }
        let is_counted = level.is_in(&[Frame::File, Frame::Module])
            && self.kind_up(at, 2) != Some(Kind::For)
            && !self.is_required(value);
        if is_counted {
            let is_constant = self.node_up(at, 1).is_some_and(|around| around.is_marked);
            let kind = if is_constant { SymbolKind::Constant } else { SymbolKind::Variable };
            self.declare(declared, at, level, &Found { kind, name, body: NONE })?;
        }
        Ok(())
    }

    /// `const a = b.c = function () {}`, or with two assignments in a row. All names are declared side by side.
    fn chain(&mut self, declared: &mut Declared, at: u32, level: Level, node: &Node) -> Result<(), Unsure> {
        let Some(one) = self.assigned(node.back) else { return Ok(()) };
        if let Some(kind) = made(one.back) {
            let body = self.body(one.back);
            self.declare(declared, at, level, &Found { kind, name: node.front, body })?;
            if one.front.kind == Kind::Member {
                self.declare_beside(declared, at, level, &Found { kind, name: one.front, body })?;
            }
        }
        let Some(two) = self.assigned(one.back) else { return Ok(()) };
        if let Some(kind) = made(two.back) {
            let body = self.body(two.back);
            self.declare(declared, at, level, &Found { kind, name: node.front, body })?;
            for name in [one.front, two.front] {
                if name.kind == Kind::Member {
                    self.declare_beside(declared, at, level, &Found { kind, name, body })?;
                }
            }
        }
        Ok(())
    }

    fn assigned(&self, part: Part) -> Option<Node> {
        self.tree.of(part).filter(|node| node.kind == Kind::Assignment)
    }

    /// If the value of a name is a function in a call such as `useCallback`: the kind of the name, and where the
    /// function's body starts.
    fn passed(&self, value: Part, level: Level) -> Option<(SymbolKind, u32)> {
        let call = self.tree.of(value).filter(|call| call.kind == Kind::Call)?;
        let first = self.tree.of(call.back)?.front;
        if first.is_function() {
            let is_function = self.says(call.front, PASSERS);
            let is_value = self.says(call.front, &["useMemo", "React.useMemo"])
                && (level.is_local || level.frame == Frame::Function);
            return match (is_function, is_value) {
                (true, _) => Some((SymbolKind::Function, self.body(first))),
                (_, true) => Some((SymbolKind::Constant, self.body(first))),
                _ => None,
            };
        }
        let inner = self.tree.of(first).filter(|inner| inner.kind == Kind::Call)?;
        let function = self.tree.of(inner.back)?.front;
        let is_passed = self.says(call.front, PASSERS) && self.says(inner.front, PASSERS);
        (is_passed && function.is_function()).then(|| (SymbolKind::Function, self.body(function)))
    }

    /// Whether a value is `require(…)`, or a member of the result.
    fn is_required(&self, value: Part) -> bool {
        if value.is_nothing() || !matches!(value.kind, Kind::Call | Kind::Member | Kind::Subscript) {
            return false;
        }
        let (first, last) = (value.first as usize, value.last as usize);
        if !self.stream.is(first, "require") || self.stream.mark(first + 1) != b'(' {
            return false;
        }
        let after = self.stream.partner(first + 1) + 1;
        let is_member =
            matches!(self.stream.mark(after), b'.' | CHAIN) && self.stream.mark(after + 1) == WORD;
        let end = match value.kind {
            Kind::Call => after,
            Kind::Member if is_member => after + 2,
            Kind::Subscript if self.stream.mark(after) == b'[' => self.stream.partner(after) + 1,
            _ => return false,
        };
        end == last + 1
    }

    /// `a.b = …`. If this declares nothing but opens a scope, returns the level of the scope.
    pub(super) fn assignment(
        &mut self,
        declared: &mut Declared,
        at: u32,
        level: Level,
    ) -> Result<Option<Level>, Unsure> {
        let node = self.tree.get(at);
        let (left, right) = (node.front, node.back);
        let around = self.node_up(at, 1);
        let is_in_declarator = around.is_some_and(|around| around.kind == Kind::Declarator);
        let is_member = left.kind == Kind::Member;
        self.exported(declared, at, level, around)?;
        let next = self.assigned(right);
        if !is_in_declarator {
            self.first_of_two(declared, at, level)?;
        }
        let is_exported = is_member && self.is_of_exports(left);
        if let Some(next) = next
            && is_exported
            && level.is_in(&[Frame::File])
            && !self.says(next.front, EXPORTS)
            && next.back.kind != Kind::Identifier
            && self.assigned(next.back).is_none_or(|last| last.back.kind != Kind::Identifier)
        {
            self.refuse_operation(next.back)?;
            self.weakly(declared, at, level, left, false)?;
        }
        if let Some(kind) = made(right)
            && is_member
            && !is_in_declarator
            && !self.is_third(at)
        {
            self.declare(declared, at, level, &Found { kind, name: left, body: self.body(right) })?;
        }
        if !level.is_in(&[Frame::File]) {
            return self.made_in_place(declared, at, level);
        }
        let is_last = next.is_some_and(|next| self.says(next.front, EXPORTS));
        let is_value = next.is_none() && right.kind != Kind::Assignment && right.kind != Kind::Identifier;
        if is_exported && (is_last || is_value && !self.is_called(right, &["require"])) {
            self.weakly(declared, at, level, left, true)?;
        }
        if is_member && right.kind == Kind::Object {
            self.once(declared, at, level, left)?;
            if declared.holder.is_none() && !is_in_declarator {
                return self.open(at, level, left, Frame::Value);
            }
        }
        self.made_in_place(declared, at, level)
    }

    /// `a.b = c.d = function () {}`. The rule treats `a.b = c.d || function () {}` in the same way.
    fn first_of_two(&mut self, declared: &mut Declared, at: u32, level: Level) -> Result<(), Unsure> {
        let Node { front: left, back: right, .. } = self.tree.get(at);
        let has_two = |node: &Node| matches!(node.kind, Kind::Assignment | Kind::Augmented | Kind::Binary);
        let Some(next) = self.tree.of(right).filter(has_two) else { return Ok(()) };
        let are_members = left.kind == Kind::Member && next.front.kind == Kind::Member;
        match made(next.back) {
            Some(kind) if are_members && !self.says(next.front, &["module.exports"]) => {
                let body = self.body(next.back);
                self.declare_beside(declared, at, level, &Found { kind, name: left, body })
            }
            _ => Ok(()),
        }
    }

    /// `module.exports = function a() {}`
    fn exported(
        &mut self,
        declared: &mut Declared,
        at: u32,
        level: Level,
        around: Option<Node>,
    ) -> Result<(), Unsure> {
        let node = self.tree.get(at);
        let is_apart = around.is_none_or(|around| {
            let is_chained =
                matches!(around.kind, Kind::Assignment | Kind::Augmented) && self.is_of_exports(around.front);
            around.kind != Kind::Declarator && !is_chained
        });
        let kind = match node.back.kind {
            Kind::Function | Kind::Generator => SymbolKind::Function,
            Kind::Class => SymbolKind::Class,
            _ => return Ok(()),
        };
        let Some(made) = self.tree.of(node.back).filter(|_| is_apart && self.says(node.front, EXPORTS))
        else {
            return Ok(());
        };
        self.declare(declared, at, level, &Found { kind, name: made.front, body: made.body })
    }

    /// `A.M = (function () {})()`, and objects in a function.
    fn made_in_place(
        &mut self,
        declared: &mut Declared,
        at: u32,
        level: Level,
    ) -> Result<Option<Level>, Unsure> {
        let node = self.tree.get(at);
        let (left, right) = (node.front, node.back);
        if left.kind != Kind::Member {
            return Ok(None);
        }
        let inside = |part: Part| {
            self.tree.of(part).filter(|node| node.kind == Kind::Parenthesized).map(|node| node.front)
        };
        let called =
            |part: Part| self.tree.of(part).filter(|node| node.kind == Kind::Call).map(|call| call.front);
        let one =
            called(right).and_then(inside).is_some_and(|it| matches!(it.kind, Kind::Function | Kind::Arrow));
        let other = inside(right).and_then(called).is_some_and(|it| it.kind == Kind::Function);
        if one || other {
            self.once(declared, at, level, left)?;
        }
        let is_in_declarator = self.kind_up(at, 1) == Some(Kind::Declarator);
        if declared.holder.is_none() && right.kind == Kind::Object && !is_in_declarator {
            return self.open(at, level, left, Frame::Type);
        }
        Ok(None)
    }

    /// Whether the assignment is the last one in `const a = b.c = d.e = …`.
    fn is_third(&self, at: u32) -> bool {
        let value = self
            .node_up(at, 2)
            .filter(|around| matches!(around.kind, Kind::Declarator | Kind::Pair | Kind::Field));
        let right = |part: Part| {
            let node = self.tree.of(part)?;
            matches!(node.kind, Kind::Assignment | Kind::Augmented).then_some(node.back)
        };
        value.and_then(|around| right(around.back)).and_then(right).is_some()
    }

    /// Gives up on `a || b`, because only a parser can tell what the right operand is.
    fn refuse_operation(&self, part: Part) -> Result<(), Unsure> {
        let is_name =
            self.stream.mark(part.last as usize) == WORD && self.stream.before(part.last as usize) != b'.';
        if part.kind == Kind::Binary && is_name { Err(Unsure) } else { Ok(()) }
    }

    /// Whether a part is a direct member of `exports`.
    fn is_of_exports(&self, part: Part) -> bool {
        if part.kind != Kind::Member || part.last < part.first + 2 {
            return false;
        }
        self.says(Part { last: part.last - 2, ..part }, EXPORTS)
    }

    /// A variable that counts only if nothing else declares its name.
    fn weakly(
        &mut self,
        declared: &mut Declared,
        at: u32,
        level: Level,
        name: Part,
        holds_members: bool,
    ) -> Result<(), Unsure> {
        let first = self.found.items.len();
        let found = Found { kind: SymbolKind::Variable, name, body: NONE };
        if holds_members {
            self.declare(declared, at, level, &found)?;
        } else {
            self.declare_beside(declared, at, level, &found)?;
        }
        for item in &mut self.found.items[first..] {
            (item.first_only, item.gives_way) = (true, true);
        }
        Ok(())
    }

    /// A variable that counts only if its name was not declared before.
    fn once(&mut self, declared: &mut Declared, at: u32, level: Level, name: Part) -> Result<(), Unsure> {
        let first = self.found.items.len();
        self.declare(declared, at, level, &Found { kind: SymbolKind::Variable, name, body: NONE })?;
        for item in &mut self.found.items[first..] {
            item.first_only = true;
        }
        Ok(())
    }

    /// Opens a scope. Its name becomes a part of the paths of its members.
    fn open(&mut self, at: u32, level: Level, name: Part, frame: Frame) -> Result<Option<Level>, Unsure> {
        let qualifier = self.names.scope(name)?;
        let Some(&last) = qualifier.last() else { return Ok(None) };
        let node = self.tree.get(at);
        let range = self.stream.span(node.first as usize, node.last as usize);
        let item = Item::new(SymbolKind::Module, last, range, level.owner);
        self.found.items.push(Item { kind: None, qualifier, frame, ..item });
        let owner = Some(self.found.items.len() - 1);
        Ok(Some(Level { frame, owner, wrapper: None, is_direct: true, is_local: false }))
    }

    /// A key and its value. If they declare nothing but open a scope, returns the level of the scope.
    pub(super) fn pair(
        &mut self,
        declared: &mut Declared,
        at: u32,
        level: Level,
    ) -> Result<Option<Level>, Unsure> {
        let node = self.tree.get(at);
        if !level.is_open() || self.kind_up(at, 1) != Some(Kind::Object) {
            return Ok(None);
        }
        if node.back.is_function() {
            let body = self.body(node.back);
            self.declare(declared, at, level, &Found { kind: SymbolKind::Method, name: node.front, body })?;
        }
        let is_property = match level.frame {
            Frame::Value => self.is_held_by_name(at),
            Frame::File => self.is_given_out(at, node.back),
            _ => false,
        };
        if is_property && !node.is_marked {
            self.declare(
                declared,
                at,
                level,
                &Found { kind: SymbolKind::Property, name: node.front, body: NONE },
            )?;
        }
        if declared.holder.is_none() && node.back.kind == Kind::Object {
            return self.open(at, level, node.front, Frame::Type);
        }
        Ok(None)
    }

    /// Whether the object that contains a key is the whole value of a name.
    fn is_held_by_name(&self, at: u32) -> bool {
        let holds = |kind: Option<Kind>| {
            matches!(kind, Some(Kind::Declarator | Kind::Pair | Kind::Field | Kind::Assignment))
        };
        let Some(around) = self.node_up(at, 2) else { return false };
        match around.kind {
            Kind::Arguments => around.n_arguments < 2 && holds(self.kind_up(at, 4)),
            Kind::Arrow => {
                let call = self.node_up(at, 4).filter(|call| call.kind == Kind::Call).map(|call| call.front);
                let makes = |part: Part| self.says(part, &["create", "createStore"]);
                let is_maker = call.is_some_and(|function| {
                    makes(function) || self.is_called(function, &["create", "createStore"])
                });
                is_maker && self.kind_up(at, 5) == Some(Kind::Declarator)
            }
            kind => holds(Some(kind)),
        }
    }

    /// Whether the object that contains a key is what the module exports.
    fn is_given_out(&self, at: u32, value: Part) -> bool {
        let Some(around) = self.node_up(at, 2) else { return false };
        let holder = match around.kind {
            Kind::Arguments if around.n_arguments < 2 => self.node_up(at, 4),
            Kind::Arguments => None,
            _ => Some(around),
        };
        match holder {
            Some(holder) if holder.kind == Kind::Export => true,
            Some(holder) if holder.kind == Kind::Assignment => {
                self.says(holder.front, EXPORTS)
                    && value.kind != Kind::Identifier
                    && !self.is_called(value, &["require"])
            }
            _ => false,
        }
    }

    /// Whether a part is a call of one of these functions.
    fn is_called(&self, part: Part, functions: &[&str]) -> bool {
        if part.kind != Kind::Call {
            return false;
        }
        match self.tree.of(part) {
            Some(call) => self.says(call.front, functions),
            // Only the tokens of a call without a node are known. It has one word before its parentheses if it calls
            // one of these functions.
            None => {
                let first = part.first as usize;
                let open = self.stream.partner(part.last as usize);
                let is_typed = self.stream.mark(first + 1) == b'<' && self.stream.before(open) == b'>';
                self.stream.is_among(first, functions) && (open == first + 1 || is_typed)
            }
        }
    }

    /// Declares what a call declares. Returns whether nothing inside the call counts.
    pub(super) fn call(
        &mut self,
        declared: &mut Declared,
        node: &Node,
        level: Level,
    ) -> Result<bool, Unsure> {
        let arguments = self.tree.of(node.back).filter(|arguments| arguments.kind == Kind::Arguments);
        let Some(arguments) = arguments else { return Ok(self.says(node.front, DESCRIBERS)) };
        let (one, two) = (arguments.front, arguments.back);
        let at = self.tree.get(node.back.node).parent;
        if self.says(node.front, &["Object.defineProperty"])
            && two.kind == Kind::Text
            && self.is_prototype(one)
        {
            self.property_of(declared, at, level, one, two)?;
        }
        let names_test = one.kind == Kind::Text && matches!(two.kind, Kind::Arrow | Kind::Function);
        let kind = match () {
            () if names_test && self.says(node.front, GROUPS) => Some(SymbolKind::Module),
            () if names_test && self.says(node.front, TESTS) => Some(SymbolKind::Function),
            () => None,
        };
        if let Some(kind) = kind {
            self.declare(declared, at, level, &Found { kind, name: one, body: self.body(two) })?;
        }
        Ok(self.says(node.front, DESCRIBERS))
    }

    fn is_prototype(&self, part: Part) -> bool {
        part.kind == Kind::Member && self.stream.is(part.last as usize, "prototype")
    }

    /// `Object.defineProperty(A.prototype, "b", …)`
    fn property_of(
        &mut self,
        declared: &mut Declared,
        at: u32,
        level: Level,
        of: Part,
        name: Part,
    ) -> Result<(), Unsure> {
        let Some(qualifier) = self.names.flat(of.first as usize, of.last as usize, 0)? else { return Ok(()) };
        let found = Found { kind: SymbolKind::Property, name, body: NONE };
        let first = self.found.items.len();
        for Name { range, .. } in self.names.of(name)? {
            self.add(declared, at, level, &found, Name { range, qualifier: qualifier.clone() });
        }
        if first < self.found.items.len() {
            declared.holder = declared.holder.or(Some(first));
        }
        Ok(())
    }
}

/// The kind of a name whose value is a function or a class.
fn made(value: Part) -> Option<SymbolKind> {
    match value.kind {
        Kind::Arrow | Kind::Function | Kind::Generator => Some(SymbolKind::Function),
        Kind::Class => Some(SymbolKind::Class),
        _ => None,
    }
}
