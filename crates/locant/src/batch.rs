//! The batch: JSON lines in, JSON lines out.
//!
//! One thread reads, several answer, one writes in the order of the requests. The reader never waits for the writer (up
//! to a bound of memory), so a client may write all its requests before it reads an answer; and an answer is written as
//! soon as all earlier ones are, so a client may also wait for each one.

mod input;
mod line;
mod notes;
mod queue;
mod report;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use locant_api::{Files, Flags, Form, Kind};

use input::{Line, next_line};
use queue::{Asked, Queue, Ticket};
use report::Report;

/// Answers the lines of standard input until it ends.
pub fn serve(defaults: &Flags, reports: bool, form: Form) -> ExitCode {
    let input = io::BufReader::with_capacity(64 << 10, io::stdin());
    serve_on(input, io::stdout().lock(), &crate::servers::files(Files::default()), (defaults, reports, form))
}

/// Answers the lines of an input until it ends. Requests are about these files.
pub fn serve_on(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    files: &Files,
    (defaults, reports, form): (&Flags, bool, Form),
) -> ExitCode {
    let report = Report::default();
    let answer = |ticket, line: Line| {
        let line::Answered { text, outcome } = match line {
            Line::Read(line) => line::answer(&line, defaults, files, (reports, form)),
            Line::TooLong => line::too_long((reports, form)),
        };
        if let Some(outcome) = outcome {
            report.add(ticket, outcome);
        }
        text
    };
    let exchanged = exchange(input, output, &answer);
    if reports {
        // It is not a failure if standard error is closed.
        let _ = write!(io::stderr(), "{report}");
    }
    match exchanged {
        // Outcomes are counted only for a report, so without one there are no losses.
        Ok(()) if report.has_losses() => ExitCode::from(Kind::Gone.exit_code()),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: the batch ended early: {error}");
            ExitCode::from(3)
        }
    }
}

/// Reads lines, answers them on several threads, writes the answers in order.
fn exchange(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    answer: &(dyn Fn(Ticket, Line) -> String + Sync),
) -> io::Result<()> {
    let queue = Arc::new(Queue::default());
    // Not a scoped thread: it may wait for input for ever, even when nobody reads the answers any more.
    let reader = thread::Builder::new().spawn({
        let queue = Arc::clone(&queue);
        move || read(input, &queue)
    })?;
    let work = || {
        while let Some(Asked { ticket, line }) = queue.take() {
            let length = line.len();
            queue.answer(ticket, length, answer(ticket, line));
        }
    };
    let n_threads = thread::available_parallelism().map_or(2, usize::from).clamp(2, 8);
    thread::scope(|scope| {
        let start = || thread::Builder::new().spawn_scoped(scope, work);
        let n_started = (0..n_threads).filter(|_| start().is_ok()).count();
        let written = match n_started {
            0 => Err(io::Error::other("no thread could be started")),
            _ => write(output, &queue),
        };
        queue.close();
        written
    })?;
    reader.join().unwrap_or(Ok(()))
}

/// Puts the lines of the input into the queue.
fn read(mut input: impl BufRead, queue: &Queue) -> io::Result<()> {
    let result = loop {
        match next_line(&mut input) {
            Ok(Some(line)) => queue.put(line),
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    queue.end();
    result
}

/// Writes the answers in order; flushes whenever the next one is not ready yet.
fn write(output: impl Write, queue: &Queue) -> io::Result<()> {
    let mut output = io::BufWriter::with_capacity(64 << 10, output);
    loop {
        let answer = match queue.next_answer_now() {
            Some(answer) => answer,
            None => {
                output.flush()?;
                match queue.next_answer() {
                    Some(answer) => answer,
                    None => return Ok(()),
                }
            }
        };
        output.write_all(answer.as_bytes())?;
        output.write_all(b"\n")?;
    }
}
