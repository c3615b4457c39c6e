//! Other readings of a location that names no file: a line of a stack trace from another machine, and a symbol as its
//! language writes it, with modules in front.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use locant_engine::{Location, Reader};
use locant_workspace::sweep::names;

use super::paths::{ending, n_common};
use crate::uri;
use crate::whole_tree::WholeTree;

/// Another reading of a location.
pub(super) struct Reading {
    pub(super) location: Location,
    /// The folders that the words name in front of the symbol. The file that is meant must be in them.
    pub(super) folders: Option<Folders>,
}

/// The folders of a package: `example.com/app/server`.
pub(super) struct Folders(String);

impl Folders {
    /// Whether a file is in these folders. The first names, such as `example.com`, need not exist as folders of the
    /// tree.
    pub(super) fn hold(&self, path: &str) -> bool {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let parts: Vec<&str> = self.0.split('/').collect();
        let n_own = folder.split('/').filter(|name| !name.is_empty()).count();
        // A single common name says little, unless it is the whole path of the folder.
        n_own > 0 && n_common(folder, &parts) >= n_own.min(2)
    }
}

/// The names of all files of a tree. They are read only once, when a path is looked up for the first time.
pub(super) struct Names<'t> {
    tree: &'t WholeTree,
    given: Option<&'t BTreeMap<String, String>>,
    names: OnceCell<Vec<String>>,
}

impl<'t> Names<'t> {
    pub(super) fn new(tree: &'t WholeTree, given: Option<&'t BTreeMap<String, String>>) -> Names<'t> {
        Names { tree, given, names: OnceCell::new() }
    }

    /// Whether a path is in the tree, or the end of a path from another machine.
    fn have(&self, path: &str) -> bool {
        let read = || match self.given {
            None => names(&self.tree.root, &|_| true),
            Some(given) => given.keys().cloned().collect(),
        };
        let names = self.names.get_or_init(read);
        !ending(path, |fits| names.iter().filter(|name| fits(name)).cloned().collect()).is_empty()
    }
}

/// The path and line in a line of a stack trace or compiler message, if the end of the path is in the tree.
pub(super) fn as_printed(words: &str, names: &Names<'_>) -> Option<Reading> {
    let exists = |path: &str| names.have(path);
    let location = Location::parse(&uri::plain(words, &exists), &exists).ok()?;
    let is_there = !location.path.is_empty() && exists(&location.path);
    is_there.then_some(Reading { location, folders: None })
}

/// A symbol as its language writes it: `com.acme.Foo#bar`, `App\Models\User::save`, `my_crate::net::Socket`,
/// `example.com/app/server.(*Server).Serve`.
pub(super) fn as_symbol(words: &str) -> Option<Reading> {
    let words = without_arguments(without_number(words.trim()));
    let head = words.split_once('@').map_or(words, |(head, _)| head);
    let plain = head.replace("::", ".");
    let outside = plain.split_once('(').map_or(&plain[..], |(outside, _)| outside);
    let is_path = !plain.contains(':') && !outside.contains(char::is_whitespace);
    let has_parts = JOINTS.iter().any(|joint| plain.contains(joint));
    let starts_name = plain.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '\\' | '('));
    if !is_path || !has_parts || !starts_name || Reader::for_file(head, b"").is_some() {
        return None;
    }
    let (folders, name) = match head.rsplit_once('/') {
        Some((_, arity)) if arity.bytes().all(|byte| byte.is_ascii_digit()) => (None, words),
        Some((folders, name)) => {
            let package = name.split(['.', ':']).next().unwrap_or_default();
            (Some(Folders(format!("{folders}/{package}"))), &words[folders.len() + 1..])
        }
        None => (None, words),
    };
    let location = Location::parse(&format!(":{name}"), &|_| false).ok()?;
    Some(Reading { location, folders })
}

/// The separators between the names of a path.
const JOINTS: [&str; 6] = [".", "#", "\\", "->", "$", "/"];

/// The words after the number of a frame: `3: my_crate::main` in a trace of Rust.
fn without_number(words: &str) -> &str {
    let after = words.trim_start_matches(|c: char| c.is_ascii_digit());
    match after.strip_prefix(": ") {
        Some(rest) if after.len() < words.len() => rest.trim_start(),
        _ => words,
    }
}

/// The words without the addresses that Go prints as arguments: `main.(*T).f(0xc000012345, 0x1)`.
fn without_arguments(words: &str) -> &str {
    const STARTS: [&str; 3] = ["(0x", "({0x", "(...)"];

    let arguments = words.strip_suffix(')').and_then(|_| words.rfind('('));
    let arguments = arguments.filter(|&at| STARTS.iter().any(|start| words[at..].starts_with(start)));
    arguments.map_or(words, |at| &words[..at])
}
