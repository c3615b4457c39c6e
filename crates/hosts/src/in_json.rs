//! Additions to JSON with comments: one more member in an object, laid out like those beside it.

use crate::addition::{Addition, Insertion, NAME, beside};
use crate::catalogue::Host;
use crate::fault::Fault;
use crate::jsonc::{self, Node, Object, What, comment};
use crate::value::{Value, quoted};

pub(crate) fn add(settings: &str, host: &Host, entry: &Value) -> Result<Addition, Fault> {
    let Some(root) = jsonc::read(settings)? else { return fresh(settings, host, entry) };
    let layout = Layout::of(settings, &root);
    let all = object(&root, "the settings are")?;
    let Some(servers) = all.get(&host.key) else {
        let servers = Value::Table(vec![(NAME.to_owned(), entry.clone())]);
        return Ok(Addition::Missing(layout.member(&root, all, &host.key, &servers)));
    };
    let listed = object(servers, &format!("`{}` is", host.key))?;
    Ok(match listed.get(NAME) {
        Some(standing) => beside(entry, &standing.value()),
        None => Addition::Missing(layout.member(servers, listed, NAME, entry)),
    })
}

/// The addition to settings that do not exist yet, or that have only comments.
fn fresh(settings: &str, host: &Host, entry: &Value) -> Result<Addition, Fault> {
    let start = if settings.is_empty() || settings.ends_with('\n') { "" } else { "\n" };
    let (Value::Table(fields), servers) = (&host.fresh, vec![(NAME.to_owned(), entry.clone())]) else {
        return Err(Fault { offset: 0, message: "new settings start with an object".to_owned() });
    };
    let fields = fields.iter().cloned().chain([(host.key.clone(), Value::Table(servers))]);
    let layout = Layout { settings, unit: "  ", line_break: line_break(settings), has_lines: true };
    let text = format!("{start}{}\n", layout.written(&Value::Table(fields.collect()), ""));
    Ok(Addition::Missing(vec![Insertion { offset: settings.len(), text }]))
}

fn object<'n>(node: &'n Node, what: &str) -> Result<&'n Object, Fault> {
    match &node.what {
        What::Object(object) => Ok(object),
        _ => Err(Fault { offset: node.range.start, message: format!("{what} not an object") }),
    }
}

/// How the settings are laid out.
struct Layout<'t> {
    settings: &'t str,
    /// How much further a member is indented than the object that it is in.
    unit: &'t str,
    line_break: &'t str,
    /// Whether each member is on a line of its own.
    has_lines: bool,
}

impl<'t> Layout<'t> {
    fn of(settings: &'t str, root: &Node) -> Layout<'t> {
        let What::Object(all) = &root.what else {
            return Layout { settings, unit: "  ", line_break: line_break(settings), has_lines: true };
        };
        let own = all.members.iter().find_map(|member| own_indent(settings, member.start));
        let unit = own.filter(|indent| !indent.is_empty()).unwrap_or("  ");
        let has_lines = all.members.is_empty() || settings[root.range.clone()].contains('\n');
        Layout { settings, unit, line_break: line_break(settings), has_lines }
    }

    /// Puts a member behind the last one of an object.
    fn member(&self, node: &Node, object: &Object, key: &str, value: &Value) -> Vec<Insertion> {
        let has_lines = self.has_lines && (object.members.is_empty() || self.breaks(node));
        let outer = indent(self.settings, node.range.start);
        let inner = match object.members.last().and_then(|last| own_indent(self.settings, last.start)) {
            Some(indent) => indent.to_owned(),
            None => format!("{outer}{}", self.unit),
        };
        let text = format!(
            "{}: {}",
            quoted(key),
            if has_lines { self.written(value, &inner) } else { value.on_one_line() }
        );
        let before = if has_lines { format!("{}{inner}", self.line_break) } else { " ".to_owned() };
        let Some(last) = object.members.last() else {
            return vec![self.only_member(node, &text, has_lines, &before, outer)];
        };
        let end = last.value.range.end;
        let put = |offset, text| Insertion { offset, text };
        match object.comma {
            Some(comma) if has_lines => vec![put(self.end_of_line(comma + 1), format!("{before}{text},"))],
            Some(comma) => vec![put(comma + 1, format!("{before}{text},"))],
            None if has_lines && self.end_of_line(end) > end => {
                vec![put(end, ",".to_owned()), put(self.end_of_line(end), format!("{before}{text}"))]
            }
            None => vec![put(end, format!(",{before}{text}"))],
        }
    }

    /// The first member of an empty object, which may have comments in it.
    fn only_member(&self, node: &Node, text: &str, has_lines: bool, before: &str, outer: &str) -> Insertion {
        let inside = &self.settings[node.range.start + 1..node.range.end - 1];
        let offset = node.range.start + 1 + inside.trim_end().len();
        if !has_lines {
            let before = if inside.trim().is_empty() { "" } else { before };
            return Insertion { offset, text: format!("{before}{text}") };
        }
        let is_closed_below = inside[inside.trim_end().len()..].contains('\n');
        let after = if is_closed_below { String::new() } else { format!("{}{outer}", self.line_break) };
        Insertion { offset, text: format!("{before}{text}{after}") }
    }

    /// Whether a node is written on several lines.
    fn breaks(&self, node: &Node) -> bool {
        self.settings[node.range.clone()].contains('\n')
    }

    /// The end of the comments that follow on the same line; the place itself if none do.
    fn end_of_line(&self, from: usize) -> usize {
        let mut end = from;
        loop {
            let rest = &self.settings[end..];
            let start = end + rest.len() - rest.trim_start_matches([' ', '\t']).len();
            match comment(&self.settings[start..]).flatten() {
                Some(length) if !self.settings[start..start + length].contains('\n') => end = start + length,
                _ => return end,
            }
        }
    }

    /// A value over several lines: each member of a table is on a line of its own, and a list is on one line.
    fn written(&self, value: &Value, indent: &str) -> String {
        let Value::Table(all) = value else { return value.on_one_line() };
        let inner = format!("{indent}{}", self.unit);
        let members: Vec<String> = all
            .iter()
            .map(|(key, value)| {
                format!("{}{inner}{}: {}", self.line_break, quoted(key), self.written(value, &inner))
            })
            .collect();
        format!("{{{}{}{indent}}}", members.join(","), self.line_break)
    }
}

fn line_break(settings: &str) -> &'static str {
    if settings.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The blanks at the start of the line of a place.
fn indent(settings: &str, offset: usize) -> &str {
    let start = settings[..offset].rfind('\n').map_or(0, |end| end + 1);
    let line = &settings[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The blanks before a place, if nothing else is before it on its line.
fn own_indent(settings: &str, offset: usize) -> Option<&str> {
    let indent = indent(settings, offset);
    let start = settings[..offset].rfind('\n').map(|end| end + 1)?;
    (start + indent.len() == offset).then_some(indent)
}
