//! Where previews are kept: in a folder that no other user can read.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::apply::{Recovered, apply, is_finished, recover as recover_from};
use super::digest::Digest;
use super::dir::Dir;
use super::journal::Journal;
use super::patience::Patience;
use super::{FileChange, Preview, random_name};
use crate::failure::{Failure, FailureKind as Kind};

/// How long a preview is kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How many digits of the digest form an id: enough that nobody can find another text with the same id.
const ID_DIGITS: usize = 32;

/// The folder with the previews and the journal.
#[derive(Clone, Debug)]
pub struct Store {
    /// The user's cache folder, which all programs share.
    cache: PathBuf,
}

/// The result of applying a preview.
#[derive(Debug)]
pub struct Applied {
    /// The files that were changed.
    pub files: Vec<PathBuf>,
    /// How many edits were made in these files.
    pub n_edits: usize,
    /// Where the new texts are now, in the order of `files`.
    pub places: Vec<ChangedPlaces>,
    /// The id of the change that was made, by which it is taken back.
    pub id: String,
    /// Messages about interrupted changes that were finished or taken back first.
    pub recovered: Vec<String>,
}

/// The ranges of the new texts in a file, in bytes.
pub type ChangedPlaces = Vec<Range<usize>>;

/// Finishes or takes back the changes of an interrupted process, and returns messages about what was done. If there are
/// no such changes, this only looks at the size of the journal.
pub fn recover() -> Vec<String> {
    let Ok(store) = Store::of_user() else { return Vec::new() };
    store.recover()
}

impl Store {
    /// The store of the user who runs this process.
    pub fn of_user() -> Result<Store, Failure> {
        match cache() {
            Some(cache) => Ok(Store { cache: std::path::absolute(&cache).unwrap_or(cache) }),
            None => Err(Failure::new(
                Kind::Io,
                "there is no folder to keep previews in",
                "name one that is yours alone as XDG_CACHE_HOME",
            )),
        }
    }

    /// Whether a file is inside of the cache folder that the store uses.
    pub fn has(&self, path: &std::path::Path) -> bool {
        let real = |path: &std::path::Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        real(path).starts_with(real(&self.cache))
    }

    #[cfg(all(test, unix))]
    pub(super) fn at(cache: PathBuf) -> Store {
        Store { cache }
    }

    /// Stores a preview, and returns the id by which it is found again.
    pub fn keep(&self, preview: &Preview) -> Result<String, Failure> {
        self.try_keep(preview).map_err(|error| self.unusable("the preview cannot be kept", &error))
    }

    /// Stores the ids of several previews, of which one can be chosen, and returns the id of this choice. A change that
    /// cannot be made has no id.
    pub fn keep_choice(&self, previews: &[Option<String>]) -> Result<String, Failure> {
        let written = serde_json::to_vec(previews).unwrap_or_default();
        self.keep_bytes(&written).map_err(|error| self.unusable("the choice cannot be kept", &error))
    }

    /// The id of a preview by its number in a choice.
    pub fn choice(&self, id: &str, number: usize) -> Result<String, Failure> {
        let id = &*self.whole(id);
        let written = self.find_bytes(id)?;
        let choices: Vec<Option<String>> = serde_json::from_slice(&written).map_err(|_| no_choice(id))?;
        let n_choices = choices.len();
        choices.into_iter().nth(number).flatten().ok_or_else(|| no_such_choice(id, number, n_choices))
    }

    fn try_keep(&self, preview: &Preview) -> io::Result<String> {
        self.keep_bytes(&serde_json::to_vec(preview)?)
    }

    fn keep_bytes(&self, written: &[u8]) -> io::Result<String> {
        let id = id(written);
        self.write(&file_name(&id), written).map(|()| id)
    }

    /// Stores bytes under a name, all of them or none.
    fn write(&self, name: &OsStr, written: &[u8]) -> io::Result<()> {
        let previews = self.open()?.private(OsStr::new(PREVIEWS))?;
        if is_time_to_forget(&previews).unwrap_or(true) {
            forget_old(&previews, "");
        }
        let unfinished = OsString::from(random_name());
        let stored = previews.create(&unfinished).and_then(|mut file| file.write_all(written));
        let stored = stored.and_then(|()| previews.rename(&unfinished, name));
        if stored.is_err() {
            // This fails if the file was never created, which does no harm.
            let _ = previews.remove(&unfinished);
        }
        stored
    }

    /// Makes the changes of the preview with an id, all or none.
    pub fn apply(&self, id: &str) -> Result<Applied, Failure> {
        let id = &*self.whole(id);
        let preview = self.find(id).map_err(Failure::unwritten)?;
        let (mut journal, recovered) = self.free_journal().map_err(Failure::unwritten)?;
        if !is_finished(id) {
            apply(&mut journal, id, &preview, |inverse| self.keep_undo(id, inverse))?;
        }
        let files = preview.files.iter().map(|file| preview.root.join(&file.path)).collect();
        let places = preview.files.iter().map(FileChange::places).collect();
        Ok(Applied { files, n_edits: preview.n_edits(), places, id: id.to_owned(), recovered })
    }

    /// Takes back the changes of the preview with an id, if the files are still as these changes left them.
    pub fn undo(&self, id: &str) -> Result<Applied, Failure> {
        let undo = self.find_undo(&self.whole(id)).map_err(Failure::unwritten)?;
        self.apply(&undo)
    }

    /// The id that starts so, if there is exactly one; else the text as it is, which then is no id.
    fn whole(&self, start: &str) -> String {
        let is_start = (SHORT_ID..ID_DIGITS).contains(&start.len()) && start.bytes().all(is_digit);
        let previews = self.cache.join(FOLDER).join(PREVIEWS);
        let Some(entries) = std::fs::read_dir(previews).ok().filter(|_| is_start) else {
            return start.to_owned();
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let ids = names.filter_map(|name| Some(name.strip_suffix(".json")?.to_owned()));
        let mut ids = ids.filter(|id| id.starts_with(start));
        match (ids.next(), ids.next()) {
            (Some(only), None) => only,
            _ => start.to_owned(),
        }
    }

    /// The id of the changes that take back those of the preview with an id.
    fn find_undo(&self, id: &str) -> Result<String, Failure> {
        if !is_id(id) {
            return Err(unknown(id));
        }
        let undo = match self.read(&undo_name(id)) {
            Ok(undo) => String::from_utf8_lossy(&undo).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(self.find(id).map_or_else(|failure| failure, |_| not_made(id)));
            }
            Err(error) => {
                return Err(self.unusable(&format!("what takes `{id}` back cannot be read"), &error));
            }
        };
        let is_its_undo = self.find(&undo)?.undoes.as_deref() == Some(id);
        if is_its_undo { Ok(undo) } else { Err(tampered(id)) }
    }

    /// Stores the changes that take back those of the preview with an id.
    fn keep_undo(&self, id: &str, inverse: &Preview) -> Result<(), Failure> {
        let kept = self.try_keep(inverse).and_then(|undo| self.write(&undo_name(id), undo.as_bytes()));
        kept.map_err(|error| self.unusable("what takes the change back cannot be kept", &error))
    }

    /// Locks the journal, after finishing or taking back any interrupted changes. Also returns messages about those
    /// changes.
    fn free_journal(&self) -> Result<(Journal, Vec<String>), Failure> {
        let unusable = |error| self.unusable("the journal cannot be kept", &error);
        let mut journal = self.journal(Patience::Some).map_err(unusable)?.ok_or_else(busy)?;
        let folder = self.open().map_err(unusable)?;
        let mut recovered = recover_later(&folder);
        match recover_from(&mut journal, Patience::Some).map_err(|what| self.stuck(&what))? {
            Recovered::None => {}
            Recovered::Done(done) => recovered.push(done),
            Recovered::Away => set_aside(&folder, &mut journal).map_err(unusable)?,
        }
        Ok((journal, recovered))
    }

    pub(super) fn recover(&self) -> Vec<String> {
        let is_empty = std::fs::metadata(self.folder().join(JOURNAL)).map_or(true, |data| data.len() == 0);
        if is_empty {
            return Vec::new();
        }
        // If another process has locked the journal, it is making changes right now, and there is nothing to recover.
        let Ok(Some(mut journal)) = self.journal(Patience::None) else { return Vec::new() };
        match recover_from(&mut journal, Patience::None) {
            Ok(Recovered::None | Recovered::Away) => Vec::new(),
            Ok(Recovered::Done(done)) => vec![done],
            Err(what) => {
                let stuck = self.stuck(&what);
                vec![format!("{}; {}", stuck.message, stuck.hint)]
            }
        }
    }

    /// The preview with an id.
    fn find(&self, id: &str) -> Result<Preview, Failure> {
        let written = self.find_bytes(id)?;
        if serde_json::from_slice::<Vec<Option<String>>>(&written).is_ok() {
            return Err(is_choice(id));
        }
        let preview: Option<Preview> = serde_json::from_slice(&written).ok();
        preview.filter(Preview::is_inside).ok_or_else(|| tampered(id))
    }

    /// What is stored under an id.
    fn find_bytes(&self, id: &str) -> Result<Vec<u8>, Failure> {
        if !is_id(id) {
            return Err(unknown(id));
        }
        let written = match self.read(&file_name(id)) {
            Ok(written) => written,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(unknown(id)),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => return Err(tampered(id)),
            Err(error) => return Err(self.unusable(&format!("the preview `{id}` cannot be read"), &error)),
        };
        if self::id(&written) == id { Ok(written) } else { Err(tampered(id)) }
    }

    fn read(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        let previews = Dir::open(&self.cache)?.own(OsStr::new(FOLDER))?.own(OsStr::new(PREVIEWS))?;
        let mut written = Vec::new();
        previews.file(name)?.read_to_end(&mut written)?;
        Ok(written)
    }

    fn journal(&self, patience: Patience) -> io::Result<Option<Journal>> {
        Journal::take(self.open()?.own_file(OsStr::new(JOURNAL))?, patience)
    }

    fn open(&self) -> io::Result<Dir> {
        std::fs::create_dir_all(&self.cache)?;
        Dir::open(&self.cache)?.private(OsStr::new(FOLDER))
    }

    fn folder(&self) -> PathBuf {
        self.cache.join(FOLDER)
    }

    fn unusable(&self, what: &str, error: &io::Error) -> Failure {
        Failure::new(
            Kind::Io,
            format!("{what} in `{}`: {error}", self.folder().display()),
            "make room there, or name a folder that is yours alone as XDG_CACHE_HOME",
        )
    }

    fn stuck(&self, what: &str) -> Failure {
        let journal = self.folder().join(JOURNAL);
        Failure::new(
            Kind::Io,
            what,
            format!(
                "mend that and ask again; to leave the files as they are, remove `{}`",
                journal.display()
            ),
        )
    }
}

fn no_choice(id: &str) -> Failure {
    let message = format!("the preview `{id}` is one change, not a choice of several");
    Failure::new(Kind::Invalid, message, "apply it without a number")
}

fn is_choice(id: &str) -> Failure {
    Failure::new(Kind::Invalid, format!("`{id}` is a choice of several changes"), "say which, by its number")
}

fn no_such_choice(id: &str, number: usize, n_choices: usize) -> Failure {
    let message = format!("`{id}` has {n_choices} changes, and number {number} is not one that can be made");
    Failure::new(Kind::NotFound, message, "ask for the list again")
}

pub(crate) const FOLDER: &str = "locant";
const PREVIEWS: &str = "previews";
const JOURNAL: &str = "journal";

fn id(written: &[u8]) -> String {
    let mut id = Digest::of(written).to_string();
    id.truncate(ID_DIGITS);
    id
}

/// Whether a text can be an id. An id becomes a file name, so it must not contain a path.
fn is_id(id: &str) -> bool {
    id.len() == ID_DIGITS && id.bytes().all(is_digit)
}

fn is_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// How many digits of an id are enough to name it, as long as no other id starts with them.
pub const SHORT_ID: usize = 8;

fn undo_name(id: &str) -> OsString {
    format!("{id}.undo").into()
}

fn not_made(id: &str) -> Failure {
    let message = format!("the preview `{id}` was not applied");
    Failure::new(Kind::Refused, message, "only what was applied can be taken back")
}

fn file_name(id: &str) -> OsString {
    format!("{id}.json").into()
}

fn unknown(id: &str) -> Failure {
    let message = format!("there is no preview `{id}`");
    Failure::new(Kind::NotFound, message, "ask for the change again, and apply the id that it gives")
}

fn tampered(id: &str) -> Failure {
    let message = format!("the preview `{id}` is not what was kept under this id");
    Failure::new(Kind::Refused, message, "ask for the change again")
}

fn busy() -> Failure {
    Failure::new(Kind::Refused, "another process is making changes", "apply again when it is done")
}

/// The prefix of the files that hold former contents of the journal. They are kept while the folder of an interrupted
/// change does not exist.
const ASIDE: &str = "later";

/// Moves the contents of the journal to a separate file. The journal is locked, so no other process does the same.
fn set_aside(folder: &Dir, journal: &mut Journal) -> io::Result<()> {
    let written = journal.written()?;
    let mut aside = folder.create(OsStr::new(&format!("{ASIDE}{}", random_name())))?;
    aside.write_all(&written)?;
    aside.sync_data()?;
    journal.clear()
}

/// Finishes or takes back the changes that were set aside, if their folders exist again, and returns messages about
/// what was done. Changes for which this fails are tried again later.
fn recover_later(folder: &Dir) -> Vec<String> {
    forget_old(folder, ASIDE);
    let mut recovered = Vec::new();
    let names = folder.names().unwrap_or_default();
    for name in names.iter().filter(|name| name.to_string_lossy().starts_with(ASIDE)) {
        let journal = folder.own_file(name).and_then(|file| Journal::take(file, Patience::None));
        let Ok(Some(mut journal)) = journal else { continue };
        match recover_from(&mut journal, Patience::Some) {
            Ok(Recovered::None) => {}
            Ok(Recovered::Done(done)) => recovered.push(done),
            Ok(Recovered::Away) | Err(_) => continue,
        }
        // The file is empty now. If it cannot be removed, `forget_old` removes it later.
        let _ = folder.remove(name);
    }
    recovered
}

/// How often old previews are looked for. To look at all of them takes longer than to keep one.
const FORGETTING: Duration = Duration::from_secs(60 * 60);

/// Whether it is time to look for old previews again. If so, notes that this is done now.
fn is_time_to_forget(previews: &Dir) -> io::Result<bool> {
    let noted = previews.own_file(OsStr::new("looked-through"))?;
    let data = noted.metadata()?;
    // A new note is empty. Its time then says nothing about an earlier search.
    let is_recent = data.len() > 0 && data.modified()?.elapsed().is_ok_and(|age| age < FORGETTING);
    if !is_recent {
        noted.set_len(1)?;
        noted.set_modified(SystemTime::now())?;
    }
    Ok(!is_recent)
}

/// Removes the files whose names start with `start` and that are older than [`KEPT`]. Some of them may be unfinished
/// files of interrupted processes.
fn forget_old(folder: &Dir, start: &str) {
    let names = folder.names().unwrap_or_default();
    for name in names.iter().filter(|name| name.to_string_lossy().starts_with(start)) {
        let time = folder.file(name).and_then(|file| file.metadata()?.modified());
        if time.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > KEPT)) {
            // This fails if another process has already removed the file, which does no harm.
            let _ = folder.remove(name);
        }
    }
}

/// The user's cache folder, which all programs share. The folder for temporary files is not used, because other users
/// can write to it and could plant files there.
pub(crate) fn cache() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let cache = named("XDG_CACHE_HOME").or_else(|| named("LOCALAPPDATA"));
    cache.or_else(|| home().map(|home| home.join(".cache"))).or_else(|| named("XDG_RUNTIME_DIR"))
}
