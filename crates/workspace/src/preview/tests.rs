//! Changes that are interrupted, or disturbed by someone who saves a file, between any two of their steps.

mod files;

use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::{Seek as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::digest::Digest;
use super::step::{fail, forbid_swap, meddle};
use super::store::{Applied, Store};
use super::{Edit, FileChange, Preview};
use crate::failure::{Failure, FailureKind as Kind};

/// A folder with some files that all have the text `old`, and a preview that gives all of them the text `new`.
struct Bench {
    folder: PathBuf,
    store: Store,
    id: String,
}

const FILES: [&str; 3] = ["a.txt", "b.txt", "sub/c.txt"];

impl Bench {
    fn new(name: &str) -> Bench {
        let folder = std::env::temp_dir().join(format!("locant-preview-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("root/sub")).expect("there is room");
        FILES
            .iter()
            .for_each(|file| fs::write(folder.join("root").join(file), "old").expect("there is room"));
        let store = Store::at(folder.join("cache"));
        let id = keep(&store, &folder.join("root"), "new");
        Bench { folder, store, id }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.join("root").join(file)
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_default()
    }

    fn texts(&self) -> [String; 3] {
        FILES.map(|file| self.text(file))
    }

    /// Applies the preview. `meddler` is called before each step, and may disturb or end the work there.
    fn apply(&self, meddler: impl FnMut(usize) + 'static) -> Option<Result<Applied, Failure>> {
        under(meddler, || self.store.apply(&self.id))
    }

    /// All names below the root, in order.
    fn names(&self) -> Vec<String> {
        let names = |folder: &str| {
            let entries = fs::read_dir(self.path(folder)).expect("it is there").flatten();
            entries.map(|entry| format!("{folder}{}", entry.file_name().display())).collect::<Vec<_>>()
        };
        let mut names = [names(""), names("sub/")].concat();
        names.sort();
        names
    }

    fn assert_whole(&self, when: &str) {
        let texts = self.texts();
        assert!(["old", "new"].iter().any(|text| texts.iter().all(|one| one == text)), "{when}: {texts:?}");
        assert_eq!(self.names(), ["a.txt", "b.txt", "sub", "sub/c.txt"], "{when}");
        assert_eq!(fs::metadata(self.folder.join("cache/locant/journal")).map_or(0, |data| data.len()), 0);
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn keep(store: &Store, root: &Path, text: &str) -> String {
    let mut preview = Preview::new(root).expect("the root is there");
    for file in FILES {
        let old = fs::read(root.join(file)).expect("it is there");
        let edit = Edit { start: 0, end: old.len(), text: text.as_bytes().to_owned() };
        preview.change(&root.join(file), &old, vec![edit]).expect("it is inside");
    }
    store.keep(&preview).expect("there is room")
}

/// Does the work. `meddler` is called before each step, and may disturb or end the work there. Returns `None` when the
/// meddler ended the work.
fn under<T>(meddler: impl FnMut(usize) + 'static, work: impl FnOnce() -> T) -> Option<T> {
    meddle(Some(Box::new(meddler)));
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    meddle(None);
    done
}

fn kill_at(n: usize) -> impl FnMut(usize) + 'static {
    move |step| assert!(step != n, "killed before step {n}")
}

/// Interrupts a change at every step, and then its recovery at every step. Afterwards all files are old or all are new.
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
        assert_eq!(bench.texts(), ["new"; 3]);
        bench.assert_whole("at the end");
        assert!(n > 10, "there are no steps to end before");
        return;
    }
}

#[test]
fn the_start_of_an_id_names_it_if_no_other_starts_so() {
    let bench = Bench::new("short");
    let short = &bench.id[..super::SHORT_ID];
    bench.store.apply(short).expect("it is the only one");
    assert_eq!(bench.texts(), ["new"; 3]);
    let undone = bench.store.undo(short).expect("it was applied");
    assert_eq!(undone.n_edits, 3);
    assert_eq!(bench.texts(), ["old"; 3]);
    let twin = format!("cache/locant/previews/{short}{}.json", "0".repeat(24));
    fs::write(bench.folder.join(twin), "{}").expect("there is room");
    assert!(bench.store.apply(short).is_err(), "two start so");
    assert!(bench.store.apply(&bench.id[..4]).is_err(), "too short");
}

#[test]
fn whatever_interrupts_all_files_are_old_or_all_are_new() {
    interrupt_everywhere("kill");
}

#[test]
fn the_same_where_files_are_swapped_in_steps() {
    forbid_swap();
    interrupt_everywhere("kill-in-steps");
}

/// The disk is full, or may not be written, for `n_failing` steps from each step on. What cannot be cleaned up then is
/// cleaned up by the next command.
fn fail_everywhere(name: &str, n_failing: usize) {
    let mut n_failed = 0;
    for n in 1.. {
        let bench = Bench::new(name);
        let n_steps = Rc::new(Cell::new(0));
        let seen = Rc::clone(&n_steps);
        fail(n..n.saturating_add(n_failing));
        let applied = bench.apply(move |step| seen.set(step)).expect("nobody ends it");
        fail(0..0);
        let when = format!("{n_failing} failed from step {n} on: {applied:?}");
        if let Err(failure) = &applied {
            n_failed += 1;
            assert_eq!(failure.kind, Kind::Io, "{when}");
        }
        bench.store.recover();
        bench.assert_whole(&when);
        if n_steps.get() < n {
            assert!(applied.is_ok() && n_failed > 5, "{when}");
            return;
        }
    }
}

#[test]
fn whatever_cannot_be_written_all_files_are_old_or_all_are_new() {
    fail_everywhere("full-once", 1);
    fail_everywhere("full-twice", 2);
    fail_everywhere("full", usize::MAX);
}

#[test]
fn the_same_on_a_full_disk_where_files_are_swapped_in_steps() {
    forbid_swap();
    fail_everywhere("full-once-in-steps", 1);
    fail_everywhere("full-in-steps", usize::MAX);
}

#[test]
fn what_was_finished_after_an_interruption_is_done_when_it_is_asked_for_again() {
    for n in 1.. {
        let bench = Bench::new("again");
        if bench.apply(kill_at(n)).is_some() {
            return;
        }
        let applied = bench.store.apply(&bench.id).expect("it is finished or made anew");
        assert_eq!(applied.n_edits, 3);
        assert_eq!(bench.texts(), ["new"; 3], "after an end before step {n}");
        bench.assert_whole("after the second");
        let refused = bench.store.apply(&bench.id).expect_err("it is made already");
        assert_eq!(refused.kind, Kind::Refused);
    }
}

/// Someone saves a file before one of the steps, for each step in turn. The saved text stays, and the other files are
/// all old or all new.
fn save_everywhere(name: &str, save: fn(&Path)) {
    for saved in FILES {
        for n in 1.. {
            let bench = Bench::new(name);
            let path = bench.path(saved);
            let is_done = Rc::new(Cell::new(false));
            let done = Rc::clone(&is_done);
            let meddler = move |step: usize| {
                if step == n {
                    save(&path);
                    done.set(true);
                }
            };
            let applied = bench.apply(meddler).expect("nobody ends it");
            if !is_done.get() {
                break;
            }
            let when = format!("{saved} saved before step {n}: {applied:?}");
            assert_eq!(bench.text(saved), "saved", "{when}");
            let expected = if applied.is_ok() { "new" } else { "old" };
            for other in FILES.iter().filter(|other| **other != saved) {
                assert_eq!(bench.text(other), expected, "{when}");
            }
            assert_eq!(bench.names(), ["a.txt", "b.txt", "sub", "sub/c.txt"], "{when}");
        }
    }
}

/// Someone saves two files in the middle of a change: the first file, which has been changed already, and the last one,
/// which has not. The change of the first file cannot be taken back, and the message names that file.
#[test]
fn what_cannot_be_taken_back_is_named() {
    let mut n_left = 0;
    for n in 1.. {
        let bench = Bench::new("left");
        let [first, _, last] = FILES.map(|file| bench.path(file));
        let (was, is_done) = (Rc::new(RefCell::new(String::new())), Rc::new(Cell::new(false)));
        let (seen, done) = (Rc::clone(&was), Rc::clone(&is_done));
        let meddler = move |step: usize| {
            if step == n {
                seen.replace(fs::read_to_string(&first).unwrap_or_default());
                fs::write(&first, "saved").and_then(|()| fs::write(&last, "saved")).expect("there is room");
                done.set(true);
            }
        };
        let applied = bench.apply(meddler).expect("nobody ends it");
        if !is_done.get() {
            break;
        }
        let Err(failure) = applied else { continue };
        if *was.borrow() == "new" && failure.message.contains("taken back") {
            n_left += 1;
            let named = format!("after it was changed: `{}`", bench.path(FILES[0]).display());
            assert!(failure.message.contains(&named), "step {n}: {}", failure.message);
            assert_eq!(bench.texts(), ["saved", "old", "saved"], "step {n}");
        }
    }
    assert!(n_left > 0, "no step is between the two");
}

#[test]
fn what_someone_saves_meanwhile_stays() {
    save_everywhere("save", |path| fs::write(path, "saved").expect("there is room"));
}

#[test]
fn what_someone_saves_meanwhile_under_another_name_first_stays() {
    save_everywhere("replace", |path| {
        let beside = path.with_extension("swp");
        fs::write(&beside, "saved").and_then(|()| fs::rename(&beside, path)).expect("there is room");
    });
}

/// Someone has opened a file before the change, and writes to it before one of the steps, for each step in turn. The
/// written text is lost only in the last steps, after the old file was removed.
#[test]
fn what_someone_writes_to_a_file_that_was_open_stays() {
    let mut kept = Vec::new();
    for n in 1.. {
        let bench = Bench::new("open");
        let mut file = File::options().write(true).open(bench.path("b.txt")).expect("it is there");
        let is_done = Rc::new(Cell::new(false));
        let done = Rc::clone(&is_done);
        let meddler = move |step: usize| {
            if step == n {
                file.set_len(0).and_then(|()| file.rewind()).expect("it is open");
                file.write_all(b"saved").expect("there is room");
                done.set(true);
            }
        };
        let applied = bench.apply(meddler).expect("nobody ends it");
        if !is_done.get() {
            break;
        }
        let is_kept = bench.names().iter().any(|name| bench.text(name) == "saved");
        assert!(is_kept || applied.is_ok(), "it was lost before step {n}");
        kept.push(is_kept);
    }
    let n_lost = kept.iter().rev().take_while(|is_kept| !**is_kept).count();
    assert!(!kept[..kept.len() - n_lost].contains(&false), "{kept:?}");
    // The last steps are: remove the second of the three old files, remove the third, empty the journal.
    assert_eq!(n_lost, 3, "{kept:?}");
}

#[test]
fn of_many_changes_to_the_same_files_at_once_one_is_made() {
    for round in 0..20 {
        let bench = Bench::new(&format!("many-{round}"));
        let work = |number: usize| {
            // Each change has a journal of its own, as if each user had a different cache folder.
            let store = Store::at(bench.folder.join(format!("cache-{number}")));
            let id = keep(&store, &bench.folder.join("root"), &format!("text {number}"));
            move || store.apply(&id).is_ok().then(|| format!("text {number}"))
        };
        let works: Vec<_> = (0..5).map(work).collect();
        let made: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = works.into_iter().map(|work| scope.spawn(work)).collect();
            threads.into_iter().filter_map(|thread| thread.join().expect("it does not fail")).collect()
        });
        assert_eq!(made.len(), 1, "{made:?}");
        assert!(bench.texts().iter().all(|text| *text == made[0]), "{:?}", bench.texts());
        assert_eq!(bench.names(), ["a.txt", "b.txt", "sub", "sub/c.txt"]);
    }
}

/// After an interruption, someone edits a file before the next command. The edit stays, and the other files are all old
/// or all new.
#[test]
fn an_edit_after_an_interruption_is_kept() {
    for n in 1.. {
        for saved in FILES {
            let bench = Bench::new("later");
            if bench.apply(kill_at(n)).is_some() {
                return;
            }
            fs::write(bench.path(saved), "saved").expect("there is room");
            bench.store.recover();
            let others: Vec<String> =
                FILES.iter().filter(|other| **other != saved).map(|other| bench.text(other)).collect();
            assert_eq!(bench.text(saved), "saved", "step {n}");
            assert!(others.iter().all(|text| *text == others[0]), "{saved} saved after step {n}: {others:?}");
            assert_eq!(bench.names(), ["a.txt", "b.txt", "sub", "sub/c.txt"], "step {n}");
        }
    }
}

/// While the folder of an interrupted change does not exist, other changes can be made. When the folder is back, the
/// interrupted change is finished.
#[test]
fn a_change_whose_folder_is_away_waits_for_it() {
    let killed = (1..).map(|n| {
        let bench = Bench::new("away");
        assert!(bench.apply(kill_at(n)).is_none(), "it is never half made");
        bench
    });
    let is_half_made = |bench: &Bench| bench.texts().iter().any(|text| text == "new");
    let bench = killed.into_iter().find(is_half_made).expect("it is half made at some step");
    let (root, away) = (bench.folder.join("root"), bench.folder.join("away"));
    fs::rename(&root, &away).expect("it is there");
    assert_eq!(bench.store.recover(), Vec::<String>::new());
    let other = bench.folder.join("other");
    fs::create_dir_all(other.join("sub")).expect("there is room");
    FILES.iter().for_each(|file| fs::write(other.join(file), "old").expect("there is room"));
    let id = keep(&bench.store, &other, "new");
    bench.store.apply(&id).expect("nothing is in its way");
    fs::rename(&away, &root).expect("it is there");
    let id = keep(&bench.store, &other, "newer");
    bench.store.apply(&id).expect("nothing is in its way");
    assert_eq!(bench.texts(), ["new"; 3]);
    bench.assert_whole("when it is back");
    let left = fs::read_dir(bench.folder.join("cache/locant")).expect("it is there").count();
    assert_eq!(left, 2, "the previews and the journal");
}

/// Even someone who can write a preview with a valid id cannot change files outside of its root.
#[test]
fn a_preview_with_a_way_out_of_its_root_is_refused() {
    let bench = Bench::new("outside");
    let outside = bench.folder.join("outside.txt");
    fs::write(&outside, "old").expect("there is room");
    let digest = Digest::of(b"old");
    let (root, absolute) = (bench.folder.join("root"), outside.display().to_string());
    for path in ["../outside.txt", "sub/../../outside.txt", &absolute, "", ".", "..", "sub/..", "/"] {
        let edits = vec![Edit { start: 0, end: 3, text: b"new".to_vec() }];
        let file = FileChange { edits, ..FileChange::of(Path::new(path), Some(digest)) };
        let id = bench
            .store
            .keep(&Preview { root: root.clone(), files: vec![file], undoes: None })
            .expect("there is room");
        let failure = bench.store.apply(&id).expect_err("it is outside");
        assert_eq!(failure.kind, Kind::Refused, "{path}: {failure:?}");
    }
    std::os::unix::fs::symlink(&bench.folder, root.join("link")).expect("there is room");
    let file = FileChange::of(Path::new("link/outside.txt"), Some(digest));
    let id = bench.store.keep(&Preview { root, files: vec![file], undoes: None }).expect("there is room");
    assert_eq!(bench.store.apply(&id).expect_err("it is outside").kind, Kind::Refused);
    assert_eq!(fs::read_to_string(outside).expect("it is there"), "old");
}

#[test]
fn what_is_undone_has_every_byte_again() {
    let bench = Bench::new("undo");
    let path = bench.path("a.txt");
    let old = b"a\r\n\xff\xfe b\xc3";
    fs::write(&path, old).expect("there is room");
    let mut preview = Preview::new(&bench.folder.join("root")).expect("the root is there");
    let edit = |start, end, text: &str| Edit { start, end, text: text.as_bytes().to_vec() };
    let edits = vec![edit(0, 1, "longer"), edit(3, 3, "one"), edit(3, 3, "two"), edit(4, 8, "")];
    preview.change(&path, old, edits).expect("they do not overlap");
    let id = bench.store.keep(&preview).expect("there is room");
    let made = bench.store.apply(&id).expect("nothing was in its way");
    assert_eq!(fs::read(&path).expect("it is there"), b"longer\r\nonetwo\xff");
    assert_eq!(made.places, [vec![0..6, 8..11, 11..14, 15..15]]);
    let undone = bench.store.undo(&id).expect("nothing has changed since");
    assert_eq!(fs::read(&path).expect("it is there"), old);
    bench.store.undo(&undone.id).expect("nothing has changed since");
    assert_eq!(fs::read(&path).expect("it is there"), b"longer\r\nonetwo\xff");
}

#[test]
fn what_was_changed_since_or_never_made_is_not_undone() {
    let bench = Bench::new("undo-changed");
    assert_eq!(bench.store.undo(&bench.id).expect_err("it was not made").kind, Kind::Refused);
    bench.store.apply(&bench.id).expect("nothing was in its way");
    fs::write(bench.path("b.txt"), "other").expect("there is room");
    assert_eq!(bench.store.undo(&bench.id).expect_err("a file is another").kind, Kind::Refused);
    assert_eq!(bench.texts(), ["new", "other", "new"]);
    fs::write(bench.path("b.txt"), "new").expect("there is room");
    bench.store.undo(&bench.id).expect("the files are as it left them");
    bench.assert_whole("after all");
    assert_eq!(bench.store.undo("../../etc/passwd").expect_err("it is no id").kind, Kind::NotFound);
}

#[test]
fn whatever_interrupts_a_change_it_is_undone_later_if_it_was_made() {
    for n in 1.. {
        let bench = Bench::new("undo-kill");
        let is_done = bench.apply(kill_at(n)).is_some();
        bench.store.recover();
        let is_made = bench.texts().iter().all(|text| text == "new");
        assert_eq!(bench.store.undo(&bench.id).is_ok(), is_made, "killed before step {n}");
        assert_eq!(bench.texts(), ["old"; 3], "killed before step {n}");
        if is_done {
            return;
        }
    }
}
