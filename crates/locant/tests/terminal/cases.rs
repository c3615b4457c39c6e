//! The cases of the command line: runs the sessions in `tests/cases/*.md`. Each file runs in a directory of its own,
//! which is emptied at each `#` heading.

use std::fs;
use std::path::{Path, PathBuf};

use crate::session::{compare, empty, fresh, output, own_folder, replay, shell};

#[test]
fn sessions_show_what_they_say() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let wrong: Vec<String> =
        files.iter().filter_map(|file| compare(file, |text| replayed(text, file))).collect();
    assert!(wrong.is_empty(), "{}\nUPDATE=1 writes the new output into the cases", wrong.join("\n"));
}

/// The case file with the output that its sessions have now.
fn replayed(cases: &str, file: &Path) -> String {
    let directory = own_folder(&file.file_stem().unwrap().to_string_lossy());
    let run = |command: &str| output(&mut shell(command, &directory), &directory);
    let actual = replay(cases, &directory, || empty(&directory), |session| fresh(session, run));
    fs::remove_dir_all(&directory).unwrap();
    actual
}
