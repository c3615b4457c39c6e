//! Draws docs/performance.svg: the most telling comparisons of the table in docs/performance.md, as bars.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::root::root;

/// The rows to draw: how each starts in the table, and its name in the picture. All comparisons of such a row are
/// drawn.
const ROWS: &[(&str, &str)] = &[
    ("line index, 93 MB", "which line is it on: index of 93 MB"),
    ("offset to UTF-16 column", "byte to UTF-16 column"),
    ("find, compile + search 5 KB, middle", "find a quoted line in 5 KB"),
    ("bulk find, 100 MB, middle", "find words in 100 MB, blanks as in code"),
    ("outline of Django, processor time", "exact outlines of all files of Django"),
    ("place to node with path, 107624 nodes, python", "place to syntax node"),
    ("edit inside a token, python", "syntax tree after an edit in a word"),
    ("structural edit, update beyond the parse, python", "… after any other edit, beyond the parse"),
    ("parsing .proto files |", "read .proto files"),
    ("tables of googleapis, options interpreted", "location tables of .proto files"),
];

/// Comparisons in these rows that are left out, because people do not know the other program.
const LEFT_OUT: &[&str] = &["first layout", "memchr"];

/// Writes the picture.
pub(crate) fn write() -> Result<()> {
    fs::write(path(), drawn(&page()?)?).with_context(|| format!("could not write {}", path().display()))
}

fn path() -> PathBuf {
    root().join("docs/performance.svg")
}

fn page() -> Result<String> {
    fs::read_to_string(root().join("docs/performance.md")).context("could not read docs/performance.md")
}

/// A comparison: how many times faster locant is than another program.
struct Bar<'a> {
    what: &'a str,
    other: String,
    ratio: f64,
}

/// The comparisons of the page, in the order of `ROWS`.
fn bars(page: &str) -> Result<Vec<Bar<'static>>> {
    let mut bars = Vec::new();
    for (start, what) in ROWS {
        let n_before = bars.len();
        for row in
            page.lines().filter_map(|line| line.strip_prefix("| ")).filter(|row| row.starts_with(start))
        {
            let cells: Vec<&str> = row.split(" | ").collect();
            let [_, _, compared, ratio, ..] = cells.as_slice() else { continue };
            // `ropey 1.41 GB/s`, or only `regex`
            let words =
                compared.split(' ').take_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
            let other = words.collect::<Vec<_>>().join(" ");
            let Some(ratio) = ratio.strip_suffix(" ×").and_then(|ratio| ratio.parse().ok()) else {
                continue;
            };
            if !LEFT_OUT.iter().any(|name| other.starts_with(name)) {
                bars.push(Bar { what, other, ratio });
            }
        }
        ensure!(bars.len() > n_before, "docs/performance.md has no comparison that starts with {start}");
    }
    Ok(bars)
}

const WIDTH: f64 = 840.0;
/// Where a ratio of 1 is, and how wide a factor of ten is.
const ONE: f64 = 400.0;
const DECADE: f64 = 140.0;
const ROW: f64 = 22.0;
const TOP: f64 = 46.0;

/// The picture. Bars to the right are comparisons in which locant is faster, bars to the left those in which it is
/// slower. The scale has factors of ten.
fn drawn(page: &str) -> Result<String> {
    let bars = bars(page)?;
    let bottom = TOP + ROW * bars.len() as f64;
    let mut image = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{}\" fill=\"#fff\"/>\n\
         <text x=\"8\" y=\"18\" font-weight=\"bold\">How many times faster locant is</text>\n",
        bottom + 12.0,
        bottom + 12.0
    );
    for (ratio, label) in [(0.1, "10 times slower"), (1.0, "as fast"), (10.0, "10 ×"), (100.0, "100 ×")] {
        let x = x(ratio);
        // Writing to a string does not fail.
        let _ = writeln!(
            image,
            "<path d=\"M{x:.0} {:.0}V{bottom:.0}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.0}\" y=\"{:.0}\" fill=\"#666\" text-anchor=\"middle\">{label}</text>",
            TOP - 8.0,
            TOP - 12.0
        );
    }
    let mut last = "";
    for (index, Bar { what, other, ratio }) in bars.iter().enumerate() {
        let y = TOP + ROW * index as f64;
        let (from, to) = (x(ratio.min(1.0)), x(ratio.max(1.0)));
        let (colour, is_named) = (if *ratio < 1.0 { "#c9541b" } else { "#1b6ac9" }, *what != last);
        let name = if is_named { what } else { "" };
        let _ = writeln!(
            image,
            "<text x=\"8\" y=\"{:.0}\">{name}</text>\
             <rect x=\"{from:.1}\" y=\"{:.0}\" width=\"{:.1}\" height=\"14\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{:.0}\" fill=\"#444\">{ratio} × {}</text>",
            y + 13.0,
            y + 2.0,
            (to - from).max(1.0),
            to + 6.0,
            y + 13.0,
            other.replace('&', "&amp;").replace('<', "&lt;")
        );
        last = what;
    }
    Ok(image + "</svg>\n")
}

/// Where the end of the bar for a ratio is.
fn x(ratio: f64) -> f64 {
    ONE + ratio.max(0.05).log10() * DECADE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_of_the_table() {
        let page = page().expect("the page is there");
        let drawn = drawn(&page).expect("the page has these comparisons");
        if std::env::var_os("UPDATE").is_some() {
            write().expect("it can be written");
        }
        let kept = fs::read_to_string(path()).unwrap_or_default();
        assert!(kept == drawn, "docs/performance.svg is of another table: cargo xtask picture");
    }
}
