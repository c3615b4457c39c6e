//! Measures how long it takes to read a Rholang program of five thousand lines, to type into it, and to ask about its
//! names.

use std::hint::black_box;
use std::time::Duration;

use anyhow::{Context, Result};
use locant_bench::measure::{Row, each, timed};
use locant_engine::names::Names;
use locant_engine::{NameIndex, Offset};

use crate::{Setting, server};

const N_ROUNDS: usize = 20;

/// How many questions are asked in a row, because one takes too little time to be measured.
const N_QUESTIONS: usize = 1000;

const PATH: &str = "a.rho";

/// A program of usual size. Its body is repeated until there are enough lines.
const CELL: &str = include_str!("../../../../crates/rholang/tests/cell.rho");

/// The program has at least this many lines.
const N_LINES: usize = 5000;

pub(crate) fn rows(setting: &Setting) -> Result<Vec<Row>> {
    let text = program()?;
    let middle = text.len() / 2 + text[text.len() / 2..].find("stdout!").context("no place to type at")?;
    let typed = |word: &str| format!("{}{word}{}", &text[..middle], &text[middle..]);
    let (whole, broken) = (typed("makeCell!(1, Nil) | "), typed("makeCell!("));
    let last = Offset::of_index(text.rfind("stdout!").context("no name to ask for")?);

    let mut workspace = NameIndex::default();
    let read = best(|| NameIndex::default().set(PATH, text.as_bytes()));
    workspace.set(PATH, text.as_bytes());
    let lookup = best(|| {
        for _ in 0..N_QUESTIONS {
            black_box(workspace.declaration(PATH, last));
        }
    });
    let mut type_in = |text: &str, before: &str| {
        let times = (0..N_ROUNDS).map(|_| {
            workspace.set(PATH, before.as_bytes());
            timed(|| {
                workspace.set(PATH, text.as_bytes());
                black_box((
                    workspace.problems(PATH),
                    workspace.tokens(PATH),
                    workspace.declaration(PATH, last),
                ));
            })
            .1
        });
        times.min().unwrap_or_default()
    };
    let (whole, broken) = (type_in(&whole, &text), type_in(&broken, &typed("makeCell!")));
    let n_lines = text.lines().count();
    let limit = Duration::from_millis(10);
    let (server_whole, server_broken) = (
        server::typing(&setting.locant, &text, middle, "nobody!(1, Nil) | ")?,
        server::typing(&setting.locant, &text, middle, "makeCell!(")?,
    );
    let in_server = |what: &str, server::Times { answer, problems }: server::Times| {
        let shown = format!("{}, problems {}", each(answer, 1), each(problems, 1));
        Row::alone(&format!("the same, {what}, in the server: a definition"), shown)
            .goal("≤ 10 ms", problems <= limit)
    };
    Ok(vec![
        Row::alone(&format!("Rholang, {n_lines} lines: reading all names"), each(read, 1)),
        Row::alone("the same: one declaration, read before", each(lookup, N_QUESTIONS))
            .goal("≤ 1 ms", lookup < Duration::from_millis(1) * 1000),
        Row::alone("the same: typing, then problems, words and a declaration", each(whole, 1))
            .goal("≤ 10 ms", whole <= limit),
        Row::alone("the same, while it is broken", each(broken, 1)).goal("≤ 10 ms", broken <= limit),
        in_server("typing", server_whole),
        in_server("typing while it is broken", server_broken),
    ])
}

fn program() -> Result<String> {
    let (head, body) = CELL.split_once("in {\n").context("the program makes names")?;
    let body = body.trim_end().strip_suffix('}').context("the program ends with its block")?;
    let n_parts = N_LINES / body.lines().count() + 1;
    Ok(format!("{head}in {{\n{}}}\n", vec![body; n_parts].join("|\n")))
}

fn best(mut work: impl FnMut()) -> Duration {
    (0..N_ROUNDS).map(|_| timed(&mut work).1).min().unwrap_or_default()
}
