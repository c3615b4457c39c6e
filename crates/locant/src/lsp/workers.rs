//! Threads that answer requests in parallel.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that take jobs in order, each as soon as it is free.
pub(super) struct Workers(Sender<Job>);

impl Workers {
    /// Starts as many threads as there are cores, but at least three: a long job must not keep all others waiting.
    pub(super) fn start() -> Workers {
        let (sender, receiver) = mpsc::channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let n_threads = thread::available_parallelism().map_or(1, usize::from).max(3);
        for _ in 0..n_threads {
            let receiver = Arc::clone(&receiver);
            thread::spawn(move || work(&receiver));
        }
        Workers(sender)
    }

    pub(super) fn run(&self, job: impl FnOnce() + Send + 'static) {
        // This cannot fail: workers end only with the process.
        let _ = self.0.send(Box::new(job));
    }
}

fn work(receiver: &Mutex<Receiver<Job>>) {
    loop {
        let job = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}
