//! The tools, as data: which commands each stands for, and which fields of their requests are shown to a model.
//!
//! A tool reads all fields of its commands. Only those that a model asks for are listed in its schema, because every
//! client sends the schemas of all tools with every request to a model.

/// A tool.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) says: &'static str,
    /// The commands that the tool stands for. Invariant: not empty. If a call gives no mode, the first is meant.
    pub(super) modes: &'static [Mode],
    /// The fields that are shown, and what they mean.
    pub(super) fields: &'static [(&'static str, &'static str)],
    pub(super) is_read_only: bool,
    /// If a call has only these fields, it is answered from its file alone, without other files and without language
    /// servers. Empty if the tool has no such calls.
    pub(super) quick_fields: &'static [&'static str],
}

/// One of the commands that a tool stands for.
#[derive(Debug)]
pub(super) struct Mode {
    pub(super) name: &'static str,
    /// The command of [`locant_api`].
    pub(super) command: &'static str,
    /// The field of the command that gets the argument `new_text`.
    pub(super) new_text: &'static str,
    /// A field of the command that the mode sets to true.
    pub(super) sets: &'static str,
}

const fn mode(name: &'static str, command: &'static str) -> Mode {
    Mode { name, command, new_text: "new_text", sets: "" }
}

const fn setting(name: &'static str, command: &'static str, sets: &'static str) -> Mode {
    Mode { name, command, new_text: "new_text", sets }
}

const fn text(name: &'static str, field: &'static str) -> Mode {
    Mode { name, command: "edit", new_text: field, sets: "" }
}

const LOCATE: &str = "FILE:SCOPE@FIND";
const LIMIT: &str = "most items";
const NEXT: &str = "value of the last answer's `next`";
const BUDGET: &str = "most characters; default 25000";

/// All tools, in the order in which they are listed.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "locate",
        says: "Find the exact place a location means: path, line, column, line text, other matches.",
        modes: &[mode("position", "locate"), mode("range", "range")],
        fields: &[
            ("locate", LOCATE),
            ("find_index", "which match, from 0"),
            ("fuzzy", "find it again in a changed file"),
            ("anchor", "from `describe`, instead of `locate`"),
        ],
        is_read_only: true,
        quick_fields: &["locate", "mode", "find_index"],
    },
    Tool {
        name: "describe",
        says: "Turn line and column into a location that survives edits elsewhere, with an anchor to find it again.",
        modes: &[mode("", "describe")],
        fields: &[
            ("locate", "FILE:LINE:COL or any location"),
            ("checked", "end it with a check of the lines around"),
        ],
        is_read_only: true,
        quick_fields: &["locate"],
    },
    Tool {
        name: "outline",
        says: "List the symbols of a file or of one symbol; of a directory, a map of what other files mention most.",
        modes: &[mode("", "outline")],
        fields: &[
            ("file_path", "FILE, FILE:SYMBOL or directory"),
            ("depth", "levels; 1 is the top"),
            ("kind", "class, function, method …"),
            ("public", "leave private ones out"),
            ("limit", LIMIT),
            ("next", NEXT),
            ("budget", BUDGET),
        ],
        is_read_only: true,
        quick_fields: &[],
    },
    Tool {
        name: "search",
        says: "Find symbols by name, part of a name or initials, or lines by `text`, each with the symbol around it.",
        modes: &[mode("", "search")],
        fields: &[
            ("query", "a name or Class.method"),
            ("text", "instead: a find, matched by words"),
            ("code", "with `text`: not in comments or strings"),
            ("kind", "class, function, method …"),
            ("in", "folders or globs"),
            ("limit", LIMIT),
            ("next", NEXT),
        ],
        is_read_only: true,
        quick_fields: &[],
    },
    Tool {
        name: "read",
        says: "Show source with line numbers: whole symbols, lines, or around a find. Several share the budget.",
        modes: &[mode("", "read")],
        fields: &[
            ("locate", "one location, or FILE"),
            ("locates", "several"),
            ("around", "the whole symbol around the place"),
            ("budget", "most characters; default 4000"),
        ],
        is_read_only: true,
        quick_fields: &[],
    },
    Tool {
        name: "definition",
        says: "Where the name at a place is defined, declared, typed or implemented.",
        modes: &[
            mode("definition", "definition"),
            mode("declaration", "declaration"),
            mode("type", "type-definition"),
            mode("implementation", "implementation"),
        ],
        fields: &[("locate", LOCATE)],
        is_read_only: true,
        quick_fields: &[],
    },
    Tool {
        name: "references",
        says: "Every place that means the same as the name at a place, with the symbol around each.",
        modes: &[mode("", "references")],
        fields: &[("locate", LOCATE), ("limit", LIMIT), ("next", NEXT)],
        is_read_only: true,
        quick_fields: &[],
    },
    Tool {
        name: "hover",
        says: "Type, signature and documentation of the name at a place.",
        modes: &[mode("", "hover")],
        fields: &[("locate", LOCATE)],
        is_read_only: true,
        quick_fields: &[],
    },
    Tool {
        name: "complete",
        says: "What may be written at a place, or the signature of the call around it.",
        modes: &[mode("completion", "completion"), mode("signature", "signature")],
        fields: &[("locate", "FILE:SCOPE@FIND with <|> there"), ("limit", LIMIT), ("next", NEXT)],
        is_read_only: true,
        quick_fields: &[],
    },
    Tool {
        name: "hierarchy",
        says: "Callers and callees of a function, supertypes and subtypes of a type.",
        modes: &[
            setting("incoming", "calls", "incoming"),
            setting("outgoing", "calls", "outgoing"),
            setting("super", "types", "super"),
            setting("sub", "types", "sub"),
        ],
        fields: &[("locate", LOCATE), ("limit", LIMIT), ("next", NEXT)],
        is_read_only: true,
        quick_fields: &[],
    },
    Tool {
        name: "diagnostics",
        says: "Errors and warnings in a file.",
        modes: &[mode("", "diagnostics")],
        fields: &[("file_path", "FILE"), ("limit", LIMIT), ("next", NEXT)],
        is_read_only: true,
        quick_fields: &[],
    },
    Tool {
        name: "edit",
        says: "Change code; with `apply` at once, else as a preview for mode apply. All or nothing, renames included.",
        modes: &[
            text("replace", "replace"),
            text("before", "before"),
            text("after", "after"),
            setting("delete", "edit", "delete"),
            mode("move", "move"),
            mode("rename", "rename"),
            mode("format", "format"),
            mode("action", "code-actions"),
            mode("plan", "edit"),
            mode("apply", "apply"),
            mode("undo", "undo"),
        ],
        fields: &[
            (
                "locate",
                "what changes: a whole symbol, lines, or all text of a find, also before `<|>`; for format FILE",
            ),
            (
                "new_text",
                "for replace, before, after; beside a find it goes into the line: name FILE:LINE for new lines",
            ),
            ("new_name", "for rename"),
            ("to", "for move: FILE or FILE:SYMBOL"),
            (
                "plan",
                "for plan: [{\"locate\", \"replace\" | \"before\" | \"after\": TEXT or \"delete\": true}]",
            ),
            ("preview", "for apply, undo: the id"),
            ("action", "for apply: the number of an action"),
            ("apply", "make the change at once"),
            ("check", "also tell which problems come and go"),
        ],
        is_read_only: false,
        quick_fields: &[],
    },
];

/// What every client gives its model: how places are named. Each tool relies on it.
pub(super) const INSTRUCTIONS: &str = "\
Every tool takes a place as FILE:SCOPE@FIND.
SCOPE: a symbol path (`User.save`, `impl::Type::method`; `f[1]` is the second of that name), a line `42`, lines \
`10-20`, or a coordinate `42:7`.
FIND: text as it stands there; words must match whole, blanks do not matter. `<|>` marks the exact spot in it; without \
it the start is meant. A find needs no scope, a scope no find.
  src/models.py:User.save              a symbol
  src/models.py:User.save@return <|>x  a spot in it
  src/models.py@import <|>os           a spot in the file
  src/models.py:120-140                lines
  :User.save                           in whichever file has it
Never count columns or guess lines: quote a few words as FIND. Paths start from the root. Lists name a file once: \
`a.py` and below it `:12` or `:f@x` is `a.py:12` or `a.py:f@x`; `in f` is the symbol around the lines below it.
Several matches: the answer takes the first and lists the others; `find_index` picks, from 0. Nothing there: the error \
lists places to paste. Notes say what is uncertain (ambiguous, found again, still indexing).
Ask for little: `search` shows lines with the symbol around them, often enough without reading; `read` one symbol, not \
a file; `hierarchy` says who calls what without reading; `next` goes on. A change that you are sure of is one call of \
`edit` with `apply`: true, also a rename, which tells where the old name stays. Otherwise it is a preview for mode \
apply. Mode undo with the id after `undo` takes it back.";

/// The tool with this name.
pub(super) fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// The tool for a command, and its mode.
pub(super) fn of_command(command: &str) -> Option<(&'static Tool, &'static Mode)> {
    TOOLS.iter().find_map(|tool| Some((tool, tool.modes.iter().find(|mode| mode.command == command)?)))
}

impl Tool {
    /// The mode with this name; without a name the first.
    pub(super) fn mode(&self, name: Option<&str>) -> Option<&Mode> {
        match name {
            None => self.modes.first(),
            Some(name) => self.modes.iter().find(|mode| mode.name == name && !name.is_empty()),
        }
    }

    /// Whether a call chooses between several commands.
    pub(super) fn has_modes(&self) -> bool {
        self.modes.len() > 1
    }

    /// The names of the modes.
    pub(super) fn mode_names(&self) -> Vec<&'static str> {
        self.modes.iter().map(|mode| mode.name).collect()
    }
}
