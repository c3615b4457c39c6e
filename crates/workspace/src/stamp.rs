//! Tells versions of a file apart without reading them.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How old a change must be before its stamp is trusted. A file that has just changed may change again within the same
/// tick of the clock, and then both versions have the same time.
const TICK: Duration = Duration::from_secs(1);

/// The length of a stamp in bytes.
pub(crate) const STAMP_BYTES: usize = 48;

/// Metadata of one version of a file. Two versions of a file have different stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    size: u64,
    changed: Option<SystemTime>,
    /// The device and inode of the file, and the inode's change time in seconds and nanoseconds. The modification time
    /// alone is not enough: a new file under an old name may have the same one.
    #[cfg(unix)]
    node: (u64, u64, i64, i64),
}

impl Stamp {
    pub(crate) fn of(path: &Path) -> io::Result<Stamp> {
        fs::metadata(path).map(|metadata| Stamp::of_metadata(&metadata))
    }

    /// The stamp of a file with this metadata.
    pub(crate) fn of_metadata(metadata: &fs::Metadata) -> Stamp {
        Stamp {
            size: metadata.len(),
            changed: metadata.modified().ok(),
            #[cfg(unix)]
            node: node(metadata),
        }
    }

    /// The stamp, or `None` if it is so fresh that the next version may have the same stamp.
    pub(crate) fn settled(self) -> Option<Stamp> {
        let is_old = self.last_change()?.elapsed().is_ok_and(|age| age > TICK);
        is_old.then_some(self)
    }

    /// The stamp as bytes, to be stored. Two stamps are equal if their bytes are equal.
    #[cfg(unix)]
    pub(crate) fn to_bytes(self) -> [u8; STAMP_BYTES] {
        let since = self.changed.and_then(|changed| changed.duration_since(SystemTime::UNIX_EPOCH).ok());
        let nanoseconds = since.map_or(u64::MAX, |since| u64::try_from(since.as_nanos()).unwrap_or(u64::MAX));
        let (device, node, seconds, fraction) = self.node;
        let numbers =
            [self.size, nanoseconds, device, node, seconds.cast_unsigned(), fraction.cast_unsigned()];
        let mut bytes = [0; STAMP_BYTES];
        for (bytes, number) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
            *bytes = number.to_le_bytes();
        }
        bytes
    }

    /// The stamp as bytes, to be stored. Two stamps are equal if their bytes are equal.
    #[cfg(not(unix))]
    pub(crate) fn to_bytes(self) -> [u8; STAMP_BYTES] {
        let since = self.changed.and_then(|changed| changed.duration_since(SystemTime::UNIX_EPOCH).ok());
        let nanoseconds = since.map_or(u64::MAX, |since| u64::try_from(since.as_nanos()).unwrap_or(u64::MAX));
        let mut bytes = [0; STAMP_BYTES];
        bytes[..8].copy_from_slice(&self.size.to_le_bytes());
        bytes[8..16].copy_from_slice(&nanoseconds.to_le_bytes());
        bytes
    }

    #[cfg(unix)]
    fn last_change(self) -> Option<SystemTime> {
        let (_, _, seconds, _) = self.node;
        let of_node = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).ok()?);
        Some(self.changed?.max(of_node))
    }

    #[cfg(not(unix))]
    fn last_change(self) -> Option<SystemTime> {
        self.changed
    }
}

#[cfg(unix)]
fn node(metadata: &fs::Metadata) -> (u64, u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;

    (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}
