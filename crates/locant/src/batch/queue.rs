//! Lines on their way to an answer, and answers on their way out in the order of the lines.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many bytes of lines may wait, and of answers. A single longer one may wait too, when it is alone.
const WAITING: usize = 256 << 20;

/// The number of a line, from 0.
pub(super) type Ticket = u64;

/// The lines and answers of a batch.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Told whenever the state changes in a way that someone may wait for.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<(Ticket, Vec<u8>)>,
    /// Invariant: the sum of the lengths of `lines`.
    waiting: usize,
    answers: HashMap<Ticket, String>,
    /// Invariant: the sum of the lengths of `answers`.
    answered: usize,
    /// The ticket of the next line that is put.
    next_put: Ticket,
    /// The ticket of the next answer that goes out.
    next_out: Ticket,
    has_ended: bool,
    is_closed: bool,
}

impl Queue {
    /// Adds a line; waits while too much is waiting.
    pub(super) fn put(&self, line: Vec<u8>) {
        let mut state = self
            .wait(|state| state.is_closed || state.lines.is_empty() || state.waiting + line.len() <= WAITING);
        let ticket = state.next_put;
        state.next_put += 1;
        state.waiting += line.len();
        state.lines.push_back((ticket, line));
        self.changed.notify_all();
    }

    /// No line will come any more.
    pub(super) fn end(&self) {
        self.lock().has_ended = true;
        self.changed.notify_all();
    }

    /// No one takes answers any more.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// The next line to answer; `None` when there will be none.
    pub(super) fn take(&self) -> Option<(Ticket, Vec<u8>)> {
        // Waiting for the writer cannot block it: lines are taken in order, so the answer it needs next is
        // either there or being made.
        let mut state = self.wait(|state| {
            if state.lines.is_empty() {
                state.has_ended || state.is_closed
            } else {
                state.answered <= WAITING || state.is_closed
            }
        });
        if state.is_closed {
            return None;
        }
        let (ticket, line) = state.lines.pop_front()?;
        state.waiting -= line.len();
        self.changed.notify_all();
        Some((ticket, line))
    }

    /// Gives the answer to a line.
    pub(super) fn answer(&self, ticket: Ticket, answer: String) {
        let mut state = self.lock();
        state.answered += answer.len();
        state.answers.insert(ticket, answer);
        drop(state);
        self.changed.notify_all();
    }

    /// The next answer in order, if it is there.
    pub(super) fn next_answer_now(&self) -> Option<String> {
        let answer = self.lock().pop_answer();
        self.changed.notify_all();
        answer
    }

    /// The next answer in order; `None` when all have gone out.
    pub(super) fn next_answer(&self) -> Option<String> {
        let mut state = self.wait(|state| {
            let is_done = state.has_ended && state.next_out == state.next_put;
            is_done || state.answers.contains_key(&state.next_out)
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
        let answer = self.answers.remove(&self.next_out)?;
        self.answered -= answer.len();
        self.next_out += 1;
        Some(answer)
    }
}
