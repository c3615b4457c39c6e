//! Tests which files a question about names sees, while files are added, changed and removed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use locant_engine::names::{Hover, Question, Target};
use locant_engine::{Document, Offset};
use locant_workspace::{
    Answered, Asked, Base, Documents, Gap, InProcess, Known, Project, Provider, Providers, Scope, Snapshot,
    Unanswered, Workspace,
};

/// A folder for one test. It is deleted when this value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        static N_FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let n = N_FOLDERS.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("locant-workspace-{}-{n}-{name}", std::process::id()));
        fs::create_dir_all(path.join(".git")).expect("the temporary folder can be written to");
        Folder(path.canonicalize().expect("it is there"))
    }

    /// Writes a file, and creates the folders above it.
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("it can be made");
        fs::write(&path, text).expect("it can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("it is ours");
    }
}

struct World {
    workspace: Workspace,
    names: InProcess,
}

impl World {
    fn new() -> World {
        World { workspace: Workspace::default(), names: InProcess::default() }
    }

    /// Asks about the first occurrence of `find` in a file.
    fn ask<T>(
        &self,
        path: &Path,
        find: &str,
        given: Documents,
        ask: impl Fn(&InProcess, &Asked<'_>) -> Answered<T>,
    ) -> Answered<T> {
        let snapshot = self.workspace.snapshot(given);
        let shown = path.to_string_lossy().into_owned();
        let document = snapshot.document(path, &shown).expect("there is such a file");
        let at = document.text().lossy(document.text().range()).find(find).expect("the file has it");
        let base = Base::new(Some(&path.parent().expect("it is in a folder").to_string_lossy()));
        let project = Project::around(&shown, &base);
        ask(
            &self.names,
            &Asked {
                scope: Scope {
                    snapshot: &snapshot,
                    project: &project,
                    base: &base,
                    import_roots: &[],
                    beside: &[],
                    server: None,
                    is_alone: false,
                },
                document: &document,
                at: Offset::of_index(at),
            },
        )
    }

    /// The references to the name at `find`, as paths and offsets.
    fn references(&self, path: &Path, find: &str) -> Vec<String> {
        let known = self.ask(path, find, Documents::new(), |names, asked| names.references(asked));
        let known = known.expect("it is answered");
        known
            .value
            .iter()
            .map(|mention| format!("{}:{}", mention.path, mention.range.start().to_u32()))
            .collect()
    }

    fn definition(&self, path: &Path, find: &str, given: Documents) -> Vec<String> {
        let known =
            self.ask(path, find, given, |names, asked| names.definition(asked)).expect("it is answered");
        known.value.iter().map(|target| format!("{}:{}", target.path, target.name.start().to_u32())).collect()
    }
}

const MONEY: &str = "syntax = \"proto3\";\nmessage Money {}\n";
const ORDER: &str = "syntax = \"proto3\";\nimport \"money.proto\";\nmessage Order { Money total = 1; }\n";

fn document(path: &Path, text: &str) -> (PathBuf, Arc<Document>) {
    (path.to_owned(), Arc::new(Document::new(path.to_string_lossy(), text).expect("it is text")))
}

/// Waits until these files are old enough that their stamps are trusted.
fn settle(paths: &[&PathBuf]) {
    let is_fresh = |path: &&PathBuf| {
        let changed = fs::metadata(path).and_then(|metadata| metadata.modified()).expect("it is there");
        SystemTime::now().duration_since(changed).is_ok_and(|age| age < Duration::from_millis(2100))
    };
    while paths.iter().any(is_fresh) {
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn two_projects_that_are_asked_in_turns_are_read_once() {
    let (one, other) = (Folder::new("one"), Folder::new("other"));
    let files = [one.write("money.proto", MONEY), one.write("order.proto", ORDER)];
    let others = [other.write("money.proto", MONEY), other.write("order.proto", ORDER)];
    settle(&[&files[0], &files[1], &others[0], &others[1]]);
    let world = World::new();
    let first = (world.references(&files[0], "Money"), world.references(&others[0], "Money"));
    let n_reads = world.workspace.n_reads();
    assert_eq!(n_reads, 4);
    for _ in 0..3 {
        let again = (world.references(&files[0], "Money"), world.references(&others[0], "Money"));
        assert_eq!(again, first);
    }
    assert_eq!(world.workspace.n_reads(), n_reads);
    assert_eq!(first.0, ["money.proto:27", "order.proto:57"]);
    one.write("money.proto", &MONEY.replace("message", "// a\nmessage"));
    assert_eq!(world.references(&files[0], "Money {"), ["money.proto:32", "order.proto:57"]);
    assert_eq!(world.workspace.n_reads(), n_reads + 1);
}

#[test]
fn a_file_that_changes_without_notice_is_seen() {
    let folder = Folder::new("changes");
    let (money, order) = (folder.write("money.proto", MONEY), folder.write("order.proto", ORDER));
    let world = World::new();
    assert_eq!(world.definition(&order, "Money total", Documents::new()), ["money.proto:27"]);
    for n in 1..20 {
        folder.write("money.proto", &MONEY.replace("message", &format!("//{}\nmessage", "x".repeat(n))));
        let expected = [format!("money.proto:{}", 30 + n)];
        assert_eq!(world.definition(&order, "Money total", Documents::new()), expected);
    }
    fs::remove_file(&money).expect("it is ours");
    assert_eq!(world.definition(&order, "Money total", Documents::new()), [""; 0]);
}

#[test]
fn texts_of_a_request_count_for_that_request_alone() {
    let folder = Folder::new("given");
    let (money, order) = (folder.write("money.proto", MONEY), folder.write("order.proto", ORDER));
    let world = World::new();
    let given = || Documents::from([document(&money, "\n\nsyntax = \"proto3\";\nmessage Money {}\n")]);
    assert_eq!(world.definition(&order, "Money total", given()), ["money.proto:29"]);
    assert_eq!(world.definition(&order, "Money total", Documents::new()), ["money.proto:27"]);
    let gone = Documents::from([document(&money, "")]);
    assert_eq!(world.definition(&order, "Money total", gone), [""; 0]);
    assert_eq!(world.definition(&order, "Money total", Documents::new()), ["money.proto:27"]);
}

#[test]
fn what_an_editor_has_open_counts_until_it_is_closed() {
    let folder = Folder::new("open");
    let (money, order) = (folder.write("money.proto", MONEY), folder.write("order.proto", ORDER));
    let world = World::new();
    let (path, changed) = document(&money, "\nsyntax = \"proto3\";\nmessage Money {}\n");
    let before = world.workspace.snapshot(Documents::new());
    world.workspace.set_open(path, changed);
    assert_eq!(world.definition(&order, "Money total", Documents::new()), ["money.proto:28"]);
    assert!(before.layered(&money).is_none(), "a snapshot does not change");
    world.workspace.close(&money);
    assert_eq!(world.definition(&order, "Money total", Documents::new()), ["money.proto:27"]);
}

#[test]
fn where_all_files_came_with_the_request_the_disk_is_not_looked_at() {
    let given: BTreeMap<PathBuf, Arc<Document>> =
        [document(Path::new("money.proto"), MONEY), document(Path::new("order.proto"), ORDER)].into();
    let order = Arc::clone(&given[Path::new("order.proto")]);
    let snapshot = Snapshot::of_given(given);
    let (base, project) = (Base::default(), Project::default());
    let at = Offset::of_index(ORDER.find("Money total").expect("it is there"));
    let known = InProcess::default().definition(&Asked {
        scope: Scope {
            snapshot: &snapshot,
            project: &project,
            base: &base,
            import_roots: &[],
            beside: &[],
            server: None,
            is_alone: false,
        },
        document: &order,
        at,
    });
    let known = known.expect("it is answered");
    assert_eq!((known.root, known.gaps), (None, Vec::<Gap>::new()));
    assert_eq!(known.value[0].path, "money.proto");
}

/// A provider whose `definition` calls this function.
struct Fake(fn() -> Answered<Vec<Target>>);

impl Provider for Fake {
    fn who(&self) -> String {
        "fake".to_owned()
    }

    fn knows(&self, _: &Document) -> bool {
        true
    }

    fn extensions(&self, _: Question) -> Vec<String> {
        vec!["fake".to_owned()]
    }

    fn definition(&self, _: &Asked<'_>) -> Answered<Vec<Target>> {
        (self.0)()
    }
}

/// How many targets the answer of these providers has, or why there is no answer.
fn answered(list: &[fn() -> Answered<Vec<Target>>]) -> Result<usize, Unanswered> {
    let list = list.iter().map(|&answer| Arc::new(Fake(answer)) as Arc<dyn Provider>);
    let snapshot = Snapshot::of_given(Documents::new());
    let (_, document) = document(Path::new("a.fake"), "a");
    let asked = Asked {
        scope: Scope {
            snapshot: &snapshot,
            project: &Project::default(),
            base: &Base::default(),
            import_roots: &[],
            beside: &[],
            server: None,
            is_alone: false,
        },
        document: &document,
        at: Offset::ZERO,
    };
    let providers = Providers::new(list.collect());
    let hover: Answered<Option<Hover>> = providers.ask(|provider| provider.hover(&asked));
    assert_eq!(hover.map(|_| ()), Err(Unanswered::Unsupported));
    providers.targets(|provider| provider.definition(&asked)).map(|known| known.value.len())
}

fn known() -> Answered<Vec<Target>> {
    Ok(Known { value: Vec::new(), who: "fake".to_owned(), root: None, gaps: Vec::new() })
}

fn starting() -> Answered<Vec<Target>> {
    Err(Unanswered::NotReady("it is starting".to_owned()))
}

fn failing() -> Answered<Vec<Target>> {
    Err(Unanswered::Failed("it fell over".to_owned()))
}

fn cancelled() -> Answered<Vec<Target>> {
    Err(Unanswered::Cancelled)
}

#[test]
fn the_first_provider_that_answers_counts_and_else_the_first_reason() {
    assert_eq!(answered(&[starting, known]), Ok(0));
    assert_eq!(answered(&[failing, starting]), Err(Unanswered::Failed("it fell over".to_owned())));
    assert_eq!(answered(&[starting, cancelled, known]), Err(Unanswered::Cancelled));
    assert_eq!(answered(&[]), Err(Unanswered::Unsupported));
}
