//! A clock, and the rows of the table of results.

use std::any::Any;
use std::fmt;
use std::time::{Duration, Instant};

/// A program or library to measure: its name and its work. The result of the work is dropped after the clock has
/// stopped.
pub type Entry<'a> = (&'static str, Box<dyn FnMut() -> Box<dyn Any> + 'a>);

/// The best time of each entry over some rounds. The entries take turns, so that a busy machine disturbs all of them
/// equally.
pub fn best(n_rounds: usize, entries: &mut [Entry<'_>]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; entries.len()];
    for _ in 0..n_rounds {
        for ((_, run), best) in entries.iter_mut().zip(&mut best) {
            let clock = Clock::start();
            let made = run();
            *best = clock.elapsed().min(*best);
            drop(made);
        }
    }
    best
}

/// The result of some work, and how long it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let clock = Clock::start();
    let made = work();
    (made, clock.elapsed())
}

/// A clock that stops while other programs have the processor, if the system provides it.
struct Clock {
    on_wall: Instant,
    on_processor: Option<Duration>,
}

impl Clock {
    /// Shorter work is measured by the wall clock. Asking the system for the processor time takes some microseconds,
    /// and short work is rarely interrupted.
    const SHORT: Duration = Duration::from_millis(1);

    fn start() -> Clock {
        Clock { on_processor: processor_time(), on_wall: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        let on_wall = self.on_wall.elapsed();
        match self.on_processor {
            Some(before) if on_wall >= Clock::SHORT => {
                processor_time().map_or(on_wall, |after| after.saturating_sub(before))
            }
            _ => on_wall,
        }
    }
}

/// How long this thread has run on a processor; `None` if the system does not tell. On Linux it is the first field of
/// `schedstat`, in nanoseconds.
fn processor_time() -> Option<Duration> {
    // The field is updated when the scheduler runs.
    std::thread::yield_now();
    let fields = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    fields.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The median of some times.
pub fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The median of some figures.
pub fn median_of(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A line of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was measured.
    pub what: String,
    /// The figure of locant.
    pub ours: String,
    /// The name and the figure of the tool or library that locant is compared with.
    pub theirs: String,
    /// How many times faster locant is.
    pub ratio: Option<f64>,
    /// The goal, and whether it is met.
    pub goal: Option<(String, bool)>,
}

impl Row {
    /// A line that compares times.
    pub fn times(what: &str, ours: (Duration, String), theirs: (&str, Duration, String)) -> Row {
        let (name, their_time, shown) = theirs;
        Row {
            what: what.to_owned(),
            ours: ours.1,
            theirs: format!("{name} {shown}"),
            ratio: Some(their_time.as_secs_f64() / ours.0.as_secs_f64()),
            goal: None,
        }
    }

    /// A line without a comparison.
    pub fn alone(what: &str, ours: String) -> Row {
        Row { what: what.to_owned(), ours, theirs: "–".to_owned(), ratio: None, goal: None }
    }

    /// This line with a goal for its ratio.
    pub fn at_least(mut self, ratio: f64) -> Row {
        let is_met = self.ratio.is_some_and(|own| own >= ratio);
        self.goal = Some((format!("≥ {ratio} ×"), is_met));
        self
    }

    /// This line with a goal of another kind.
    pub fn goal(mut self, goal: &str, is_met: bool) -> Row {
        self.goal = Some((goal.to_owned(), is_met));
        self
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratio = self.ratio.map_or("–".to_owned(), |ratio| match ratio {
            _ if ratio >= 10.0 => format!("{ratio:.0} ×"),
            _ => format!("{ratio:.2} ×"),
        });
        let (goal, met) = match &self.goal {
            Some((goal, true)) => (goal.as_str(), "yes"),
            Some((goal, false)) => (goal.as_str(), "**no**"),
            None => ("", ""),
        };
        write!(f, "| {} | {} | {} | {ratio} | {goal} | {met} |", self.what, self.ours, self.theirs)
    }
}

/// The head of the table.
pub const TABLE_HEAD: &str =
    "| measured | locant | compared with | times faster | goal | met |\n|---|--:|--:|--:|--:|---|";

/// A rate in gigabytes per second.
pub fn rate(n_bytes: usize, time: Duration) -> String {
    format!("{:.2} GB/s", gigabytes_per_second(n_bytes, time))
}

/// A rate in gigabytes per second, as a number.
pub fn gigabytes_per_second(n_bytes: usize, time: Duration) -> f64 {
    n_bytes as f64 / time.as_secs_f64() / 1e9
}

/// The time for one of `n` things, in a suitable unit.
pub fn each(time: Duration, n: usize) -> String {
    let nanos = time.as_nanos() as f64 / n.max(1) as f64;
    match nanos {
        _ if nanos < 1e3 => format!("{nanos:.0} ns"),
        _ if nanos < 1e6 => format!("{:.2} µs", nanos / 1e3),
        _ if nanos < 1e9 => format!("{:.2} ms", nanos / 1e6),
        _ => format!("{:.2} s", nanos / 1e9),
    }
}
