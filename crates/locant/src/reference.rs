//! The reference page, docs/commands.md: the help and the schemas as one Markdown page.

use std::fmt::Write as _;

use clap::{Arg, CommandFactory};
use serde_json::{Map, Value};

use crate::cli::Cli;
use locant_api::commands::schema;

const OPENING: &str = "\
<!-- Written by `UPDATE=1 cargo test -p locant --test reference` from the table of commands. Do not edit. -->

# Commands

Every command is also an operation of `locant batch`: `op` is its name with `_` for `-`, and the fields below are
its request. All positions count lines and characters from 1, ranges are half-open.

Exit codes: 0 found · 1 not found or ambiguous · 2 bad arguments or a bad location · 3 a file, a server or something
outside failed.

## Lists

Places, problems and suggestions come 1000 at a time, the symbols of a file 50000 at a time. `total` counts all. `next`
is where the next ones start: it goes back unchanged (`--next`). `limit` asks for fewer or more at a time, `all` for all
of them. The outline of a directory is written as it is read, and is whole unless `limit` asks for fewer files. The
table of `proto` and the nodes of `tree` are whole; in Markdown they are cut after 1000 lines.
";

/// The page.
pub fn page() -> String {
    let command = Cli::command();
    let schemas = schema::all();
    let mut page = OPENING.to_owned();
    page.push_str(&common_flags(&command));
    let commands = || command.get_subcommands();
    for command in commands() {
        if !command.is_hide_set() {
            page.push_str(&built(command, schemas.get(command.get_name())));
        }
    }
    page.push_str("\n## Errors\n\nIn place of an answer there may be `{\"error\": {…}}`.\n");
    let definition = |name: &str| schemas.get("error").and_then(|error| error.get("$defs")?.get(name));
    for name in ["Error", "Candidate"] {
        page.push_str(&definition(name).map_or_else(String::new, |schema| fields(name, schema)));
    }
    page
}

fn common_flags(command: &clap::Command) -> String {
    let mut table = "\n## Common flags\n\n| flag | field | |\n|---|---|---|\n".to_owned();
    let only_here = ["json", "markdown", "color", "stdin_path", "help", "version"];
    for flag in command.get_arguments() {
        let Some(long) = flag.get_long().filter(|_| !flag.is_hide_set()) else { continue };
        let id = flag.get_id().as_str();
        let field = if only_here.contains(&id) { String::new() } else { format!("`{id}`") };
        let _ = writeln!(table, "| `--{long}{}` | {field} | {} |", value_name(flag), help(flag));
    }
    table
}

/// The section of a command.
fn built(command: &clap::Command, forms: Option<&Value>) -> String {
    let name = command.get_name();
    let about = command.get_long_about().or_else(|| command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let mut operands: Vec<_> = command.get_positionals().collect();
    operands.sort_by_key(|operand| operand.get_index());
    let operands: String = operands.iter().map(|operand| format!(" {}", operand_name(operand))).collect();
    let mut section = format!("\n## {name}\n\n    locant {name}{operands}\n\n{}\n", with_examples(&about));
    if forms.is_none_or(|forms| forms.get("request").is_none()) {
        section.push_str(&flags(command));
    }
    for (title, form) in [("Request", "request"), ("Answer", "answer")] {
        if let Some(schema) = forms.and_then(|forms| forms.get(form)) {
            section.push_str(&fields(title, schema));
        }
    }
    section
}

/// The flags of a command that exists only on the command line; empty when it has none.
fn flags(command: &clap::Command) -> String {
    let own = command.get_opts().filter(|flag| !flag.is_global_set());
    let lines: String = own
        .filter_map(|flag| Some(format!("- `--{}{}`: {}\n", flag.get_long()?, value_name(flag), help(flag))))
        .collect();
    if lines.is_empty() { lines } else { format!("\nFlags:\n\n{lines}") }
}

/// The text of a help page, with its indented lines as blocks of shell commands.
fn with_examples(about: &str) -> String {
    let mut text = String::new();
    let mut is_example = false;
    for line in about.lines() {
        let is_indented = line.starts_with("  ");
        if is_indented != is_example {
            text.push_str(if is_indented { "```sh\n" } else { "```\n" });
            is_example = is_indented;
        }
        text.push_str(line.trim_start());
        text.push('\n');
    }
    text.push_str(if is_example { "```" } else { "" });
    text
}

/// The fields of an object as a list; empty when it has none.
fn fields(title: &str, schema: &Value) -> String {
    let mut all: Map<String, Value> = Map::new();
    let forms = [Some(schema)].into_iter().chain(alternatives(schema).into_iter().map(Some)).flatten();
    for form in forms {
        let form = resolved(schema, form);
        if let Some(properties) = form.get("properties").and_then(Value::as_object) {
            all.extend(properties.clone());
        }
    }
    if all.is_empty() {
        return String::new();
    }
    let mut list = format!("\n{title}:\n\n");
    for (name, property) in &all {
        let description =
            property.get("description").or_else(|| resolved(schema, property).get("description"));
        let description = description.and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
        let _ = writeln!(list, "- `{name}`: {}", description.trim_end_matches('.'));
    }
    list
}

fn alternatives(schema: &Value) -> Vec<&Value> {
    schema.get("anyOf").and_then(Value::as_array).map(|forms| forms.iter().collect()).unwrap_or_default()
}

/// The definition that the `$ref` of a schema names; the schema itself when it has none.
fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let reference = schema.get("$ref").and_then(Value::as_str);
    let definition = reference.and_then(|path| root.pointer(path.strip_prefix('#')?));
    definition.unwrap_or(schema)
}

fn operand_name(operand: &Arg) -> String {
    let name = operand.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    let name = name.unwrap_or_else(|| operand.get_id().as_str().to_uppercase());
    if operand.is_required_set() { name } else { format!("[{name}]") }
}

fn value_name(flag: &Arg) -> String {
    let takes_value = flag.get_action().takes_values();
    let name = flag.get_value_names().and_then(|names| names.first());
    name.filter(|_| takes_value).map_or_else(String::new, |name| format!(" {name}"))
}

fn help(flag: &Arg) -> String {
    flag.get_help().map(ToString::to_string).unwrap_or_default()
}
