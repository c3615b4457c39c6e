//! The lines as an agent reads them: long documentation is cut to its start, and the cut says which lines are left out.

use super::{Reading, What};

/// How many lines of documentation are shown, and from how many on the others are left out.
const SHOWN: u32 = 3;
const LONG: u32 = 8;

impl Reading {
    /// The first and the last line of each documentation that is shown in part. Who asks for lines gets all of them.
    pub(super) fn clipped(&self) -> Vec<(u32, u32)> {
        if !matches!(self.what, What::Symbol | What::File) {
            return Vec::new();
        }
        // Of a file that is not parsed yet, nothing is left out.
        let Some((outline, _)) = self.named() else { return Vec::new() };
        let text = self.document.text();
        let is_shown = |docs: &locant_engine::Range| self.range.covers(*docs);
        let lines = |docs: locant_engine::Range| (text.line_of(docs.start()), text.line_of(docs.end()));
        let docs = outline.symbols().iter().filter_map(|symbol| symbol.docs).filter(is_shown).map(lines);
        let mut clipped: Vec<(u32, u32)> = docs
            .filter(|(first, last)| last - first >= LONG)
            .map(|(first, last)| (first + SHOWN, last))
            .collect();
        clipped.sort_unstable();
        clipped.dedup();
        clipped
    }
}

/// Lines with their numbers, without those that are left out, and with as little as possible between number and text.
pub(super) fn lines(numbered: &str, clipped: &[(u32, u32)]) -> String {
    let mut brief = String::new();
    for line in numbered.split_inclusive('\n') {
        let (number, text) = line.split_once(" |").unwrap_or(("", line));
        let n = number.trim().parse::<u32>().unwrap_or_default();
        match clipped.iter().find(|(first, last)| (first..=last).contains(&&n)) {
            Some((first, last)) if *first == n => brief += &format!("{first}-{last}| …\n"),
            Some(_) => {}
            None => {
                brief += number.trim_start();
                brief.push('|');
                brief += text.strip_prefix(' ').unwrap_or(text);
            }
        }
    }
    brief
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_left_out_are_named() {
        let numbered = " 8 | def f():\n 9 |\n10 |     a\n11 |     b | c\n";
        assert_eq!(lines(numbered, &[]), "8|def f():\n9|\n10|    a\n11|    b | c\n");
        assert_eq!(lines(numbered, &[(9, 10)]), "8|def f():\n9-10| …\n11|    b | c\n");
    }
}
