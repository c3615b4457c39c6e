//! What a file is called: as it was given to us, and from the top of its repository.

use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use super::command::{answer, run};
use super::question::WHERE;

/// The names of a file.
#[derive(Debug)]
pub(super) struct Names {
    /// As it was given.
    pub given: String,
    /// From the top of the repository, with `/`.
    pub from_top: String,
    /// The folder that paths start from.
    root: PathBuf,
    /// The top of the repository around that folder, and what leads from there to it.
    place_of_root: OnceLock<Option<(String, String)>>,
}

impl Names {
    /// The names of a file, given with what leads from the top to a folder and from there to the file.
    pub(super) fn new(given: &str, (prefix, rest): (&str, &Path), root: PathBuf) -> Names {
        let from_top = from_top(prefix, rest);
        Names { given: given.to_owned(), from_top, root, place_of_root: OnceLock::new() }
    }

    /// A name from the top of the repository, written as the file was given: from the root of all, or from where
    /// paths start.
    pub(super) fn as_given(&self, name: &str, top: &Path) -> String {
        if name == self.from_top {
            return self.given.clone();
        }
        let is_absolute = Path::new(&self.given).is_absolute();
        let place = if is_absolute { &None } else { self.place_of_root.get_or_init(|| place(&self.root)) };
        match place {
            Some((root_top, prefix)) if Path::new(root_top) == top => relative(prefix, name),
            // Paths start outside of the repository.
            _ => swapped(&self.given, &self.from_top, name)
                .unwrap_or_else(|| top.join(name).to_string_lossy().into_owned()),
        }
    }
}

/// The top of the repository around a folder, and what leads from there to it.
fn place(folder: &Path) -> Option<(String, String)> {
    let said = run(folder, &WHERE).and_then(|output| answer(folder, output)).ok()?;
    let said = String::from_utf8_lossy(&said);
    let mut lines = said.lines();
    Some((lines.next()?.to_owned(), lines.next()?.to_owned()))
}

/// A folder behind which `..` stands may be gone, so both are left out by their words.
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

/// The way to a file from a folder, both from the top: from `a/b/` to `a/c.py` it is `../c.py`.
fn relative(folder: &str, name: &str) -> String {
    let n_same = same_folders(folder, name);
    let n_up = folder[n_same..].matches('/').count();
    format!("{}{}", "../".repeat(n_up), &name[n_same..])
}

/// A path that leads to `old`, made to lead to `new`, both from the top: `x/a.py` for `a.py` is `x/b.py` for `b.py`.
fn swapped(path: &str, old: &str, new: &str) -> Option<String> {
    let n_same = same_folders(old, new);
    let head = path.strip_suffix(&old[n_same..])?;
    let is_whole = head.is_empty() || head.ends_with('/');
    is_whole.then(|| format!("{head}{}", &new[n_same..]))
}

/// How many bytes the folders take that two names have in common, with the last `/`.
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
