//! How each door writes a suggestion for the next request: as a command, as fields of a request, or as options of an
//! editor.

use locant_api::{Call, Voice};
use locant_workspace::shell_word;
use serde::Serializer as _;
use serde_json::Value;

/// The command line: commands to paste, flags to add.
#[derive(Clone, Copy, Debug)]
pub struct CommandLine;

impl Voice for CommandLine {
    fn call(&self, call: &Call) -> String {
        let mut words = format!("locant {}", call.command);
        for (field, value) in &call.fields {
            words.push(' ');
            match *field {
                "locate" | "file_path" | "new_name" | "preview" | "name" | "query" | "hosts" | "verb" => {
                    words.push_str(&shell_word(value))
                }
                "allow" if call.command == "servers" => {
                    words.push_str(&format!("allow {}", shell_word(value)))
                }
                field => words.push_str(&self.setting(field, value)),
            }
        }
        words
    }

    fn setting(&self, field: &str, value: &str) -> String {
        let flag = match field {
            "find_index" => "nth".to_owned(),
            field => field.replace('_', "-"),
        };
        if value.is_empty() { format!("--{flag}") } else { format!("--{flag} {}", shell_word(value)) }
    }
}

/// A batch: requests to write, fields to add.
#[derive(Clone, Copy, Debug)]
pub struct Fields;

impl Voice for Fields {
    fn call(&self, call: &Call) -> String {
        let op = [("op", Value::from(call.command.replace('-', "_")))];
        // In a batch every answer is JSON.
        let fields = call.fields.iter().filter(|(field, _)| *field != "json");
        let fields = fields.map(|(field, value)| match *field {
            "hosts" => (*field, Value::Array(vec![value.as_str().into()])),
            field => (field, of_field(value)),
        });
        let mut request = Vec::new();
        // A serializer, and not a map: the fields keep their order.
        let mut json = serde_json::Serializer::new(&mut request);
        json.collect_map(op.into_iter().chain(fields)).expect("memory can be written to");
        String::from_utf8_lossy(&request).into_owned()
    }

    fn setting(&self, field: &str, value: &str) -> String {
        let is_stand_in = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_stand_in {
            format!("\"{field}\": {value}")
        } else {
            format!("\"{field}\": {}", of_field(value))
        }
    }
}

/// A value as JSON: `true` for a flag without a value, a number for digits, otherwise a string.
fn of_field(value: &str) -> Value {
    match value.parse::<u64>() {
        _ if value.is_empty() => Value::Bool(true),
        Ok(number) => number.into(),
        Err(_) => value.into(),
    }
}

/// An editor: options to set.
#[derive(Clone, Copy, Debug)]
pub struct Editor;

impl Voice for Editor {
    fn call(&self, call: &Call) -> String {
        CommandLine.call(call)
    }

    fn setting(&self, field: &str, value: &str) -> String {
        match field {
            "proto_path" => format!("protoPath: [{value:?}]"),
            "root" => format!("workspace folder {value}"),
            field => Fields.setting(field, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(field: &'static str, value: &str) -> Call {
        Call { command: "outline", fields: vec![(field, value.to_owned()), ("all", String::new())] }
    }

    #[test]
    fn commands_can_be_pasted_whatever_the_path_is() {
        let said = |path| CommandLine.call(&call("file_path", path));
        assert_eq!(said("a.py"), "locant outline a.py --all");
        assert_eq!(said("it's; rm.py"), r"locant outline 'it'\''s; rm.py' --all");
        assert_eq!(said("$(x).py"), "locant outline '$(x).py' --all");
    }

    #[test]
    fn arguments_without_flags() {
        let said = |command, field, value: &str| {
            let fields = vec![(field, value.to_owned()), ("write", String::new())];
            (
                CommandLine.call(&Call { command, fields: fields.clone() }),
                Fields.call(&Call { command, fields }),
            )
        };
        let (words, request) = said("init", "hosts", "zed");
        assert_eq!(words, "locant init zed --write");
        assert_eq!(request, r#"{"op":"init","hosts":["zed"],"write":true}"#);
        assert_eq!(said("servers", "allow", "a b").0, "locant servers allow 'a b' --write");
        assert_eq!(said("daemon", "verb", "stop").0, "locant daemon stop --write");
    }

    #[test]
    fn each_door_has_its_own_words() {
        assert_eq!(CommandLine.setting("find_index", "2"), "--nth 2");
        assert_eq!(Fields.setting("find_index", "2"), "\"find_index\": 2");
        assert_eq!(
            Fields.call(&call("file_path", "a.py")),
            r#"{"op":"outline","file_path":"a.py","all":true}"#
        );
        assert_eq!(Editor.setting("proto_path", "a/b"), r#"protoPath: ["a/b"]"#);
    }
}
