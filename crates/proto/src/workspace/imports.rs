//! The imports of a text that is not parsed: files that were not looked at are many, and most of them do not matter.

use std::collections::HashSet;

/// How many bytes an import statement has at most.
const MOST_IMPORT: usize = 4096;

/// Whether a text imports one of the files with these names, without their folders.
pub(super) fn imports_any(text: &[u8], names: &HashSet<&[u8]>) -> bool {
    // A path is short, and the words between are few: a text full of `import` is not read again and again.
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
