//! Measures one tree: the elapsed time, the processor time and the memory.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::folders::remove;

/// The programs that are measured.
pub(super) struct Programs {
    pub(super) locant: PathBuf,
    pub(super) rg: Option<PathBuf>,
    pub(super) has_ctags: bool,
}

/// What is asked about a tree.
pub(super) struct Question<'q> {
    /// A location without a file.
    pub(super) location: &'q str,
    /// The word of the location that other programs look for.
    pub(super) word: &'q str,
}

/// The results for one tree.
pub(super) struct Measured {
    pub(super) n_files: usize,
    n_bytes: u64,
    pub(super) rows: Vec<Row>,
}

/// The results for one command or piece of work.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// The least elapsed time, in seconds.
    pub(super) seconds: f64,
    /// The mean of the processor times, in seconds.
    on_processor: f64,
    /// The most memory, if this is a program whose memory is of interest.
    pub(super) megabytes: Option<u64>,
}

/// Measures a question about a tree, and what other programs do with the tree.
pub(super) fn measure(
    programs: &Programs,
    work: &Path,
    tree: &Path,
    question: &Question<'_>,
    n_rounds: u32,
) -> Result<Measured> {
    let (mut n_files, mut n_bytes) = (0, 0);
    let cache = work.join("cache");
    let mut rows = Vec::new();
    rows.push(Row::of("reading all files", n_rounds, || {
        (n_files, n_bytes) = read_all(tree)?;
        Ok(None)
    })?);
    rows.push(Row::of("names, sizes and times (`find`)", n_rounds, || {
        let mut find = Command::new("find");
        most_memory(find.arg(tree).args(["-type", "f", "-printf", "%s %T@\n"])).map(|_| None)
    })?);
    if let Some(rg) = &programs.rg {
        rows.push(Row::of("`rg -l WORD`", n_rounds, || {
            most_memory(Command::new(rg).args(["-l", question.word]).arg(tree)).map(|_| None)
        })?);
    }
    if programs.has_ctags {
        let mut ctags = Command::new("ctags");
        ctags.args(["-R", "-f", "/dev/null"]).arg(tree);
        rows.push(Row::of("`ctags -R`", n_rounds, || most_memory(&mut ctags).map(Some))?);
    }
    let ask = |is_cold: bool, words: &[&str]| {
        if is_cold {
            remove(&cache)?;
        }
        let mut ask = Command::new(&programs.locant);
        ask.args(words).arg("--root").arg(tree).env("XDG_CACHE_HOME", &cache);
        most_memory(&mut ask).map(Some)
    };
    let search = ["search", question.location.trim_start_matches(':')];
    let locate = ["locate", question.location];
    rows.push(Row::of("**`locant locate`**, nothing kept", n_rounds, || ask(true, &locate))?);
    rows.push(Row::of("**`locant search`**, nothing kept", n_rounds, || ask(true, &search))?);
    rows.push(Row::of("**`locant search`**, nothing changed", n_rounds, || ask(false, &search))?);
    remove(&cache)?;
    Ok(Measured { n_files, n_bytes, rows })
}

impl Row {
    fn of(name: &'static str, n_rounds: u32, mut work: impl FnMut() -> Result<Option<u64>>) -> Result<Row> {
        let mut row = Row { name, seconds: f64::INFINITY, on_processor: 0.0, megabytes: None };
        let before = processor_time();
        for _ in 0..n_rounds {
            let start = Instant::now();
            row.megabytes = row.megabytes.max(work().with_context(|| format!("could not measure {name}"))?);
            row.seconds = row.seconds.min(start.elapsed().as_secs_f64());
        }
        // The system counts in hundredths of a second, which is too coarse for one round. So the sum of all rounds is
        // divided.
        row.on_processor = processor_time().saturating_sub(before).as_secs_f64() / f64::from(n_rounds);
        Ok(row)
    }
}

/// The processor time of this process and of all its children that have ended. Zero if the system does not tell.
fn processor_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is the name of the program in parentheses. It may contain blanks, so the fields are counted from
    // there. Fields 14 to 17 are the times of the process and of its children.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// Reads all files of a tree, one after the other. Returns how many there are, and how many bytes they have.
fn read_all(tree: &Path) -> Result<(usize, u64)> {
    let (mut n_files, mut n_bytes) = (0, 0);
    let mut buffer = vec![0; 1 << 20];
    let mut folders: Vec<PathBuf> = vec![tree.to_owned()];
    while let Some(folder) = folders.pop() {
        // Files and folders may vanish while this runs.
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            }
            if !kind.is_file() {
                continue;
            }
            let Ok(mut file) = fs::File::open(entry.path()) else { continue };
            n_files += 1;
            loop {
                match file.read(&mut buffer)? {
                    0 => break,
                    n => n_bytes += n as u64,
                }
            }
        }
    }
    Ok((n_files, n_bytes))
}

/// Runs a program, and returns the most megabytes that it had in memory.
fn most_memory(command: &mut Command) -> Result<u64> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut kilobytes = 0;
    loop {
        let said = fs::read_to_string(&status).unwrap_or_default();
        let most = said.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let most = most.and_then(|most| most.split_whitespace().next()?.parse::<u64>().ok());
        kilobytes = kilobytes.max(most.unwrap_or(0));
        if let Some(status) = child.try_wait()? {
            // 1 is an answer, too: a path that is in several copies has no single place.
            ensure!(status.code().is_some_and(|code| code < 2), "{command:?} failed ({status})");
            return Ok(kilobytes / 1024);
        }
        sleep(Duration::from_millis(1));
    }
}

/// The figures as a Markdown table.
pub(super) fn table(all: &[Measured]) -> String {
    let mut table = String::from("|");
    for measured in all {
        let _ = write!(table, " | {} files, {} MB", measured.n_files, measured.n_bytes / 1_000_000);
    }
    table += " |\n|---|";
    table += &"--:|".repeat(all.len());
    for (index, row) in all.first().iter().flat_map(|first| &first.rows).enumerate() {
        let _ = write!(table, "\n| {} |", row.name);
        for row in all.iter().map(|measured| &measured.rows[index]) {
            let memory = row.megabytes.map_or_else(String::new, |megabytes| format!(", {megabytes} MB"));
            let (wall, processor) = (time(row.seconds), time(row.on_processor));
            let _ = write!(table, " {wall} ({processor}){memory} |");
        }
    }
    table
}

/// A time as a person reads it.
pub(super) fn time(seconds: f64) -> String {
    match seconds {
        ..0.01 => format!("{:.1} ms", seconds * 1000.0),
        ..1.0 => format!("{:.0} ms", seconds * 1000.0),
        ..10.0 => format!("{seconds:.1} s"),
        _ => format!("{seconds:.0} s"),
    }
}
