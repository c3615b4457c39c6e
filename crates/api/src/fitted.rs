//! Answers that fit into a number of characters, for readers who pay for each of them.
//!
//! A list is cut to a page that fits, and its `next` leads on. A source is cut to the lines that fit. The command
//! itself cuts, so that all forms of the answer have the same parts. This module only asks the command for less, until
//! all forms fit.

use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::answer::{Form, Reply};
use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::phrase::{phrase, setting};
use crate::request::{Context, Request, run};

/// How many characters an answer may have if the request does not say.
pub const BUDGET: usize = 25_000;

/// The largest number of characters that a request may ask for.
const MOST: usize = 10_000_000;

/// How many characters an item of a list usually takes.
const ITEM: usize = 400;

/// How many characters of source are shown, and how many places or symbols a search lists, if the request does not say.
/// A model reads on where it needs to, and pays for nothing else.
const SOURCE: usize = 4_000;
const PLACES: usize = 30;
const SYMBOLS: usize = 10;

/// How many times a command is asked, each time for less.
const TRIES: usize = 8;

/// An answer in the two forms that an agent gets.
#[derive(Debug)]
pub struct Fitted {
    /// For programs.
    pub json: String,
    /// For the model.
    pub markdown: String,
    /// Whether the answer contains what was asked for.
    pub is_found: bool,
}

/// Answers a request in the two forms, each with fewer characters than the request allows in its field `budget`.
pub fn run_fitted(
    fields: Map<String, Value>,
    defaults: &Flags,
    context: Context<'_>,
) -> Result<Fitted, Failure> {
    let budget = budget(&fields)?;
    let mut asked = Asked::new(fields, budget);
    let mut length = usize::MAX;
    for _ in 0..TRIES {
        let answer = run(Request::from_json(asked.fields.clone(), defaults)?, context)?;
        let json = written(&*answer, Form::Json, context, budget)?;
        let markdown = written(&*answer, Form::Markdown, context, budget)?;
        let longest = json.length.max(markdown.length);
        if longest < budget {
            let (json, markdown) = (json.text(), markdown.text());
            return Ok(Fitted { json, markdown, is_found: answer.has_found() });
        }
        // If the answer is no shorter than before, the command cannot answer in fewer characters.
        if length <= longest || !asked.cut(answer.length(), budget, longest) {
            break;
        }
        length = longest;
    }
    Err(too_long(budget))
}

fn budget(fields: &Map<String, Value>) -> Result<usize, Failure> {
    let is_all = fields.get("all") == Some(&Value::Bool(true));
    match fields.get("budget") {
        None | Some(Value::Null) => Ok(if is_all { MOST } else { BUDGET }),
        Some(budget) => match budget.as_u64().and_then(|budget| usize::try_from(budget).ok()) {
            Some(budget) if budget > 0 => Ok(budget.min(MOST)),
            _ => Err(Failure::invalid("`budget` is not a number of characters", "write \"budget\": 25000")),
        },
    }
}

fn too_long(budget: usize) -> Failure {
    Failure::new(
        Kind::Unsupported,
        format!("the answer is longer than {budget} characters, and cannot be cut"),
        phrase!["ask about less, or allow more: `", setting("budget", (budget * 4).to_string()), "`"],
    )
}

/// The request, whose fields ask for less each time.
struct Asked {
    fields: Map<String, Value>,
}

impl Asked {
    fn new(mut fields: Map<String, Value>, budget: usize) -> Asked {
        fields.retain(|_, value| !value.is_null());
        let is_page = ["limit", "next", "all"].iter().any(|name| fields.contains_key(*name));
        let is_asked = fields.contains_key("budget");
        let (source, places) = match fields.get("op").and_then(Value::as_str) {
            Some("read") if !is_asked => (budget.min(SOURCE), usize::MAX),
            Some("search") if !is_asked && fields.contains_key("text") => (budget, PLACES),
            Some("search") if !is_asked => (budget, SYMBOLS),
            _ => (budget, usize::MAX),
        };
        if !is_page || is_asked {
            fields.insert("budget".to_owned(), source.into());
        }
        if !fields.contains_key("limit") && fields.get("all") != Some(&Value::Bool(true)) {
            fields.insert("limit".to_owned(), (budget / ITEM).clamp(1, places).into());
        }
        Asked { fields }
    }

    /// Asks for less, in proportion to how much too long the answer was. Returns `false` if there is nothing to cut.
    fn cut(&mut self, n_listed: Option<usize>, budget: usize, length: usize) -> bool {
        // A little less, since items are not all of the same length.
        let share = |number: usize| number.saturating_mul(budget) / length * 9 / 10;
        match n_listed {
            Some(0 | 1) => false,
            Some(n_listed) => {
                self.fields.remove("all");
                self.fields.insert("limit".to_owned(), share(n_listed).max(1).into());
                true
            }
            None => {
                let asked = self.fields.get("budget").and_then(Value::as_u64).unwrap_or_default();
                let less = share(usize::try_from(asked).unwrap_or(usize::MAX));
                self.fields.insert("budget".to_owned(), less.into());
                less > 0
            }
        }
    }
}

/// A form of an answer, or how long it would be.
struct Written {
    bytes: Vec<u8>,
    /// The number of characters, where JSON counts as if blanks were between its parts. At most `most`.
    length: usize,
    most: usize,
}

fn written(answer: &dyn Reply, form: Form, context: Context<'_>, budget: usize) -> Result<Written, Failure> {
    let mut written = Written { bytes: Vec::new(), length: 0, most: budget.saturating_mul(50) };
    let done = answer.write(form, context.voice, &mut written);
    if form == Form::Json {
        let n_parts = written.bytes.iter().filter(|byte| matches!(byte, b',' | b':')).count();
        written.length += n_parts;
    }
    match done {
        Err(error) if written.length < written.most => {
            Err(Failure::new(Kind::Io, format!("the answer could not be written: {error}"), "ask again"))
        }
        Ok(()) | Err(_) => Ok(written),
    }
}

impl Written {
    fn text(self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.length >= self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        self.length = self.bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
