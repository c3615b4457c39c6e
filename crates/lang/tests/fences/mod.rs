//! The fenced blocks of a cases file.

/// A fenced block: the text after the opening fence, and the lines up to the closing fence. A fence may be longer than
/// three backticks, for sources that contain fences themselves.
pub(crate) struct Fenced<'a> {
    pub(crate) info: &'a str,
    pub(crate) text: String,
}

/// The block that `line` opens, or `None` if it opens none. The lines of the block are taken from `lines`.
pub(crate) fn opened<'a>(line: &'a str, lines: &mut std::str::Lines<'_>) -> Option<Fenced<'a>> {
    let info = line.trim_start_matches('`');
    let fence = &line[..line.len() - info.len()];
    if fence.len() < 3 {
        return None;
    }
    let text = lines.by_ref().take_while(|line| *line != fence).map(|line| format!("{line}\n")).collect();
    Some(Fenced { info, text })
}
