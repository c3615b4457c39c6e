//! Runs `grammar/corpus/*.md`. Each fenced program there is followed by a block with its syntax tree.
//!
//! `UPDATE=1 cargo test -p locant-rholang --test corpus` writes the trees of the current parser. Read the differences
//! before you commit them.

use std::path::Path;
use std::{env, fs};

use tree_sitter::{Parser, TreeCursor};

#[test]
fn trees_are_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/corpus");
    let mut failures = Vec::new();
    for entry in fs::read_dir(folder).expect("the corpus is there").flatten() {
        let before = fs::read_to_string(entry.path()).expect("a case file is text");
        let must_fail = entry.path().ends_with("errors.md");
        let after = answered(&before, must_fail);
        if before != after && env::var_os("UPDATE").is_some() {
            fs::write(entry.path(), after).expect("the case file can be written");
        } else if before != after {
            let differs = before.lines().zip(after.lines()).position(|(before, after)| before != after);
            let line = differs.unwrap_or_else(|| before.lines().count().min(after.lines().count()));
            let is = after.lines().nth(line).unwrap_or("nothing");
            failures.push(format!("{}:{}: it is now {is}", entry.path().display(), line + 1));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// The Markdown with the trees of the current parser. Fails if a program without `must_fail` has an error, or a program
/// with it has none.
fn answered(markdown: &str, must_fail: bool) -> String {
    let mut answered = String::new();
    let mut tree: Option<String> = None;
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        answered += &format!("{line}\n");
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: String =
            lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        match info {
            "tree" => answered += &tree.take().expect("a tree follows a program"),
            _ => {
                let (shown, has_error) = rendered(&block);
                assert_eq!(has_error, must_fail, "\n{block}\n{shown}");
                tree = Some(shown);
                answered += &block;
            }
        }
        answered += "```\n";
    }
    assert!(tree.is_none(), "the last program has no tree block");
    answered
}

/// The syntax tree as text, and whether it has an error. Each named node is on its own line, indented, with its field
/// and, for a leaf, its text.
fn rendered(program: &str) -> (String, bool) {
    let mut parser = Parser::new();
    parser.set_language(&locant_rholang::LANGUAGE.into()).expect("the grammar fits the library");
    let tree = parser.parse(program, None).expect("nothing stops the parser");
    let mut shown = String::new();
    render(&mut shown, &mut tree.walk(), program);
    (shown, tree.root_node().has_error())
}

fn render(shown: &mut String, cursor: &mut TreeCursor<'_>, program: &str) {
    let node = cursor.node();
    if node.is_named() || node.is_missing() {
        let indent = "  ".repeat(cursor.depth() as usize);
        let field = cursor.field_name().map(|field| format!("{field}: ")).unwrap_or_default();
        let missing = if node.is_missing() { "MISSING " } else { "" };
        let is_leaf = node.named_child_count() == 0 && node.end_position().row == node.start_position().row;
        let text = if is_leaf { format!(" {}", &program[node.byte_range()]) } else { String::new() };
        *shown += &format!("{indent}{field}{missing}{}{text}\n", node.kind());
    }
    if cursor.goto_first_child() {
        loop {
            render(shown, cursor, program);
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }
}
