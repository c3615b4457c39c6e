//! The rule that only few modules of a crate use each other in a circle.
//!
//! A module is a file. It uses another module if it names that module by a path, in a `use` or in other code:
//! `crate::x`, `super::x`, `self::x`, or the plain name of a module inside it. Declaring a module with `mod` does not
//! count as a use. Re-exporting an item with `pub use` does not count either: a module that imports the item uses the
//! module that declares the item. Uses in tests do not count, and paths that a macro makes are not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use super::allowances::{Allowance, kept};
use super::blank::shipped_code;
use super::file::{File, Problem};

/// The most modules that a circle may have. To understand one of them, a reader has to read all of them.
const MOST_IN_A_CIRCLE: usize = 4;

/// The crates with a larger circle, and how many modules the circle has today.
const ALLOWED: &[Allowance] = &[];

/// A module, by the names that lead to it from the root of its crate; empty for the root.
type Module = Vec<String>;

/// The modules of a crate, and which of them each one uses.
type Uses = BTreeMap<Module, BTreeSet<Module>>;

pub(super) fn cycles(files: &[File]) -> Vec<Problem> {
    let mut crates: BTreeMap<&str, Vec<(Module, &File)>> = BTreeMap::new();
    for file in files {
        let Some((folder, rest)) = file.path.split_once("/src/") else { continue };
        if let Some(module) = module(rest) {
            crates.entry(folder).or_default().push((module, file));
        }
    }
    let found = crates.iter().map(|(folder, files)| {
        let circle = largest_circle(&uses(files));
        let names: Vec<String> = circle.iter().map(shown).collect();
        (*folder, circle.len().max(MOST_IN_A_CIRCLE), format!("in a circle: {}", names.join(", ")))
    });
    let why = "modules that use each other are read together, at most 4";
    kept(found.collect(), ALLOWED, MOST_IN_A_CIRCLE, why)
}

/// The module of a file in `src/`; `None` for tests and for programs in `bin/`.
fn module(path: &str) -> Option<Module> {
    let path = path.strip_suffix(".rs")?;
    let mut names: Module = path.split('/').map(str::to_owned).collect();
    let is_program = names.first().is_some_and(|first| first == "bin");
    let is_test = names.iter().any(|name| name == "tests");
    if matches!(names.last()?.as_str(), "lib" | "main" | "mod") {
        names.pop();
    }
    (!is_program && !is_test).then_some(names)
}

fn shown(module: &Module) -> String {
    if module.is_empty() { "crate".to_owned() } else { module.join("::") }
}

/// The modules of a crate, for resolving paths.
struct Crate {
    modules: BTreeMap<Module, Names>,
}

/// The paths and imports of a module.
#[derive(Default)]
struct Names {
    /// The paths in its code, without the paths that it only re-exports.
    paths: Vec<Vec<String>>,
    /// The paths that `use` brings into scope, by their names in this module.
    imports: BTreeMap<String, Vec<String>>,
}

fn uses(files: &[(Module, &File)]) -> Uses {
    let mut all = Crate { modules: BTreeMap::new() };
    for (module, file) in files {
        // `lib.rs` and `main.rs` of one crate are both its root.
        let names = all.modules.entry(module.clone()).or_default();
        names.read(&shipped_code(&file.text));
    }
    let mut uses = Uses::new();
    for (module, names) in &all.modules {
        let used = names.paths.iter().filter_map(|path| all.target(path, module, 0));
        uses.insert(module.clone(), used.filter(|target| target != module).collect());
    }
    uses
}

impl Crate {
    /// The module that a path in the module `from` leads to; `None` when it is in another crate. `n_passed` counts the
    /// re-exports that were followed so far.
    fn target(&self, path: &[String], from: &Module, n_passed: usize) -> Option<Module> {
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Module::new(),
            "self" => from.clone(),
            "super" => parent(from),
            // A name that a `use` brings into scope is counted at the `use`.
            _ => Some([from.as_slice(), slice::from_ref(first)].concat())
                .filter(|at| self.modules.contains_key(at))?,
        };
        while let Some((name, after)) = rest.split_first() {
            let inside = [at.as_slice(), slice::from_ref(name)].concat();
            at = match self.modules.get(&at).and_then(|names| names.imports.get(name)) {
                _ if name == "super" => parent(&at),
                _ if self.modules.contains_key(&inside) => inside,
                // The module imports this item, perhaps to re-export it.
                Some(import) if n_passed < MOST_PASSED => {
                    return self.target(&[import, after].concat(), &at, n_passed + 1);
                }
                _ => break,
            };
            rest = after;
        }
        self.modules.contains_key(&at).then_some(at)
    }
}

fn parent(module: &Module) -> Module {
    module[..module.len().saturating_sub(1)].to_vec()
}

/// The most re-exports to follow. More of them are probably a circle of imports.
const MOST_PASSED: usize = 8;

impl Names {
    fn read(&mut self, code: &str) {
        let code = without_visibilities(code);
        let mut rest = code.as_str();
        while let Some(at) = use_statement(rest) {
            read_paths(&mut self.paths, &rest[..at]);
            let is_public = rest[..at].trim_end().ends_with("pub");
            let end = rest[at..].find(';').map_or(rest.len(), |length| at + length);
            let mut imported = Vec::new();
            read_use(&mut imported, &[], rest[at + "use ".len()..end].trim_start());
            for (name, path) in imported {
                // A re-exported name counts for the modules that import it. It counts here only if this module mentions
                // it again.
                if !is_public || has_twice(&code, &name) {
                    self.paths.push(path.clone());
                }
                self.imports.insert(name, path);
            }
            rest = &rest[end..];
        }
        read_paths(&mut self.paths, rest);
        // A path with a single name may be a variable that has the name of a module.
        self.paths.retain(|path| path.len() > 1);
    }
}

/// The code without visibilities, because `pub(in crate::x)` is not a use of `crate::x`.
fn without_visibilities(code: &str) -> String {
    let mut parts = code.split("pub(");
    let mut without = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        without += "pub";
        without += part.split_once(')').map_or(part, |(_, after)| after);
    }
    without
}

/// Where the first `use` in the code starts.
fn use_statement(code: &str) -> Option<usize> {
    let starts = code.match_indices("use ").map(|(at, _)| at);
    starts.into_iter().find(|&at| !code[..at].ends_with(is_letter))
}

fn has_twice(code: &str, name: &str) -> bool {
    code.split(|c: char| !is_letter(c)).filter(|word| *word == name).count() > 1
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Reads the paths in code outside of `use`.
fn read_paths(paths: &mut Vec<Vec<String>>, code: &str) {
    for token in code.split(|c: char| !is_letter(c) && c != ':') {
        let names = token.split("::").take_while(|name| !name.is_empty() && !name.contains(':'));
        paths.push(names.map(str::to_owned).collect());
    }
}

/// Reads one tree of a `use`: its paths, each with the name that it gets. Returns the code after the tree.
fn read_use<'c>(paths: &mut Vec<(String, Vec<String>)>, front: &[String], tree: &'c str) -> &'c str {
    if let Some(trees) = tree.strip_prefix('{') {
        return read_group(paths, front, trees);
    }
    let mut path = front.to_vec();
    let mut rest = tree;
    loop {
        let length = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        let is_front_again = &rest[..length] == "self" && !path.is_empty();
        if length > 0 && !is_front_again {
            path.push(rest[..length].to_owned());
        }
        rest = &rest[length..];
        match rest.strip_prefix("::") {
            Some(after) if after.starts_with('{') => return read_group(paths, &path, &after[1..]),
            Some(after) => rest = after,
            None => break,
        }
    }
    let name = match rest.trim_start().strip_prefix("as ") {
        Some(renamed) => {
            let length = renamed.find(|c| !is_letter(c)).unwrap_or(renamed.len());
            rest = &renamed[length..];
            renamed[..length].to_owned()
        }
        None => path.last().cloned().unwrap_or_default(),
    };
    paths.push((name, path));
    rest
}

/// Reads the trees in the braces of a `use`. All their paths start with `front`. Returns the code after the braces.
fn read_group<'c>(paths: &mut Vec<(String, Vec<String>)>, front: &[String], trees: &'c str) -> &'c str {
    let mut rest = trees.trim_start();
    loop {
        let at = rest.find(|c| is_letter(c) || c == '}').unwrap_or(rest.len());
        rest = match &rest[at..] {
            "" => return "",
            closed if closed.starts_with('}') => return &closed[1..],
            tree => read_use(paths, front, tree),
        };
    }
}

/// The largest set of modules in which each uses all others, directly or indirectly.
fn largest_circle(uses: &Uses) -> Vec<Module> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        uses.keys().map(|module| (module, reached(uses, module))).collect();
    let mut largest = Vec::new();
    for (module, reaches) in &reached {
        let circle: Vec<Module> = reaches
            .iter()
            .filter(|other| reached[*other].contains(module))
            .map(|other| (*other).clone())
            .collect();
        if circle.len() > largest.len() {
            largest = circle;
        }
    }
    largest
}

/// All modules that a module uses, directly or indirectly.
fn reached<'u>(uses: &'u Uses, from: &Module) -> BTreeSet<&'u Module> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&Module> = uses[from].iter().collect();
    while let Some(module) = waiting.pop() {
        if reached.insert(module) {
            waiting.extend(uses.get(module).into_iter().flatten());
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which modules of a crate are in a circle. The files of the crate are given as paths and code.
    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let files: Vec<File> = files
            .iter()
            .map(|(path, code)| File { path: format!("crates/a/src/{path}"), text: (*code).to_owned() })
            .collect();
        let modules: Vec<(Module, &File)> = files
            .iter()
            .map(|file| (module(&file.path["crates/a/src/".len()..]).expect("a module"), file))
            .collect();
        let circle: Vec<String> = largest_circle(&uses(&modules)).iter().map(shown).collect();
        assert_eq!(circle, expected);
    }

    #[test]
    fn a_circle_is_found_however_its_paths_are_written() {
        check(&[("a.rs", "use crate::b::{self, B};"), ("b.rs", "fn f() { crate::a::g() }")], &["a", "b"]);
        check(&[("a.rs", "use crate::{c::C, b};"), ("b.rs", "use super::a::A;"), ("c.rs", "")], &["a", "b"]);
        check(&[("a/mod.rs", "b::f()"), ("a/b.rs", "super::g()")], &["a", "a::b"]);
        check(&[("a.rs", "use {crate::b::f, std::fmt};"), ("b.rs", "use crate::a::*;")], &["a", "b"]);
        check(&[("a.rs", "use self::b::f;"), ("a/b.rs", "use crate::a::{c, d::e};")], &["a", "a::b"]);
        check(
            &[("lib.rs", "pub use a::A;"), ("a.rs", "use crate::b::f;"), ("b.rs", "crate::A")],
            &["a", "b"],
        );
        check(&[("a.rs", "fn f(x: &'a [crate::b::B]) {}"), ("b.rs", "x(super::a::Y)")], &["a", "b"]);
    }

    #[test]
    fn no_circle_where_nothing_leads_back() {
        check(&[("lib.rs", "mod a;\nmod b;"), ("a.rs", "use crate::b;"), ("b.rs", "use crate::f;")], &[]);
        check(
            &[("a.rs", "use crate::b;"), ("b.rs", "// crate::a\nfn f() { \"crate::a\"; x::crate_a::f() }")],
            &[],
        );
        check(
            &[("a.rs", "use crate::b;"), ("b.rs", "#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n")],
            &[],
        );
        check(
            &[("a.rs", "use crate::b;"), ("b.rs", "pub(in crate::a) fn f() {}\npub(crate) fn g() {}")],
            &[],
        );
        check(&[("a.rs", "use crate::b;"), ("b.rs", "other::a::f()")], &[]);
    }

    #[test]
    fn a_large_circle_is_a_problem_of_its_crate() {
        let next = ["b", "c", "d", "e", "a"];
        let files: Vec<File> = ["a", "b", "c", "d", "e"]
            .iter()
            .zip(next)
            .map(|(name, next)| File {
                path: format!("crates/x/src/{name}.rs"),
                text: format!("//! A.\nuse crate::{next}::f;\n"),
            })
            .collect();
        let problems: Vec<String> = cycles(&files).iter().map(|problem| problem.what.clone()).collect();
        assert_eq!(problems, ["5 in a circle: a, b, c, d, e"]);
        assert_eq!(cycles(&files[1..]), []);
    }
}
