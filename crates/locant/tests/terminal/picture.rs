//! docs/picture.svg, the picture at the top of the README, is a terminal with what the program prints today.
//! `cargo xtask picture` draws it anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::session::copy_of_examples;

/// What the picture shows: remarks, and commands with their output. Colours are those of a terminal.
const SESSION: &[&str] = &[
    "# You say where, as you would to a colleague:",
    "$ locant locate 'shop.py:Cart.total@return <|>total'",
    "",
    "# A coordinate becomes words, and an anchor to keep:",
    "$ locant describe shop.py:24:16 --json > place.json",
    "",
    "# Then somebody renames the method, and adds a line at the top:",
    "$ sed -i 's/def total(self)/def sum(self)/; 1a import decimal' shop.py",
    "$ locant locate --anchor place.json",
];

#[test]
fn the_picture_is_of_today() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/picture.svg");
    let drawn = drawn(&recorded());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &drawn).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "docs/picture.svg shows what the program no longer prints: cargo xtask picture");
}

/// The lines of the terminal, with its marks for colours.
fn recorded() -> Vec<String> {
    let folder = copy_of_examples("picture");
    let mut lines = Vec::new();
    for line in SESSION {
        let Some(command) = line.strip_prefix("$ ") else {
            lines.push(format!("\x1b[2m{line}\x1b[0m"));
            continue;
        };
        let output = folder.shell(command).env("CLICOLOR_FORCE", "1").output().unwrap();
        lines.push(format!("\x1b[1m{line}\x1b[0m"));
        for bytes in [output.stdout, output.stderr] {
            lines.extend(String::from_utf8(bytes).unwrap().lines().map(str::to_owned));
        }
    }
    lines
}

const WIDTH: usize = 760;
const LINE: usize = 19;
const TOP: usize = 46;

/// The terminal as a picture.
fn drawn(lines: &[String]) -> String {
    let height = TOP + LINE * lines.len() + 8;
    let mut image = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"locant in a terminal\" font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', \
         monospace\" font-size=\"14\">\n<rect width=\"{WIDTH}\" height=\"{height}\" rx=\"8\" fill=\"#1d2330\"/>\n"
    );
    for (index, colour) in ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate() {
        writeln!(image, "<circle cx=\"{}\" cy=\"18\" r=\"6\" fill=\"{colour}\"/>", 20 + 20 * index).unwrap();
    }
    for (index, line) in lines.iter().enumerate() {
        let y = TOP + LINE * index + 4;
        write!(image, "<text x=\"16\" y=\"{y}\" xml:space=\"preserve\" fill=\"#d8dee9\">").unwrap();
        for (style, text) in styled(line) {
            write!(image, "<tspan{}>{}</tspan>", style.attributes(), escaped(text)).unwrap();
        }
        image += "</text>\n";
    }
    image + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[derive(Clone, Copy, Default)]
struct Style {
    is_bold: bool,
    colour: Option<&'static str>,
}

impl Style {
    fn attributes(self) -> String {
        let bold = if self.is_bold { " font-weight=\"bold\"" } else { "" };
        self.colour.map_or_else(|| bold.to_owned(), |colour| format!("{bold} fill=\"{colour}\""))
    }

    /// The style after a mark of the terminal such as `1;31`.
    fn after(self, codes: &str) -> Style {
        codes.split(';').fold(self, |style, code| match code {
            "" | "0" => Style::default(),
            "1" => Style { is_bold: true, ..style },
            "2" => Style { colour: Some("#9aa5bb"), ..style },
            "31" | "91" => Style { colour: Some("#ff7b72"), ..style },
            "32" | "92" => Style { colour: Some("#8fd694"), ..style },
            "33" | "93" => Style { colour: Some("#f2cc60"), ..style },
            "34" | "94" => Style { colour: Some("#79b8ff"), ..style },
            "35" | "95" => Style { colour: Some("#d2a8ff"), ..style },
            "36" | "96" => Style { colour: Some("#6fd3e0"), ..style },
            other => panic!("the picture has no colour for {other}"),
        })
    }
}

/// The parts of a line, each with its style. A mark is `ESC [ CODES m`.
fn styled(line: &str) -> Vec<(Style, &str)> {
    let mut style = Style::default();
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some((text, after)) = rest.split_once("\x1b[") {
        let (codes, after) = after.split_once('m').unwrap();
        parts.push((style, text));
        style = style.after(codes);
        rest = after;
    }
    parts.push((style, rest));
    parts.retain(|(_, text)| !text.is_empty());
    parts
}

#[test]
fn marks_of_colours_are_read() {
    let shown: Vec<String> = styled("a\x1b[1;31mb\x1b[0mc")
        .into_iter()
        .map(|(style, text)| format!("{text}{}", style.attributes()))
        .collect();
    assert_eq!(shown, ["a", "b font-weight=\"bold\" fill=\"#ff7b72\"", "c"]);
}
