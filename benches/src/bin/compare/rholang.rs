//! Names of a Rholang program of five thousand lines: reading it, typing into it, asking it.

use std::hint::black_box;
use std::time::Duration;

use anyhow::{Context, Result};
use locant_bench::measure::{Row, each, timed};
use locant_engine::names::Names;
use locant_engine::{Offset, Workspace};

use crate::Setting;

const N_ROUNDS: usize = 20;

/// How many questions are asked in a row, since one is too short for a clock.
const N_QUESTIONS: usize = 1000;

const PATH: &str = "a.rho";

/// A part of the program; it is repeated until there are enough lines.
const PART: &str = r#"
  // Keeps a value for those who know its name.
  contract makeCell(@init, return) = {
    new cell, state in {
      state!(init) |
      contract cell(@"get", reply) = {
        for (@value <<- state) { reply!(value) }
      } |
      contract cell(@"set", @next, reply) = {
        for (_ <- state) { state!(next) | reply!(true) }
      } |
      return!(bundle+{*cell})
    }
  } |
  new r1, r2 in {
    makeCell!({"limits": [1, 2, 3], "owner": "someone"}, *r1) |
    for (cell <- r1; @{limit /\ Int} <- r2) {
      match [limit, limit * 2 + 1] {
        [n, 7] => stdout!(["seven", n, *cell])
        [n ...rest] => { let twice = n * 2; both = (n, twice) in { stdout!((both, rest)) } }
        _ => Nil
      }
    }
  } |
"#;

pub(crate) fn rows(_: &Setting) -> Result<Vec<Row>> {
    let n_parts = 5000 / PART.lines().count() + 1;
    let text = format!("new makeCell, stdout(`rho:io:stdout`) in {{{}\n  Nil\n}}\n", PART.repeat(n_parts));
    let middle = text.len() / 2 + text[text.len() / 2..].find("stdout!").context("no place to type at")?;
    let typed = |word: &str| format!("{}{word}{}", &text[..middle], &text[middle..]);
    let (whole, broken) = (typed("makeCell!(1, Nil) | "), typed("makeCell!("));
    let last = Offset::of_index(text.rfind("stdout!").context("no name to ask for")?);

    let mut workspace = Workspace::default();
    let read = best(|| Workspace::default().set(PATH, text.as_bytes()));
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
    Ok(vec![
        Row::alone(&format!("Rholang, {n_lines} lines: reading all names"), each(read, 1)),
        Row::alone("the same: one declaration, read before", each(lookup, N_QUESTIONS))
            .goal("≤ 1 ms", lookup < Duration::from_millis(1) * 1000),
        Row::alone("the same: typing, then problems, words and a declaration", each(whole, 1))
            .goal("≤ 10 ms", whole <= limit),
        Row::alone("the same, while it is broken", each(broken, 1)).goal("≤ 10 ms", broken <= limit),
    ])
}

fn best(mut work: impl FnMut()) -> Duration {
    (0..N_ROUNDS).map(|_| timed(&mut work).1).min().unwrap_or_default()
}
