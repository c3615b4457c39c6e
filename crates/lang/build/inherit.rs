//! `inherit = "NAME"`: a language that is like another, except for what its own file changes.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// The table of a language, completed with the tables that it inherits from.
pub(crate) fn inherited(name: &str, sources: &BTreeMap<String, Table>) -> Result<Table, String> {
    let mut table = sources[name].clone();
    let mut heirs = vec![name.to_owned()];
    while let Some(Value::String(parent)) = table.remove("inherit") {
        if heirs.contains(&parent) {
            return Err(format!("languages/{name}: inherits from itself through {heirs:?}"));
        }
        let source = sources.get(&parent);
        let source = source
            .ok_or_else(|| format!("languages/{name}: inherits from {parent:?}, which is no language"))?;
        lay_under(&mut table, source);
        heirs.push(parent);
    }
    Ok(table)
}

/// Adds the entries of another table. Lists of rules are joined, with the table's own rules first, and so are the
/// lists inside tables such as `[nodes]`. For all other keys, the table's own value wins.
fn lay_under(table: &mut Table, under: &Table) {
    for (key, value) in under {
        match (table.get_mut(key), value) {
            (Some(Value::Array(own)), Value::Array(more)) if is_rules(own) || is_rules(more) => {
                own.extend(more.iter().cloned());
            }
            (Some(Value::Table(own)), Value::Table(more)) => add_lists(own, more),
            (Some(_), _) => {}
            (None, _) => {
                table.insert(key.clone(), value.clone());
            }
        }
    }
}

fn is_rules(list: &[Value]) -> bool {
    list.first().is_some_and(Value::is_table)
}

fn add_lists(own: &mut Table, more: &Table) {
    for (key, value) in more {
        match (own.get_mut(key), value) {
            (Some(Value::Array(own)), Value::Array(more)) => own.extend(more.iter().cloned()),
            (Some(_), _) => {}
            (None, _) => {
                own.insert(key.clone(), value.clone());
            }
        }
    }
}
