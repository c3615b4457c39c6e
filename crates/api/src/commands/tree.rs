//! `tree`: every node of a file's syntax tree and where it is.

use std::fmt::Write as _;

use clap::Args;
use locant_engine::{self as engine, Document, Node, Offset, PositionTree, Reader};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::coordinates;
use crate::encoding::Encoding;
use crate::failure::{Failure, Kind, left_out};
use crate::flags::Flags;
use crate::how::How;
use crate::how_found::HowFound;
use crate::phrase::{Phrase, Voice, call, phrase, setting};
use crate::place::{Located, Place};
use crate::request::Context;
use crate::subject::Subject;

use crate::{show, wire};

/// Show the syntax tree of a file, or the nodes around a place
///
/// A location with a place, or `--at`, gives the nodes around that place, the outermost first; right after a
/// word it is still that word. `--verify` compares every node with the parser. Without a place or a flag: `--stats`.
///
///   locant tree foo.py --at 3:5
///   locant tree 'foo.py@return <|>x'
///   locant tree foo.py --verify
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Tree {
    #[command(flatten)]
    #[serde(flatten)]
    subject: Subject,
    /// The nodes around this place
    #[arg(long, value_name = "LINE:COL")]
    at: Option<String>,
    /// Compare every node with the parser: kind, field, bytes, rows and columns
    #[arg(long)]
    #[serde(default)]
    verify: bool,
    /// How many nodes there are, how deep they are nested, how many bytes they take
    #[arg(long)]
    #[serde(default)]
    stats: bool,
    /// All nodes, parents before their children
    #[arg(long)]
    #[serde(default)]
    nodes: bool,
}

/// The requested parts of a file's syntax tree.
#[derive(Debug, JsonSchema, Serialize)]
pub struct TreeAnswer {
    /// The path of the file, as in the request.
    file_path: String,
    /// How many nodes there are.
    nodes: usize,
    /// How many nodes are errors, or are missing from the text.
    errors: usize,
    /// How many bytes of memory the tree takes for each node.
    bytes_per_node: f64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    stats: Option<Stats>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    verified: Option<Verified>,
    /// The nodes around the place, outermost first.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Vec<PathNode>>,
    /// The unit in which `character` counts.
    encoding: Encoding,
    /// All nodes: the kind, the first byte, and the first byte after the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Vec<(String, u32, u32)>>,
    /// Notes about the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// How large a tree is.
#[derive(Debug, JsonSchema, Serialize)]
struct Stats {
    /// How many bytes of memory the tree takes.
    bytes: usize,
    /// How deep nodes are nested, counting the innermost one.
    depth: u32,
}

/// The result of the comparison with the parser.
#[derive(Debug, JsonSchema, Serialize)]
struct Verified {
    /// How many nodes differ from those of the parser.
    mismatches: usize,
    /// The path to the first node that differs, and that node as the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trace: Vec<Compared>,
}

/// A node in both trees.
#[derive(Debug, JsonSchema, Serialize)]
struct Compared {
    /// The node of the parser.
    parser: String,
    /// The node of the position tree.
    tree: String,
}

/// A node on the path to a place.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct PathNode {
    /// The name of the node's kind in the grammar.
    kind: String,
    /// Whether the node is a rule of the grammar, and not only a piece of text.
    named: bool,
    /// The field of the parent that the node is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// Where the node is.
    range: wire::Range,
    /// The range of the node without the delimiter that closes it, if there is one. It ends with the last child before
    /// that.
    content_range: wire::Range,
    /// The first byte of the node.
    start_byte: u32,
    /// The first byte after the node.
    end_byte: u32,
}

impl Ask for Tree {
    type Answer = HowFound<TreeAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<TreeAnswer>, Failure> {
        let at = self.at.as_deref().map(wire::Position::of_argument).transpose()?;
        let place = self.subject.open(flags, context.files)?;
        let (offset, how) = offset(&place, at, flags)?;
        let document = &*place.document;
        let tree = &*document.tree_as_it_stands().ok_or_else(|| unread(document))?;
        let is_bare = offset.is_none() && !self.verify && !self.nodes;
        let nodes = tree.nodes();
        let is_error =
            |node: &&Node| node.label.is_missing() || tree.vocabulary().kind(node.label).name == "ERROR";
        let answer = TreeAnswer {
            file_path: document.path().to_owned(),
            nodes: nodes.len(),
            errors: nodes.iter().filter(is_error).count(),
            bytes_per_node: tree.n_bytes() as f64 / nodes.len().max(1) as f64,
            stats: (self.stats || is_bare).then(|| Stats { bytes: tree.n_bytes(), depth: tree.depth() }),
            verified: if self.verify { engine::verify(document).map(Verified::new) } else { None },
            path: offset.map(|offset| path(document, tree, offset, flags.encoding())),
            encoding: flags.encoding(),
            list: self.nodes.then(|| list(tree, &nodes)),
            note: wire::note(document),
        };
        Ok(if offset.is_some() { HowFound::new(answer, how) } else { HowFound::of_file(answer) })
    }
}

/// The requested place and how it was found, if the request names one.
fn offset(
    place: &Place,
    at: Option<wire::Position>,
    flags: &Flags,
) -> Result<(Option<Offset>, How), Failure> {
    let is_file = place.is_whole_file();
    match at {
        Some(at) if is_file => {
            Ok((Some(coordinates::offset(&place.document, at, flags.encoding())?), How::EXACT))
        }
        Some(_) => {
            Err(Failure::invalid("the location has a place, and there is `at` too", "give one of them"))
        }
        None if is_file => Ok((None, How::EXACT)),
        None => {
            let Located { found, how } = place.located(flags)?;
            Ok((Some(found.offset), how))
        }
    }
}

fn unread(document: &Document) -> Failure {
    let path = document.path();
    match document.reader() {
        None | Some(Reader::Proto) => left_out(path).unwrap_or_else(|| {
            Failure::new(
                Kind::Unsupported,
                format!("`{path}` is in a language that is not read"),
                phrase!["name the language with `", setting("language", "NAME"), "`"],
            )
        }),
        Some(Reader::Grammar(language)) => Failure::new(
            Kind::Unsupported,
            format!(
                "the parser for {} gives up on `{path}`: it would read it over and over",
                language.title()
            ),
            phrase![
                "ask for places in it by lines or by text: `",
                call("locate").with("locate", "FILE@TEXT"),
                "`",
            ],
        ),
    }
}

/// The innermost node at a place, for answers of other commands. `None` if there is none, or if the text is too large
/// to be parsed just for this.
pub(crate) fn node_at(document: &Document, offset: Offset, encoding: Encoding) -> Option<PathNode> {
    if document.text().bytes().len() >= LARGE {
        return None;
    }
    path(document, document.tree()?, offset, encoding).pop()
}

/// Parses a document once, when both its symbols and its nodes will be needed.
pub(crate) fn parse_once(document: &Document) {
    if document.text().bytes().len() < LARGE {
        document.parse();
    }
}

/// Places in texts from this size on are described without parsing.
const LARGE: usize = 16 << 20;

fn path(document: &Document, tree: &PositionTree, offset: Offset, encoding: Encoding) -> Vec<PathNode> {
    let node = |node: &Node| PathNode {
        kind: tree.vocabulary().kind(node.label).name.clone(),
        named: tree.vocabulary().kind(node.label).is_named,
        field: tree.vocabulary().field(node.label).map(str::to_owned),
        range: range(document, node.range, encoding),
        content_range: range(document, tree.content_range(node), encoding),
        start_byte: node.range.start().to_u32(),
        end_byte: node.range.end().to_u32(),
    };
    tree.path_at_cursor(offset, document.text().bytes()).iter().map(node).collect()
}

/// The range of a node. Some parsers end a comment between `\r` and `\n`, or start a file before its byte-order mark.
/// An offset that is not a position is replaced by the position before it, or by the first one.
fn range(document: &Document, range: engine::Range, encoding: Encoding) -> wire::Range {
    let text = document.text();
    let first = text.start().index();
    let is_position = |offset: &Offset| text.position(*offset, encoding.into()).is_some();
    let nearest = |offset: Offset| {
        let mut near = (first.max(offset.index().saturating_sub(3))..=offset.index()).rev();
        near.find_map(|index| Some(Offset::of_index(index)).filter(is_position))
            .unwrap_or(offset.max(text.start()))
    };
    let (start, end) = (nearest(range.start()), nearest(range.end()));
    wire::range(document, engine::Range::new(start.min(end), end), encoding)
}

fn list(tree: &PositionTree, nodes: &[Node]) -> Vec<(String, u32, u32)> {
    let item = |node: &Node| {
        let kind = tree.vocabulary().kind(node.label).name.clone();
        (kind, node.range.start().to_u32(), node.range.end().to_u32())
    };
    nodes.iter().map(item).collect()
}

impl Verified {
    fn new(verification: engine::Verification) -> Verified {
        let compared = |both: engine::Compared| Compared { parser: both.parser, tree: both.tree };
        Verified {
            mismatches: verification.n_mismatches,
            trace: verification.trace.into_iter().map(compared).collect(),
        }
    }
}

impl Answer for TreeAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        for node in self.path.iter().flatten() {
            let _ = writeln!(text, "{}:{}", show::path(&self.file_path), node.text());
        }
        for (kind, start, end) in self.list.iter().flatten() {
            let _ = writeln!(text, "{start}..{end} {kind}");
        }
        if self.stats.is_some() || self.verified.is_some() {
            let _ = writeln!(text, "{}: {}", self.file_path, self.counts());
        }
        if let Some(verified) = &self.verified {
            for Compared { parser, tree } in &verified.trace {
                let _ = writeln!(text, "  parser {parser}\n    tree {tree}");
            }
        }
        text
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        let text = self.text(voice);
        let (shown, left_out) = show::most_lines(&text);
        let left_out = left_out.map_or_else(String::new, |left_out| format!("\n{}\n", left_out.said(voice)));
        show::fenced("", shown) + &left_out
    }

    fn notes(&self) -> Vec<Phrase> {
        let nothing = self.path.as_ref().is_some_and(Vec::is_empty);
        let nothing = nothing.then(|| "the place is in no node".into());
        self.note.clone().map(Phrase::from).into_iter().chain(nothing).collect()
    }
}

impl TreeAnswer {
    fn counts(&self) -> String {
        let mut counts = format!("{} nodes, {} errors", self.nodes, self.errors);
        if let Some(verified) = &self.verified {
            let _ = write!(counts, ", {} mismatches", verified.mismatches);
        }
        let _ = write!(counts, ", {:.2} bytes per node", self.bytes_per_node);
        if let Some(stats) = &self.stats {
            let _ = write!(counts, ", {} bytes, depth {}", stats.bytes, stats.depth);
        }
        counts
    }
}

impl PathNode {
    /// The range and kind of the node: `3:5-3:9 identifier (name)`. If its content ends earlier, the end of the content
    /// follows.
    fn text(&self) -> String {
        let wire::Range { start, end } = self.range;
        let mut text =
            format!("{}:{}-{}:{} {}", start.line, start.character, end.line, end.character, self.kind);
        if let Some(field) = &self.field {
            let _ = write!(text, " ({field})");
        }
        if self.content_range != self.range {
            let wire::Position { line, character } = self.content_range.end;
            let _ = write!(text, ", content to {line}:{character}");
        }
        text
    }
}
