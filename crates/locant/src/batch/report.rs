//! The report of a batch: what became of its places, for people.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use locant_api::{Failure, Kind, Reply};
use locant_api::{How, Status};
use serde_json::{Map, Value};

use super::queue::Ticket;

/// How many bytes the outcomes that are shown may take; beyond that, only those of the first lines are shown.
const TO_SEE: usize = 16 << 20;

/// How much of a location is shown, in characters.
const SHOWN: usize = 1_000;

/// The report: outcomes that people should look at, and how often each fate occurred.
#[derive(Debug, Default)]
pub(super) struct Report(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    counts: BTreeMap<Fate, usize>,
    /// The outcomes that people should look at, by line, since answers are made in any order.
    to_see: BTreeMap<Ticket, Outcome>,
    /// Invariant: how many bytes `to_see` takes.
    room: usize,
    /// How many outcomes are left out because they would take too much memory.
    n_left_out: usize,
}

/// What became of one place.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The location in the request.
    asked: String,
    fate: Fate,
    /// Sentences about where the place is now, or could be, or what is wrong with the request.
    said: Vec<String>,
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Fate {
    Exact,
    Moved,
    Renamed,
    Ambiguous,
    Gone,
    Failed,
    /// The location is a line or a coordinate alone, which leads to whatever is there now.
    NotChecked,
}

impl Fate {
    const ALL: [Fate; 7] = [
        Fate::Exact,
        Fate::Moved,
        Fate::Renamed,
        Fate::Ambiguous,
        Fate::Gone,
        Fate::Failed,
        Fate::NotChecked,
    ];

    /// Whether no single place was found.
    fn is_lost(self) -> bool {
        matches!(self, Fate::Ambiguous | Fate::Gone | Fate::Failed)
    }

    fn word(self) -> &'static str {
        match self {
            Fate::Exact => "exact",
            Fate::Moved => "moved",
            Fate::Renamed => "renamed",
            Fate::Ambiguous => "ambiguous",
            Fate::Gone => "gone",
            Fate::Failed => "failed",
            Fate::NotChecked => "not checked",
        }
    }

    fn of_failure(kind: Kind, has_old_text: bool) -> Fate {
        match kind {
            Kind::Ambiguous => Fate::Ambiguous,
            Kind::Gone => Fate::Gone,
            // Without the old text, a location that is not found counts as gone. With it, this kind means that the old
            // text does not have the place either, so that the request is wrong.
            Kind::NotFound if !has_old_text => Fate::Gone,
            _ => Fate::Failed,
        }
    }
}

/// The place that a request asks about, as people write it.
pub(super) fn asked(fields: &Map<String, Value>) -> String {
    let anchored = fields.get("anchor").and_then(|anchor| anchor.get("location"));
    match (fields.get("locate").or(anchored), fields.get("file_path"), fields.get("position")) {
        (Some(Value::String(location)), ..) => location.clone(),
        (Some(location), ..) => location.to_string(),
        (None, Some(Value::String(path)), Some(position)) => {
            format!("{path}:{}:{}", position["line"], position["character"])
        }
        (None, Some(Value::String(path)), None) => path.clone(),
        (None, ..) => "a request without a place".to_owned(),
    }
}

impl Outcome {
    /// The outcome of a request whose place was found. `how` says how it was found.
    pub(super) fn of_answer(asked: String, how: &How, is_fuzzy: bool, answer: &dyn Reply) -> Outcome {
        let fate = match how.status {
            Status::Exact if is_fuzzy && how.confidence.is_none() => Fate::NotChecked,
            Status::Exact => Fate::Exact,
            Status::Relocated => Fate::Moved,
            Status::Renamed => Fate::Renamed,
        };
        let is_elsewhere = matches!(fate, Fate::Moved | Fate::Renamed);
        let now = answer.found_at().filter(|_| is_elsewhere);
        let now = now.map(|(location, place)| format!("now {location} (line {})", place.line));
        Outcome::new(asked, fate, now.into_iter().collect())
    }

    /// The outcome of a request that failed. `has_old_text` says whether the text that the location was written for is
    /// available.
    pub(super) fn of_failure(asked: String, failure: &Failure, has_old_text: bool) -> Outcome {
        let fate = Fate::of_failure(failure.kind, has_old_text);
        let why = Some(&failure.message).filter(|_| fate == Fate::Failed).cloned();
        let places = failure.candidates.iter().map(|candidate| format!("perhaps {}", candidate.location));
        Outcome::new(asked, fate, why.into_iter().chain(places).collect())
    }

    fn new(asked: String, fate: Fate, said: Vec<String>) -> Outcome {
        Outcome { asked: cut(asked), fate, said: said.into_iter().map(cut).collect() }
    }

    /// Roughly how many bytes the outcome takes.
    fn room(&self) -> usize {
        let said = self.said.iter().map(|said| said.capacity() + size_of::<String>());
        size_of::<Outcome>() + self.asked.capacity() + said.sum::<usize>()
    }
}

/// A text, cut to the length that is shown.
fn cut(text: String) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

impl Report {
    /// Counts the outcome of a line, and keeps it if people should look at it.
    pub(super) fn add(&self, ticket: Ticket, outcome: Outcome) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *state.counts.entry(outcome.fate).or_default() += 1;
        if outcome.fate == Fate::Exact {
            return;
        }
        state.room += outcome.room();
        state.to_see.insert(ticket, outcome);
        while state.room > TO_SEE
            && let Some((_, last)) = state.to_see.pop_last()
        {
            state.room -= last.room();
            state.n_left_out += 1;
        }
    }

    /// Whether some place is gone or ambiguous, or a request failed.
    pub(super) fn has_losses(&self) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.counts.keys().any(|fate| fate.is_lost())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (ticket, Outcome { asked, fate, said }) in &state.to_see {
            writeln!(f, "line {}: {}: {asked}", ticket + 1, fate.word())?;
            for said in said {
                writeln!(f, "    {said}")?;
            }
        }
        if state.n_left_out > 0 {
            writeln!(f, "and {} more lines, which only the answers tell of", state.n_left_out)?;
        }
        let count = |fate: Fate| format!("{} {}", state.counts.get(&fate).unwrap_or(&0), fate.word());
        writeln!(f, "{}", Fate::ALL.map(count).join(", "))
    }
}
