//! Changes that create, remove and move files, interrupted or disturbed between any two of their steps.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::super::step::{fail, forbid_swap};
use super::super::store::{Applied, Store};
use super::super::{Edit, Preview};
use super::{kill_at, under};
use crate::failure::{Failure, FailureKind as Kind};

/// What is below the root: the text of each file, and `None` for each folder.
type Tree = BTreeMap<String, Option<String>>;

/// A folder with some files, and a preview that changes, creates, removes and moves one each.
struct Bench {
    folder: PathBuf,
    store: Store,
    id: String,
    old: Tree,
    new: Tree,
}

const CHANGED: &str = "changed.txt";
const CREATED: &str = "fresh/deep/created.txt";
const REMOVED: &str = "gone/removed.txt";
const MOVED: &str = "moved.sh";
const MOVED_TO: &str = "other/moved.sh";

impl Bench {
    fn new(name: &str) -> Bench {
        let folder = std::env::temp_dir().join(format!("locant-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let root = folder.join("root");
        for file in [CHANGED, REMOVED, MOVED] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("the root")).expect("there is room");
            fs::write(path, format!("old {file}")).expect("there is room");
        }
        fs::set_permissions(root.join(MOVED), PermissionsExt::from_mode(0o750)).expect("it is ours");
        let old = tree(&root);
        let mut preview = Preview::new(&root).expect("the root is there");
        let read = |file: &str| fs::read(root.join(file)).expect("it is there");
        let edit = Edit { start: 0, end: 3, text: b"new".to_vec() };
        preview.change(&root.join(CHANGED), &read(CHANGED), vec![edit]).expect("it is inside");
        preview.create(&root.join(CREATED), b"created").expect("it is inside");
        preview.remove(&root.join(REMOVED), &read(REMOVED)).expect("it is inside");
        let (from, to) = (root.join(MOVED), root.join(MOVED_TO));
        preview.move_file(&from, &read(MOVED), &to, b"moved").expect("it is inside");
        let store = Store::at(folder.join("cache"));
        let id = store.keep(&preview).expect("there is room");
        let text = |text: &str| Some(text.to_owned());
        let new = [
            (CHANGED, text("new changed.txt")),
            ("fresh", None),
            ("fresh/deep", None),
            (CREATED, text("created")),
            ("other", None),
            (MOVED_TO, text("moved")),
        ];
        let new = new.into_iter().map(|(path, text)| (path.to_owned(), text)).collect();
        Bench { folder, store, id, old, new }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.join("root").join(file)
    }

    fn tree(&self) -> Tree {
        tree(&self.folder.join("root"))
    }

    fn apply(&self, meddler: impl FnMut(usize) + 'static) -> Option<Result<Applied, Failure>> {
        under(meddler, || self.store.apply(&self.id))
    }

    fn assert_whole(&self, when: &str) {
        let tree = self.tree();
        assert!(tree == self.old || tree == self.new, "{when}: {tree:#?}");
        let journal = fs::metadata(self.folder.join("cache/locant/journal"));
        assert_eq!(journal.map_or(0, |data| data.len()), 0, "{when}");
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn tree(root: &Path) -> Tree {
    fn go(tree: &mut Tree, root: &Path, folder: &Path) {
        for entry in fs::read_dir(folder).expect("it is there").flatten() {
            let path = entry.path();
            let name = path.strip_prefix(root).expect("it is below").to_string_lossy().into_owned();
            if path.is_dir() {
                tree.insert(name, None);
                go(tree, root, &path);
            } else {
                tree.insert(name, Some(fs::read_to_string(&path).expect("it is text")));
            }
        }
    }
    let mut all = Tree::new();
    go(&mut all, root, root);
    all
}

fn interrupt_everywhere(name: &str) {
    for n in 1.. {
        let bench = Bench::new(name);
        let Some(applied) = bench.apply(kill_at(n)) else {
            for m in 1.. {
                if under(kill_at(m), || bench.store.recover()).is_some() {
                    break;
                }
            }
            bench.store.recover();
            bench.assert_whole(&format!("after an end before step {n}"));
            continue;
        };
        applied.expect("nothing was in its way");
        assert_eq!(bench.tree(), bench.new);
        assert!(n > 15, "there are no steps to end before");
        return;
    }
}

#[test]
fn whatever_interrupts_files_come_and_go_together() {
    interrupt_everywhere("kill");
}

#[test]
fn the_same_where_files_get_names_in_steps() {
    forbid_swap();
    interrupt_everywhere("kill-in-steps");
}

fn fail_everywhere(name: &str, n_failing: usize) {
    for n in 1.. {
        let bench = Bench::new(name);
        let n_steps = Rc::new(Cell::new(0));
        let seen = Rc::clone(&n_steps);
        fail(n..n.saturating_add(n_failing));
        let applied = bench.apply(move |step| seen.set(step)).expect("nobody ends it");
        fail(0..0);
        let when = format!("{n_failing} failed from step {n} on: {applied:?}");
        bench.store.recover();
        bench.assert_whole(&when);
        if n_steps.get() < n {
            assert!(applied.is_ok() && n > 15, "{when}");
            return;
        }
    }
}

#[test]
fn on_a_full_disk_files_come_and_go_together() {
    fail_everywhere("full-once", 1);
    fail_everywhere("full", usize::MAX);
}

#[test]
fn on_a_full_disk_the_same_where_files_get_names_in_steps() {
    forbid_swap();
    fail_everywhere("full-in-steps", usize::MAX);
}

/// A tree without one of its files and the folders around that file.
fn others(tree: &Tree, saved: &str) -> Tree {
    let all = tree.iter().filter(|(name, _)| *name != saved && !saved.starts_with(&format!("{name}/")));
    all.map(|(name, text)| (name.clone(), text.clone())).collect()
}

/// Someone saves a file under each of the names before each step, and after an interruption at each step. What was
/// saved stays, and all other files are old, or all are new.
fn save_everywhere(name: &str, is_killed: bool) {
    for saved in [CHANGED, CREATED, REMOVED, MOVED, MOVED_TO] {
        for n in 1.. {
            let bench = Bench::new(name);
            let path = bench.path(saved);
            let save = move || {
                fs::create_dir_all(path.parent().expect("the root")).expect("there is room");
                fs::write(&path, "saved").expect("there is room");
            };
            let is_done = Rc::new(Cell::new(false));
            let done = Rc::clone(&is_done);
            let when = format!("{saved} saved at step {n}, killed: {is_killed}");
            if is_killed {
                if bench.apply(kill_at(n)).is_some() {
                    break;
                }
                save();
                bench.store.recover();
            } else {
                let meddler = move |step: usize| {
                    if step == n {
                        save();
                        done.set(true);
                    }
                };
                let _ = bench.apply(meddler).expect("nobody ends it");
                if !is_done.get() {
                    break;
                }
            }
            let tree = bench.tree();
            assert_eq!(tree.get(saved), Some(&Some("saved".to_owned())), "{when}");
            let now = others(&tree, saved);
            assert!(
                now == others(&bench.old, saved) || now == others(&bench.new, saved),
                "{when}: {tree:#?}"
            );
        }
    }
}

#[test]
fn what_someone_saves_meanwhile_under_a_name_that_comes_or_goes_stays() {
    save_everywhere("save", false);
}

#[test]
fn what_someone_saves_after_an_interruption_stays() {
    save_everywhere("save-later", true);
}

#[test]
fn files_that_came_and_went_are_undone_and_done_again() {
    let bench = Bench::new("undo");
    let made = bench.store.apply(&bench.id).expect("nothing was in its way");
    assert_eq!((bench.tree(), made.n_edits), (bench.new.clone(), 5));
    let mode = |file: &str| fs::metadata(bench.path(file)).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(MOVED_TO), 0o750);
    let undone = bench.store.undo(&bench.id).expect("nothing has changed since");
    assert_eq!((bench.tree(), mode(MOVED)), (bench.old.clone(), 0o750));
    bench.store.undo(&undone.id).expect("nothing has changed since");
    assert_eq!(bench.tree(), bench.new);
}

#[test]
fn files_that_are_in_the_way_or_outside_are_refused() {
    let bench = Bench::new("refused");
    let root = bench.folder.join("root");
    let mut preview = Preview::new(&root).expect("the root is there");
    let kind = |done: Result<(), Failure>| done.map_err(|failure| failure.kind);
    assert_eq!(kind(preview.create(&root.join(CHANGED), b"")), Err(Kind::Refused), "it is there");
    for way in ["../out.txt", "fresh/../../out.txt", "/locant-out/x.txt"] {
        assert_eq!(kind(preview.create(&root.join(way), b"")), Err(Kind::OutsideRoot), "{way}");
    }
    std::os::unix::fs::symlink(&bench.folder, root.join("link")).expect("there is room");
    assert_eq!(kind(preview.create(&root.join("link/out.txt"), b"")), Err(Kind::OutsideRoot));
    std::os::unix::fs::symlink(CHANGED, root.join("linked.txt")).expect("there is room");
    assert_eq!(kind(preview.remove(&root.join("linked.txt"), b"")), Err(Kind::Refused), "it is a link");
    fs::write(bench.path(MOVED_TO.trim_end_matches("/moved.sh")), "").expect("there is room");
    assert!(bench.store.apply(&bench.id).is_err(), "a file is where a folder would be");
    assert!(bench.path(MOVED).exists() && bench.path(REMOVED).exists() && !bench.path("fresh").exists());
}
