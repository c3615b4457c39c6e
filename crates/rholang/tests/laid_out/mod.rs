//! Checks that a formatter keeps every token, every comment and the syntax tree. If the result is laid out again, it
//! must not change.

use locant_names::Names;
use locant_rholang::Workspace;
use tree_sitter::{Node, Parser};

/// The new text of a program; `None` when it is left as it is because of its syntax errors.
pub(crate) fn formatted(text: &[u8]) -> Option<Vec<u8>> {
    let mut workspace = Workspace::default();
    workspace.set("a.rho", text);
    let replacements = match workspace.format("a.rho", None) {
        Ok(replacements) => replacements,
        Err(problem) => {
            assert_ne!(problem.code, "layout", "{}", String::from_utf8_lossy(text));
            return None;
        }
    };
    let mut new = text.to_vec();
    for one in replacements.iter().rev() {
        let old = &text[one.range.indices()];
        assert!(
            old.iter().chain(one.text.as_bytes()).all(|byte| byte.is_ascii_whitespace() || *byte == 0x0b)
        );
        assert_ne!(old, one.text.as_bytes(), "it changes something");
        new.splice(one.range.indices(), one.text.bytes());
    }
    Some(new)
}

/// The first thing that the formatter changes in a program but must keep. `None` if it keeps everything, or does not
/// lay out the program because of syntax errors.
pub(crate) fn difference(text: &[u8]) -> Option<String> {
    let new = formatted(text)?;
    let Some(again) = formatted(&new) else { return Some("the result has syntax errors".to_owned()) };
    if let Some(at) = first_difference(&new, &again) {
        return Some(format!(
            "formatted twice it differs: {} became {}",
            around(&new, at),
            around(&again, at)
        ));
    }
    let (old, now) = (nodes(text), nodes(&new));
    let at = first_difference(&old, &now)?;
    Some(format!("{:?} became {:?}", old.get(at), now.get(at)))
}

/// The nodes of a program, each with its depth, its kind and, if it is a leaf, its text. The lines of comments have no
/// indentation.
fn nodes(text: &[u8]) -> Vec<(usize, String, String)> {
    let mut parser = Parser::new();
    parser.set_language(&locant_rholang::LANGUAGE.into()).expect("the grammar fits the library");
    let mark = "\u{FEFF}".as_bytes();
    let text = text.strip_prefix(mark).unwrap_or(text);
    let tree = parser.parse(text, None).expect("nothing stops the parser");
    let mut cursor = tree.walk();
    let mut found: Vec<(usize, String, String)> = Vec::new();
    let mut is_done = false;
    while !is_done {
        let node = cursor.node();
        // The depth of a comment in the tree depends on the line breaks around it, so it is not compared.
        let depth = if node.is_extra() { 0 } else { cursor.depth() as usize };
        found.push((depth, node.kind().to_owned(), said(node, text)));
        let goes_down = node.kind() != "string" && cursor.goto_first_child();
        while !goes_down && !cursor.goto_next_sibling() {
            is_done = !cursor.goto_parent();
            if is_done {
                break;
            }
        }
    }
    found
}

fn said(node: Node<'_>, text: &[u8]) -> String {
    if node.child_count() > 0 && node.kind() != "string" {
        return String::new();
    }
    let said = String::from_utf8_lossy(&text[node.byte_range()]).into_owned();
    match node.kind() {
        "line_comment" => said.trim_end().to_owned(),
        "block_comment" => said.lines().map(str::trim).collect::<Vec<_>>().join("\n"),
        _ => said,
    }
}

fn first_difference<T: PartialEq>(one: &[T], other: &[T]) -> Option<usize> {
    (0..one.len().max(other.len())).find(|&at| one.get(at) != other.get(at))
}

fn around(text: &[u8], at: usize) -> String {
    let part = &text[at.saturating_sub(60)..(at + 40).min(text.len())];
    format!("{:?}", String::from_utf8_lossy(part))
}
