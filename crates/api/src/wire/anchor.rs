//! An anchor in JSON: what is stored about a place, small and readable.

use std::convert::Infallible;

use locant_engine::{self as engine, Digest, Location, SymbolKind};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::failure::Failure;
use crate::files::Files;
use crate::flags::Flags;
use crate::phrase::{call, phrase};
use crate::request::in_plain_words;

/// The version of the format that is written. It is raised when an old anchor would be misread.
const VERSION: u32 = 2;

/// The characters of the text form of digests. Each stands for six bits.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// What is stored about a place, so that it can be found again after its file has changed. Store it unchanged.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub(crate) struct Anchor {
    /// The form of the anchor: 2.
    version: u32,
    /// The location that led there.
    location: String,
    /// The place in the text that was described, as a number of bytes.
    offset: u32,
    /// A digest of that text.
    digest: String,
    /// The innermost symbol around the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    symbol: Option<AnchoredSymbol>,
    /// The line of the place, without the blanks at its ends. A very long line is cut to the part around the place.
    line: String,
    /// The digest of the whole line.
    line_digest: String,
    /// Where the word at the place starts in `line`, in bytes.
    word: u32,
    /// How many bytes the place is after the start of that word.
    #[serde(default, skip_serializing_if = "is_zero")]
    within: i32,
    /// The nearest lines above that are not blank, the nearest first.
    before: Vec<String>,
    /// The nearest lines below.
    after: Vec<String>,
    /// Digests of more lines above, three characters each, the nearest first.
    above: String,
    /// Digests of more lines below.
    below: String,
    /// How many lines of the text are equal to this one, and how many of them are above it.
    twins: [u32; 2],
    /// How often the word occurs in the text, and how often before the place.
    words: [u32; 2],
    /// The other lines that have the word, six characters each: the digest of the line, and of those around it.
    others: String,
}

/// An anchor in a request: alone, or inside of the whole answer of `describe`.
#[derive(Clone, Debug)]
pub(crate) enum GivenAnchor {
    /// As a JSON value in a request.
    Value(Value),
    /// As JSON in an argument of the command line.
    Json(String),
    /// In the file with this path.
    File(String),
}

/// The symbol around the place of an anchor.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
struct AnchoredSymbol {
    /// The names that lead to it, its own last.
    path: Vec<String>,
    /// What it is.
    kind: String,
}

impl Anchor {
    pub(crate) fn new(anchor: &engine::Anchor) -> Anchor {
        Anchor {
            version: VERSION,
            location: anchor.location.to_string(),
            offset: anchor.offset,
            digest: format!("{:016x}", anchor.text),
            symbol: anchor.symbol.as_ref().map(|symbol| AnchoredSymbol {
                path: symbol.path.clone(),
                kind: symbol.kind.word().to_owned(),
            }),
            line: anchor.line.clone(),
            line_digest: written(&[anchor.digest]),
            word: anchor.word,
            within: anchor.within,
            before: anchor.before.clone(),
            after: anchor.after.clone(),
            above: written(&anchor.above),
            below: written(&anchor.below),
            twins: [anchor.twins.count, anchor.twins.index],
            words: [anchor.words.count, anchor.words.index],
            others: anchor.others.iter().map(|other| written(&[other.line, other.around])).collect(),
        }
    }

    /// Converts to an anchor of the engine. `exists` returns whether a path names a file.
    fn read(self, exists: &dyn Fn(&str) -> bool) -> Result<engine::Anchor, Failure> {
        if self.version != VERSION {
            return Err(bad_anchor(&format!("has the form {}, and only {VERSION} is read", self.version)));
        }
        let [line_digest] = digests(&self.line_digest)?[..] else {
            return Err(bad_anchor("has no digest of its line"));
        };
        let rank = |[count, index]: [u32; 2]| engine::Rank { count, index };
        Ok(engine::Anchor {
            location: Location::parse(&self.location, exists)?,
            text: u64::from_str_radix(&self.digest, 16)
                .map_err(|_| bad_anchor("has a digest that is not a hexadecimal number"))?,
            offset: self.offset,
            symbol: self.symbol.map(symbol).transpose()?,
            line: self.line,
            digest: line_digest,
            word: self.word,
            within: self.within,
            before: self.before,
            after: self.after,
            above: digests(&self.above)?,
            below: digests(&self.below)?,
            twins: rank(self.twins),
            words: rank(self.words),
            others: others(&self.others)?,
        })
    }
}

impl GivenAnchor {
    /// Reads an argument of the command line: JSON, or the name of a file that contains it.
    pub(crate) fn of_argument(argument: &str) -> Result<GivenAnchor, Infallible> {
        let given =
            if argument.trim_start().starts_with('{') { GivenAnchor::Json } else { GivenAnchor::File };
        Ok(given(argument.to_owned()))
    }

    /// Reads the anchor. `exists` returns whether a path names a file.
    pub(crate) fn read(&self, exists: &dyn Fn(&str) -> bool) -> Result<engine::Anchor, Failure> {
        match self {
            GivenAnchor::Value(value) => anchor_in(value.clone(), "the request")?,
            GivenAnchor::Json(json) => anchor_in(json_in(json.as_bytes(), "the argument")?, "the argument")?,
            GivenAnchor::File(path) => {
                let holder = format!("the file `{path}`");
                // The file belongs to the user and not to the workspace, so its path does not start from the root.
                let json = Files::default().read(path, &Flags::default())?;
                anchor_in(json_in(json.bytes(), &holder)?, &holder)?
            }
        }
        .read(exists)
    }
}

impl<'de> Deserialize<'de> for GivenAnchor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GivenAnchor, D::Error> {
        Value::deserialize(deserializer).map(GivenAnchor::Value)
    }
}

fn json_in(text: &[u8], holder: &str) -> Result<Value, Failure> {
    let no_json = |error| no_anchor(&format!("{holder} has no anchor in it: it is not JSON: {error}"));
    serde_json::from_slice(text).map_err(no_json)
}

/// The anchor in a JSON value, which may be the whole answer of `describe`. `holder` names the source for messages.
fn anchor_in(mut value: Value, holder: &str) -> Result<Anchor, Failure> {
    if let Some(error) = value.get("error") {
        let message = error.get("message").and_then(Value::as_str).unwrap_or("one without words");
        return Err(no_anchor(&format!("{holder} has no anchor in it, but an error: {message}")));
    }
    let anchor = value.get_mut("anchor").map(Value::take).unwrap_or(value);
    serde_json::from_value(anchor).map_err(|error: serde_json::Error| {
        let why = in_plain_words(error.to_string());
        no_anchor(&format!("{holder} has no whole anchor in it: {why}"))
    })
}

fn no_anchor(message: &str) -> Failure {
    Failure::invalid(
        message,
        phrase!["make one with: ", call("describe").with("locate", "FILE:LINE:COL").with("json", "")],
    )
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

fn symbol(AnchoredSymbol { path, kind }: AnchoredSymbol) -> Result<engine::AnchoredSymbol, Failure> {
    let known = SymbolKind::of_word(&kind);
    let kind =
        known.ok_or_else(|| bad_anchor(&format!("names a kind of symbol that there is not: `{kind}`")))?;
    Ok(engine::AnchoredSymbol { path, kind })
}

/// Writes three characters for each digest, lowest bits first: 0 is `AAA`, 1 is `BAA`, 64 is `ABA`.
fn written(digests: &[Digest]) -> String {
    let character = |bits: u32| char::from(ALPHABET[bits as usize & 63]);
    digests
        .iter()
        .map(|digest| digest.number())
        .flat_map(|number| [character(number), character(number >> 6), character(number >> 12)])
        .collect()
}

fn digests(written: &str) -> Result<Vec<Digest>, Failure> {
    let bits =
        |byte: &u8| ALPHABET.iter().position(|known| known == byte).and_then(|at| u32::try_from(at).ok());
    let digest = |three: &[u8]| -> Option<Digest> {
        let [low, middle, high] = three else { return None };
        Digest::of_number(bits(low)? | bits(middle)? << 6 | bits(high)? << 12)
    };
    let all = written.as_bytes().chunks(3).map(digest).collect::<Option<Vec<_>>>();
    all.ok_or_else(|| bad_anchor("has digests that are cut or changed"))
}

fn others(written: &str) -> Result<Vec<engine::Other>, Failure> {
    let digests = digests(written)?;
    let other = |pair: &[Digest]| match *pair {
        [line, around] => Ok(engine::Other { line, around }),
        _ => Err(bad_anchor("has digests that are cut or changed")),
    };
    digests.chunks(2).map(other).collect()
}

fn bad_anchor(what: &str) -> Failure {
    let hint = phrase!["give it as `", call("describe"), "` gave it in `anchor`"];
    Failure::invalid(format!("the anchor {what}"), hint)
}
