//! What is added to settings, and that nothing else about them changes.

use locant_hosts::{Addition, Host, add, known};

fn host(name: &str) -> &'static Host {
    known().iter().find(|host| host.name == name).expect("the host is known")
}

/// The settings with the entry, `present`, `different`, or what is wrong and where.
fn added(name: &str, settings: &str) -> String {
    match add(settings, host(name), "locant") {
        Ok(Addition::Present) => "present".to_owned(),
        Ok(Addition::Different) => "different".to_owned(),
        Ok(Addition::Missing(insertions)) => {
            let mut text = settings.to_owned();
            assert!(insertions.is_sorted_by_key(|one| one.offset));
            for one in insertions.iter().rev() {
                text.insert_str(one.offset, &one.text);
            }
            text
        }
        Err(fault) => format!("{}: {}", fault.offset, fault.message),
    }
}

fn check(name: &str, settings: &str, expected: &str) {
    assert_eq!(added(name, settings), expected, "{settings}");
}

#[test]
fn settings_that_are_new() {
    check(
        "cursor",
        "",
        concat!(
            "{\n",
            "  \"mcpServers\": {\n",
            "    \"locant\": {\n",
            "      \"command\": \"locant\",\n",
            "      \"args\": [\"mcp\"]\n",
            "    }\n",
            "  }\n",
            "}\n",
        ),
    );
    check("codex", "", "[mcp_servers.locant]\ncommand = \"locant\"\nargs = [\"mcp\"]\n");
    let fresh = added("opencode", "");
    assert!(
        fresh.starts_with("{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {"),
        "{fresh}"
    );
}

#[test]
fn an_object_that_is_empty() {
    let expected = concat!(
        "{\n",
        "  \"mcpServers\": {\n",
        "    \"locant\": {\n",
        "      \"command\": \"locant\",\n",
        "      \"args\": [\"mcp\"]\n",
        "    }\n",
        "  }\n",
        "}",
    );
    check("cursor", "{}", expected);
    check("cursor", "{\n}", expected);
    check("cursor", "{\n  \"mcpServers\": {}\n}", expected);
    check("cursor", "{\n  \"mcpServers\": {\n  }\n}", expected);
}

#[test]
fn comments_order_and_indentation_stay() {
    check(
        "zed",
        concat!(
            "// Mine.\n",
            "{\n",
            "\t\"theme\": \"One\", // dark\n",
            "\t/* later */\n",
            "\t\"context_servers\": {\n",
            "\t\t\"b\": {\"command\": \"b\"}, // second\n",
            "\t\t// the first is off\n",
            "\t},\n",
            "\t\"z\": 1,\n",
            "}\n",
        ),
        concat!(
            "// Mine.\n",
            "{\n",
            "\t\"theme\": \"One\", // dark\n",
            "\t/* later */\n",
            "\t\"context_servers\": {\n",
            "\t\t\"b\": {\"command\": \"b\"}, // second\n",
            "\t\t\"locant\": {\n",
            "\t\t\t\"command\": \"locant\",\n",
            "\t\t\t\"args\": [\"mcp\"]\n",
            "\t\t},\n",
            "\t\t// the first is off\n",
            "\t},\n",
            "\t\"z\": 1,\n",
            "}\n",
        ),
    );
    check(
        "vscode",
        "{\n    \"inputs\": [] // none\n    // \"servers\": {}\n}\n",
        concat!(
            "{\n",
            "    \"inputs\": [], // none\n",
            "    \"servers\": {\n",
            "        \"locant\": {\n",
            "            \"type\": \"stdio\",\n",
            "            \"command\": \"locant\",\n",
            "            \"args\": [\"mcp\"]\n",
            "        }\n",
            "    }\n",
            "    // \"servers\": {}\n",
            "}\n",
        ),
    );
}

#[test]
fn settings_on_one_line_stay_on_one_line() {
    check(
        "cursor",
        "{\"mcpServers\": {\"a\": {\"url\": \"http://x\"}}}\n",
        concat!(
            "{\"mcpServers\": {\"a\": {\"url\": \"http://x\"}, ",
            "\"locant\": {\"command\": \"locant\", \"args\": [\"mcp\"]}}}\n",
        ),
    );
    check(
        "cursor",
        "{\"a\": 1, \"mcpServers\": {}}",
        "{\"a\": 1, \"mcpServers\": {\"locant\": {\"command\": \"locant\", \"args\": [\"mcp\"]}}}",
    );
    check(
        "cursor",
        "{\"a\": 1,}",
        "{\"a\": 1, \"mcpServers\": {\"locant\": {\"command\": \"locant\", \"args\": [\"mcp\"]}},}",
    );
}

#[test]
fn line_breaks_and_marks_stay() {
    check(
        "cursor",
        "\u{feff}{\r\n  \"a\": 1\r\n}\r\n",
        concat!(
            "\u{feff}{\r\n",
            "  \"a\": 1,\r\n",
            "  \"mcpServers\": {\r\n",
            "    \"locant\": {\r\n",
            "      \"command\": \"locant\",\r\n",
            "      \"args\": [\"mcp\"]\r\n",
            "    }\r\n",
            "  }\r\n",
            "}\r\n",
        ),
    );
    check(
        "codex",
        "model = \"o\"\r\n",
        "model = \"o\"\r\n\r\n[mcp_servers.locant]\r\ncommand = \"locant\"\r\nargs = [\"mcp\"]\r\n",
    );
}

#[test]
fn tables_that_have_other_servers() {
    check(
        "codex",
        "# Mine.\n[mcp_servers.a] # first\ncommand = \"a\"\n\n[tui]\nx = 1 # last",
        concat!(
            "# Mine.\n",
            "[mcp_servers.a] # first\n",
            "command = \"a\"\n",
            "\n",
            "[tui]\n",
            "x = 1 # last\n",
            "\n",
            "[mcp_servers.locant]\n",
            "command = \"locant\"\n",
            "args = [\"mcp\"]\n",
        ),
    );
}

#[test]
fn an_entry_that_is_there_stays() {
    let entry = |more: &str| {
        format!("{{\"mcpServers\": {{\"locant\": {{\"args\": [\"mcp\"], \"command\": \"locant\"{more}}}}}}}")
    };
    check("cursor", &entry(""), "present");
    check("cursor", &entry(", \"env\": {\"A\": \"b\"}"), "present");
    check(
        "cursor",
        "{\"mcpServers\": {\"locant\": {\"command\": \"/opt/locant\", \"args\": [\"mcp\"]}}}",
        "different",
    );
    check(
        "cursor",
        "{\"mcpServers\": {\"locant\": {\"command\": \"\\u006cocant\", \"args\": [\"mcp\"]}}}",
        "present",
    );
    check(
        "codex",
        "[mcp_servers.locant]\ncommand = \"locant\"\nargs = [\"mcp\"]\nenabled = false\n",
        "present",
    );
    check("codex", "mcp_servers = { locant = { command = \"x\" } }\n", "different");
}

#[test]
fn what_cannot_be_read_is_not_added_to() {
    check("cursor", "{\"a\": 1 \"b\": 2}", "8: a comma or `}` is missing");
    check("cursor", "{\"a\": }", "6: a value is missing");
    check("cursor", "{a: 1}", "1: a key in quotes is missing");
    check("cursor", "{} {}", "3: something stands after the value");
    check("cursor", "{\"a\": \"x", "8: the text has no end, or is not written as JSON has it");
    check("cursor", "{ /* }", "2: the comment has no end");
    check("cursor", "[1]", "0: the settings are not an object");
    check("cursor", "{\"mcpServers\": []}", "15: `mcpServers` is not an object");
    check(
        "codex",
        "mcp_servers = { a = { command = \"x\" } }\n",
        "0: `mcp_servers` is not written as `[mcp_servers.NAME]`, so nothing can be added below it",
    );
    assert!(added("codex", "a = = 1\n").starts_with("4: "), "{}", added("codex", "a = = 1\n"));
    assert_eq!(added("cursor", &"[".repeat(100_000)), "101: this is nested too deeply");
}

/// Whatever the settings are, a second addition finds the entry that the first one has added.
#[test]
fn what_was_added_is_present() {
    let json = "\u{feff}// a\n{ // b\n  \"a\": [1, {\"x\": null,}, \"\\ud83d\\ude00\\n\"], /* c */ // d\n\
                \x20 \"mcpServers\": { /* e\n */ \
                \"b\": {\"c\": -1.5e3}, // f\n    \"e\": true /* g */ }, // h\n  // i\n}\n";
    let toml = "# a\nb = [1, 2]\nc = \"\"\"\n[x]\n\"\"\"\n[mcp_servers.d]\ncommand = 'e' # f\n[[g]]\nh = { i = 1 }\n";
    let mut n_added = 0;
    for (name, text) in [("cursor", json), ("gemini", json), ("codex", toml)] {
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            for settings in
                [text[..end].to_owned(), format!("{}}}", &text[..end]), format!("{}}}}}", &text[..end])]
            {
                if matches!(add(&settings, host(name), "locant"), Ok(Addition::Missing(_))) {
                    assert_eq!(added(name, &added(name, &settings)), "present", "{settings}");
                    n_added += 1;
                }
            }
        }
    }
    assert!(n_added > 60, "{n_added}");
}
