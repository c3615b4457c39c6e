//! Removes the markup from a name, so that it reads as it is displayed. This is for headings in Markdown.

/// A name without its markup.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct WithoutMarkup<'n> {
    text: String,
    /// The id in `{#…}` at the end of the name.
    id: Option<&'n str>,
}

impl<'n> WithoutMarkup<'n> {
    /// Removes the markup from a name. `marks` has the characters for emphasis, such as `*` and `_`.
    pub(crate) fn of(name: &'n str, marks: &str) -> WithoutMarkup<'n> {
        let (shown, id) = without_id(name);
        let mut text = String::with_capacity(shown.len());
        let mut rest = shown;
        while let Some(c) = rest.chars().next() {
            let after = &rest[c.len_utf8()..];
            rest = match c {
                '\\' => match after.chars().next().filter(char::is_ascii_punctuation) {
                    Some(escaped) => {
                        text.push(escaped);
                        &after[escaped.len_utf8()..]
                    }
                    None => {
                        text.push(c);
                        after
                    }
                },
                // In an image `![alt](image)` and a link `[text](address)` or `[text][label]`, only the text in the
                // first brackets is displayed.
                '!' if after.starts_with('[') => after,
                '[' => after,
                ']' => after_address(after),
                '<' if is_tag(after) => after.split_once('>').map_or("", |(_, after)| after),
                // A `_` inside a word such as `snake_case` is not emphasis.
                '_' if is_in_word(&text, after) => {
                    text.push(c);
                    after
                }
                c if marks.contains(c) => after,
                c => {
                    text.push(c);
                    after
                }
            };
        }
        WithoutMarkup { text: text.split_whitespace().collect::<Vec<_>>().join(" "), id }
    }

    /// Whether `wanted` is this name without markup, or its id with or without `#`.
    pub(crate) fn is(&self, wanted: &str) -> bool {
        let id = wanted.strip_prefix('#').unwrap_or(wanted);
        !wanted.is_empty() && (self.text == wanted || self.id == Some(id))
    }
}

/// A name without `{#id}` or `{#id .class}` at its end, and the id.
fn without_id(name: &str) -> (&str, Option<&str>) {
    let attributes = name.trim_end().strip_suffix('}').and_then(|name| name.rsplit_once('{'));
    let Some((front, attributes)) =
        attributes.filter(|(_, inside)| inside.trim_start().starts_with(['#', '.']))
    else {
        return (name, None);
    };
    let id = attributes.split_whitespace().find_map(|word| word.strip_prefix('#'));
    (front.trim_end(), id.filter(|id| !id.is_empty()))
}

/// The text after the address or label of a link, if the text starts with one. Otherwise the whole text.
fn after_address(text: &str) -> &str {
    let close = match text.chars().next() {
        Some('(') => ')',
        Some('[') => ']',
        _ => return text,
    };
    text.split_once(close).map_or(text, |(_, after)| after)
}

fn is_tag(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') && text.contains('>')
}

fn is_in_word(before: &str, after: &str) -> bool {
    before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, text: &str, id: Option<&str>) {
        assert_eq!(WithoutMarkup::of(name, "*_`~"), WithoutMarkup { text: text.to_owned(), id });
    }

    #[test]
    fn emphasis_and_code_are_seen_as_their_text() {
        check("From *source* with `cargo`", "From source with cargo", None);
        check("__Very__ _new_: snake_case ~~old~~", "Very new: snake_case old", None);
        check(r"A \*star\* \n", r"A *star* \n", None);
    }

    #[test]
    fn links_images_and_tags_are_seen_as_their_text() {
        check("See [the *docs*](https://a.b/c) and [x][y]", "See the docs and x", None);
        check("![Logo](a.png) Name <sup>new</sup> a < b", "Logo Name new a < b", None);
        check("[1.2.0] - 2024", "1.2.0 - 2024", None);
    }

    #[test]
    fn an_id_is_not_seen_but_can_be_asked_for() {
        check("Install {#setup .wide}", "Install", Some("setup"));
        check("Blocks {a}", "Blocks {a}", None);
        let heading = WithoutMarkup::of("*Install* {#setup}", "*");
        assert!(["Install", "setup", "#setup"].iter().all(|wanted| heading.is(wanted)));
        assert!(!heading.is("#Install") && !heading.is(""));
    }
}
