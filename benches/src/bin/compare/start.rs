//! Measures one run of the program, from start to answer, on a file of about 20 KB.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use locant_bench::corpus;
use locant_bench::measure::{Row, each, median};
use locant_engine::{Document, describe};

use crate::Setting;

const N_BYTES: usize = 20_000;
const N_RUNS: usize = 60;
const GOAL: Duration = Duration::from_millis(10);

/// The two locations that are looked up in a language: `FILE@find` and `FILE:Symbol`.
struct Question {
    language: String,
    find: String,
    symbol: String,
}

pub(crate) fn rows(setting: &Setting) -> Result<Vec<Row>> {
    let languages = corpus::languages(&setting.sources)?;
    let questions: Vec<Question> =
        languages.into_iter().map(|language| question(setting, language)).collect::<Result<_>>()?;
    let mut rows = Vec::new();
    for question in &questions {
        rows.push(row(setting, question)?);
    }
    Ok(rows)
}

/// Runs both questions and the program `true` in turns, so that a busy machine disturbs all of them equally.
fn row(setting: &Setting, question: &Question) -> Result<Row> {
    let asked = |location: &str| {
        let mut command = Command::new(&setting.locant);
        command.args(["locate", location]);
        command
    };
    let (mut nothing, mut find, mut symbol) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..N_RUNS {
        nothing.push(wall_time(&mut Command::new("true"))?);
        find.push(wall_time(&mut asked(&question.find))?);
        symbol.push(wall_time(&mut asked(&question.symbol))?);
    }
    let [nothing, find, symbol] = [nothing, find, symbol].map(|mut times| {
        let middle = median(&mut times);
        (middle, times[0])
    });
    let shown =
        |(middle, least): (Duration, Duration)| format!("{} (least {})", each(middle, 1), each(least, 1));
    let row = Row {
        what: format!("cold `locate`, 20 KB of {}: a find", question.language),
        ours: shown(find),
        theirs: format!("`true` {}; a symbol {}", shown(nothing), shown(symbol)),
        ratio: None,
        goal: None,
    };
    Ok(row.goal("≤ 10 ms", find.0 <= GOAL))
}

/// The question about a language. It is about the file whose size is nearest to 20 KB: a find in the middle of the
/// file, and the middle one of its symbols.
fn question(setting: &Setting, language: String) -> Result<Question> {
    let sources = corpus::sources(&setting.sources, &language)?;
    let nearest = sources.into_iter().min_by_key(|source| source.bytes.len().abs_diff(N_BYTES));
    let nearest = nearest.with_context(|| format!("there is no file of {language}"))?;
    let path = setting.sources.join(&language).join(&nearest.name);
    let document = Document::new(nearest.name, nearest.bytes).ok().context("the file is no text")?;
    let find = find_in(&document).with_context(|| format!("{} has nothing to find", path.display()))?;
    let symbols = document.outline().context("the language is not read")?;
    let middle = symbols.iter().nth(symbols.symbols().len() / 2).context("the file has no symbols")?;
    let described = describe(&document, middle.1.name_range.start()).context("the symbol is a place")?;
    let symbol = described.location.to_string();
    let symbol = symbol.strip_prefix(document.path()).unwrap_or(&symbol).to_owned();
    Ok(Question {
        language,
        find: format!("{}@{find}", shown(&path)),
        symbol: format!("{}{symbol}", shown(&path)),
    })
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The first line in the second half of a file that is neither short nor long.
fn find_in(document: &Document) -> Option<String> {
    let text = document.text();
    let n_lines = text.n_lines();
    let lines = (n_lines / 2..n_lines).filter_map(|line| text.line_content(line));
    lines.map(|line| text.lossy(line).trim().to_owned()).find(|line| line.len() > 12 && line.len() < 80)
}

fn wall_time(command: &mut Command) -> Result<Duration> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status().with_context(|| format!("could not start {:?}", command.get_program()))?;
    let time = start.elapsed();
    ensure!(status.success(), "{command:?} failed ({status})");
    Ok(time)
}
