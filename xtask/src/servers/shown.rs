//! Answers as they are written in case files: short, and without parts that differ from run to run.

use serde_json::Value;

/// The most lines of a text from a server that a case shows, and the most characters of a line.
const MOST_LINES: usize = 12;
const MOST_CHARACTERS: usize = 160;

/// The line that says that a server may know more than it has answered.
pub(super) const DOUBT: &str = "(not complete)";

/// An answer in lines. Each ends with a line break.
pub(crate) fn shown(answer: &Value) -> String {
    let lines = match answer {
        answer if answer.get("error").is_some() => error(&answer["error"]),
        answer if answer.get("actions").is_some() => actions(answer),
        answer if answer.get("diff").is_some() => text(&answer["diff"], usize::MAX),
        answer if answer.get("signatures").is_some() => signatures(answer),
        answer if answer.get("result").is_some() => {
            text(&Value::String(in_order(&answer["result"]).to_string()), 1)
        }
        answer if answer.get("file_paths").is_some() => vec![format!("applied {}", answer["total"])],
        answer if answer.get("items").is_some() => list(&answer["items"]).iter().map(item).collect(),
        answer => text(&answer["text"], MOST_LINES),
    };
    let mut shown: String = lines.iter().map(|line| format!("{}\n", line.trim_end())).collect();
    shown += &ending(answer);
    shown
}

/// The unchanged answer of a server, except that ranges are in the order of the text: gopls lists highlights in another
/// order each time.
fn in_order(result: &Value) -> Value {
    let mut result = result.clone();
    if let Some(items) = result.as_array_mut() {
        items.sort_by_key(|item| {
            let start = &item["range"]["start"];
            (start["line"].as_u64(), start["character"].as_u64())
        });
    }
    result
}

/// The end of an answer: how many items there are, if not all are shown, and whether the answer is complete.
fn ending(answer: &Value) -> String {
    let n_shown = answer["items"].as_array().map(Vec::len);
    let total = answer["total"].as_u64().filter(|total| n_shown.is_some_and(|shown| (shown as u64) < *total));
    let more = total.map(|total| format!("of {total}\n")).unwrap_or_default();
    match &answer["complete"] {
        Value::Bool(false) => format!("{more}{DOUBT}\n"),
        _ => more,
    }
}

fn item(item: &Value) -> String {
    let place = |position: &Value| format!("{}:{}", position["line"], position["character"]);
    let word = |name: &str| item[name].as_str().unwrap_or_default();
    if let Some(label) = item["label"].as_str() {
        return format!("{label} ({}) {}", word("kind"), cut(word("detail")));
    }
    let start = place(&item["range"]["start"]);
    if let Some(message) = item["message"].as_str() {
        let end = place(&item["range"]["end"]);
        let message = cut(message);
        return format!("{start}-{end} {} {} {}: {message}", word("severity"), word("source"), word("code"));
    }
    let sites: Vec<&str> = list(&item["call_sites"]).iter().filter_map(Value::as_str).collect();
    let sites = if sites.is_empty() { String::new() } else { format!(" from {}", sites.join(", ")) };
    format!("{}:{start}: {}{sites}", word("file_path"), word("line_text").trim())
}

fn error(error: &Value) -> Vec<String> {
    let word = |name: &str| error[name].as_str().unwrap_or_default();
    vec![format!("{}: {}", word("kind"), cut(word("message")))]
}

fn actions(answer: &Value) -> Vec<String> {
    let line = |action: &Value| {
        let word = |name: &str| action[name].as_str().unwrap_or_default();
        let refused = action["refused"].as_str().map(|why| format!(" refused: {}", cut(why)));
        format!("{} {} ({}){}", action["n"], word("title"), word("kind"), refused.unwrap_or_default())
    };
    list(&answer["actions"]).iter().map(line).collect()
}

fn signatures(answer: &Value) -> Vec<String> {
    let line = |signature: &Value| {
        let label = signature["label"].as_str().unwrap_or_default();
        format!("{} [{}]", cut(label), signature["active_parameter"])
    };
    list(&answer["signatures"]).iter().map(line).collect()
}

fn text(text: &Value, most: usize) -> Vec<String> {
    let lines = text.as_str().unwrap_or_default().trim_end().lines();
    // A line that starts with a fence would end the block of the case.
    lines.take(most).map(|line| cut(line).replace("```", "'''")).collect()
}

/// The first line of a text, cut where it is long.
fn cut(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST_CHARACTERS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
