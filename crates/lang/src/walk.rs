//! One walk over the tree. It applies the rules to each node and collects the declarations.

use std::collections::BTreeSet;

use locant_text::{Offset, Range, trimmed};
use locant_tree::{Attachable, Frame, Item, Joining, SymbolKind};

use crate::ancestors::Ancestor;
use crate::asked::Asked;
use crate::bytes::{has_any, is_long, word};
use crate::embed::Embed;
use crate::item::Findings;
use crate::kinds::Kinds;
use crate::mask;
use crate::names::Name;
use crate::node::{Cursor, Node};
use crate::packed::List;
use crate::path::{NodeContext, Reader};
use crate::table::{Attached, AttachedRule, Part, Role, ScopeRule, SymbolRule, Tables};

/// What all children of a node have in common during the walk.
#[derive(Clone, Copy)]
struct Level {
    frame: Frame,
    owner: Option<usize>,
    /// The range of the wrapper, if the node is one.
    wrapper: Option<(usize, usize)>,
    /// Set in a wrapper whose declarations each get only a part of its range. The inner value is where the next part
    /// starts, once the first token of the part was read.
    part: Option<Option<usize>>,
    /// Whether the node itself declares `owner`.
    is_direct: bool,
}

/// Walks a whole tree.
pub(crate) fn walk<N: Node>(root: N, text: &[u8], tables: &Tables, kinds: &Kinds) -> Findings {
    let asked = Asked::default();
    let reader = Reader { tables, kinds, text, asked: &asked };
    let mut collector = Collector { reader, found: Findings::default() };
    let mut cursor = root.walk();
    let mut ancestors: Vec<Ancestor<N>> = Vec::new();
    let mut levels =
        vec![Level { frame: Frame::File, owner: None, wrapper: None, part: None, is_direct: false }];
    while let Some(&level) = levels.last() {
        let node = cursor.node();
        let place = NodeContext { node, ancestors: &ancestors };
        let inner = collector.visit(place, collector.in_part(node, level));
        collector.pass(node, &mut levels);
        if let Some(inner) = inner
            && cursor.goto_first_child()
        {
            let is_thin = kinds.role(tables, node).is_some_and(|role| role.is_thin);
            ancestors.push(Ancestor::within(&ancestors, node, is_thin));
            levels.push(inner);
            continue;
        }
        while !cursor.goto_next_sibling() {
            levels.pop();
            ancestors.pop();
            if !cursor.goto_parent() {
                break;
            }
        }
    }
    // Some grammars give up in the middle of a text. With one of them, the root still extends to the end of the text.
    let end = root.children().last().map_or(root.end_byte(), |last| last.end_byte());
    if !text[end..].trim_ascii().is_empty() {
        collector.found.damage.push(Range::of_indices(end..text.len()));
    }
    collector.found
}

struct Collector<'a> {
    reader: Reader<'a>,
    found: Findings,
}

impl Collector<'_> {
    /// Collects what a node declares. Returns the level for its children, if they are to be visited.
    fn visit<N: Node>(&mut self, place: NodeContext<'_, N>, level: Level) -> Option<Level> {
        let node = place.node;
        if node.is_error() || node.is_missing() {
            self.note_damage(place);
        }
        let inner = Level { wrapper: None, part: None, is_direct: false, ..level };
        let tables = self.reader.tables;
        let role = self.reader.kinds.role(tables, node);
        if self.is_barren(node, role, level) {
            return None;
        }
        let Some(role) = role else { return Some(inner) };
        if role.broken.iter().any(|&rule| self.reader.holds(tables.broken[usize::from(rule)], place)) {
            self.found.damage.push(Range::of_indices(node.byte_range()));
        }
        if let Some(attached) = self.attached(role, place) {
            let range = trimmed(self.reader.text, node.byte_range());
            self.found.damage.extend(node.has_error().then_some(range));
            self.found.attachables.push(Attachable { range, attached });
            return None;
        }
        if role.part == Part::Skipped {
            if !node.has_error() {
                return None;
            }
            // A token with an error may have swallowed the declarations after it, for example an unclosed string.
            self.found.damage.push(Range::of_indices(node.byte_range()));
        }
        self.found.embeds.extend(Embed::of(&role.embeds, &self.reader, place));
        self.note_package(&role.packages, place);
        let declared = self.declare(&role.symbols, place, level);
        let scope = if declared.is_none() { self.open_scope(&role.scopes, place, level) } else { None };
        let mut inner = declared.or(scope).unwrap_or(inner);
        // The body of a namespace may have the same node kind as the body of a loop.
        let is_body_of_members = level.is_direct && matches!(level.frame, Frame::Module | Frame::Type);
        if role.part == Part::Locals && !is_body_of_members && scope.is_none() {
            inner.frame = Frame::Local;
        }
        if let Some(in_parts) = self.wrapper(&role.wrappers, place) {
            inner.wrapper = level.wrapper.or(Some((node.start_byte(), node.end_byte())));
            inner.part = in_parts.then_some(inner.wrapper.map(|(start, _)| start));
        }
        let is_closed = |rule: &u16| self.reader.holds(tables.closed[usize::from(*rule)], place);
        (!role.closed.iter().any(is_closed)).then_some(inner)
    }

    /// Narrows the range of a wrapper to the part for this child.
    fn in_part(&self, node: impl Node, level: Level) -> Level {
        let Some(start) = level.part else { return level };
        Level { wrapper: Some((start.unwrap_or(node.start_byte()), node.end_byte())), ..level }
    }

    /// Moves on to the next part of a wrapper after a declaration. The next part starts with the next token, for
    /// example with `and` in `let rec f … and g …`.
    fn pass(&self, node: impl Node, levels: &mut [Level]) {
        let Some(Level { part: Some(start), .. }) = levels.last_mut() else { return };
        let declares =
            || self.reader.kinds.role(self.reader.tables, node).is_some_and(|role| !role.symbols.is_empty());
        if start.is_none() && !node.is_extra() {
            *start = Some(node.start_byte());
        }
        if declares() {
            *start = None;
        }
    }

    /// Whether the node belongs to the declaration after it, and how.
    fn attached<N: Node>(&self, role: &Role, place: NodeContext<'_, N>) -> Option<Attached> {
        let rules = role.attached.iter().map(|&rule| &self.reader.tables.attached[usize::from(rule)]);
        let holds = |rule: &&AttachedRule| self.reader.holds(rule.conditions, place);
        match role.part {
            Part::Comment => mask::attached(self.reader.text(place.node), &self.reader.tables.words),
            Part::Decorator => Some(Attached::Decorator),
            Part::Open | Part::Locals | Part::Skipped => {
                rules.into_iter().find(holds).map(|rule| rule.attached)
            }
        }
    }

    /// Whether the node is a body in which nothing can be declared.
    fn is_barren(&self, node: impl Node, role: Option<&Role>, level: Level) -> bool {
        let is_block = role.is_some_and(|role| role.part == Part::Locals);
        // A node before the name may be an annotation.
        let is_after_name = || {
            level.owner.is_some_and(|owner| self.found.items[owner].name.end().index() <= node.start_byte())
        };
        let is_body = match level.frame {
            Frame::Function if level.is_direct => is_after_name() && !node.is_extra(),
            Frame::Function | Frame::File | Frame::Value => is_block,
            Frame::Module | Frame::Type | Frame::Local => false,
        };
        is_body && !node.has_error() && !self.reader.kinds.may_declare(self.reader.text(node))
    }

    /// `None` if the node is not a wrapper. Otherwise, whether each declaration in it gets only a part of its range.
    fn wrapper<N: Node>(&self, rules: &[u16], place: NodeContext<'_, N>) -> Option<bool> {
        let rules = rules.iter().map(|&rule| &self.reader.tables.wrappers[usize::from(rule)]);
        rules.into_iter().find(|rule| self.reader.holds(rule.conditions, place)).map(|rule| rule.parts)
    }

    /// Adds the symbols that a node declares. Each name goes to the first rule that accepts it. Returns the level for
    /// the members.
    fn declare<N: Node>(&mut self, rules: &[u16], place: NodeContext<'_, N>, level: Level) -> Option<Level> {
        let mut taken = BTreeSet::new();
        let mut inner = None;
        for &rule in rules {
            let rule = &self.reader.tables.symbols[usize::from(rule)];
            if rule.within & level.frame as u8 == 0 || !self.reader.holds(rule.conditions, place) {
                continue;
            }
            let names = self.declared_names(rule, place);
            let is_last = rule.is_final && !names.is_empty();
            for name in names {
                if rules.len() > 1 && !taken.insert(name.range.start()) {
                    continue;
                }
                let item = self.item(rule, name, place, level);
                if inner.is_none() && rule.holds_members {
                    let owner = Some(self.found.items.len());
                    inner =
                        Some(Level { frame: item.frame, owner, wrapper: None, part: None, is_direct: true });
                }
                self.found.items.push(item);
            }
            if is_last {
                break;
            }
        }
        inner
    }

    fn declared_names<N: Node>(&self, rule: &SymbolRule, place: NodeContext<'_, N>) -> Vec<Name> {
        let mut names = Vec::new();
        let hangs_in = self.reader.kinds.of(place.node);
        for node in self.reader.each(rule.name, place) {
            self.reader.names(&mut names, node, hangs_in);
        }
        let twin = self.reader.first(rule.unless_named, place).map(|node| self.reader.text(node));
        let qualifier = match self.reader.first(rule.qualifier, place).map(|node| self.reader.flatten(node)) {
            None => Vec::new(),
            Some(Some(qualifier)) => qualifier,
            Some(None) => return Vec::new(),
        };
        // In broken source the parser may have taken a keyword for a name.
        let is_damaged = place.node.has_error();
        let words = &self.reader.tables.words;
        let no_names = if is_damaged { [words.keywords, words.reserved] } else { [List::EMPTY; 2] };
        for name in names.iter_mut().filter(|_| !rule.trim.is_empty()) {
            name.range = without_tail(self.reader.text, name.range, &rule.trim);
        }
        names.retain(|name| {
            let text = &self.reader.text[name.range.indices()];
            let is_upper =
                !text.iter().any(u8::is_ascii_lowercase) && text.iter().any(u8::is_ascii_uppercase);
            let hangs_well =
                rule.name_in.is_empty() || name.hangs_in.is_some_and(|kind| rule.name_in.contains(&kind));
            let is_keyword = no_names
                .iter()
                .flat_map(|list| list.iter())
                .map(|word| word.as_bytes())
                .any(|word| word == text || words.any_case && word.eq_ignore_ascii_case(text));
            // A keyword in quotes is a name, because that is what the quotes are for.
            let front = name.range.start().index().checked_sub(1).map(|front| self.reader.text[front]);
            let is_keyword = is_keyword && !name.is_token && !matches!(front, Some(b'"' | b'`'));
            !is_keyword && hangs_well && (!rule.upper || is_upper) && twin != Some(text)
        });
        let until = self.reader.first(rule.name_until, place).map(|node| node.start_byte());
        for name in &mut names {
            if place.node.has_error() {
                name.range = whole_word(self.reader.text, name.range);
            }
            name.qualifier.splice(0..0, qualifier.iter().copied());
            let start = name.range.start().index();
            if let Some(end) = until.filter(|&end| name.range.end().index() <= end) {
                name.range = trimmed(self.reader.text, start..end);
            }
        }
        // Only headings and selectors may span several lines.
        let may_be_long = !is_damaged && matches!(rule.kind, SymbolKind::Heading | SymbolKind::Selector);
        names.retain(|name| {
            let text = &self.reader.text[name.range.indices()];
            (may_be_long || !is_long(text)) && !has_any(text, rule.without)
        });
        names
    }

    /// The name of a symbol, if it differs from the text of its range. The rule may fix the name, the name may
    /// continue after its range, or it may have several parts:
    /// `move:to:` in `- (void)move:(Piece *)piece to:(Place)place`.
    fn spelled<N: Node>(&self, rule: &SymbolRule, name: Range, place: NodeContext<'_, N>) -> Option<String> {
        if rule.called.is_some() {
            return rule.called.map(|called| called.get().to_owned());
        }
        if rule.name_rest {
            let rest = &self.reader.text[name.start().index()..place.node.end_byte().max(name.end().index())];
            let spelled = without_tags(&String::from_utf8_lossy(rest));
            let spelled = spelled.trim_end_matches(|c: char| c == ' ' || rule.trim.contains(c)).to_owned();
            let is_whole = spelled.as_bytes() == &self.reader.text[name.indices()];
            return Some(spelled).filter(|spelled| !is_whole && !spelled.is_empty());
        }
        if rule.name_parts.is_empty() {
            return None;
        }
        let parts = rule.name_parts.iter().flat_map(|&path| self.reader.all(path, place));
        // In broken source, a part may come before the name or belong to a later declaration. The header ends where a
        // block opens.
        let opening = self.reader.text(place.node).iter().position(|&byte| byte == b'{');
        let end = opening.map_or(usize::MAX, |opening| place.node.start_byte() + opening);
        let is_part = |part: &N| name.end().index() <= part.start_byte() && part.start_byte() < end;
        let mut parts: Vec<N> = parts.filter(is_part).collect();
        parts.sort_by_key(|part| part.start_byte());
        let mut spelled = String::from_utf8_lossy(&self.reader.text[name.indices()]).into_owned();
        for part in parts {
            let text = String::from_utf8_lossy(self.reader.text(part));
            // Two words without a mark between them are one word that a syntax error has split.
            let is_mark = |text: &str| text.ends_with(|c: char| c.is_ascii_punctuation() && c != '_');
            if is_mark(&spelled) || is_mark(&text) {
                spelled += &text;
            }
        }
        // A word after the last mark is a macro: `… style:(int)s NS_DESIGNATED_INITIALIZER`.
        let end =
            spelled.rfind(|c: char| c.is_ascii_punctuation() && c != '_').map_or(spelled.len(), |at| at + 1);
        spelled.truncate(end);
        Some(spelled)
    }

    fn item<N: Node>(&self, rule: &SymbolRule, name: Name, place: NodeContext<'_, N>, level: Level) -> Item {
        let node = place.node;
        let last = self.reader.first(rule.last, place).map(|last| last.end_byte());
        let (start, end) = level.wrapper.unwrap_or((node.start_byte(), last.unwrap_or(node.end_byte())));
        let body = self.reader.first(rule.body, place).map(|body| Offset::of_index(body.start_byte()));
        let docs = self.reader.first(rule.docs, place);
        let parent = if rule.of_type { self.type_around(level.owner) } else { level.owner };
        let range = trimmed(self.reader.text, start..end).cover(name.range);
        Item {
            spelled: self.spelled(rule, name.range, place),
            qualifier: name.qualifier,
            is_path: name.is_path,
            body,
            docs: docs.map(|docs| trimmed(self.reader.text, docs.byte_range())),
            first_only: rule.first_only,
            gives_way: rule.gives_way,
            joining: self.joining(rule, place),
            level: rule.level,
            is_damaged: node.has_error(),
            ..Item::new(rule.kind, name.range, range, parent)
        }
    }

    fn joining<N: Node>(&self, rule: &SymbolRule, place: NodeContext<'_, N>) -> Joining {
        match (rule.announces, rule.joins) {
            (true, _) => Joining::Announces,
            (false, true) => Joining::Joins { arity: Some(self.reader.each(rule.arity, place).len()) },
            (false, false) => Joining::Never,
        }
    }

    fn type_around(&self, owner: Option<usize>) -> Option<usize> {
        let outward = std::iter::successors(owner, |&item| self.found.items[item].parent);
        outward.into_iter().find(|&item| self.found.items[item].frame == Frame::Type)
    }

    fn open_scope<N: Node>(
        &mut self,
        rules: &[u16],
        place: NodeContext<'_, N>,
        level: Level,
    ) -> Option<Level> {
        let tables = self.reader.tables;
        let holds = |rule: &&ScopeRule| {
            rule.within & level.frame as u8 != 0 && self.reader.holds(rule.conditions, place)
        };
        let rule = rules.iter().map(|&rule| &tables.scopes[usize::from(rule)]).find(holds)?;
        if rule.name.is_empty() {
            let inner = Level { wrapper: None, part: None, is_direct: true, ..level };
            return Some(Level { frame: rule.frame, ..inner });
        }
        let named = self.reader.first(rule.name, place)?;
        let whole = || vec![trimmed(self.reader.text, named.byte_range())];
        let qualifier = self.reader.flatten(named).unwrap_or_else(whole);
        let body = self.reader.first(rule.body, place).map(|body| Offset::of_index(body.start_byte()));
        let range = trimmed(self.reader.text, place.node.byte_range());
        let name = *qualifier.last()?;
        let item = Item {
            qualifier,
            body,
            frame: rule.frame,
            is_damaged: place.node.has_error(),
            ..Item::scope(name, range, level.owner)
        };
        self.found.items.push(item);
        Some(Level {
            frame: rule.frame,
            owner: Some(self.found.items.len() - 1),
            wrapper: None,
            part: None,
            is_direct: true,
        })
    }

    fn note_package<N: Node>(&mut self, rules: &[u16], place: NodeContext<'_, N>) {
        let mut rules = rules.iter().map(|&rule| &self.reader.tables.packages[usize::from(rule)]);
        let rule = rules.find(|rule| self.reader.holds(rule.conditions, place));
        let Some(name) = rule.and_then(|rule| self.reader.first(rule.name, place)) else { return };
        let text = String::from_utf8_lossy(self.reader.text(name));
        let segments = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        // Several package clauses add up, as in Scala: `package a`, and `package b` below it.
        self.found.package.extend(segments.filter(|segment| !segment.is_empty()).map(str::to_owned));
    }

    /// Records an error as damage. A missing token counts as damage of its parent.
    fn note_damage<N: Node>(&mut self, place: NodeContext<'_, N>) {
        let parent = place.ancestors.last().map(|parent| parent.node);
        let node = if place.node.is_error() { Some(place.node) } else { parent };
        self.found.damage.extend(node.map(|node| Range::of_indices(node.byte_range())));
    }
}

/// A text without tags, and with a single space for each run of whitespace.
fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    let mut is_tag = false;
    for c in text.chars() {
        match c {
            '<' => is_tag = true,
            '>' if is_tag => is_tag = false,
            c if !is_tag => plain.push(c),
            _ => {}
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name without the characters of `trim` at its end.
fn without_tail(text: &[u8], name: Range, trim: &str) -> Range {
    let tail = text[name.indices()].iter().rev().take_while(|byte| trim.as_bytes().contains(byte));
    Range::of_indices(name.start().index()..name.end().index() - tail.count())
}

/// Extends a name to the end of its word. Some grammars know only ASCII letters, and cut names off at other letters.
fn whole_word(text: &[u8], name: Range) -> Range {
    let rest = &text[name.end().index()..];
    if rest.first().is_none_or(u8::is_ascii) {
        return name;
    }
    let length = word(rest);
    Range::of_indices(name.start().index()..name.end().index() + length)
}
