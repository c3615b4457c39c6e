//! Language servers as providers of answers about names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use locant_engine::names::{
    Action, CallDirection, Diagnostic, Hover, Mention, Problem, Proposal, Question, Refusal, Relative,
    Replacement, SignatureHelp, Suggestion, Target, TypeDirection,
};
use locant_engine::{Document, Range, syntax_error};
use locant_workspace::{Advice, Answered, Asked, Gap, Known, Provider, Unanswered};
use serde_json::{Value, json};

use crate::answers::{Reader, signatures};
use crate::catalogue::known;
use crate::config::{Config, is_allowed};
use crate::documents::uri_of;
use crate::entry::Entry;
use crate::formatting;
use crate::hierarchy;
use crate::pool::Pool;
use crate::position::Sheet;
use crate::question::{Breadth, Failed, Heard, How, Trouble, path_of};
use crate::reached::Reached;
use crate::tokens::tokens;
use crate::unread;

/// The language servers of this machine, as a provider.
pub struct Servers {
    pool: Arc<Pool>,
}

/// A question and the server that is asked.
pub(crate) struct Talk<'a> {
    pub(crate) server: &'a Reached,
    pub(crate) asked: &'a Asked<'a>,
}

/// What a rename changes, or why the server refuses it.
type Renamed = Result<Proposal, Refusal>;

const SEMANTIC_TOKENS: &str = "textDocument/semanticTokens";

/// An answer, and what may be missing from it.
pub(crate) struct Said {
    pub(crate) value: Value,
    pub(crate) gaps: Vec<Gap>,
}

impl Servers {
    /// A provider that asks the servers of this pool.
    pub fn new(pool: Arc<Pool>) -> Servers {
        Servers { pool }
    }

    /// Asks the first server, in the order of preference, that supports a method.
    fn with<T>(
        &self,
        asked: &Asked<'_>,
        method: &str,
        ask: impl Fn(&Talk<'_>) -> Result<(T, Vec<Gap>), Unanswered>,
    ) -> Answered<T> {
        if asked.scope.snapshot.is_closed() || asked.document.path().is_empty() {
            return Err(Unanswered::Unsupported);
        }
        let mut why = Unanswered::Unsupported;
        for (entry, program) in self.candidates(asked, method)? {
            let root = root(&entry, asked);
            let server = match self.pool.reach(&entry, &root, &program, asked.scope.is_alone) {
                Ok(server) => server,
                Err(reason) => {
                    why = Unanswered::Failed(reason);
                    // If no server was chosen by name, another one may answer.
                    continue;
                }
            };
            if !server.supports(method) {
                continue;
            }
            if let Some(objection) = server.counting().objection(asked.document.text().bytes()) {
                return Err(Unanswered::Failed(format!("{}: {objection}", server.who())));
            }
            if entry.cuts_names && asked.word().chars().any(|c| c.len_utf16() > 1) {
                let why = "it does not read the name at the place, which has a character outside of the BMP";
                return Err(Unanswered::Failed(format!("{}: {why}", server.who())));
            }
            let (value, gaps) = ask(&Talk { server: &server, asked })?;
            let root = Some(asked.scope.project.root.clone());
            return Ok(Known { value, who: server.who(), root, gaps });
        }
        Err(why)
    }

    /// The servers for a document that are on this machine, in the order of preference. To lay out a file, servers that
    /// know no names are asked first, because they often do it better.
    fn candidates(&self, asked: &Asked<'_>, method: &str) -> Result<Vec<(Arc<Entry>, PathBuf)>, Unanswered> {
        let config = Config::of(&asked.scope.project.root);
        let chosen = asked.scope.server;
        let is_formatting = method == formatting::METHOD;
        let is_asked = |entry: &Arc<Entry>| match chosen {
            Some(name) => entry.name == name,
            None => (is_formatting || !entry.only_by_name) && entry.is_for(asked.document),
        };
        let mut entries: Vec<Arc<Entry>> = config.entries.into_iter().filter(is_asked).collect();
        entries.sort_by_key(|entry| {
            (!(is_formatting && entry.only_by_name), entry.preference, entry.name.clone())
        });
        let root = &asked.scope.project.root;
        let matters = |entry: &&Arc<Entry>| entry.is_of_project || !entry.options_if_allowed.is_null();
        if entries.iter().any(|entry| matters(&entry)) && is_allowed(root) {
            entries = entries.iter().map(|entry| Arc::new(entry.allowed())).collect();
        } else if let Some(entry) = entries.iter().find(|entry| entry.is_of_project) {
            return Err(Unanswered::Forbidden { server: entry.name.clone(), folder: root.clone() });
        }
        let found =
            entries.into_iter().filter_map(|entry| Some((Arc::clone(&entry), self.pool.program(&entry)?)));
        let found: Vec<_> = found.collect();
        match chosen {
            Some(name) if found.is_empty() && name != "locant" => Err(Unanswered::Failed(missing(name))),
            _ => Ok(found),
        }
    }

    fn targets(&self, asked: &Asked<'_>, breadth: Breadth, method: &str) -> Answered<Vec<Target>> {
        self.with(asked, method, |talk| {
            let said = talk.ask(breadth, method, json!({}))?;
            let targets = talk.reader().targets(&said.value);
            let n_places = targets.iter().filter(|target| target.is_none()).count();
            Ok((targets.into_iter().flatten().collect(), said.gaps_with_lost(n_places)))
        })
    }

    fn related(&self, asked: &Asked<'_>, methods: hierarchy::Methods) -> Answered<Vec<Relative>> {
        self.with(asked, methods.prepare, |talk| hierarchy::related(talk, methods))
    }
}

/// Why a server that was chosen by its name cannot be asked.
fn missing(name: &str) -> String {
    match known().iter().find(|entry| entry.name == name) {
        Some(entry) => {
            format!("the server `{name}` is not on this machine; to install it: `{}`", entry.install)
        }
        None => format!("the server `{name}` is not known"),
    }
}

/// The root for a server: the nearest folder above the document that contains one of the root markers of the server. If
/// the project has no such folder, the root is that of the project.
fn root(entry: &Entry, asked: &Asked<'_>) -> PathBuf {
    let project = &asked.scope.project.root;
    let path = path_of(asked);
    let folders = path.ancestors().skip(1).take_while(|folder| folder.starts_with(project));
    let has_mark = |folder: &&Path| entry.root_markers.iter().any(|mark| folder.join(mark).exists());
    folders.into_iter().find(has_mark).unwrap_or(project).to_owned()
}

impl Talk<'_> {
    /// Asks about the place of the question. `more` has further parameters.
    pub(crate) fn ask(&self, breadth: Breadth, method: &str, more: Value) -> Result<Said, Unanswered> {
        self.ask_with(breadth, method, &self.params(more))
    }

    /// The place of the question as parameters, together with further ones.
    fn params(&self, more: Value) -> Value {
        let mut params = json!({"textDocument": self.document(), "position": self.position()});
        merge(&mut params, more);
        params
    }

    /// Asks with these parameters.
    pub(crate) fn ask_with(
        &self,
        breadth: Breadth,
        method: &str,
        params: &Value,
    ) -> Result<Said, Unanswered> {
        self.ask_how(How::Settled(breadth), method, params)
    }

    fn ask_how(&self, how: How, method: &str, params: &Value) -> Result<Said, Unanswered> {
        self.heard(how, self.server.ask(self.asked, how, method, params))
    }

    fn heard(&self, how: How, heard: Result<Heard, Failed>) -> Result<Said, Unanswered> {
        let heard = heard.map_err(|failed| {
            if failed.trouble.is_unknown_method() {
                Unanswered::Unsupported
            } else {
                Unanswered::Failed(failed.why)
            }
        })?;
        let busy = |work| Gap::StillReading { server: self.server.entry.name.clone(), work };
        let mut gaps: Vec<Gap> = heard.busy.map(busy).into_iter().collect();
        if how == How::Settled(Breadth::Wide) {
            let (entry, root) = (&self.server.entry, root(&self.server.entry, self.asked));
            gaps.extend(unread::all_of_root(entry, &root));
            gaps.extend(unread::outside_of_root(self.asked, entry, &root, &heard.value));
        }
        Ok(Said { value: heard.value, gaps })
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader { asked: self.asked, counting: self.server.counting() }
    }

    pub(crate) fn document(&self) -> Value {
        json!({"uri": uri_of(&path_of(self.asked))})
    }

    pub(crate) fn sheet(&self) -> Sheet<'_> {
        Sheet::new(self.asked.document.text().bytes(), self.server.counting())
    }

    fn position(&self) -> Value {
        self.sheet().position(self.asked.at.index())
    }

    /// The problems of the document. If the server cannot be asked for them, they are awaited.
    fn problems(&self) -> Result<(Vec<Value>, Vec<Gap>), Unanswered> {
        if self.server.supports("textDocument/diagnostic") {
            let params = json!({"textDocument": self.document()});
            let said = self.ask_with(Breadth::Near, "textDocument/diagnostic", &params)?;
            let items = said.value.get("items").and_then(Value::as_array).cloned().unwrap_or_default();
            return Ok((items, said.gaps));
        }
        let said = self.ask_how(How::Problems, "textDocument/publishDiagnostics", &Value::Null)?;
        let items = said.value.as_array().cloned().unwrap_or_default();
        Ok((items, said.gaps))
    }

    /// The changes that the server offers for a part of the document.
    fn actions(&self, within: Range) -> Result<(Vec<Action>, Vec<Gap>), Unanswered> {
        let (problems, _) = self.problems()?;
        let sheet = self.sheet();
        let touches = |problem: &&Value| {
            let range = problem.get("range").and_then(|range| sheet.range(range));
            range.is_some_and(|range| range.start() <= within.end() && within.start() <= range.end())
        };
        let problems: Vec<Value> = problems.iter().filter(touches).cloned().collect();
        let range = sheet.of_range(within);
        let context = json!({"diagnostics": problems, "triggerKind": 1});
        let params = json!({"textDocument": self.document(), "range": range, "context": context});
        let said = self.ask_with(Breadth::Near, "textDocument/codeAction", &params)?;
        let offered = said.value.as_array().map(Vec::as_slice).unwrap_or_default();
        let actions = offered.iter().filter(|action| action.get("disabled").is_none());
        Ok((actions.filter_map(|action| self.action(action)).collect(), said.gaps))
    }

    fn action(&self, offered: &Value) -> Option<Action> {
        let title = offered.get("title")?.as_str()?.to_owned();
        Some(Action {
            title,
            kind: offered.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned(),
            is_preferred: offered.get("isPreferred").and_then(Value::as_bool).unwrap_or_default(),
            changes: match self.changes(offered) {
                Ok(changes) if changes.is_empty() => Err("it changes nothing".to_owned()),
                changes => changes,
            },
        })
    }

    /// What an action would change. Some servers tell this only when they are asked a second time, and some only by
    /// running a command.
    fn changes(&self, offered: &Value) -> Result<Proposal, String> {
        let resolved = match offered.get("edit") {
            None if self.server.capability("/codeActionProvider/resolveProvider")
                == Some(&Value::Bool(true)) =>
            {
                self.server.ask(self.asked, How::Once, "codeAction/resolve", offered).ok()
            }
            _ => None,
        };
        let action = resolved.as_ref().map_or(offered, |resolved| &resolved.value);
        if let Some(edit) = action.get("edit") {
            return self.reader().proposal(edit);
        }
        let command = match action.get("command") {
            Some(Value::String(_)) => action,
            Some(command) => command,
            None => return Err("the server says nothing of what it would change".to_owned()),
        };
        self.admit(command, offered)?;
        let params = json!({"command": command.get("command"), "arguments": command.get("arguments")});
        let done = self.server.ask(self.asked, How::Command, "workspace/executeCommand", &params);
        let edits = done.map_err(|failed| failed.why)?.value;
        match edits.as_array().map(Vec::as_slice).unwrap_or_default() {
            [] => Err("the server changes nothing in files, or does so by itself".to_owned()),
            edits => self.reader().proposal_of_all(edits),
        }
    }

    /// Refuses to run a command that may do more than send edits.
    fn admit(&self, command: &Value, offered: &Value) -> Result<(), String> {
        let text = |value: &Value, name: &str| {
            value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let (entry, name, kind) = (&self.server.entry, text(command, "command"), text(offered, "kind"));
        if !entry.commands.contains(&name) {
            return Err(format!(
                "the server makes it by the command `{name}`, which may do more than change text"
            ));
        }
        let is_below = |other: &String| kind == *other || kind.starts_with(&format!("{other}."));
        if entry.writes_itself.iter().any(is_below) {
            return Err(
                "the server would write files itself; another server may leave that to locant".to_owned()
            );
        }
        Ok(())
    }

    /// What a rename changes. No replacement starts or ends inside a word.
    fn rename(&self, name: &str) -> Result<(Renamed, Vec<Gap>), Unanswered> {
        let params = self.params(json!({"newName": name}));
        let how = How::Settled(Breadth::Wide);
        let heard = self.server.ask(self.asked, how, "textDocument/rename", &params);
        // A server that does not want to rename something answers with an error.
        if let Err(Failed { trouble: trouble @ Trouble::Refused { .. }, why }) = &heard
            && !trouble.is_unknown_method()
        {
            let refusal = Refusal::new(why.clone(), "ask what the name is, or rename what it stands for");
            return Ok((Err(refusal), Vec::new()));
        }
        let said = self.heard(how, heard)?;
        if said.value.is_null() {
            let refusal = Refusal::no_name("name a place in a name that can be renamed");
            return Ok((Err(refusal), said.gaps));
        }
        let changes = self.reader().proposal(&said.value).and_then(|changes| {
            let fault = changes.replacements.iter().find_map(|change| Some((change, self.fault(change)?)));
            match fault {
                None => Ok(changes),
                Some((change, fault)) => Err(format!(
                    "it would change {fault} in `{}`, so its positions cannot be relied on",
                    change.path
                )),
            }
        });
        match changes {
            Ok(changes) if self.breaks_syntax(&changes) => {
                let why =
                    format!("with the name `{name}`, `{}` has a syntax error", self.asked.document.path());
                Ok((Err(Refusal::bad_name(why, "choose a name that the language allows")), said.gaps))
            }
            Ok(changes) => Ok((Ok(changes), said.gaps)),
            Err(why) => {
                let why = format!("{}: {why}", self.server.who());
                Ok((Err(Refusal::new(why, "nothing is renamed; choose another server")), said.gaps))
            }
        }
    }

    /// Whether changes would bring the first syntax error into the document of the question.
    fn breaks_syntax(&self, changes: &Proposal) -> bool {
        let (document, key) = (self.asked.document, self.reader().key(&path_of(self.asked)));
        let old = document.text().bytes();
        let (mut new, mut done) = (Vec::with_capacity(old.len()), 0);
        for one in changes.replacements.iter().filter(|one| one.path == key) {
            new.extend_from_slice(&old[done..one.range.start().index()]);
            new.extend_from_slice(one.text.as_bytes());
            done = one.range.end().index();
        }
        new.extend_from_slice(&old[done..]);
        let Some(reader) = document.reader().filter(|_| syntax_error(document) == Some(None)) else {
            return false;
        };
        let after = Document::new(document.path(), new).map(|after| after.in_language(reader));
        after.is_ok_and(|after| matches!(syntax_error(&after), Some(Some(_))))
    }

    /// What a change would damage, such as a part of a word or a line break, which a rename must not touch. `None` when
    /// it damages nothing.
    fn fault(&self, change: &Replacement) -> Option<&'static str> {
        let path = self.asked.scope.project.on_disk(&change.path);
        let Some(text) = self.reader().text(&path) else { return Some("a file that cannot be read") };
        if !Sheet::new(text.bytes(), self.server.counting()).is_whole(change.range) {
            return Some("a part of a word");
        }
        let old = &text.bytes()[change.range.start().index()..change.range.end().index()];
        let breaks =
            |bytes: &[u8]| bytes.iter().copied().filter(|byte| b"\r\n".contains(byte)).collect::<Vec<u8>>();
        (breaks(old) != breaks(change.text.as_bytes())).then_some("line breaks")
    }
}

impl Said {
    pub(crate) fn gaps_with_lost(self, n_places: usize) -> Vec<Gap> {
        let lost = (n_places > 0).then_some(Gap::LostPlaces { n_places });
        self.gaps.into_iter().chain(lost).collect()
    }
}

fn merge(params: &mut Value, more: Value) {
    if let (Value::Object(params), Value::Object(more)) = (params, more) {
        params.extend(more);
    }
}

impl Provider for Servers {
    fn who(&self) -> String {
        "language servers".to_owned()
    }

    fn knows(&self, document: &Document) -> bool {
        known().iter().any(|entry| entry.is_for(document)) || document.reader().is_none()
    }

    fn extensions(&self, _: Question) -> Vec<String> {
        Vec::new()
    }

    fn advice(&self, question: Question, document: &Document) -> Vec<Advice> {
        let is_formatting = question == Question::Format;
        let is_it = |entry: &&Arc<Entry>| entry.is_for(document) && (is_formatting || !entry.only_by_name);
        let mut entries: Vec<_> = known().iter().filter(is_it).collect();
        entries.sort_by_key(|entry| (!entry.only_by_name, entry.preference));
        let advice = |entry: &&Arc<Entry>| Advice {
            server: entry.name.clone(),
            install: entry.install.clone(),
            is_here: self.pool.program(entry).is_some(),
        };
        entries.iter().map(advice).collect()
    }

    fn definition(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        self.targets(asked, Breadth::Near, "textDocument/definition")
    }

    fn declaration(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        match self.targets(asked, Breadth::Near, "textDocument/declaration") {
            // If a language has no declarations apart from definitions, servers mostly offer only the definition.
            Err(Unanswered::Unsupported) => self.definition(asked),
            answer => answer,
        }
    }

    fn type_definition(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        self.targets(asked, Breadth::Near, "textDocument/typeDefinition")
    }

    fn implementation(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        self.targets(asked, Breadth::Wide, "textDocument/implementation")
    }

    fn references(&self, asked: &Asked<'_>) -> Answered<Vec<Mention>> {
        let method = "textDocument/references";
        self.with(asked, method, |talk| {
            let context = json!({"context": {"includeDeclaration": true}});
            let said = talk.ask(Breadth::Wide, method, context)?;
            let (mentions, n_lost) = talk.reader().mentions(&said.value);
            Ok((mentions, said.gaps_with_lost(n_lost)))
        })
    }

    fn highlights(&self, asked: &Asked<'_>) -> Answered<Vec<Mention>> {
        let method = "textDocument/documentHighlight";
        self.with(asked, method, |talk| {
            let said = talk.ask(Breadth::Near, method, json!({}))?;
            let mut value = said.value;
            let uri = talk.document();
            for item in value.as_array_mut().into_iter().flatten() {
                merge(item, uri.clone());
            }
            Ok((talk.reader().mentions(&value).0, said.gaps))
        })
    }

    fn calls(&self, asked: &Asked<'_>, direction: CallDirection) -> Answered<Vec<Relative>> {
        self.related(asked, hierarchy::calls(direction))
    }

    fn types(&self, asked: &Asked<'_>, direction: TypeDirection) -> Answered<Vec<Relative>> {
        self.related(asked, hierarchy::types(direction))
    }

    fn actions(&self, asked: &Asked<'_>, within: Range) -> Answered<Vec<Action>> {
        self.with(asked, "textDocument/codeAction", |talk| talk.actions(within))
    }

    fn hover(&self, asked: &Asked<'_>) -> Answered<Option<Hover>> {
        let method = "textDocument/hover";
        self.with(asked, method, |talk| {
            let said = talk.ask(Breadth::Near, method, json!({}))?;
            Ok((talk.reader().hover(&said.value), said.gaps))
        })
    }

    fn renamable(&self, asked: &Asked<'_>) -> Answered<Result<Range, Refusal>> {
        self.with(asked, "textDocument/rename", |talk| {
            let can_prepare =
                talk.server.capability("/renameProvider/prepareProvider") == Some(&Value::Bool(true));
            let word = || Ok(asked.word_range());
            if !can_prepare {
                return Ok((word(), Vec::new()));
            }
            let said = talk.ask(Breadth::Near, "textDocument/prepareRename", json!({}))?;
            let range = said.value.get("range").unwrap_or(&said.value);
            let range = match talk.reader().here(range) {
                Some(range) => Ok(range),
                None if said.value.is_null() => Err(Refusal::no_name("name a place in a name")),
                None => word(),
            };
            Ok((range, said.gaps))
        })
    }

    fn rename(&self, asked: &Asked<'_>, name: &str) -> Answered<Result<Proposal, Refusal>> {
        self.with(asked, "textDocument/rename", |talk| talk.rename(name))
    }

    fn suggestions(&self, asked: &Asked<'_>) -> Answered<Vec<Suggestion>> {
        let method = "textDocument/completion";
        self.with(asked, method, |talk| {
            let said = talk.ask(Breadth::Near, method, json!({"context": {"triggerKind": 1}}))?;
            let mut gaps = said.gaps;
            if said.value.get("isIncomplete") == Some(&Value::Bool(true)) {
                let work = "it gives only a part of a long list".to_owned();
                gaps.push(Gap::StillReading { server: talk.server.entry.name.clone(), work });
            }
            Ok((talk.reader().suggestions(&said.value), gaps))
        })
    }

    fn signatures(&self, asked: &Asked<'_>) -> Answered<Option<SignatureHelp>> {
        let method = "textDocument/signatureHelp";
        self.with(asked, method, |talk| {
            let said = talk.ask(Breadth::Near, method, json!({}))?;
            Ok((signatures(&said.value), said.gaps))
        })
    }

    fn problems(&self, asked: &Asked<'_>) -> Answered<Vec<Diagnostic>> {
        self.with(asked, "diagnostics", |talk| {
            let (items, gaps) = talk.problems()?;
            Ok((talk.reader().problems(&items), gaps))
        })
    }

    fn format(
        &self,
        asked: &Asked<'_>,
        within: Option<Range>,
    ) -> Answered<Result<Vec<Replacement>, Problem>> {
        self.with(asked, formatting::METHOD, |talk| {
            talk.format(within).map(|(changes, gaps)| (Ok(changes), gaps))
        })
    }

    fn request(&self, asked: &Asked<'_>, method: &str, within: Range) -> Answered<Value> {
        // The protocol has no method of this name, but two that begin with it.
        let method = if method == SEMANTIC_TOKENS { "textDocument/semanticTokens/full" } else { method };
        self.with(asked, method, |talk| {
            let range = talk.sheet().of_range(within);
            let more = json!({"range": range, "positions": [talk.position()], "context": {"includeDeclaration": true,
                "diagnostics": []}, "options": {"tabSize": 4, "insertSpaces": true}});
            let said = talk.ask(Breadth::Near, method, more)?;
            let legend = talk.server.capability("/semanticTokensProvider/legend");
            let tokens = method.starts_with(SEMANTIC_TOKENS).then(|| tokens(&said.value, legend)).flatten();
            let mut value = tokens.unwrap_or(said.value);
            talk.reader().rewrite(&mut value);
            Ok((value, said.gaps))
        })
    }
}
