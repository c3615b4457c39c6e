//! How suggestions for the next request are written for agents: as calls of tools, and as arguments to add.

use locant_api::{Call, Voice};

use super::tools;
use crate::voice::{CommandLine, Fields};

/// An agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agent;

impl Voice for Agent {
    fn call(&self, call: &Call) -> String {
        // If no tool does this, the agent can run the command in a shell.
        let Some((tool, mode)) = tools::of_command(call.command) else { return CommandLine.call(call) };
        let is_named = tool.has_modes() && tool.modes[0].name != mode.name;
        let named = is_named.then(|| format!("\"mode\":\"{}\"", mode.name));
        // Every answer to an agent has JSON beside the text.
        let fields = call.fields.iter().filter(|(field, _)| *field != "json");
        let fields = fields.map(|(field, value)| self.setting(field, value).replacen(": ", ":", 1));
        format!("{} {{{}}}", tool.name, named.into_iter().chain(fields).collect::<Vec<_>>().join(","))
    }

    fn setting(&self, field: &str, value: &str) -> String {
        match field {
            // To see more than the text shows, people ask for JSON. An agent gets JSON anyway, and needs a larger
            // budget.
            "json" => "\"budget\": 100000".to_owned(),
            field => Fields.setting(field, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(command: &'static str, fields: &[(&'static str, &str)]) -> String {
        let fields = fields.iter().map(|(field, value)| (*field, (*value).to_owned())).collect();
        Agent.call(&Call { command, fields })
    }

    #[test]
    fn hints_are_calls_of_tools() {
        assert_eq!(said("read", &[("locate", "a.py:1-3")]), r#"read {"locate":"a.py:1-3"}"#);
        assert_eq!(
            said("read", &[("locate", "a: b"), ("around", "")]),
            r#"read {"locate":"a: b","around":true}"#
        );
        assert_eq!(said("apply", &[("preview", "0a")]), r#"edit {"mode":"apply","preview":"0a"}"#);
        assert_eq!(said("range", &[("locate", "a.py:f")]), r#"locate {"mode":"range","locate":"a.py:f"}"#);
        assert_eq!(said("definition", &[("locate", "a.py:f")]), r#"definition {"locate":"a.py:f"}"#);
        assert_eq!(said("track", &[("locate", "a.py:f")]), "locant track a.py:f");
    }
}
