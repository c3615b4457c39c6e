//! Measures location tables of .proto files, compared with another parser and with protoc as a whole.

use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use locant_bench::corpus::{self, Source};
use locant_bench::measure::{Row, rate, timed};
use locant_engine::proto::{Columns, File, Interpretation, NoSources, Pool, TableKind};

use crate::Setting;
use crate::outline::cpu_time;

const N_ROUNDS: usize = 5;

/// The speed of protoc's own parser, in megabytes per second. It was measured once by hand, because the parser cannot
/// be run alone.
const PARSER_OF_PROTOC: f64 = 30.0;

pub(crate) fn rows(setting: &Setting) -> Result<Vec<Row>> {
    let all = corpus::sources(&setting.sources, "proto")?;
    // The other parser does not know editions, so only files that it can read are compared.
    let both: Vec<(&Source, &str)> = all
        .iter()
        .filter_map(|source| Some((source, str::from_utf8(&source.bytes).ok()?)))
        .filter(|(source, text)| protox_parse::parse(&source.name, text).is_ok())
        .collect();
    let n_bytes: usize = both.iter().map(|(_, text)| text.len()).sum();
    let mut best = [Duration::MAX; 3];
    for _ in 0..N_ROUNDS {
        let times = [
            timed(|| both.iter().map(|(source, _)| File::parse(&source.bytes).table.len()).sum::<usize>()).1,
            timed(|| both.iter().map(|(source, _)| with_spans(&source.bytes)).sum::<usize>()).1,
            timed(|| {
                both.iter().filter(|(source, text)| protox_parse::parse(&source.name, text).is_ok()).count()
            })
            .1,
        ];
        best.iter_mut().zip(times).for_each(|(best, time)| *best = time.min(*best));
    }
    let megabytes = n_bytes as f64 / best[1].as_secs_f64() / 1e6;
    let row = |what: &str, ours: Duration| {
        Row::times(what, (ours, rate(n_bytes, ours)), ("protox-parse", best[2], rate(n_bytes, best[2])))
    };
    let whole = whole_tables(setting)?;
    Ok(vec![
        row("parsing .proto files", best[0]).at_least(1.0),
        row("parsing .proto files, with spans and comments", best[1])
            .goal("30 MB/s, as protoc's parser", megabytes >= PARSER_OF_PROTOC),
        whole.at_least(1.0),
    ])
}

/// Parses a file, and computes the lines, columns and texts of comments that a table needs.
fn with_spans(bytes: &[u8]) -> usize {
    let file = File::parse(bytes);
    let columns = Columns::new(bytes);
    let rows = file.table.iter().map(|location| {
        let comments = (location.leading(bytes), location.trailing(bytes), location.detached(bytes));
        black_box(comments);
        columns.span(location.start(), location.end()).map_or(0, |span| span.len())
    });
    rows.sum()
}

/// Measures tables with interpreted options, for files that import only each other, compared with a run of protoc.
fn whole_tables(setting: &Setting) -> Result<Row> {
    let folder = setting.sources.join("proto").join("googleapis-common-protos");
    let files = corpus::sources(&setting.sources.join("proto"), "googleapis-common-protos")?;
    ensure!(!files.is_empty(), "there are no files in {}", folder.display());
    let n_bytes: usize = files.iter().map(|source| source.bytes.len()).sum();
    let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
    for _ in 0..N_ROUNDS {
        ours = ours.min(timed(|| files.iter().map(|source| with_options(&source.bytes)).sum::<usize>()).1);
        theirs = theirs.min(cpu_time(&mut protoc(&folder, &files)?)?);
    }
    let theirs = ("protoc as a whole", theirs, rate(n_bytes, theirs));
    Ok(Row::times("tables of googleapis, options interpreted", (ours, rate(n_bytes, ours)), theirs))
}

fn with_options(bytes: &[u8]) -> usize {
    let pool = Pool::new("a.proto", bytes, &NoSources);
    Interpretation::new(&pool).rows(&pool, TableKind::Default).len()
}

fn protoc(folder: &PathBuf, files: &[Source]) -> Result<Command> {
    let mut command = Command::new(protoc_bin_vendored::protoc_bin_path().context("there is no protoc")?);
    command.arg("-I").arg(folder).arg("-I").arg(protoc_bin_vendored::include_path()?);
    command.args(["--include_source_info", "--descriptor_set_out=/dev/null"]);
    command.args(files.iter().map(|source| &source.name)).stderr(Stdio::null());
    Ok(command)
}
