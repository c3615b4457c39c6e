//! A folder with files to edit, and the program that edits them.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// A folder with files to edit.
pub(crate) struct Project {
    pub(crate) folder: PathBuf,
}

impl Project {
    pub(crate) fn new(name: &str) -> Project {
        let folder = std::env::temp_dir().join(format!("locant-edits-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("root/.git")).unwrap();
        Project { folder }
    }

    pub(crate) fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        fs::write(self.folder.join("root").join(file), text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> Vec<u8> {
        fs::read(self.folder.join("root").join(file)).unwrap()
    }

    /// The answers to requests, in their order.
    pub(crate) fn batch(&self, requests: &[Value]) -> Vec<Value> {
        let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_locant"));
        command.arg("batch").current_dir(self.folder.join("root"));
        command.env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        let answers = String::from_utf8(output.stdout).unwrap();
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
