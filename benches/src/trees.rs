//! Tests the three laws of the position tree. Every node is where the parser has it. After an edit, the tree equals the
//! tree of the new text. The symbols read from it equal those read from the parser's tree.

use locant_engine::{Document, Edit, Extent, Language, PositionTree, Range, Syntax, Verification, verify};

use crate::random::Random;

/// The result for some files.
#[derive(Debug, Default)]
pub struct Tally {
    /// The number of files.
    pub n_files: usize,
    /// The number of bytes in the files.
    pub n_bytes: usize,
    /// The number of files on which the parser gave up.
    pub n_given_up: usize,
    /// The number of nodes that were compared.
    pub n_nodes: usize,
    /// The number of nodes that are errors or missing.
    pub n_errors: usize,
    /// The memory that the trees take, in bytes.
    pub n_tree_bytes: usize,
    /// The number of symbols that were compared, counted again after every edit.
    pub n_symbols: usize,
    /// The number of edits.
    pub n_edits: usize,
    /// Messages about nodes and symbols that differ from the parser's, and about edits after which the tree differs
    /// from that of a new parse.
    pub failures: Vec<String>,
}

impl Tally {
    /// Adds the result for other files.
    pub fn add(&mut self, other: Tally) {
        self.n_files += other.n_files;
        self.n_bytes += other.n_bytes;
        self.n_given_up += other.n_given_up;
        self.n_nodes += other.n_nodes;
        self.n_errors += other.n_errors;
        self.n_tree_bytes += other.n_tree_bytes;
        self.n_symbols += other.n_symbols;
        self.n_edits += other.n_edits;
        self.failures.extend(other.failures);
    }

    fn count(&mut self, name: &str, tree: &PositionTree, verification: &Verification) {
        self.n_nodes = verification.n_nodes;
        self.n_errors = verification.n_errors;
        self.n_tree_bytes = tree.n_bytes();
        if verification.n_mismatches > 0 {
            let first = verification.trace.last();
            self.failures
                .push(format!("{name}: {} nodes differ, first {first:?}", verification.n_mismatches));
        }
    }

    /// How many bytes a node takes on average.
    pub fn bytes_per_node(&self) -> f64 {
        self.n_tree_bytes as f64 / self.n_nodes.max(1) as f64
    }
}

/// Tests all laws on a file, with `n_edits` successive edits.
pub fn try_file(language: &'static Language, name: &str, text: &[u8], n_edits: usize) -> Tally {
    let mut tally = Tally { n_files: 1, n_bytes: text.len(), ..Tally::default() };
    let Some(syntax) = Syntax::new(language, text) else {
        tally.n_given_up = 1;
        return tally;
    };
    tally.count(name, syntax.tree(), &syntax.verify(syntax.tree(), text));
    try_outline(&mut tally, name, &syntax, text);
    try_edits(&mut tally, syntax, name, text, n_edits);
    tally
}

/// Tests the first law on a file that is read without a grammar. Its trees cannot be edited.
pub fn try_own(name: &str, text: &[u8]) -> Tally {
    let mut tally = Tally { n_files: 1, n_bytes: text.len(), ..Tally::default() };
    let document = Document::new(name, text).ok();
    match document.as_ref().and_then(|document| Some((document.tree()?, verify(document)?))) {
        Some((tree, verification)) => tally.count(name, tree, &verification),
        None => tally.n_given_up = 1,
    }
    tally
}

/// Tests the third law, for the tree and for a copy that was written to bytes and read back.
fn try_outline(tally: &mut Tally, name: &str, syntax: &Syntax, text: &[u8]) {
    let (language, tree) = (syntax.language(), syntax.tree());
    let outline = language.outline(text);
    tally.n_symbols += outline.symbols().len();
    let read_back = PositionTree::from_bytes(&tree.to_bytes()).ok();
    let told = [Some(tree), read_back.as_ref()].map(|tree| language.outline_from(text, tree?));
    if told.iter().any(|told| told.as_ref() != Some(&outline)) {
        tally.failures.push(format!("{name}: other symbols than the parser's after edit {}", tally.n_edits));
    }
}

fn try_edits(tally: &mut Tally, mut syntax: Syntax, name: &str, original: &[u8], n_edits: usize) {
    let mut random = Random::new(original.len() as u64 + 1);
    let mut text = original.to_vec();
    for _ in 0..n_edits {
        let (edit, new) = drawn(&mut random, original, &text);
        let (Some(edited), Some(read)) =
            (syntax.edited(edit, &text, &new), Syntax::new(syntax.language(), &new))
        else {
            return;
        };
        tally.n_edits += 1;
        if edited.tree() != read.tree() {
            tally.failures.push(format!("{name}: another tree after edit {} {edit:?}", tally.n_edits));
            return;
        }
        try_outline(tally, name, &edited, &new);
        (syntax, text) = (edited, new);
    }
}

/// Texts to insert. Some of them break the syntax, and some mend it.
const PIECES: &[&str] = &[
    "x", " ", "\n", "    ", "(", ")", "{", "}", "[", "]", "\"", "'", "`", ",", ";", "/*", "*/", "#", "<",
    "end",
];

fn drawn(random: &mut Random, original: &[u8], text: &[u8]) -> (Edit, Vec<u8>) {
    let start = random.below(text.len() + 1);
    if random.below(3) == 0 {
        return doubled_line(text, start);
    }
    let n_deleted = match random.below(3) {
        0 => 0,
        1 => 1,
        _ => random.below(40),
    };
    let end = (start + n_deleted).min(text.len());
    let insert: &[u8] = match random.below(3) {
        0 => PIECES[random.below(PIECES.len())].as_bytes(),
        // Inserts a part of the original text, which sometimes mends broken syntax.
        1 => {
            let from = random.below(original.len() + 1);
            &original[from..(from + random.below(60)).min(original.len())]
        }
        _ => b"",
    };
    let edit = Edit { range: Range::of_indices(start..end), insert: Extent::of_len(insert.len()) };
    (edit, [&text[..start], insert, &text[end..]].concat())
}

/// The edit that doubles the line of a place, and the new text. The syntax often stays valid.
pub fn doubled_line(text: &[u8], at: usize) -> (Edit, Vec<u8>) {
    let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    let end = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |next| at + next + 1);
    let line = &text[start..end];
    let edit = Edit { range: Range::of_indices(end..end), insert: Extent::of_len(line.len()) };
    (edit, [&text[..end], line, &text[end..]].concat())
}
