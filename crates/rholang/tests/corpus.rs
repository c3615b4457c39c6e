//! Runs `grammar/corpus/*.md`: every fenced program is followed by a block with its syntax tree.
//!
//! `UPDATE=1 cargo test -p locant-rholang --test corpus` writes today's trees; read the difference before you keep it.

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

/// The Markdown with every tree as the parser makes it. Fails if a program has an error though it must have none, or
/// has none though it must have one, whatever tree is written.
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

/// The named nodes, one on each line, indented, with fields and with the text of leaves; and whether there is an error.
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
