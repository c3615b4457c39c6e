//! Measures how long a new process takes to find a symbol in one file, from its start to its end.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::folders::remove;
use super::measured::{Programs, time};

/// How often each command is measured. The commands take turns, so that a busy machine disturbs all of them equally.
const N_ROUNDS: usize = 200;

/// Measures a question about a symbol, without and with the stored outline of the file, and a question about a line.
/// Compares them with the program `true`. Returns the text.
pub(super) fn measure_file(programs: &Programs, work: &Path, file: &Path, symbol: &str) -> Result<String> {
    let n_bytes = std::fs::metadata(file).with_context(|| format!("there is no {}", file.display()))?.len();
    let cache = work.join("cache");
    remove(&cache)?;
    let ask = |scope: &str| {
        let mut ask = Command::new(&programs.locant);
        ask.args(["locate", "--json"]).arg(format!("{}:{scope}", file.display()));
        ask.env("XDG_CACHE_HOME", &cache);
        ask
    };
    let mut names = ["`true`", "a symbol, nothing kept", "a symbol, asked before", "a line, asked before"]
        .map(|name| (name, Vec::new()));
    for _ in 0..N_ROUNDS {
        remove(&cache)?;
        // The answer to a line names the symbol around it, so it needs the outline, too.
        let commands = [Command::new("true"), ask(symbol), ask(symbol), ask("1000")];
        for ((_, times), mut command) in names.iter_mut().zip(commands) {
            times.push(wall(&mut command)?);
        }
    }
    remove(&cache)?;
    let mut text = format!(
        "\n\nOne file of {} KB, {}: `locant locate --json FILE:{symbol}`, a new process each time:\n\n\
         | | least | median |\n|---|--:|--:|",
        n_bytes / 1000,
        file.file_name().unwrap_or_default().display(),
    );
    for (name, mut times) in names {
        times.sort();
        let (least, median) = (times[0].as_secs_f64(), times[N_ROUNDS / 2].as_secs_f64());
        text += &format!("\n| {name} | {} | {} |", time(least), time(median));
    }
    Ok(text)
}

fn wall(command: &mut Command) -> Result<Duration> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status()?;
    let time = start.elapsed();
    ensure!(status.success(), "{command:?} failed ({status})");
    Ok(time)
}
