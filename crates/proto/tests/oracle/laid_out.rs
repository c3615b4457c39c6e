//! Checks that a formatter keeps every token, every comment, and the declaration that each comment belongs to. If the
//! result is laid out again, it must not change.

use locant_names::Names;
use locant_proto::{File, Workspace, tree};

/// The new text of a file; `None` when it is left as it is because of its syntax errors.
pub(crate) fn formatted(text: &[u8]) -> Option<Vec<u8>> {
    let mut workspace = Workspace::default();
    workspace.set("a.proto", text);
    let replacements = workspace.format("a.proto", None).ok()?;
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

/// The first thing that the formatter changes in a file but must keep. `None` if it keeps everything, or does not lay
/// out the file because of syntax errors.
pub(crate) fn difference(text: &[u8]) -> Option<String> {
    let new = formatted(text)?;
    let Some(again) = formatted(&new) else { return Some("the result has syntax errors".to_owned()) };
    if let Some(at) = first_difference(&new, &again) {
        return Some(format!("formatted twice it differs at byte {at}: {}", around(&new, at)));
    }
    if words(text) != words(&new) {
        return Some("the tokens differ".to_owned());
    }
    let (before, after) = (File::parse(text), File::parse(&new));
    let (old, now) = (locations(&before, text), locations(&after, &new));
    if let Some(at) = first_difference(&old, &now) {
        return Some(format!("{:?} became {:?}", old.get(at), now.get(at)));
    }
    let (old, now) = (tree(&before, text), tree(&after, &new));
    let labels =
        |tree: &locant_tree::Tree| -> Vec<_> { tree.nodes().iter().map(|node| node.label).collect() };
    (labels(&old) != labels(&now)).then(|| "the position trees differ".to_owned())
}

/// The locations of a file: their paths and comments.
fn locations(file: &File, text: &[u8]) -> Vec<String> {
    let comment = |comment: Option<Vec<u8>>| comment.map(|text| without_ends(&text));
    let location = |location: locant_proto::Location<'_>| {
        let detached: Vec<_> = location.detached(text).iter().map(|text| without_ends(text)).collect();
        let (leading, trailing) = (comment(location.leading(text)), comment(location.trailing(text)));
        format!("{:?} {leading:?} {trailing:?} {detached:?}", location.path())
    };
    file.table.iter().map(location).collect()
}

/// The tokens and the comments of a text. The lines of comments have no blanks at their starts and ends.
fn words(text: &[u8]) -> Vec<String> {
    let tokens = super::tokens(text);
    let mut words = Vec::new();
    let mut end = 0;
    for token in tokens {
        words.extend(comments(&text[end..token.start]));
        words.push(String::from_utf8_lossy(&text[token.clone()]).into_owned());
        end = token.end;
    }
    words.extend(comments(&text[end..]));
    words
}

/// The lines of the comments in a text without tokens, as one string; `None` if there are no comments.
fn comments(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A comment without the carriage returns at the ends of its lines.
fn without_ends(text: &[u8]) -> String {
    String::from_utf8_lossy(text).replace('\r', "")
}

fn first_difference<T: PartialEq>(one: &[T], other: &[T]) -> Option<usize> {
    (0..one.len().max(other.len())).find(|&at| one.get(at) != other.get(at))
}

fn around(text: &[u8], at: usize) -> String {
    let part = &text[at.saturating_sub(40)..(at + 40).min(text.len())];
    format!("{:?}", String::from_utf8_lossy(part))
}
