//! The bound on the memory of messages that wait to be answered.
//!
//! A client that writes and never reads would fill the memory with requests. So each message takes a share of a limited
//! room, and gives it back when it is answered. The next message has to wait until there is room for it.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// How many bytes may wait. A longer message may wait if it is the only one.
const MOST: usize = 64 << 20;

/// How many bytes a message takes besides its own bytes.
const BESIDES: usize = 512;

/// The room for messages that wait.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// How many bytes are taken.
    taken: Mutex<usize>,
    given_back: Condvar,
}

/// A part of the room, which is given back when this value is dropped.
#[derive(Debug, Default)]
pub(super) struct Share {
    size: usize,
    /// The room that the share belongs to; `None` in tests.
    room: Option<Arc<Room>>,
}

impl Room {
    /// Takes the share of a message of this length. Blocks until there is room.
    pub(super) fn take(room: &Arc<Room>, length: usize) -> Share {
        let size = length + BESIDES;
        let taken = room.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |taken: &mut usize| *taken > 0 && *taken + size > MOST;
        let mut taken = room.given_back.wait_while(taken, is_full).unwrap_or_else(PoisonError::into_inner);
        *taken += size;
        drop(taken);
        Share { size, room: Some(Arc::clone(room)) }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let Some(room) = &self.room else { return };
        *room.taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.size;
        room.given_back.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn what_has_no_room_waits_until_there_is_some() {
        let room = Arc::new(Room::default());
        let (sender, receiver) = mpsc::sync_channel(0);
        let first = Room::take(&room, 2 * MOST);
        let writer = thread::spawn({
            let room = Arc::clone(&room);
            move || (0..100).try_for_each(|_| sender.send(Room::take(&room, MOST / 2)))
        });
        assert!(receiver.try_recv().is_err(), "a message that is alone takes all");
        drop(first);
        assert_eq!(receiver.iter().count(), 100);
        assert!(writer.join().is_ok_and(|sent| sent.is_ok()));
        assert_eq!(*room.taken.lock().unwrap_or_else(PoisonError::into_inner), 0);
    }
}
