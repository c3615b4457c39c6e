//! Translates the small notations inside rules into code: paths, conditions and recovery lines.

use std::collections::BTreeMap;

use crate::pack::Pack;
use crate::section::Result;

/// Numbers for the kinds and fields that the rules of a language mention.
pub(crate) struct Numbers {
    pub(crate) pack: Pack,
    /// The key is the name of the kind, and whether the kind is named rather than a token.
    pub(crate) kinds: BTreeMap<(String, bool), usize>,
    pub(crate) fields: BTreeMap<String, usize>,
}

impl Numbers {
    pub(crate) fn new(pack: &Pack) -> Numbers {
        Numbers { pack: pack.clone(), kinds: BTreeMap::new(), fields: BTreeMap::new() }
    }

    /// The number of a kind, written `kind`, or `'token'` for a token.
    pub(crate) fn kind(&mut self, word: &str) -> usize {
        let token = word.strip_prefix('\'').and_then(|word| word.strip_suffix('\''));
        let key = (token.unwrap_or(word).to_owned(), token.is_none());
        let next = self.kinds.len();
        *self.kinds.entry(key).or_insert(next)
    }

    fn field(&mut self, word: &str) -> usize {
        let next = self.fields.len();
        *self.fields.entry(word.to_owned()).or_insert(next)
    }

    /// A list of kinds as code.
    pub(crate) fn kind_list(&mut self, words: &[String]) -> String {
        let kinds = words.iter().map(|word| self.kind(word).to_string()).collect();
        self.pack.list("u16", kinds)
    }

    /// Alternative paths as code.
    pub(crate) fn paths(&mut self, words: &[String]) -> Result<String> {
        let paths = words.iter().map(|word| self.path(word)).collect::<Result<_>>()?;
        Ok(self.pack.list("Path", paths))
    }

    /// A path such as `^.left.(kind)*` as code.
    pub(crate) fn path(&mut self, word: &str) -> Result<String> {
        if word == "." {
            return Ok(self.pack.list("Step", Vec::new()));
        }
        let steps = split_outside_brackets(word);
        let n_up = steps.iter().take_while(|step| *step == "^").count();
        if steps[n_up..].iter().any(|step| step == "^") {
            return Err(format!("path {word:?}: \"^\" can only stand in front"));
        }
        if n_up > 0 && steps.iter().any(|step| step.ends_with('*')) {
            return Err(format!("path {word:?}: a path from a parent leads to one node"));
        }
        let steps = steps.iter().map(|step| self.step(step, word)).collect::<Result<_>>()?;
        Ok(self.pack.list("Step", steps))
    }

    fn step(&mut self, step: &str, path: &str) -> Result<String> {
        let (single, is_all) = step.strip_suffix('*').map_or((step, false), |single| (single, true));
        let kind = single.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let saying = kind.filter(|kind| !kind.starts_with('\'')).and_then(|kind| kind.split_once(':'));
        if let Some((kind, word)) = saying.filter(|_| !is_all) {
            return Ok(format!("Step::Saying({}, {})", self.kind(kind), self.pack.word(word)));
        }
        let kinds: Vec<String> = kind.unwrap_or_default().split('|').map(str::to_owned).collect();
        if kinds.len() > 1 && kinds.iter().all(|kind| !kind.starts_with('\'')) && is_all {
            return Ok(format!("Step::Among({})", self.kind_list(&kinds)));
        }
        Ok(match (single, kind, is_all) {
            ("^", None, false) => "Step::Parent".to_owned(),
            ("", None, true) => "Step::All".to_owned(),
            (_, Some(kind), false) => format!("Step::Child({})", self.kind(kind)),
            (_, Some(kind), true) => format!("Step::Children({})", self.kind(kind)),
            (number, None, false) if number.parse::<u16>().is_ok() => format!("Step::Nth({number})"),
            (field, None, _)
                if !field.is_empty() && field.chars().all(|c| c.is_alphanumeric() || c == '_') =>
            {
                format!("Step::Field{}({})", if is_all { "s" } else { "" }, self.field(field))
            }
            _ => {
                return Err(format!(
                    "path {path:?}: cannot read the step {step:?}; write field, (kind), (kind:word), \
                     ('token'), 0, * or ^"
                ));
            }
        })
    }

    /// A condition such as `not left is identifier` as code.
    pub(crate) fn condition(&mut self, word: &str) -> Result<String> {
        let mut words: Vec<String> = word.split_whitespace().map(str::to_owned).collect();
        let negated = words.first().is_some_and(|word| word == "not");
        if negated {
            words.remove(0);
        }
        let (path, rest) = words.split_first().ok_or_else(|| format!("condition {word:?} is empty"))?;
        let path = self.path(path)?;
        let test = match rest.split_first() {
            None => "Test::Exists".to_owned(),
            Some((is, kinds)) if is == "is" && !kinds.is_empty() => {
                format!("Test::Kind({})", self.kind_list(kinds))
            }
            Some((text, words)) if text == "text" && !words.is_empty() => {
                format!("Test::Text({})", self.pack.words(words))
            }
            Some((broken, [])) if broken == "broken" => "Test::Broken".to_owned(),
            Some((beside, [])) if beside == "beside" => "Test::Beside".to_owned(),
            Some((long, [])) if long == "long" => "Test::Long".to_owned(),
            Some((glued, [])) if glued == "glued" => "Test::Glued".to_owned(),
            Some((starts, words)) if starts == "starts" && !words.is_empty() => {
                format!("Test::Start({})", self.pack.words(words))
            }
            Some((has, words)) if has == "has" && !words.is_empty() => {
                format!("Test::Has({})", self.pack.words(words))
            }
            Some(_) => {
                return Err(format!(
                    "condition {word:?}: after the path comes nothing, \"is KIND …\", \"text WORD …\", \
                     \"starts WORD …\", \"has WORD …\", \"broken\", \"beside\", \"glued\" or \"long\""
                ));
            }
        };
        Ok(format!("Condition {{ negated: {negated}, path: {path}, test: {test} }}"))
    }

    /// Conditions as code.
    pub(crate) fn conditions(&mut self, words: &[String]) -> Result<String> {
        let conditions = words.iter().map(|word| self.condition(word)).collect::<Result<_>>()?;
        Ok(self.pack.list("Condition", conditions))
    }
}

fn split_outside_brackets(path: &str) -> Vec<String> {
    let mut steps = vec![String::new()];
    let mut is_inside = false;
    for c in path.chars() {
        is_inside = (is_inside || c == '(') && c != ')';
        match c {
            '.' if !is_inside => steps.push(String::new()),
            _ => steps.last_mut().expect("starts with one step").push(c),
        }
    }
    steps
}

/// The pieces of a recovery line, such as `func ({receiver}) {name}(`, as code. A line that declares nothing needs no
/// name.
pub(crate) fn pieces(line: &str, is_nothing: bool, pack: &Pack) -> Result<String> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let n_word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let braced = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        if c == ' ' {
            rest = rest.trim_start();
            pieces.push("Piece::Gap".to_owned());
        } else if let Some((word, after)) = braced.filter(|(word, _)| word.chars().all(char::is_alphabetic)) {
            let piece = match word {
                "name" => "Name",
                "path" => "Path",
                "selector" => "Selector",
                "type" => "Type",
                "qualifier" => "Qualifier",
                "receiver" => "Receiver",
                "macros" => "Macros",
                "generics" => "Generics",
                "text" => "Text",
                "any" => "Any",
                "end" => "End",
                _ => {
                    return Err(format!(
                        "line {line:?}: no such piece {{{word}}}; there are name, path, selector, text, \
                         type, qualifier, receiver, macros, generics, any, end"
                    ));
                }
            };
            pieces.push(format!("Piece::{piece}"));
            rest = after;
        } else if n_word > 0 {
            pieces.push(format!("Piece::Word({})", pack.word(&rest[..n_word])));
            rest = &rest[n_word..];
        } else if c.is_ascii() {
            pieces.push(format!("Piece::Mark({})", u32::from(c)));
            rest = &rest[1..];
        } else {
            return Err(format!("line {line:?}: cannot read {c:?}"));
        }
    }
    let declares = ["Piece::Name", "Piece::Selector", "Piece::Path", "Piece::Text", "Piece::Receiver"];
    if !is_nothing && !pieces.iter().any(|piece| declares.contains(&piece.as_str())) {
        return Err(format!("line {line:?} has no {{name}}"));
    }
    Ok(pack.list("Piece", pieces))
}
