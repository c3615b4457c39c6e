//! Turns the rule file of a language into the code of a static. Fails if a rule is not well formed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use locant_tree::SymbolKind;
use toml::{Table, Value};

use crate::leads::Leads;
use crate::pack::Pack;
use crate::section::{Result, Section};
use crate::steps::{Numbers, pieces};
use crate::words::Words;

/// What the rules say about a kind, while it is being collected.
#[derive(Default)]
struct Role {
    part: Option<&'static str>,
    lists: BTreeMap<&'static str, Vec<usize>>,
    is_name: bool,
    is_thin: bool,
    name_until: Option<String>,
    name_until_text: String,
    separator: String,
}

struct Emitter {
    pack: Pack,
    numbers: Numbers,
    roles: BTreeMap<usize, Role>,
    /// The code of the rules, by the table that they go to.
    rules: BTreeMap<&'static str, Vec<String>>,
}

/// The function that adds a rule.
type Add = fn(&mut Emitter, Section) -> Result<()>;

/// The kinds of rules, by the key that they are written under.
const RULES: [(&str, Add); 9] = [
    ("symbol", Emitter::symbol),
    ("scope", Emitter::scope),
    ("wrapper", Emitter::wrapper),
    ("package", Emitter::package),
    ("attached", Emitter::attached),
    ("embed", Emitter::embed),
    ("broken", |emitter, rule| emitter.bare("broken", rule)),
    ("closed", |emitter, rule| emitter.bare("closed", rule)),
    ("recovery", Emitter::recovery),
];

/// The tables of rules, and the type of the rules in each.
const TABLES: [(&str, &str); 10] = [
    ("symbols", "SymbolRule"),
    ("scopes", "ScopeRule"),
    ("wrappers", "WrapperRule"),
    ("packages", "PackageRule"),
    ("attached", "AttachedRule"),
    ("broken", "Conditions"),
    ("closed", "Conditions"),
    ("through", "Through"),
    ("embeds", "EmbedRule"),
    ("recovery", "RecoveryLine"),
];

/// The code of one language.
pub(crate) fn language(folder: &str, table: &Table, leads: &mut Leads, pack: &Pack) -> Result<String> {
    let mut file = Section::new("", table.clone());
    let mut code = about(folder, &mut file, leads, pack)?;
    let mut emitter = Emitter::new(pack);
    let mut comments = file.section("comments")?;
    let line_comments = comments.words("line")?;
    let block_comments = comments.words("block")?;
    let inner_comments = comments.words("inner")?;
    comments.finish()?;
    let mut pairs = Vec::new();
    for block in &block_comments {
        let (open, close) =
            block.split_once(' ').ok_or_else(|| format!("block comment {block:?}: write \"/* */\""))?;
        pairs.push((open, close));
    }
    let _ = write!(code, "line_comments: &{line_comments:?}, block_comments: &{pairs:?}, ");
    emitter.nodes(file.section("nodes")?)?;
    let words = Words::new(file.section("words")?, &line_comments, &inner_comments, pack)?;
    emitter.through(file.section("through")?)?;
    emitter.until(file.section("name_until")?)?;
    emitter.separators(file.section("separators")?)?;
    for (word, add) in RULES {
        for rule in file.rules(word)? {
            add(&mut emitter, rule)?;
        }
    }
    file.finish()?;
    let _ = writeln!(code, "kinds: std::sync::OnceLock::new(), tables: {} }},", emitter.tables(&words));
    Ok(code)
}

/// The code for a language whose grammar is not in this build. It has what a message about this needs.
pub(crate) fn left_out(package: &str, table: Table) -> Result<String> {
    let mut file = Section::new("", table);
    let (title, extensions) = (file.word("title")?, file.words("extensions")?);
    Ok(format!("super::LeftOut {{ title: {title:?}, package: {package:?}, extensions: &{extensions:?} }}"))
}

/// The start of the code: the names, files and grammar of the language.
fn about(folder: &str, file: &mut Section, leads: &mut Leads, pack: &Pack) -> Result<String> {
    let name = file.word("name")?;
    if name != folder {
        return Err(format!("name = {name:?}, but the folder is {folder:?}"));
    }
    let title = file.word("title")?;
    let grammar = file.word("grammar")?;
    leads.add("names", &name.to_lowercase())?;
    for alias in file.words("aliases")? {
        leads.add("names", &alias.to_lowercase())?;
    }
    let extensions = file.words("extensions")?;
    for extension in &extensions {
        leads.add("extensions", extension)?;
    }
    for list in ["files", "interpreters"] {
        for word in file.words(list)? {
            leads.add(list, &word)?;
        }
    }
    let claims = claims(file, "claim", pack, |extension| leads.claim(extension))?;
    let disclaims = self::claims(file, "disclaim", pack, |_| {})?;
    let empty_block = file.optional("empty_block")?;
    Ok(format!(
        "super::Language {{ name: {name:?}, title: {title:?}, grammar: {grammar}, extensions: &{extensions:?}, \
         claims: {claims}, disclaims: {disclaims}, empty_block: {empty_block:?}, "
    ))
}

/// The claims under a key. A claim says that a file is in this language because of how its lines start, or that it is
/// not in this language though it has its extension.
fn claims(file: &mut Section, key: &str, pack: &Pack, mut note: impl FnMut(&str)) -> Result<String> {
    let mut claims = Vec::new();
    for mut rule in file.rules(key)? {
        let (extension, lines, unless) =
            (rule.word("extension")?, rule.words("lines")?, rule.words("unless")?);
        note(&extension);
        let (lines, unless) = (pack.words(&lines), pack.words(&unless));
        let extension = pack.word(&extension);
        claims.push(format!("Claim {{ extension: {extension}, lines: {lines}, unless: {unless} }}"));
        rule.finish()?;
    }
    Ok(pack.list("Claim", claims))
}

impl Emitter {
    fn new(pack: &Pack) -> Emitter {
        let numbers = Numbers::new(pack);
        Emitter { pack: pack.clone(), numbers, roles: BTreeMap::new(), rules: BTreeMap::new() }
    }

    fn role(&mut self, kind: &str) -> &mut Role {
        let number = self.numbers.kind(kind);
        self.roles.entry(number).or_default()
    }

    fn nodes(&mut self, mut section: Section) -> Result<()> {
        let parts =
            [("comments", "Comment"), ("decorators", "Decorator"), ("skip", "Skipped"), ("locals", "Locals")];
        for (key, part) in parts {
            for kind in section.words(key)? {
                let role = self.role(&kind);
                if role.part.is_some_and(|other| other != part) {
                    return Err(section.error(format!("{kind:?} is in two lists")));
                }
                role.part = Some(part);
            }
        }
        for kind in section.words("names")? {
            self.role(&kind).is_name = true;
        }
        for kind in section.words("thin")? {
            self.role(&kind).is_thin = true;
        }
        section.finish()
    }

    fn through(&mut self, section: Section) -> Result<()> {
        for (kind, value) in section.entries() {
            let (name, qualifier, last) = match value {
                Value::Table(table) => {
                    let mut section = Section::new(format!("[through] {kind}"), table);
                    let last = section.optional("last")?;
                    let (name, qualifier) = match &last {
                        Some(names) => (names.clone(), self.numbers.path(".")?),
                        None => (section.word("name")?, self.numbers.path(&section.word("qualifier")?)?),
                    };
                    section.finish()?;
                    (self.numbers.paths(&[name])?, qualifier, last.is_some())
                }
                paths => {
                    let paths = Table::from_iter([(kind.clone(), paths)]);
                    let names = Section::new("[through]".to_owned(), paths).words(&kind)?;
                    (self.numbers.paths(&names)?, self.numbers.path(".")?, false)
                }
            };
            let code = format!("Through {{ name: {name}, qualifier: {qualifier}, last: {last} }}");
            self.add("through", &[kind], code);
        }
        Ok(())
    }

    fn until(&mut self, section: Section) -> Result<()> {
        for (kind, value) in section.entries() {
            let path = value.as_str().ok_or_else(|| format!("[name_until] {kind}: must be a path"))?;
            let text = path.strip_prefix('\'').and_then(|path| path.strip_suffix('\''));
            let code = if text.is_some() { None } else { Some(self.numbers.path(path)?) };
            let role = self.role(&kind);
            role.is_name = true;
            role.name_until = code;
            role.name_until_text = text.unwrap_or_default().to_owned();
        }
        Ok(())
    }

    fn separators(&mut self, section: Section) -> Result<()> {
        for (kind, value) in section.entries() {
            let separator = value.as_str().ok_or_else(|| format!("[separators] {kind}: must be a string"))?;
            separator.clone_into(&mut self.role(&kind).separator);
        }
        Ok(())
    }

    fn add(&mut self, table: &'static str, nodes: &[String], code: String) {
        let rules = self.rules.entry(table).or_default();
        rules.push(code);
        let index = rules.len() - 1;
        for node in nodes {
            self.role(node).lists.entry(table).or_default().push(index);
        }
    }

    fn conditions(&mut self, rule: &mut Section) -> Result<String> {
        self.numbers.conditions(&rule.words("if")?).map_err(|message| rule.error(message))
    }

    fn paths(&mut self, rule: &mut Section, key: &str) -> Result<String> {
        self.numbers.paths(&rule.words(key)?).map_err(|message| rule.error(message))
    }

    fn symbol(&mut self, mut rule: Section) -> Result<()> {
        let nodes = nodes(&mut rule)?;
        let kind = symbol_kind(&rule.word("kind")?).map_err(|message| rule.error(message))?;
        let mut code = format!("SymbolRule {{ kind: {kind}, within: {}, ", frames(&mut rule)?);
        let _ = write!(code, "conditions: {}, ", self.conditions(&mut rule)?);
        let mut name = rule.words("name")?;
        if name.is_empty() {
            name.push("name".to_owned());
        }
        for (field, words) in [
            ("name", name),
            ("name_until", rule.words("name_until")?),
            ("name_parts", rule.words("name_parts")?),
            ("qualifier", rule.words("qualifier")?),
            ("body", rule.words("body")?),
            ("docs", rule.words("docs")?),
            ("last", rule.words("last")?),
            ("unless_named", rule.words("unless_named")?),
            ("arity", rule.words("arity")?),
        ] {
            let paths = self.numbers.paths(&words).map_err(|message| rule.error(message))?;
            let _ = write!(code, "{field}: {paths}, ");
        }
        let level = rule.number("level")?;
        let trim = rule.optional("trim")?.unwrap_or_default();
        let called = rule.optional("called")?;
        let without = rule.words("without")?;
        let called = self.optional_word(called);
        let (trim, without) = (self.pack.word(&trim), self.pack.words(&without));
        let _ = write!(code, "level: {level:?}, trim: {trim}, called: {called}, without: {without}, ");
        let _ = write!(code, "name_in: {}, ", self.numbers.kind_list(&rule.words("name_in")?));
        for field in ["upper", "first_only", "gives_way", "joins", "announces", "of_type", "name_rest"] {
            let _ = write!(code, "{field}: {}, ", rule.flag(field, false)?);
        }
        let _ = write!(code, "holds_members: {}, ", rule.flag("holds_members", true)?);
        let _ = write!(code, "is_final: {}, ", rule.flag("final", false)?);
        code.push('}');
        self.add("symbols", &nodes, code);
        rule.finish()
    }

    fn scope(&mut self, mut rule: Section) -> Result<()> {
        let nodes = nodes(&mut rule)?;
        let name = self.paths(&mut rule, "name")?;
        let conditions = self.conditions(&mut rule)?;
        let frame = frame(&rule.word("frame")?).map_err(|message| rule.error(message))?.0;
        let body = self.paths(&mut rule, "body")?;
        let within = frames(&mut rule)?;
        let code = format!(
            "ScopeRule {{ name: {name}, conditions: {conditions}, body: {body}, within: {within}, \
             frame: Frame::{frame} }}"
        );
        self.add("scopes", &nodes, code);
        rule.finish()
    }

    fn wrapper(&mut self, mut rule: Section) -> Result<()> {
        let nodes = nodes(&mut rule)?;
        let conditions = self.conditions(&mut rule)?;
        let parts = rule.flag("parts", false)?;
        self.add("wrappers", &nodes, format!("WrapperRule {{ conditions: {conditions}, parts: {parts} }}"));
        rule.finish()
    }

    fn package(&mut self, mut rule: Section) -> Result<()> {
        let nodes = nodes(&mut rule)?;
        let name = self.paths(&mut rule, "name")?;
        let conditions = self.conditions(&mut rule)?;
        let code = format!("PackageRule {{ name: {name}, conditions: {conditions} }}");
        self.add("packages", &nodes, code);
        rule.finish()
    }

    fn attached(&mut self, mut rule: Section) -> Result<()> {
        let nodes = nodes(&mut rule)?;
        let conditions = self.conditions(&mut rule)?;
        let attached = match rule.word("as")?.as_str() {
            "comment" => "Comment",
            "docs" => "Docs",
            "decorator" => "Decorator",
            word => return Err(rule.error(format!("as = {word:?} is none of comment, docs, decorator"))),
        };
        let code = format!("AttachedRule {{ conditions: {conditions}, attached: Attached::{attached} }}");
        self.add("attached", &nodes, code);
        rule.finish()
    }

    fn embed(&mut self, mut rule: Section) -> Result<()> {
        let nodes = nodes(&mut rule)?;
        let conditions = self.conditions(&mut rule)?;
        let mut code = format!("EmbedRule {{ conditions: {conditions}, ");
        for field in ["text", "named"] {
            let paths = self.paths(&mut rule, field)?;
            let _ = write!(code, "{field}: {paths}, ");
        }
        let language = rule.optional("language")?;
        let fence = rule.optional("fence")?.unwrap_or_default();
        let is_bracketed = rule.flag("bracketed", false)?;
        let is_whole = rule.flag("whole", false)?;
        let is_at_top = rule.flag("at_top", false)?;
        let language = self.optional_word(language);
        let _ = write!(code, "language: {language}, fence: {}, ", self.pack.word(&fence));
        let _ = write!(code, "is_bracketed: {is_bracketed}, is_whole: {is_whole}, is_at_top: {is_at_top} }}");
        self.add("embeds", &nodes, code);
        rule.finish()
    }

    /// A rule that consists of conditions only.
    fn bare(&mut self, table: &'static str, mut rule: Section) -> Result<()> {
        let nodes = nodes(&mut rule)?;
        let code = self.conditions(&mut rule)?;
        self.add(table, &nodes, code);
        rule.finish()
    }

    fn recovery(&mut self, mut rule: Section) -> Result<()> {
        let lines = rule.words("line")?;
        let word = rule.word("kind")?;
        let is_nothing = word == "nothing";
        let kind = match word.as_str() {
            "scope" | "nothing" => "None".to_owned(),
            word => format!("Some({})", symbol_kind(word).map_err(|message| rule.error(message))?),
        };
        let within = frames(&mut rule)?;
        let level = rule.number("level")?;
        let starts = rule.optional("starts")?.unwrap_or_default();
        let without = rule.words("without")?;
        let around = rule.words("around")?.iter().map(|word| symbol_kind(word)).collect::<Result<_>>()?;
        let around = self.pack.list("SymbolKind", around);
        let (starts, without) = (self.pack.word(&starts), self.pack.words(&without));
        let mut code = format!(
            "level: {level:?}, is_nothing: {is_nothing}, starts: {starts}, without: {without}, \
             kind: {kind}, within: {within}, around: {around}, "
        );
        for flag in ["modified", "unindented", "block", "lower", "first_only", "joins", "announces"] {
            let _ = write!(code, "{flag}: {}, ", rule.flag(flag, false)?);
        }
        if lines.is_empty() {
            return Err(rule.error("a recovery rule has a `line`"));
        }
        for line in lines {
            let pieces = pieces(&line, is_nothing, &self.pack).map_err(|message| rule.error(message))?;
            self.add("recovery", &[], format!("RecoveryLine {{ pieces: {pieces}, {code} }}"));
        }
        rule.finish()
    }

    fn optional_word(&self, word: Option<String>) -> String {
        word.map_or("None".to_owned(), |word| format!("Some({})", self.pack.word(&word)))
    }

    /// The code of the tables. At this point, all kinds must have their numbers.
    fn tables(&self, words: &Words) -> String {
        // A token sorts after a named kind with the same name.
        let mut kinds: Vec<_> = self.numbers.kinds.iter().collect();
        kinds.sort_by_key(|((name, named), _)| (name.clone(), !named));
        let role = |local| self.roles.get(&local).unwrap_or(&Role::default()).code(&self.pack);
        let roles = (0..kinds.len()).map(role).collect();
        let kinds = kinds.into_iter().map(|((name, named), local)| {
            format!("KindName {{ name: {}, named: {named}, local: {local} }}", self.pack.word(name))
        });
        let fields =
            self.numbers.fields.iter().map(|(name, local)| {
                format!("FieldName {{ name: {}, local: {local} }}", self.pack.word(name))
            });
        let mut code = format!(
            "Tables {{ kinds: {}, fields: {}, roles: {}, ",
            self.pack.list("KindName", kinds.collect()),
            self.pack.list("FieldName", fields.collect()),
            self.pack.list("Role", roles),
        );
        for (table, of) in TABLES {
            let rules = self.rules.get(table).cloned().unwrap_or_default();
            let _ = write!(code, "{table}: {}, ", self.pack.list(of, rules));
        }
        let _ = write!(code, "words: {words:?} }}");
        code
    }
}

impl Role {
    fn code(&self, pack: &Pack) -> String {
        let mut code = format!("Role {{ part: Part::{}, ", self.part.unwrap_or("Open"));
        for (table, _) in TABLES.iter().filter(|(table, _)| *table != "recovery") {
            let rules = self.lists.get(table).into_iter().flatten().map(usize::to_string).collect();
            let _ = write!(code, "{table}: {}, ", pack.list("u16", rules));
        }
        let until = self.name_until.as_ref().map_or("None".to_owned(), |path| format!("Some({path})"));
        let _ = write!(
            code,
            "is_name: {}, is_thin: {}, name_until: {until}, name_until_text: {}, separator: {} }}",
            self.is_name,
            self.is_thin,
            pack.word(&self.name_until_text),
            pack.word(&self.separator)
        );
        code
    }
}

fn nodes(rule: &mut Section) -> Result<Vec<String>> {
    let nodes = rule.words("node")?;
    if nodes.is_empty() { Err(rule.error("\"node\" is missing")) } else { Ok(nodes) }
}

fn symbol_kind(word: &str) -> Result<String> {
    let words: Vec<&str> = SymbolKind::ALL.iter().map(|kind| kind.word()).collect();
    let kind =
        SymbolKind::of_word(word).ok_or_else(|| format!("kind {word:?} is none of {}", words.join(", ")))?;
    Ok(format!("SymbolKind::{kind:?}"))
}

/// The frames in which a rule applies, as bits. If the rule names no frame, it applies in all of them.
fn frames(rule: &mut Section) -> Result<u8> {
    let words = rule.words("in")?;
    if words.is_empty() {
        return Ok(u8::MAX);
    }
    words.iter().try_fold(0, |bits, word| Ok(bits | frame(word).map_err(|message| rule.error(message))?.1))
}

/// The name and the bit of a frame.
pub(crate) fn frame(word: &str) -> Result<(&'static str, u8)> {
    Ok(match word {
        "file" => ("File", 1),
        "module" => ("Module", 2),
        "type" => ("Type", 4),
        "value" => ("Value", 8),
        "function" => ("Function", 16),
        "local" => ("Local", 32),
        _ => return Err(format!("{word:?} is none of file, module, type, value, function, local")),
    })
}
