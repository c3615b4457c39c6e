//! The two names of a file: the path in the request, and the path from the top of its repository.

use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use super::command::{answer, run};
use super::file_at_revision::WHERE;

/// The names of a file.
#[derive(Debug)]
pub(super) struct Names {
    /// The path in the request.
    pub given: String,
    /// The path from the top of the repository, with `/`.
    pub from_top: String,
    /// The folder that paths start from.
    root: PathBuf,
    /// The top of the repository around `root`, and the path from the top to `root`.
    place_of_root: OnceLock<Option<(String, String)>>,
}

impl Names {
    /// The names of a file that the request calls `given`. `prefix` is the path from the top to a folder, and `rest`
    /// the path from that folder to the file.
    pub(super) fn new(given: &str, (prefix, rest): (&str, &Path), root: PathBuf) -> Names {
        let from_top = from_top(prefix, rest);
        Names { given: given.to_owned(), from_top, root, place_of_root: OnceLock::new() }
    }

    /// Converts a name from the top of the repository to a path in the style of the request: absolute, or relative to
    /// `root`.
    pub(super) fn as_given(&self, name: &str, top: &Path) -> String {
        if name == self.from_top {
            return self.given.clone();
        }
        let is_absolute = Path::new(&self.given).is_absolute();
        let place = if is_absolute { &None } else { self.place_of_root.get_or_init(|| place(&self.root)) };
        match place {
            Some((root_top, prefix)) if Path::new(root_top) == top => relative(prefix, name),
            // The path is absolute, or `root` is not in this repository.
            _ => swapped(&self.given, &self.from_top, name)
                .unwrap_or_else(|| top.join(name).to_string_lossy().into_owned()),
        }
    }
}

/// The top of the repository around a folder, and the path from the top to the folder.
fn place(folder: &Path) -> Option<(String, String)> {
    let said = run(folder, &WHERE).and_then(|output| answer(folder, output)).ok()?;
    let said = String::from_utf8_lossy(&said);
    let mut lines = said.lines();
    Some((lines.next()?.to_owned(), lines.next()?.to_owned()))
}

/// The name of a file from the top. `x/..` is removed without a look at the disk, because the folder `x` may no longer
/// exist.
fn from_top(prefix: &str, rest: &Path) -> String {
    let mut parts: Vec<String> = prefix.split_terminator('/').map(str::to_owned).collect();
    for component in rest.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    parts.join("/")
}

/// The path from a folder to a file, both named from the top: from `a/b/` to `a/c.py` it is `../c.py`.
fn relative(folder: &str, name: &str) -> String {
    let n_same = same_folders(folder, name);
    let n_up = folder[n_same..].matches('/').count();
    format!("{}{}", "../".repeat(n_up), &name[n_same..])
}

/// Replaces the name `old` at the end of a path by `new`. Both names start from the top: with `a.py` and `b.py`, the
/// path `x/a.py` becomes `x/b.py`. Folders that both names start with are kept. Returns `None` when the path does not
/// end with the rest of `old`.
fn swapped(path: &str, old: &str, new: &str) -> Option<String> {
    let n_same = same_folders(old, new);
    let head = path.strip_suffix(&old[n_same..])?;
    let is_whole = head.is_empty() || head.ends_with('/');
    is_whole.then(|| format!("{head}{}", &new[n_same..]))
}

/// The length in bytes of the folders that both names start with, including the last `/`.
fn same_folders(one: &str, other: &str) -> usize {
    let ends = one.match_indices('/').map(|(at, _)| at + 1);
    ends.take_while(|&end| other.get(..end) == one.get(..end)).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_written_from_the_folder_that_paths_start_from() {
        assert_eq!(relative("", "lib/cart.py"), "lib/cart.py");
        assert_eq!(relative("lib/", "lib/cart.py"), "cart.py");
        assert_eq!(relative("lib/", "library/cart.py"), "../library/cart.py");
        assert_eq!(relative("a/b/", "a/c/cart.py"), "../c/cart.py");
    }

    #[test]
    fn a_path_from_outside_leads_to_another_name() {
        let check = |path, old, new, expected: Option<&str>| {
            assert_eq!(swapped(path, old, new).as_deref(), expected);
        };
        check("g/shop.py", "shop.py", "lib/cart.py", Some("g/lib/cart.py"));
        check("/g/lib/shop.py", "lib/shop.py", "lib/cart.py", Some("/g/lib/cart.py"));
        check("g/link/shop.py", "lib/shop.py", "cart.py", None);
        check("g/mylib/shop.py", "lib/shop.py", "cart.py", None);
    }

    #[test]
    fn folders_that_are_gone_are_left_out_with_the_dots_behind_them() {
        assert_eq!(from_top("a/", Path::new("gone/../b.py")), "a/b.py");
        assert_eq!(from_top("", Path::new("./b.py")), "b.py");
    }
}
