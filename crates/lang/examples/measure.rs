//! Measures outlines on real files.
//!
//!     measure tags FILE…      one line per symbol: file, line, kind, path
//!     measure survive FILE…   how many symbols survive when a line is cut out
//!     measure speed FILE…     time to parse, and to make the outline
//!     measure tree FILE       the syntax tree
//!     measure damage FILE…    one line per part that the grammar could not read: file, line, text

use std::collections::HashMap;
use std::time::{Duration, Instant};
use std::{env, fs};

use locant_lang::{Language, Outline, for_file};

fn main() {
    let mut arguments = env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let files: Vec<(String, &'static Language, Vec<u8>)> = arguments
        .filter_map(|path| {
            let text = fs::read(&path).ok()?;
            let language = for_file(&path, &text)?;
            Some((path, language, text))
        })
        .collect();
    match command.as_str() {
        "tags" => files.iter().for_each(|(path, language, text)| tags(path, &language.outline(text), text)),
        "survive" => survive(&files),
        "speed" => speed(&files),
        "tree" => files.iter().for_each(|(_, language, text)| tree(language, text)),
        "damage" => {
            files.iter().for_each(|(path, language, text)| damage(path, &language.outline(text), text))
        }
        _ => eprintln!("measure tags|survive|speed|tree|damage FILE…"),
    }
}

fn damage(path: &str, outline: &Outline, text: &[u8]) {
    for range in &outline.damage {
        let start = range.start().index();
        let line = text[..start].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let shown = &text[start..range.end().index().min(start + 80)];
        println!("{path}\t{line}\t{}", String::from_utf8_lossy(shown).replace('\n', "⏎"));
    }
}

fn tags(path: &str, outline: &Outline, text: &[u8]) {
    for (id, symbol) in outline.iter() {
        let before = &text[..symbol.name_range.start().index()];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        println!("{path}\t{line}\t{}\t{}", symbol.kind.word(), outline.path(id).join("."));
    }
}

/// Prints one line per node: where it starts, its field and kind, and the text of leaves.
fn tree(language: &'static Language, text: &[u8]) {
    let Some(tree) = language.parse(text) else { return };
    let mut cursor = tree.walk();
    loop {
        let (node, depth) = (cursor.node(), cursor.depth() as usize);
        let start = node.start_position();
        let field = cursor.field_name().map(|field| format!("{field}: ")).unwrap_or_default();
        let kind = if node.is_named() { node.kind().to_owned() } else { format!("'{}'", node.kind()) };
        let source = String::from_utf8_lossy(&text[node.byte_range()]);
        let leaf =
            if node.is_named() && node.child_count() == 0 { format!(" {source:?}") } else { String::new() };
        let place = format!("{}:{}", start.row + 1, start.column + 1);
        println!("{place:<8}{:indent$}{field}{kind}{leaf}", "", indent = 2 * depth);
        let mut moved = cursor.goto_first_child() || cursor.goto_next_sibling();
        while !moved && cursor.goto_parent() {
            moved = cursor.goto_next_sibling();
        }
        if !moved {
            return;
        }
    }
}

/// Cuts out single lines, at most 200 spread over a file, and counts how many of the other symbols keep their path.
fn survive(files: &[(String, &'static Language, Vec<u8>)]) {
    let mut sums: HashMap<&str, (usize, usize, usize)> = HashMap::new();
    for (path, language, text) in files {
        let outline = language.outline(text);
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
        let mut worst = (usize::MAX, 0);
        let (mut n_all, mut n_kept, mut n_new) = (0, 0, 0);
        let step = lines.len().div_ceil(200).max(1);
        for cut in (0..lines.len()).step_by(step) {
            let start: usize = lines[..cut].iter().map(|line| line.len()).sum();
            let length = lines[cut].len();
            let rest = [&text[..start], &text[start + length..]].concat();
            let mut left: HashMap<(String, usize), usize> = HashMap::new();
            let after = language.outline(&rest);
            for (id, symbol) in after.iter() {
                *left.entry((after.path(id).join("."), symbol.name_range.start().index())).or_default() += 1;
            }
            let (mut all, mut kept) = (0, 0);
            for (id, symbol) in outline.iter() {
                let at = symbol.name_range.start().index();
                // A symbol cannot survive if its name, or the name of a symbol around it, is in the cut.
                let mut around = Some(id);
                let mut is_cut = false;
                while let Some(id) = around {
                    let name = outline.get(id).name_range.start().index();
                    is_cut |= start <= name && name < start + length;
                    around = outline.get(id).parent;
                }
                if is_cut {
                    continue;
                }
                all += 1;
                let moved = if at < start { at } else { at - length };
                kept += usize::from(left.remove(&(outline.path(id).join("."), moved)).is_some());
            }
            n_all += all;
            n_kept += kept;
            n_new += left.len();
            worst = worst.min((kept * 1000 / all.max(1), cut + 1));
        }
        if env::var_os("VERBOSE").is_some() {
            println!("{path}: {n_kept}/{n_all}, {n_new} new, worst {}‰ without line {}", worst.0, worst.1);
        }
        let sum = sums.entry(language.name()).or_default();
        *sum = (sum.0 + n_all, sum.1 + n_kept, sum.2 + n_new);
    }
    for (name, (all, kept, new)) in sums {
        println!("{name}: {:.2} % of {all} survive, {:.2} % new", per_cent(kept, all), per_cent(new, all));
    }
}

fn speed(files: &[(String, &'static Language, Vec<u8>)]) {
    let mut sums: HashMap<&str, (usize, usize, Duration, Duration)> = HashMap::new();
    for (_, language, text) in files {
        let start = Instant::now();
        let tree = language.parse(text);
        let parse = start.elapsed();
        drop(tree);
        let start = Instant::now();
        let outline = language.outline(text);
        let all = start.elapsed();
        let sum = sums.entry(language.name()).or_default();
        *sum = (sum.0 + text.len(), sum.1 + outline.symbols().len(), sum.2 + parse, sum.3 + all);
    }
    for (name, (bytes, symbols, parse, all)) in sums {
        println!("{name}: {bytes} bytes, {symbols} symbols, parse {parse:?}, parse and outline {all:?}");
    }
}

#[allow(clippy::cast_precision_loss, reason = "these counts are small")]
fn per_cent(part: usize, whole: usize) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}
