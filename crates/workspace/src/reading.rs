//! Reads files without blocking: only files that have an end are read.
//!
//! Reading a pipe or a device may block for ever, and a virtual file, such as one in `/proc`, may never end. So only
//! regular files are opened, no read waits for more bytes to arrive, and the number of bytes is limited.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::{error, fmt};

/// The largest file that is read, in bytes. Its outline and tree take several times that much memory.
pub const MOST_BYTES: u64 = 512 << 20;

/// How many bytes a file may have beyond its reported size. It may grow while it is read, and virtual files, such as
/// those in `/proc`, report the size 0.
const BEYOND_SIZE: u64 = 16 << 20;

/// How many bytes are read first. If one of them is zero, the file is binary, and the rest is not read.
const HEAD: u64 = 8 << 10;

/// Why a file is not read, although it exists and the user has permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is not a regular file but, for example, `a pipe`.
    Special(&'static str),
    /// A read would have to wait for more bytes, or there are far more bytes than the file's size.
    Endless,
    /// It is larger than `MOST_BYTES`.
    TooLarge,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Special(kind) => write!(f, "it is {kind}, not a file"),
            Unread::Endless => f.write_str("it has no end, as files of the system may have none"),
            Unread::TooLarge => write!(f, "it is larger than {} MiB", MOST_BYTES >> 20),
        }
    }
}

impl error::Error for Unread {}

impl Unread {
    /// The `Unread` inside of an error, if there is one.
    pub fn of(error: &io::Error) -> Option<Unread> {
        error.get_ref()?.downcast_ref().copied()
    }
}

impl From<Unread> for io::Error {
    fn from(unread: Unread) -> io::Error {
        io::Error::other(unread)
    }
}

/// Reads a file. If the first bytes show that it is binary, only these are returned.
pub fn read_text(path: &Path) -> io::Result<Vec<u8>> {
    let (mut file, size) = open(path)?;
    // One byte more than the size, so that the end is noticed without reallocating.
    let room = usize::try_from(size.max(HEAD) + 1).map_err(|_| Unread::TooLarge)?;
    let mut bytes = Vec::with_capacity(room);
    read_at_most(&mut file, HEAD, &mut bytes)?;
    if !bytes.contains(&0) {
        read_rest(file, size, &mut bytes)?;
    }
    Ok(bytes)
}

/// Reads a regular file into a reused buffer, and returns its metadata; `None` when the first bytes show that the file
/// is binary. Links are not followed.
pub(crate) fn read_into(path: &Path, bytes: &mut Vec<u8>) -> io::Result<Option<Metadata>> {
    bytes.clear();
    let mut file = unlinked(OpenOptions::new().read(true)).open(path)?;
    // The metadata is taken before the file is read, so that a change during the read is noticed the next time.
    let metadata = file.metadata()?;
    let size = regular(&metadata)?;
    if size > MOST_BYTES {
        return Err(Unread::TooLarge.into());
    }
    // Virtual files, such as those in `/proc`, report the size 0. Reading one may have effects or never end, so a walk
    // over a whole tree leaves them unread.
    if size == 0 {
        return Ok(Some(metadata));
    }
    // One byte more than the size, so that the end is noticed without reallocating.
    bytes.reserve(usize::try_from(size.max(HEAD) + 1).map_err(|_| Unread::TooLarge)?);
    read_at_most(&mut file, HEAD, bytes)?;
    if bytes.contains(&0) {
        return Ok(None);
    }
    if bytes.len() as u64 == HEAD {
        read_rest(file, size, bytes)?;
    }
    Ok(Some(metadata))
}

/// Reads a file completely, whether it is binary or text.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let (file, size) = open(path)?;
    let mut bytes = Vec::new();
    read_rest(file, size, &mut bytes)?;
    Ok(bytes)
}

/// Reads an input that is already open, such as standard input. It may be a pipe, so this waits until it ends.
pub fn read_opened(input: impl Read) -> io::Result<Vec<u8>> {
    read_up_to(input, MOST_BYTES)
}

fn read_up_to(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(Unread::TooLarge.into()) } else { Ok(bytes) }
}

/// Whether the path leads to something other than a file or a directory. Opening it may block.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Fails at once for a pipe that nobody reads, because writing to it would block.
pub fn check_writable(path: &Path) -> io::Result<()> {
    if is_special(path) {
        without_waiting(OpenOptions::new().write(true)).open(path)?;
    }
    Ok(())
}

/// Opens a regular file, and returns it with its size.
fn open(path: &Path) -> io::Result<(File, u64)> {
    // The check comes before opening, because some devices act when they are opened. It is repeated afterwards, because
    // another file may have taken the name in the meantime.
    regular(&fs::metadata(path)?)?;
    let file = without_waiting(OpenOptions::new().read(true)).open(path)?;
    let size = regular(&file.metadata()?)?;
    if size > MOST_BYTES { Err(Unread::TooLarge.into()) } else { Ok((file, size)) }
}

/// The size of a regular file. Fails for anything else.
fn regular(metadata: &Metadata) -> io::Result<u64> {
    if metadata.is_file() {
        Ok(metadata.len())
    } else if metadata.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else {
        Err(Unread::Special(kind(metadata.file_type())).into())
    }
}

fn read_rest(mut file: File, size: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    let most = (size + BEYOND_SIZE).min(MOST_BYTES);
    read_at_most(&mut file, most + 1 - (bytes.len() as u64).min(most), bytes)?;
    if bytes.len() as u64 > most { Err(Unread::Endless.into()) } else { Ok(()) }
}

fn read_at_most(file: &mut File, most: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    match file.take(most).read_to_end(bytes) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(Unread::Endless.into()),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
}

#[cfg(unix)]
fn unlinked(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_NOFOLLOW)
}

#[cfg(not(unix))]
fn unlinked(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(not(unix))]
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(unix)]
fn kind(what: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;

    match () {
        () if what.is_fifo() => "a pipe",
        () if what.is_socket() => "a socket",
        () if what.is_char_device() || what.is_block_device() => "a device",
        () => "something else",
    }
}

#[cfg(not(unix))]
fn kind(_: FileType) -> &'static str {
    "a device"
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;

    fn why(path: &Path) -> Option<Unread> {
        read_text(path).err().and_then(|error| Unread::of(&error))
    }

    #[test]
    fn what_is_no_file_is_not_opened() {
        let folder = std::env::temp_dir().join(format!("locant-special-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the temporary folder can be written to");
        let (pipe, socket, link) = (folder.join("pipe"), folder.join("socket"), folder.join("link"));
        Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo");
        let _listener = UnixListener::bind(&socket).expect("a socket can be made");
        std::os::unix::fs::symlink("/dev/zero", &link).expect("a link can be made");
        let found = [why(&pipe), why(&socket), why(&link), why(Path::new("/dev/null"))];
        let expected = ["a pipe", "a socket", "a device", "a device"].map(|kind| Some(Unread::Special(kind)));
        assert_eq!(found, expected);
        assert!([&pipe, &socket, &link].iter().all(|path| is_special(path) && read_bytes(path).is_err()));
        let directory = read_text(&folder).expect_err("a directory is no file").kind();
        assert_eq!((directory, is_special(&folder)), (io::ErrorKind::IsADirectory, false));
        fs::remove_dir_all(&folder).expect("the folder is ours");
    }

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let path = std::env::temp_dir().join(format!("locant-large-{}", std::process::id()));
        let file = File::create(&path).expect("the temporary folder can be written to");
        file.set_len(MOST_BYTES + 1).expect("a file of blanks takes no room");
        assert_eq!(why(&path), Some(Unread::TooLarge));
        fs::remove_file(&path).expect("the file is ours");
    }

    #[test]
    fn an_input_without_end_is_read_to_the_bound() {
        let error = read_up_to(io::repeat(b'a'), 1000).expect_err("it has no end");
        assert_eq!(Unread::of(&error), Some(Unread::TooLarge));
        assert_eq!(read_up_to(&b"1234"[..], 4).ok(), Some(b"1234".to_vec()));
    }
}
