//! Finds imported files, and writes descriptors.

use std::fs;
use std::path::{Path, PathBuf};

use locant_engine::proto::Sources;

use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use locant_workspace::reading::check_writable;
use locant_workspace::reading::read_bytes;

/// The directories in which imported files are looked for, in order.
pub(in crate::commands) struct Imports {
    /// The directories as the request names them.
    given: Vec<String>,
    directories: Vec<PathBuf>,
}

impl Imports {
    /// The given directories. If none are given, the root and the directories above the file are used, which fits most
    /// .proto trees.
    pub(in crate::commands) fn new(path: &str, proto_path: &[String], flags: &Flags) -> Imports {
        let mut given = proto_path.to_vec();
        if given.is_empty() {
            let above = Path::new(path).ancestors().skip(1).filter_map(Path::to_str).map(str::to_owned);
            given.push(String::new());
            given.extend(above.filter(|directory| !directory.is_empty()));
        }
        let directories = given.iter().map(|directory| flags.base().on_disk(directory)).collect();
        Imports { given, directories }
    }

    /// The name by which other files import a file: its path from the first of the directories that contains it.
    pub(in crate::commands) fn name(&self, path: &str) -> String {
        let below = |directory: &String| match directory.as_str() {
            "" | "." => None,
            directory => Path::new(path).strip_prefix(directory).ok()?.to_str(),
        };
        let name = self.given.iter().find_map(below).unwrap_or(path);
        name.strip_prefix("./").unwrap_or(name).to_owned()
    }
}

impl Sources for Imports {
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        self.directories.iter().find_map(|directory| read_bytes(&directory.join(path)).ok())
    }
}

/// Writes a file.
pub(in crate::commands) fn write(out: &str, bytes: &[u8], flags: &Flags) -> Result<(), Failure> {
    let path = flags.base().on_disk(out);
    check_writable(&path).and_then(|()| fs::write(&path, bytes)).map_err(|error| {
        Failure::new(Kind::Io, format!("cannot write `{out}`: {error}"), "check the path and its permissions")
    })
}
