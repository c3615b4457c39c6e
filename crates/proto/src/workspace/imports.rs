//! Finds the imports of a text without parsing it. Many files are searched this way, and most of them do not matter.

use std::collections::HashSet;

/// How many bytes, starting at `import`, are searched for the path.
const MOST_IMPORT: usize = 4096;

/// Whether a text imports a file with one of these names. The names are without folders.
pub(super) fn imports_any(text: &[u8], names: &HashSet<&[u8]>) -> bool {
    // The path is near the word `import`. Without a limit, a text full of `import` would be read over and over.
    let imports =
        memchr::memmem::find_iter(text, "import").map(|at| &text[at..text.len().min(at + MOST_IMPORT)]);
    let mut imported = imports.filter_map(|rest| {
        let start = rest.iter().position(|byte| b"\"'".contains(byte))? + 1;
        let len = rest[start..].iter().position(|byte| b"\"'".contains(byte))?;
        Some(last_name(&rest[start..start + len]))
    });
    imported.any(|name| names.contains(name))
}

fn last_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}
