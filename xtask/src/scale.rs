//! `cargo xtask bench scale`: how time and memory of questions about a tree grow with the tree.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::children::{cargo, exists, run as run_child, target_directory};
use crate::root::{self, root};

/// How many times larger trees are made of a tree.
const FACTORS: [usize; 3] = [1, 10, 100];

/// How often each thing is measured. The least time counts.
const ROUNDS: usize = 3;

const USAGE: &str = "cargo xtask bench scale DIR LOCATION WORD, or cargo xtask bench scale huge";

/// Measures questions about a tree and about larger ones made of it, and draws docs/growth.svg. `huge` measures the
/// memory for a million files and for ten gigabytes instead. All larger trees consist of links to the same files, so
/// they take little room, and their texts are in memory.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    run_child(&mut cargo(&["build", "--quiet", "--release", "-p", "locant"]))?;
    let locant = target_directory()?.join("release/locant");
    let work = root::work().join("scale");
    match arguments {
        [huge] if huge == "huge" => measure_huge(&locant, &work),
        [tree, location, word] => {
            let question = Question { location, word };
            let all = measure_growth(&locant, &work, Path::new(tree), &question)?;
            println!("{}", table(&all));
            let image = root().join("docs/growth.svg");
            fs::write(&image, drawn(&all)).with_context(|| format!("could not write {}", image.display()))
        }
        _ => anyhow::bail!("{USAGE}"),
    }
}

/// What is asked about a tree.
struct Question<'q> {
    /// A location without a file.
    location: &'q str,
    /// The word in it that other programs look for.
    word: &'q str,
}

/// What was measured of one tree.
struct Measured {
    n_files: usize,
    n_bytes: u64,
    rows: Vec<Row>,
}

/// The time that something takes, and the most memory that it had.
struct Row {
    name: &'static str,
    seconds: f64,
    megabytes: Option<u64>,
}

fn measure_growth(locant: &Path, work: &Path, tree: &Path, question: &Question<'_>) -> Result<Vec<Measured>> {
    let mut all = Vec::new();
    for factor in FACTORS {
        let larger = work.join(format!("x{factor}"));
        remove(&larger)?;
        for copy in 0..factor {
            link_all(tree, &larger.join(format!("copy{copy}")))?;
        }
        let measured = measure(locant, work, &larger, question);
        remove(&larger)?;
        all.push(measured?);
    }
    Ok(all)
}

fn measure(locant: &Path, work: &Path, tree: &Path, question: &Question<'_>) -> Result<Measured> {
    let (mut n_files, mut n_bytes) = (0, 0);
    let cache = work.join("cache");
    let mut rows = Vec::new();
    rows.push(Row::of("reading all files", || {
        (n_files, n_bytes) = read_all(tree)?;
        Ok(None)
    })?);
    rows.push(Row::of("names, sizes and times (find)", || {
        let mut find = Command::new("find");
        most_memory(find.arg(tree).args(["-type", "f", "-printf", "%s %T@\n"])).map(|_| None)
    })?);
    if exists("rg", "--version") {
        rows.push(Row::of("rg -l WORD", || {
            let mut search = Command::new("rg");
            most_memory(search.args(["-l", question.word]).arg(tree)).map(Some)
        })?);
    }
    let ask = |is_cold: bool, words: &[&str]| {
        if is_cold {
            remove(&cache)?;
        }
        let mut ask = Command::new(locant);
        ask.args(words).arg("--root").arg(tree).env("XDG_CACHE_HOME", &cache);
        most_memory(&mut ask).map(Some)
    };
    let search = ["search", question.location.trim_start_matches(':')];
    rows.push(Row::of("locant locate, nothing kept", || ask(true, &["locate", question.location]))?);
    rows.push(Row::of("locant search, nothing kept", || ask(true, &search))?);
    rows.push(Row::of("locant search, nothing changed", || ask(false, &search))?);
    remove(&cache)?;
    Ok(Measured { n_files, n_bytes, rows })
}

impl Row {
    fn of(name: &'static str, mut work: impl FnMut() -> Result<Option<u64>>) -> Result<Row> {
        let mut row = Row { name, seconds: f64::INFINITY, megabytes: None };
        for _ in 0..ROUNDS {
            let start = Instant::now();
            row.megabytes = row.megabytes.max(work().with_context(|| format!("could not measure {name}"))?);
            row.seconds = row.seconds.min(start.elapsed().as_secs_f64());
        }
        Ok(row)
    }
}

/// A million files of 200 bytes, and a thousand files of ten megabytes.
fn measure_huge(locant: &Path, work: &Path) -> Result<()> {
    for (name, n_folders, n_bytes) in [("a million small files", 1000, 200), ("ten gigabytes", 1, 10_000_000)]
    {
        let tree = work.join("huge");
        remove(&tree)?;
        let many = tree.join("d0");
        fs::create_dir_all(&many)?;
        let mut text = String::from("class Rare:\n    def once(self): pass\n");
        while text.len() < n_bytes {
            let _ = write!(text, "\ndef f{}(value):\n    return value\n", text.len());
        }
        for n in 0..1000 {
            fs::write(many.join(format!("n{n}.py")), text.replace("Rare", &format!("C{n}")))?;
        }
        for folder in 1..n_folders {
            link_all(&many, &tree.join(format!("d{folder}")))?;
        }
        fs::write(tree.join("one.py"), &text)?;
        let question = Question { location: ":Rare.once", word: "Rare" };
        let measured = measure(locant, work, &tree, &question);
        remove(&tree)?;
        println!("{name}\n\n{}", table(&[measured?]));
    }
    Ok(())
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("could not remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Links all files of a folder into another one.
fn link_all(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            link_all(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::hard_link(entry.path(), &target)
                .with_context(|| format!("could not link {}", target.display()))?;
        }
    }
    Ok(())
}

/// Reads all files of a tree, one after the other. Returns how many there are, and how many bytes they have.
fn read_all(tree: &Path) -> Result<(usize, u64)> {
    let (mut n_files, mut n_bytes) = (0, 0);
    let mut buffer = vec![0; 1 << 20];
    let mut folders: Vec<PathBuf> = vec![tree.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
                continue;
            }
            let mut file = fs::File::open(entry.path())?;
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
        sleep(Duration::from_millis(2));
    }
}

/// The figures as a Markdown table.
fn table(all: &[Measured]) -> String {
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
            let _ = write!(table, " {:.0} ms{memory} |", row.seconds * 1000.0);
        }
    }
    table
}

/// The width of the picture for ten times as many files, and its height for ten times as long.
const ACROSS: f64 = 200.0;
const UP: f64 = 80.0;

const COLOURS: [&str; 6] = ["#888888", "#555555", "#c9541b", "#1b6ac9", "#3a9a4b", "#7a4bb0"];

/// Where a tree stands in the picture.
fn x(index: usize) -> f64 {
    LEFT + index as f64 * ACROSS
}

/// Where a time stands in the picture. A hundredth of a second is at the bottom.
fn y(seconds: f64) -> f64 {
    420.0 - (seconds.max(0.01) * 100.0).log10() * UP
}

const LEFT: f64 = 60.0;

/// The figures as a picture: both axes grow by factors of ten.
fn drawn(all: &[Measured]) -> String {
    let mut image = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 460\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"760\" height=\"460\" fill=\"#fff\"/>\n",
    );
    for (exponent, label) in ["10 ms", "100 ms", "1 s", "10 s", "100 s"].iter().enumerate() {
        let height = y(0.01 * 10f64.powi(i32::try_from(exponent).unwrap_or(0)));
        let _ = writeln!(
            image,
            "<path d=\"M{LEFT:.0} {height:.0}H{:.0}\" stroke=\"#ddd\"/><text x=\"8\" y=\"{:.0}\">{label}</text>",
            x(all.len() - 1),
            height + 4.0
        );
    }
    for (index, measured) in all.iter().enumerate() {
        let _ =
            writeln!(image, "<text x=\"{:.0}\" y=\"440\">{} files</text>", x(index) - 20.0, measured.n_files);
    }
    let rows = all.first().map_or(0, |first| first.rows.len());
    for (row, colour) in (0..rows).zip(COLOURS.iter().cycle()) {
        let point = |(index, measured): (usize, &Measured)| {
            format!("{:.1},{:.1}", x(index), y(measured.rows[row].seconds))
        };
        let points: Vec<String> = all.iter().enumerate().map(point).collect();
        let (last, name) = (y(all[all.len() - 1].rows[row].seconds), all[0].rows[row].name);
        let _ = writeln!(
            image,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\">{name}</text>",
            points.join(" "),
            x(all.len() - 1) + 8.0,
            last + 4.0
        );
    }
    image + "</svg>\n"
}
