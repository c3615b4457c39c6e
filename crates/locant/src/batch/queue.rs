//! The queue of a batch: lines that wait to be answered, and answers that wait to be written in the order of the lines.
//!
//! The memory of lines, of answers, and of lines being answered is bounded. A line is taken only while few answers wait
//! to be written, and long lines are answered one at a time. So a client that never reads, or that writes without end,
//! has to wait, and fills no more memory than the bounds.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::input::Line;

/// How many bytes lines that wait may take together. A longer line may wait when it is alone.
const WAITING: usize = 64 << 20;

/// How many bytes answers that wait may take before no further line is taken.
const ANSWERED: usize = 96 << 20;

/// How many bytes the lines that are answered at the same time may have together. A longer line is answered alone.
const AT_WORK: usize = 4 << 20;

/// How many more bytes a line or an answer takes than its text: its entry in a queue, and what the allocator adds.
const BESIDES: usize = 96;

/// The number of a line, from 0.
pub(super) type Ticket = u64;

/// The lines and answers of a batch.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Notified whenever the state changes in a way that a thread may wait for.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<Asked>,
    /// Invariant: how many bytes `lines` takes.
    waiting: usize,
    /// The answers to the lines from `next_out` on; `None` for one that is not made yet.
    answers: VecDeque<Option<String>>,
    /// Invariant: how many bytes `answers` takes.
    answered: usize,
    /// The sum of the lengths of the lines that are being answered.
    at_work: usize,
    /// The ticket that the next line gets.
    next_put: Ticket,
    /// The ticket of the next answer to be written.
    next_out: Ticket,
    has_ended: bool,
    is_closed: bool,
}

/// A line that is to be answered.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) ticket: Ticket,
    pub(super) line: Line,
}

impl Queue {
    /// Adds a line. Blocks while the lines that wait take too much memory.
    pub(super) fn put(&self, line: Line) {
        let room = line.len() + BESIDES;
        let mut state =
            self.wait(|state| state.is_closed || state.lines.is_empty() || state.waiting + room <= WAITING);
        let ticket = state.next_put;
        state.next_put += 1;
        state.waiting += room;
        state.lines.push_back(Asked { ticket, line });
        self.changed.notify_all();
    }

    /// Notes that no more lines will come.
    pub(super) fn end(&self) {
        self.lock().has_ended = true;
        self.changed.notify_all();
    }

    /// Notes that nobody takes answers any more.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// The next line to answer; `None` when there will be no more. Blocks until there is one and memory for its answer.
    pub(super) fn take(&self) -> Option<Asked> {
        // This cannot block the writer: lines are taken in order, so the answer that it needs next is ready or being
        // made.
        let mut state = self.wait(|state| match state.lines.front() {
            _ if state.is_closed => true,
            None => state.has_ended,
            Some(next) => {
                let fits = state.at_work == 0 || state.at_work + next.line.len() <= AT_WORK;
                fits && state.answered <= ANSWERED
            }
        });
        if state.is_closed {
            return None;
        }
        let next = state.lines.pop_front()?;
        state.waiting -= next.line.len() + BESIDES;
        state.at_work += next.line.len();
        self.changed.notify_all();
        Some(next)
    }

    /// Adds the answer to the line with this ticket and length.
    pub(super) fn answer(&self, ticket: Ticket, length: usize, answer: String) {
        let mut state = self.lock();
        state.at_work -= length;
        state.answered += answer.capacity() + BESIDES;
        let index =
            usize::try_from(ticket - state.next_out).expect("no more answers wait than memory has room for");
        if state.answers.len() <= index {
            state.answers.resize(index + 1, None);
        }
        state.answers[index] = Some(answer);
        drop(state);
        self.changed.notify_all();
    }

    /// The next answer in order; `None` when it is not ready.
    pub(super) fn next_answer_now(&self) -> Option<String> {
        let answer = self.lock().pop_answer();
        self.changed.notify_all();
        answer
    }

    /// The next answer in order; `None` when all were given. Blocks until it is ready.
    pub(super) fn next_answer(&self) -> Option<String> {
        let mut state = self.wait(|state| {
            let is_done = state.has_ended && state.next_out == state.next_put;
            is_done || matches!(state.answers.front(), Some(Some(_)))
        });
        let answer = state.pop_answer();
        self.changed.notify_all();
        answer
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, mut is_ready: impl FnMut(&State) -> bool) -> MutexGuard<'_, State> {
        let waited = self.changed.wait_while(self.lock(), |state| !is_ready(state));
        waited.unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn pop_answer(&mut self) -> Option<String> {
        let answer = self.answers.front_mut()?.take()?;
        self.answers.pop_front();
        self.answered -= answer.capacity() + BESIDES;
        self.next_out += 1;
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// A megabyte.
    const MUCH: usize = 1 << 20;

    #[test]
    fn a_client_that_never_reads_has_to_wait() {
        let queue = Queue::default();
        thread::scope(|scope| {
            scope.spawn(|| {
                while !queue.lock().is_closed {
                    queue.put(Line::Read(vec![0; MUCH]));
                }
            });
            scope.spawn(|| {
                while let Some(Asked { ticket, line }) = queue.take() {
                    queue.answer(ticket, line.len(), "x".repeat(MUCH));
                }
            });
            // When neither another answer nor another line fits, no thread can continue.
            let is_full =
                |state: &State| state.answered > ANSWERED && state.waiting + MUCH + BESIDES > WAITING;
            let n_put = queue.wait(is_full).next_put;
            queue.close();
            assert!(n_put <= ((WAITING + ANSWERED) / MUCH + 1) as Ticket);
        });
    }

    #[test]
    fn short_lines_take_room_too() {
        let queue = Queue::default();
        thread::scope(|scope| {
            scope.spawn(|| {
                while !queue.lock().is_closed {
                    queue.put(Line::TooLong);
                }
            });
            let n_put = queue.wait(|state| state.waiting + BESIDES > WAITING).next_put;
            queue.close();
            assert_eq!(n_put, (WAITING / BESIDES) as Ticket);
        });
    }

    #[test]
    fn long_lines_are_answered_one_at_a_time() {
        let queue = Queue::default();
        let lengths = [AT_WORK, AT_WORK / 2, AT_WORK / 2, 1];
        lengths.iter().for_each(|&length| queue.put(Line::Read(vec![0; length])));
        queue.end();
        let first = queue.take().expect("a line waits");
        thread::scope(|scope| {
            let second = scope.spawn(|| queue.take().expect("a line waits").ticket);
            queue.answer(first.ticket, first.line.len(), String::new());
            assert_eq!(second.join().expect("it does not panic"), 1);
        });
        assert_eq!(queue.take().map(|asked| asked.ticket), Some(2), "both are as long as one may be");
        queue.answer(1, AT_WORK / 2, String::new());
        assert_eq!(queue.take().map(|asked| asked.ticket), Some(3));
    }

    #[test]
    fn answers_go_out_in_the_order_of_the_lines() {
        let queue = Queue::default();
        (0..3).for_each(|_| queue.put(Line::TooLong));
        queue.end();
        (0..3).for_each(|_| drop(queue.take()));
        for ticket in [2, 0, 1] {
            queue.answer(ticket, 0, ticket.to_string());
        }
        let out: Vec<String> = std::iter::from_fn(|| queue.next_answer()).collect();
        assert_eq!(out, ["0", "1", "2"]);
    }
}
