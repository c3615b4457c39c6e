//! The nodes of a file for the page, and how they differ from those of another program.
//!
//! The page gets the position tree as it is stored, which is gaps and lengths, and computes from them where every node
//! is. The page also gets a digest of the nodes as the parser itself has them, and checks its results with it.

use locant_engine::{Document, ParsedNode, PositionTree, parsed_nodes};
use locant_workspace::reading::read_bytes;
use serde::{Deserialize, Serialize};

use crate::base64::Base64;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;

/// The position tree of a file.
#[derive(Serialize)]
pub(super) struct Nodes {
    /// The tree as it is stored.
    stored: Base64,
    /// A digest of the nodes of the parser.
    digest: u32,
    /// The nodes that end before a closing delimiter: the number of each, and the byte where its content ends.
    contents: Vec<[u32; 2]>,
}

/// The nodes of another program, or of the parser, that are not where the position tree has them.
#[derive(Serialize)]
pub(super) struct Compared {
    /// What the nodes are compared with.
    name: String,
    /// Whether it is another program. If not, it is the parser.
    is_given: bool,
    /// How many nodes it has.
    total: usize,
    /// How many differ.
    n_differing: usize,
    /// The first of those that differ: number, kind, first byte, and the byte after the last.
    differing: Vec<(usize, String, u32, u32)>,
}

/// The nodes of another program.
pub(super) struct Given {
    name: String,
    nodes: Vec<(String, u32, u32)>,
}

/// How many differing nodes the page lists.
const MOST_LISTED: usize = 20_000;

impl Nodes {
    pub(super) fn of(document: &Document, tree: &PositionTree) -> Nodes {
        let parsed = parsed_nodes(document).unwrap_or_default();
        let nodes = tree.nodes();
        let content = |node: &locant_engine::Node| {
            let end = tree.content_range(node).end();
            (end != node.range.end()).then(|| [number(node.id.index()), end.to_u32()])
        };
        Nodes {
            stored: Base64(tree.to_bytes()),
            digest: digest(&parsed),
            contents: nodes.iter().filter_map(content).collect(),
        }
    }
}

impl Compared {
    /// Compares the position tree with the nodes that are given or, without them, with those of the parser.
    pub(super) fn of(document: &Document, tree: &PositionTree, given: Option<Given>) -> Option<Compared> {
        let (name, is_given, nodes) = match given {
            Some(Given { name, nodes }) => (name, true, nodes),
            None => ("the parser".to_owned(), false, of_parser(document)?),
        };
        let ours = tree.nodes();
        let is_same = |index: usize, (kind, start, end): &(String, u32, u32)| {
            ours.get(index).is_some_and(|node| {
                let own = &tree.vocabulary().kind(node.label).name;
                (own, node.range.start().to_u32(), node.range.end().to_u32()) == (kind, *start, *end)
            })
        };
        let total = nodes.len();
        let differs = nodes.into_iter().enumerate().filter(|(index, node)| !is_same(*index, node));
        let mut differing: Vec<(usize, String, u32, u32)> =
            differs.map(|(index, (kind, start, end))| (index, kind, start, end)).collect();
        let n_differing = differing.len() + ours.len().saturating_sub(total);
        differing.truncate(MOST_LISTED);
        Some(Compared { name, is_given, total, n_differing, differing })
    }
}

fn of_parser(document: &Document) -> Option<Vec<(String, u32, u32)>> {
    let node = |node: ParsedNode| (node.kind, node.range.start().to_u32(), node.range.end().to_u32());
    Some(parsed_nodes(document)?.into_iter().map(node).collect())
}

/// Reads the nodes of another program.
pub(super) fn given(path: &str, flags: &Flags) -> Result<Given, Failure> {
    /// `tree --nodes --json` has the list as a field.
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum File {
        Bare(Vec<(String, u32, u32)>),
        Tree { list: Vec<(String, u32, u32)> },
    }
    flags.admit(path)?;
    let hint = "give the nodes as JSON: [[\"kind\", 0, 12], …], parents before their children";
    let bytes = read_bytes(&flags.base().on_disk(path))
        .map_err(|_| Failure::new(Kind::NoSuchFile, format!("the nodes in `{path}` cannot be read"), hint))?;
    let file: File = serde_json::from_slice(&bytes)
        .map_err(|_| Failure::invalid(format!("`{path}` is no list of nodes"), hint))?;
    let (File::Bare(nodes) | File::Tree { list: nodes }) = file;
    Ok(Given { name: path.to_owned(), nodes })
}

/// A digest of nodes, which the page computes too: FNV-1a with 32 bits over the kind, a zero byte, and start and end in
/// four bytes each, low byte first.
fn digest(nodes: &[ParsedNode]) -> u32 {
    let mut digest = 0x811c_9dc5_u32;
    for ParsedNode { kind, range } in nodes {
        let ends = [range.start().to_u32().to_le_bytes(), range.end().to_u32().to_le_bytes()].concat();
        for byte in kind.bytes().chain([0]).chain(ends) {
            digest = (digest ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    digest
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a tree has fewer nodes than 32 bits can count")
}
