//! Measures the outline of a large tree of files, in processor time.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use locant_bench::corpus::{self, Source};
use locant_bench::measure::{Row, each, timed};
use locant_engine::proto::File;
use locant_engine::{Document, Reader};

use crate::Setting;

const N_ROUNDS: usize = 6;

/// How many bytes of each language are used.
const N_BYTES: usize = 3_000_000;

pub(crate) fn rows(setting: &Setting) -> Result<Vec<Row>> {
    let tree = setting.sources.join("python").join("django");
    ensure!(tree.exists(), "there is no {}", tree.display());
    let ours = || program(&setting.locant, &["outline", "--json"], &tree);
    let grep = setting.ast_grep.as_deref();
    let theirs = |program_: &Path| {
        program(program_, &["outline", "-j1", "--items=structure", "--view=expanded", "--json=stream"], &tree)
    };
    let tags = setting.ctags.as_deref();
    let of_tags = |program_: &Path| program(program_, &["-R", "-f", "-", "--languages=Python"], &tree);

    let mut best = [Duration::MAX; 5];
    for _ in 0..N_ROUNDS {
        best[0] = best[0].min(cpu_time(&mut ours())?);
        best[1] = best[1].min(grep.map_or(Ok(Duration::MAX), |grep| cpu_time(&mut theirs(grep)))?);
        best[2] = best[2].min(tags.map_or(Ok(Duration::MAX), |tags| cpu_time(&mut of_tags(tags)))?);
        let [parses, outlines] = in_process(setting)?;
        (best[3], best[4]) = (best[3].min(outlines), best[4].min(parses));
    }
    let shown = |time: Duration| match time {
        Duration::MAX => "not run".to_owned(),
        _ => each(time, 1),
    };
    let row = |what: &str, ours: usize, name: &str, theirs: usize| {
        Row::times(what, (best[ours], shown(best[ours])), (name, best[theirs], shown(best[theirs])))
    };
    let mut rows = vec![row("outlines of Django in the library, one thread", 3, "parsing alone", 4)];
    if grep.is_some() {
        rows.push(row("outline of Django, processor time", 0, "ast-grep", 1).at_least(1.0));
    }
    if tags.is_some() {
        rows.push(row("outline of Django, processor time", 0, "universal-ctags", 2));
    }
    rows.extend(all_languages(setting)?);
    Ok(rows)
}

/// A command that outlines a tree of files. It is bound to one processor if possible, because two threads that share a
/// core are slower than one.
fn program(program: &Path, arguments: &[&str], tree: &Path) -> Command {
    let can_bind = Command::new("taskset").arg("--version").stdout(Stdio::null()).status().is_ok();
    let mut command = if can_bind { Command::new("taskset") } else { Command::new(program) };
    if can_bind {
        command.args(["-c", "0"]).arg(program);
    }
    command.args(arguments).arg(tree).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The time to parse the files of Django, and the time to make their outlines. The files are in memory.
fn in_process(setting: &Setting) -> Result<[Duration; 2]> {
    let mut sources = corpus::sources(&setting.sources, "python")?;
    sources.retain(|source| source.name.starts_with("django/"));
    Ok([time_of_parses(&sources), time_of_outlines(sources).0])
}

/// A row for each language: how fast outlines are made.
fn all_languages(setting: &Setting) -> Result<Vec<Row>> {
    let row = |language: String| {
        let sources = corpus::up_to(corpus::sources(&setting.sources, &language)?, N_BYTES);
        let n_bytes: usize = sources.iter().map(|source| source.bytes.len()).sum();
        let (mut parses, mut outlines, mut n_symbols) = (Duration::MAX, Duration::MAX, 0);
        for _ in 0..N_ROUNDS {
            parses = parses.min(time_of_parses(&sources));
            let (time, n) = time_of_outlines(sources.clone());
            (outlines, n_symbols) = (outlines.min(time), n);
        }
        let rate = |time: Duration| format!("{:.1} MB/s", n_bytes as f64 / time.as_secs_f64() / 1e6);
        let what = format!("outlines, {language}, {n_symbols} symbols");
        Ok(Row::times(&what, (outlines, rate(outlines)), ("parsing alone", parses, rate(parses))))
    };
    corpus::languages(&setting.sources)?.into_iter().map(row).collect()
}

fn time_of_parses(sources: &[Source]) -> Duration {
    let parse = |source: &Source| match Reader::for_file(&source.name, b"")? {
        Reader::Grammar(language) => Some(usize::from(language.parse(&source.bytes)?.root_node().kind_id())),
        Reader::Proto => Some(File::parse(&source.bytes).table.len()),
    };
    timed(|| sources.iter().filter_map(parse).count()).1
}

fn time_of_outlines(sources: Vec<Source>) -> (Duration, usize) {
    let n_symbols = |source: Source| {
        let document = Document::new(source.name, source.bytes).ok();
        document.and_then(|document| Some(document.outline()?.symbols().len())).unwrap_or(0)
    };
    let (n_symbols, time) = timed(|| sources.into_iter().map(n_symbols).sum());
    (time, n_symbols)
}

/// The processor time of a program and of all programs that it starts. If the system does not report it, the elapsed
/// time is returned.
pub(crate) fn cpu_time(command: &mut Command) -> Result<Duration> {
    let before = children_time();
    let start = Instant::now();
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("could not start {name}"))?;
    ensure!(status.success(), "{name} failed ({status})");
    Ok(match (before, children_time()) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed(),
    })
}

/// The processor time of all child processes that have ended. Linux counts it in hundredths of a second.
fn children_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the name of the program in parentheses. It may contain blanks, so the fields are counted from
    // there. Fields 16 and 17 are the times of children.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks: u64 = fields.get(13)?.parse::<u64>().ok()? + fields.get(14)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}
