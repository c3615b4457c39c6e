//! Measures the position tree, compared with tree-sitter's own tree, rowan's tree and a simple layout.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use locant_bench::corpus;
use locant_bench::measure::{Row, best, each, median_of, timed};
use locant_bench::random::Random;
use locant_bench::trees::doubled_line;
use locant_engine::languages::by_name;
use locant_engine::{Edit, Extent, Language, Node, Offset, PositionTree, Range, Syntax};
use tree_sitter::{InputEdit, Parser, Point, Tree, TreeCursor};

use crate::Setting;
use crate::first_layout::{Layout, positions};

/// The languages to measure: some with braces, one with indentation, some with many kinds of nodes, and one for data.
const LANGUAGES: &[&str] = &["python", "rust", "typescript", "cpp", "java", "json"];

/// The number of nodes that the measured text should have.
const N_NODES: u32 = 100_000;

const N_LOOKUPS: usize = 10_000;
const N_EDITS: usize = 60;
const N_ROUNDS: usize = 5;

pub(crate) fn rows(setting: &Setting) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for &name in LANGUAGES {
        let language = by_name(name).with_context(|| format!("{name} is not read"))?;
        let text = large_text(setting, language)?;
        let syntax = Syntax::new(language, &text).context("the parser gave up")?;
        rows.push(bytes(name, setting, &syntax)?);
        rows.extend(lookups(name, &syntax, &text));
        rows.push(token_edits(name, &syntax)?);
        rows.push(structural_edits(name, &syntax, &text)?);
    }
    Ok(rows)
}

/// Real files without syntax errors, one after the other, until they have [`N_NODES`] nodes.
fn large_text(setting: &Setting, language: &'static Language) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for source in corpus::sources(&setting.sources, language.name())? {
        // A data file has one value, so files cannot be joined. The first large file is used alone.
        let alone = language.name() == "json";
        let Some(syntax) = Syntax::new(language, &source.bytes) else { continue };
        let is_whole = !syntax.parsed().root_node().has_error();
        let n_nodes = syntax.tree().n_nodes();
        if !is_whole || n_nodes > 2 * N_NODES || alone && n_nodes < N_NODES / 2 {
            continue;
        }
        text.extend(&source.bytes);
        text.push(b'\n');
        let syntax = Syntax::new(language, &text).context("the parser gave up")?;
        if syntax.tree().n_nodes() >= N_NODES || alone {
            break;
        }
    }
    ensure!(!text.is_empty(), "there are no whole sources of {}", language.name());
    Ok(text)
}

/// The bytes that a node takes on average, in all kinds of trees.
fn bytes(name: &str, setting: &Setting, syntax: &Syntax) -> Result<Row> {
    let ours = syntax.tree().n_bytes() as f64 / f64::from(syntax.tree().n_nodes());
    // Freed memory stays with the process and is used again, so the growth of a process can be measured only once.
    // Therefore each language has its own process.
    let output = Command::new(std::env::current_exe()?)
        .arg(format!("--sources={}", setting.sources.display()))
        .args(["--locant=none".to_owned(), format!("--once={BYTES}{name}")])
        .output()
        .context("could not start another process")?;
    let theirs = String::from_utf8_lossy(&output.stdout).into_owned();
    let figures: Result<Vec<f64>, _> = theirs.split_whitespace().map(str::parse).collect();
    let &[parser, rowan, first] = figures.context("no numbers came back")?.as_slice() else {
        bail!("three numbers should have come back, not {theirs}");
    };
    Ok(Row {
        what: format!("position tree, bytes per node, {name}"),
        ours: format!("{ours:.2}"),
        theirs: format!("tree-sitter {parser:.0}, rowan {rowan:.0}, first layout {first:.0}"),
        ratio: Some(parser / ours),
        goal: None,
    }
    .goal("≤ 3.5 bytes", ours <= 3.5))
}

/// The start of the `--once=` case that prints the bytes per node in the other trees. The name of a language follows.
pub(crate) const BYTES: &str = "tree-bytes-";

/// Prints the bytes that a node takes in tree-sitter's tree, in rowan's tree and in the simple layout. Rust cannot
/// count the allocations of the parser, which is written in C. So the memory of the process is measured.
pub(crate) fn print_their_bytes(setting: &Setting, name: &str) -> Result<()> {
    const N_COPIES: usize = 8;
    let language = by_name(name).with_context(|| format!("{name} is not read"))?;
    let text = large_text(setting, language)?;
    let syntax = Syntax::new(language, &text).context("the parser gave up")?;
    let per_node = |n_bytes: f64| n_bytes / f64::from(syntax.tree().n_nodes()) / N_COPIES as f64;
    let before = resident()?;
    let parsed: Vec<Tree> = (0..N_COPIES).filter_map(|_| language.parse(&text)).collect();
    let parser = per_node(resident()? - before);
    let before = resident()?;
    let green: Vec<rowan::GreenNode> = (0..N_COPIES).map(|_| green(&syntax, &text)).collect();
    let rowan = per_node(resident()? - before);
    let before = resident()?;
    let layouts: Vec<Layout> = (0..N_COPIES).map(|_| Layout::new(syntax.parsed().root_node())).collect();
    let first = per_node(resident()? - before);
    drop((parsed, green, layouts));
    println!("{parser} {rowan} {first}");
    Ok(())
}

/// The memory of this process, in bytes.
fn resident() -> Result<f64> {
    let pages =
        std::fs::read_to_string("/proc/self/statm").context("this system does not tell its memory")?;
    let pages: f64 = pages.split_whitespace().nth(1).context("no second field")?.parse()?;
    Ok(pages * 4096.0)
}

/// The tree in rowan's form. The text between two tokens becomes a token too.
fn green(syntax: &Syntax, text: &[u8]) -> rowan::GreenNode {
    use locant_engine::Event;
    const GAP: rowan::SyntaxKind = rowan::SyntaxKind(u16::MAX);
    let kind = |label: locant_engine::Label| rowan::SyntaxKind(label.kind());
    let string = |from: usize, to: usize| String::from_utf8_lossy(&text[from..to]).into_owned();
    let mut builder = rowan::GreenNodeBuilder::new();
    let mut end = 0;
    builder.start_node(GAP);
    for event in syntax.tree().events() {
        match event {
            Event::Enter { label, .. } => builder.start_node(kind(label)),
            Event::Leave { .. } => builder.finish_node(),
            Event::Leaf { label, range } => {
                if end < range.start().index() {
                    builder.token(GAP, &string(end, range.start().index()));
                }
                end = range.end().index();
                builder.token(kind(label), &string(range.start().index(), end));
            }
        }
    }
    builder.finish_node();
    builder.finish()
}

fn lookups(name: &str, syntax: &Syntax, text: &[u8]) -> Vec<Row> {
    let mut random = Random::new(5);
    let offsets: Vec<usize> = (0..N_LOOKUPS).map(|_| random.below(text.len())).collect();
    let tree: &PositionTree = syntax.tree();
    let mut path: Vec<Node> = Vec::new();
    let mut their_path = Vec::new();
    let times = best(
        N_ROUNDS,
        &mut [
            (
                "locant",
                Box::new(|| {
                    let mut depth = 0;
                    for &offset in &offsets {
                        tree.path_into(&mut path, Offset::of_index(offset));
                        depth += path.len();
                    }
                    Box::new(depth)
                }),
            ),
            (
                "tree-sitter",
                Box::new(|| {
                    let mut cursor = syntax.parsed().walk();
                    let mut depth = 0;
                    for &offset in &offsets {
                        by_cursor(&mut their_path, &mut cursor, syntax.parsed(), offset);
                        depth += their_path.len();
                    }
                    Box::new(depth)
                }),
            ),
        ],
    );
    let what = format!("place to node with path, {} nodes, {name}", tree.n_nodes());
    let (ours, theirs) = (times[0], times[1]);
    let layout = Layout::new(syntax.parsed().root_node());
    let first: Duration = (0..3).map(|_| timed(|| positions(&layout).len()).1).min().unwrap_or_default();
    vec![
        Row::times(&what, (ours, each(ours, N_LOOKUPS)), ("tree-sitter", theirs, each(theirs, N_LOOKUPS)))
            .at_least(1.0),
        Row::times(
            &what,
            (ours / u32::try_from(N_LOOKUPS).unwrap_or(1), each(ours, N_LOOKUPS)),
            ("first layout, its map made anew", first, each(first, 1)),
        )
        .at_least(1000.0),
    ]
}

/// The nodes around a place, found with tree-sitter's cursor.
fn by_cursor<'t>(
    path: &mut Vec<(u16, std::ops::Range<usize>)>,
    cursor: &mut TreeCursor<'t>,
    tree: &'t Tree,
    offset: usize,
) {
    path.clear();
    cursor.reset(tree.root_node());
    loop {
        let node = cursor.node();
        if !node.byte_range().contains(&offset) {
            return;
        }
        path.push((node.kind_id(), node.byte_range()));
        if cursor.goto_first_child_for_byte(offset).is_none() {
            return;
        }
    }
}

/// Measures edits that insert one byte inside a leaf.
fn token_edits(name: &str, syntax: &Syntax) -> Result<Row> {
    let roomy: Vec<Range> = syntax
        .tree()
        .nodes()
        .iter()
        .filter(|node| node.is_leaf() && node.range.extent().len() > 2)
        .map(|node| node.range)
        .collect();
    ensure!(!roomy.is_empty(), "{name} has no long tokens");
    let mut random = Random::new(9);
    let places: Vec<usize> =
        (0..1000).map(|_| roomy[random.below(roomy.len())].start().index() + 1).collect();
    let edit = |at: usize| Edit { range: Range::empty(Offset::of_index(at)), insert: Extent::new(1) };
    let times = best(
        N_ROUNDS,
        &mut [
            (
                "locant",
                Box::new(|| {
                    let trees: Vec<_> = places.iter().map(|&at| syntax.tree().edit(edit(at))).collect();
                    Box::new(trees)
                }),
            ),
            (
                "tree-sitter",
                Box::new(|| {
                    let edited = |at: &usize| {
                        let mut tree = syntax.parsed().clone();
                        tree.edit(&one_more(*at, 1));
                        tree
                    };
                    Box::new(places.iter().map(edited).collect::<Vec<_>>())
                }),
            ),
        ],
    );
    let (ours, theirs) = (times[0], times[1]);
    let what = format!("edit inside a token, {name}");
    let per_edit = ours / 1000;
    Ok(Row::times(&what, (ours, each(ours, 1000)), ("tree-sitter", theirs, each(theirs, 1000)))
        .goal("≤ 2 µs", per_edit <= Duration::from_micros(2)))
}

/// An edit that inserts some bytes at a place. Its points are wrong, but that does not affect the time.
fn one_more(at: usize, n_bytes: usize) -> InputEdit {
    let zero = Point::new(0, 0);
    InputEdit {
        start_byte: at,
        old_end_byte: at,
        new_end_byte: at + n_bytes,
        start_position: zero,
        old_end_position: zero,
        new_end_position: zero,
    }
}

/// Measures edits that double a line: the time of the whole edit, minus the time of the parser.
fn structural_edits(name: &str, syntax: &Syntax, text: &[u8]) -> Result<Row> {
    let mut random = Random::new(11);
    let mut parser = Parser::new();
    parser.set_language(&syntax.parsed().language()).context("the grammar does not fit")?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..50 * N_EDITS {
        let (edit, new) = doubled_line(text, random.below(text.len()));
        let Some(edited) = syntax.edited(edit, text, &new) else { continue };
        if edited.parsed().root_node().has_error() || edited.tree().n_nodes() == syntax.tree().n_nodes() {
            continue;
        }
        let whole = (0..3).map(|_| timed(|| syntax.edited(edit, text, &new)).1).min().unwrap_or_default();
        let mut parse = || {
            let mut old = syntax.parsed().clone();
            old.edit(&one_more(edit.range.start().index(), edit.insert.len()));
            parser.parse(&new, Some(&old))
        };
        let parse = (0..3).map(|_| timed(&mut parse).1).min().unwrap_or_default();
        ours.push(whole.saturating_sub(parse).as_secs_f64());
        theirs.push(parse.as_secs_f64());
        if ours.len() == N_EDITS {
            break;
        }
    }
    ensure!(!ours.is_empty(), "no edit of {name} leaves it whole");
    let (ours, theirs) = (median_of(&mut ours), median_of(&mut theirs));
    let what = format!("structural edit, update beyond the parse, {name}");
    let (ours, theirs) = (Duration::from_secs_f64(ours), Duration::from_secs_f64(theirs));
    Ok(Row::times(&what, (ours, each(ours, 1)), ("tree-sitter's edit and parse", theirs, each(theirs, 1)))
        .at_least(4.0))
}
