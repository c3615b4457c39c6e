//! A value in settings, whatever the format is.

/// A value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number, `true`, `false` or `null`, as it is written.
    Word(String),
    /// A list.
    List(Vec<Value>),
    /// Values by their keys, in their order.
    Table(Vec<(String, Value)>),
}

impl Value {
    /// The value under a key. If the key occurs several times, the last one counts, as in programs that read JSON.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Table(all) => all.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            Value::Text(_) | Value::Word(_) | Value::List(_) => None,
        }
    }

    /// Whether another value says all that this one says. A table may say more.
    pub(crate) fn is_within(&self, other: &Value) -> bool {
        match self {
            Value::Table(all) => {
                all.iter().all(|(key, value)| other.get(key).is_some_and(|other| value.is_within(other)))
            }
            Value::Text(_) | Value::Word(_) | Value::List(_) => self == other,
        }
    }

    /// The same with `old` replaced by `new` in all texts.
    pub(crate) fn with(&self, old: &str, new: &str) -> Value {
        match self {
            Value::Text(text) => Value::Text(text.replace(old, new)),
            Value::Word(word) => Value::Word(word.clone()),
            Value::List(all) => Value::List(all.iter().map(|value| value.with(old, new)).collect()),
            Value::Table(all) => {
                Value::Table(all.iter().map(|(key, value)| (key.clone(), value.with(old, new))).collect())
            }
        }
    }

    /// The value on one line, as JSON. TOML writes lists and texts in the same way.
    pub(crate) fn on_one_line(&self) -> String {
        match self {
            Value::Text(text) => quoted(text),
            Value::Word(word) => word.clone(),
            Value::List(all) => {
                let all: Vec<String> = all.iter().map(Value::on_one_line).collect();
                format!("[{}]", all.join(", "))
            }
            Value::Table(all) => {
                let all: Vec<String> = all
                    .iter()
                    .map(|(key, value)| format!("{}: {}", quoted(key), value.on_one_line()))
                    .collect();
                format!("{{{}}}", all.join(", "))
            }
        }
    }
}

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
