//! Formats answers for people in a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::{self, RangeInclusive};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use locant_engine::names::Hover;
use locant_engine::{Document, Location, Offset, Range};

use crate::failure::{Error, Failure};
use crate::paging;
use crate::phrase::{Phrase, Voice, call, phrase, setting};
use crate::wire::{self, Candidate, Position};

/// How many columns of a line are shown.
const COLUMNS: usize = 160;

/// How many bytes of a line are read on each side of the place. More would be cut to `COLUMNS` anyway.
const RADIUS: usize = 1_000;

/// How many lines of a range are shown. Of a longer range, only the first line is shown.
const LINES: u32 = 60;

/// The colored words before errors, hints and notes. The command line strips the colors if the output is not a
/// terminal.
pub const ERROR: &str = "\u{1b}[1;31merror:\u{1b}[0m";
/// See [`ERROR`].
pub const HINT: &str = "\u{1b}[1;36mhint:\u{1b}[0m";
/// See [`ERROR`].
pub const NOTE: &str = "\u{1b}[1;32mnote:\u{1b}[0m";

/// Makes a less important word dim.
pub(crate) fn dim(text: &str) -> String {
    format!("\u{1b}[2m{text}\u{1b}[0m")
}

/// Makes an important word bold.
pub(crate) fn bold(text: &str) -> String {
    format!("\u{1b}[1m{text}\u{1b}[0m")
}

/// The lines around a range.
#[derive(Clone, Debug, Default)]
pub(crate) struct Excerpt {
    source: String,
    first_line: u32,
    /// The range in `source` that is marked with carets.
    carets: ops::Range<usize>,
}

/// The source around a range, with line numbers, and carets under the range.
pub(crate) fn snippet(excerpt: &Excerpt) -> String {
    let Excerpt { source, first_line, carets } = excerpt.clone();
    let annotation = AnnotationKind::Primary.span(carets).highlight_source(true);
    let snippet = Snippet::source(source).line_start(first_line as usize).annotation(annotation);
    let group = Group::with_level(Level::NOTE).element(snippet);
    let mut text = Renderer::styled().term_width(COLUMNS).render(&[group]);
    text.push('\n');
    text
}

/// Lines of a document with aligned line numbers, cut to a readable amount.
pub(crate) struct Numbered {
    pub(crate) text: String,
    /// What is left out, and how to see it.
    pub(crate) left_out: Option<Phrase>,
}

/// Lines with their numbers. If `checks` is given, it has the marks of all lines of the document, and each line also
/// gets its mark. A very long line is cut to the part around the place, or to its start.
pub(crate) fn numbered(
    document: &Document,
    lines: &[(u32, Range)],
    place: Offset,
    checks: Option<&[String]>,
) -> Numbered {
    let text = document.text();
    let last = lines.last().map_or(1, |(line, _)| *line);
    let width = last.to_string().len();
    let (mut shown, mut n_cut) = (String::new(), 0);
    for &(line, range) in lines {
        if shown.len() > MOST_SHOWN {
            let left_out = left_out(document.path(), line..=last, n_cut);
            return Numbered { text: shown, left_out: Some(left_out) };
        }
        let near = if text.line_of(place) == line { place } else { range.start() };
        let is_long = range.extent().len() > 2 * RADIUS;
        let (before, part, after) =
            if is_long { wire::window(document, range, near, RADIUS) } else { (false, range, false) };
        n_cut += usize::from(is_long);
        let content = text.lossy(part);
        let check = checks.and_then(|checks| checks.get(line.checked_sub(1)? as usize));
        let (check, bar) = check.map_or((String::new(), "|"), |check| (format!("~{check}"), "│"));
        let separator = if content.is_empty() { format!(" {bar}") } else { format!(" {bar} ") };
        let cut = |is_cut| if is_cut { "…" } else { "" };
        // Writing to a string does not fail.
        let _ = writeln!(
            shown,
            "{line:width$}{check}{separator}{}{}{}",
            cut(before),
            visible(&content),
            cut(after)
        );
    }
    let left_out = (n_cut > 0).then(|| phrase![cut_lines(n_cut), ": `", setting("json", ""), "` gives all"]);
    Numbered { text: shown, left_out }
}

fn left_out(path: &str, lines: RangeInclusive<u32>, n_cut: usize) -> Phrase {
    let cut = if n_cut == 0 { String::new() } else { format!("{}, and ", cut_lines(n_cut)) };
    let (first, last) = (lines.start(), lines.end());
    phrase![
        format!("{cut}the lines {first} to {last} are not shown: "),
        call("read").with("locate", format!("{path}:{first}-{last}")),
        " shows more, `",
        setting("json", ""),
        "` gives all",
    ]
}

fn cut_lines(n_cut: usize) -> String {
    match n_cut {
        1 => "a very long line is cut".to_owned(),
        _ => format!("{n_cut} very long lines are cut"),
    }
}

/// How many bytes of lines are shown before the rest is left out.
const MOST_SHOWN: usize = 1 << 20;

/// A place in the form that terminals and editors jump to: `FILE:LINE:COLUMN`.
pub(crate) fn place(file_path: &str, Position { line, character }: Position) -> String {
    format!("{}:{line}:{character}", path(file_path))
}

/// A path as it is written in a location: in quotes, if its end would not be clear otherwise.
pub fn path(path: &str) -> String {
    let location = Location { path: path.to_owned(), ..Location::default() };
    visible(&location.to_string()).into_owned()
}

/// Replaces control characters, which a terminal would obey, by visible symbols.
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_command = |c: char| c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r');
    let picture = |c: char| match c {
        '\u{7f}' => '␡',
        c if is_command(c) => char::from_u32(0x2400 + u32::from(c)).unwrap_or('�'),
        c => c,
    };
    if text.contains(is_command) {
        Cow::Owned(text.chars().map(picture).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// A failure: the message, the hint, and locations to paste, each on its own line.
pub fn failure(failure: &Failure, voice: &dyn Voice) -> String {
    let mut text = format!("{ERROR} {}\n", visible(&failure.message));
    if !failure.hint.is_empty() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{HINT} {}", visible(&failure.hint.said(voice)));
    }
    text.push_str(&visible(&candidates(&failure.candidates)));
    text
}

/// A failure for agents: the message, the hint, and the places that may be meant as a list.
pub fn error_markdown(error: &Error) -> String {
    let mut text = format!("error: {}\n", visible(&error.message));
    if !error.hint.is_empty() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\nhint: {}", visible(&error.hint));
    }
    let mut said = "";
    for candidate in &error.candidates {
        if candidate.why != said {
            said = &candidate.why;
            let _ = writeln!(text, "\n{said}:");
        }
        text += &place_to_paste(candidate);
    }
    text
}

/// A place as an item of a Markdown list: the location to paste, and its line.
pub(crate) fn place_to_paste(candidate: &Candidate) -> String {
    let location = code(&candidate.location);
    match (&candidate.position, &candidate.line_text) {
        (Some(position), Some(text)) => {
            format!("- {location} (line {}: {})\n", position.line, code(&shortened(text)))
        }
        _ => format!("- {location}\n"),
    }
}

/// A place in Markdown, for a list below the path of its file: the part of its location after the path, and its line.
pub(crate) fn below_path(file_path: &str, location: &str, Position { line, character }: Position) -> String {
    let place = match location.strip_prefix(&path(file_path)) {
        Some(rest) => rest,
        None => location,
    };
    // A place that starts with the line needs no other mention of it.
    let is_told = place.is_empty() || place.starts_with(&format!(":{line}"));
    match place {
        "" => code(&format!(":{line}:{character}")),
        place if is_told => code(place),
        place => format!("{} (line {line})", code(place)),
    }
}

/// Candidates as lines to paste, under headings that say why they are offered.
pub(crate) fn candidates(candidates: &[Candidate]) -> String {
    let mut shown = String::new();
    let mut said = None;
    for candidate in candidates {
        let why = &*candidate.why;
        if !why.is_empty() && said != Some(why) {
            let _ = writeln!(shown, "{why}:");
            said = Some(why);
        }
        shown.push_str(&self::candidate(candidate));
    }
    shown
}

/// A location ready to paste, and below it the line it leads to.
pub(crate) fn candidate(candidate: &Candidate) -> String {
    let line = match (&candidate.position, &candidate.line_text) {
        (Some(position), Some(text)) => format!("      {} | {}\n", position.line, shortened(text)),
        _ => String::new(),
    };
    format!("  {}\n{line}", candidate.location)
}

/// A line without surrounding blanks, cut if it is long.
pub(crate) fn shortened(line: &str) -> String {
    let mut text: String = line.trim().chars().take(MOST_OF_LINE + 1).collect();
    if text.chars().count() > MOST_OF_LINE {
        text.pop();
        text.push('…');
    }
    text
}

/// Inline code for Markdown. The text may contain backticks and line breaks.
pub(crate) fn code(text: &str) -> String {
    let text = visible(text).replace('\n', "␊").replace('\r', "␍");
    let ticks = "`".repeat(longest_ticks(&text) + 1);
    // Markdown strips one blank from each end of inline code, unless it is all blanks. So one is added here.
    let is_stripped = text.starts_with(' ') && text.ends_with(' ') && !text.trim().is_empty();
    let blank = if text.starts_with('`') || text.ends_with('`') || is_stripped { " " } else { "" };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

/// How many characters of a candidate's line are shown.
const MOST_OF_LINE: usize = 90;

/// A hover in Markdown.
pub fn hover(hover: &Hover, language: &str) -> String {
    let code = if hover.code.is_empty() { String::new() } else { fenced(language, &hover.code) };
    let parts = [code.trim_end(), &hover.facts.join("  \n"), &hover.docs].map(str::to_owned);
    parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("\n\n")
}

fn longest_ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// The part of a range that is shown, and a note with the lines that are left out.
pub(crate) fn cut(document: &Document, range: Range) -> (Range, Option<Phrase>) {
    if range.extent().len() <= MOST_SHOWN {
        return (range, None);
    }
    let (_, shown, _) = wire::window(document, range, range.start(), MOST_SHOWN);
    let line = |offset| document.text().line_of(offset);
    (shown, Some(left_out(document.path(), line(shown.end())..=line(range.end()), 0)))
}

/// The first lines of an answer, as many as an agent should read, and a note about the rest.
pub(crate) fn most_lines(text: &str) -> (&str, Option<Phrase>) {
    let Some((end, _)) = text.match_indices('\n').nth(paging::FEW - 1) else { return (text, None) };
    let (shown, rest) = text.split_at(end + 1);
    let n_more = rest.lines().count();
    (
        shown,
        (n_more > 0).then(|| {
            phrase![format!("{n_more} more lines are not shown: `"), setting("json", ""), "` gives all"]
        }),
    )
}

/// A fenced code block. The fence is longer than any run of backticks in the text.
pub(crate) fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_ticks(text).max(2) + 1);
    let line_break = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{line_break}{fence}\n")
}

/// The lines of a range; if there are too many, only the first.
pub(crate) fn excerpt(document: &Document, range: Range) -> Excerpt {
    let text = document.text();
    let first = text.line_of(range.start());
    // A range that ends after a line break does not include the next line.
    let ends_at_line_start = text.line_start(text.line_of(range.end())) == Some(range.end());
    let last = text.line_of(range.end()) - u32::from(ends_at_line_start && !range.is_empty());
    let last = if last - first < LINES { last.max(first) } else { first };

    let mut source = String::new();
    let mut carets = 0..0;
    for line in first..=last {
        let content = text.line_content(line).unwrap_or(Range::empty(range.start()));
        if line > first {
            source.push('\n');
        }
        let near = if line == first { range.start() } else { content.start() };
        let is_cut = content.extent().len() > 2 * RADIUS;
        let (before, shown, after) =
            if is_cut { wire::window(document, content, near, RADIUS) } else { (false, content, false) };
        source.push_str(if before { "…" } else { "" });
        let column = |offset: Offset| {
            let offset = offset.clamp(shown.start(), shown.end());
            source.len() + text.lossy(Range::new(shown.start(), offset)).len()
        };
        if line == first {
            carets.start = column(range.start());
        }
        if line == last {
            carets.end = column(range.end());
        }
        source.push_str(&text.lossy(shown));
        source.push_str(if after { "…" } else { "" });
    }
    Excerpt { source, first_line: first, carets }
}

/// Words as people list them: `a, b and c`.
pub(crate) fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::code;

    /// The code that a reader of Markdown sees in a line that is a single inline code.
    fn read(line: &str) -> String {
        let n_ticks = line.len() - line.trim_start_matches('`').len();
        let body = &line[n_ticks..line.len() - n_ticks];
        assert!(
            line.ends_with(&"`".repeat(n_ticks)) && !body.starts_with('`') && !body.ends_with('`'),
            "{line}"
        );
        let closes = body.split(|c| c != '`').any(|ticks| ticks.len() == n_ticks);
        assert!(!closes && !body.contains(['\n', '\r']), "{line}");
        let is_padded = body.starts_with(' ') && body.ends_with(' ') && !body.trim().is_empty();
        if is_padded { body[1..body.len() - 1].to_owned() } else { body.to_owned() }
    }

    #[test]
    fn code_in_markdown_is_read_as_it_was() {
        let mut texts = vec![String::new()];
        for _ in 0..6 {
            let longer =
                texts.iter().flat_map(|text| ["`", " ", "a", "\n"].map(|sign| format!("{text}{sign}")));
            texts = longer.collect();
            for text in &texts {
                assert_eq!(read(&code(text)), text.replace('\n', "␊"), "{text:?}");
            }
        }
    }
}
