//! Where a daemon and its clients meet: a folder that only the user can enter, with a socket, a lock and a log.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const SOCKET: &str = "socket";
const LOCK: &str = "lock";
const LOG: &str = "log";

/// The folder, held open, so that nothing changes for us if it is replaced on disk.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    folder: File,
}

/// The lock that says that a daemon serves here. It is held for as long as this value lives.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Place {
    /// The folder for the daemon of a program, made if it does not exist.
    pub(super) fn of(program: &Path) -> io::Result<Place> {
        let base = base().ok_or_else(|| io::Error::other("there is no folder for sockets of this user"))?;
        fs::create_dir_all(&base)?;
        let mut digest = DefaultHasher::new();
        program.hash(&mut digest);
        let ours = base.join("locant");
        private(&ours)?;
        let path = ours.join(format!("daemon-{:016x}", digest.finish()));
        let folder = private(&path)?;
        Ok(Place { path, folder })
    }

    /// Connects with the daemon that serves here. Fails if there is none, or another user listens.
    pub(super) fn connect(&self) -> io::Result<UnixStream> {
        let stream = UnixStream::connect(self.way(SOCKET))?;
        if is_own_peer(&stream) { Ok(stream) } else { Err(io::Error::other("another user listens")) }
    }

    /// Takes the lock; `None` when a daemon serves here.
    pub(super) fn lock(&self) -> io::Result<Option<Lock>> {
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).mode(0o600).open(self.way(LOCK))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Listens. A socket that an earlier daemon has left is replaced: its lock was free.
    pub(super) fn listen(&self, _: &Lock) -> io::Result<UnixListener> {
        let _ = fs::remove_file(self.way(SOCKET));
        let listener = UnixListener::bind(self.way(SOCKET))?;
        fs::set_permissions(self.way(SOCKET), PermissionsExt::from_mode(0o600))?;
        Ok(listener)
    }

    /// Removes the socket, so that clients no longer find the daemon, and gives the lock back.
    pub(super) fn leave(&self, lock: Lock) {
        let _ = fs::remove_file(self.way(SOCKET));
        drop(lock);
    }

    /// Whether clients still find the daemon that holds this lock.
    pub(super) fn is_found(&self, lock: &Lock) -> bool {
        let same = |one: &Metadata, other: &Metadata| (one.dev(), one.ino()) == (other.dev(), other.ino());
        let on_disk = fs::metadata(self.path.join(LOCK)).ok();
        on_disk.zip(lock.0.metadata().ok()).is_some_and(|(one, other)| same(&one, &other))
    }

    /// The file for notes.
    pub(super) fn log(&self) -> PathBuf {
        self.path.join(LOG)
    }

    /// A path into the folder that is held open. It is short, as the path of a socket must be.
    fn way(&self, name: &str) -> PathBuf {
        if cfg!(target_os = "linux") {
            PathBuf::from(format!("/proc/self/fd/{}/{name}", self.folder.as_raw_fd()))
        } else {
            self.path.join(name)
        }
    }
}

/// Whether the process at the other end belongs to this user.
#[cfg(target_os = "linux")]
pub(super) fn is_own_peer(stream: &UnixStream) -> bool {
    let peer = rustix::net::sockopt::socket_peercred(stream);
    peer.is_ok_and(|peer| peer.uid == rustix::process::geteuid())
}

/// Elsewhere the permissions of the folder keep others out.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_own_peer(_: &UnixStream) -> bool {
    true
}

/// The folder for sockets of the user; the one for caches if the system has none. The folder for temporary files is not
/// used, since others can write there.
fn base() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let runtime =
        named("XDG_RUNTIME_DIR").filter(|path| fs::metadata(path).is_ok_and(|about| is_own(&about)));
    let home = || env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(".cache"));
    runtime.or_else(|| named("XDG_CACHE_HOME")).or_else(home)
}

/// Opens a folder that only this user can enter. Makes it if it does not exist, and refuses one of another user.
fn private(path: &Path) -> io::Result<File> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let nofollow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).map_err(io::Error::other)?;
    let folder = OpenOptions::new().read(true).custom_flags(nofollow).open(path)?;
    let about = folder.metadata()?;
    if !about.is_dir() || !is_own(&about) {
        return Err(io::Error::other(format!("`{}` is not a folder of this user", path.display())));
    }
    if about.mode() & 0o077 != 0 {
        folder.set_permissions(PermissionsExt::from_mode(0o700))?;
    }
    Ok(folder)
}

fn is_own(about: &Metadata) -> bool {
    about.uid() == rustix::process::geteuid().as_raw()
}
