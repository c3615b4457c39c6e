//! `cargo xtask spark`: runs the job in `examples/spark` over real histories, and the same work with GNU parallel.
//!
//! In the tests it looks for 10,000 lines of the source archives of some Python packages, from one version to a later
//! one, on a cluster of two workers on this machine. `cargo xtask spark --million REPOSITORY…` looks for a million
//! lines of other histories, with one core and with two, and writes the table into docs/scale.md.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::children::{output, run, target_directory};
use crate::sources::{pip_packages, source_of};
use crate::{programs, python, root, tables};

const PYSPARK: &str = "pyspark==4.1.4";

/// The programs that are started, each with the package of Debian that has it.
const NEEDED: [(&str, &str); 3] =
    [("java", "default-jre-headless"), ("git", "git"), ("parallel", "parallel")];

/// Packages of Python, each in two versions that are years apart.
const HISTORIES: [(&str, &str, &str); 4] = [
    ("flask", "1.1.4", "3.1.0"),
    ("requests", "2.20.0", "2.32.3"),
    ("click", "7.1.2", "8.1.8"),
    ("jinja2", "2.10.3", "3.1.6"),
];

/// Two workers, each with a core and a gigabyte. Their processes talk over the network of this machine, as they would
/// over a real network.
const CLUSTER: &str = "local-cluster[2,1,1024]";

const EXAMPLES: &str = "examples/spark";

pub(crate) fn run_with(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => match tests()? {
            None => Ok(()),
            Some(why) => bail!("not run: {why}"),
        },
        [first, repositories @ ..] if first == "--million" && !repositories.is_empty() => {
            million(repositories)
        }
        _ => bail!("ask `cargo xtask spark` or `cargo xtask spark --million REPOSITORY…`"),
    }
}

/// Looks for 10,000 places. If this cannot be done here, returns the reason.
pub(crate) fn tests() -> Result<Option<String>> {
    for (program, package) in NEEDED {
        if let Err(error) = programs::have(program, package) {
            return Ok(Some(format!("{error:#}")));
        }
    }
    let repositories = HISTORIES.iter().map(history).collect::<Result<Vec<_>>>()?;
    let lane = Lane::new("debug", "10000", &repositories)?;
    lane.spark(CLUSTER)?;
    let batches = lane.parallel(2)?;
    lane.check(&batches)?;
    Ok(None)
}

/// A repository with two commits: an old version of a package, and a later one.
fn history((name, old, new): &(&str, &str, &str)) -> Result<PathBuf> {
    let folder = root::work().join("spark").join("repositories").join(name);
    if !folder.exists() {
        let made = root::work().join("spark").join(".repository");
        if made.exists() {
            fs::remove_dir_all(&made)?;
        }
        git(&made, &["init", "--quiet", &made.display().to_string()])?;
        for version in [old, new] {
            let source = source_of(name, version)?;
            git(&made, &["rm", "-r", "--quiet", "--force", "--ignore-unmatch", "."])?;
            run(Command::new("cp").arg("-R").arg(source.join(".")).arg(&made))?;
            git(&made, &["add", "--all", "--force"])?;
            let author = ["-c", "user.name=xtask", "-c", "user.email=xtask@localhost"];
            git(&made, &[&author[..], &["commit", "--quiet", "--message", version]].concat())?;
        }
        fs::rename(&made, &folder)?;
    }
    Ok(folder)
}

fn git(folder: &Path, arguments: &[&str]) -> Result<()> {
    fs::create_dir_all(folder)?;
    output(Command::new("git").arg("-C").arg(folder).args(arguments)).map(|_| ())
}

/// A run over some places.
struct Lane {
    /// `debug` or `release`.
    profile: &'static str,
    folder: PathBuf,
    /// The folders with the packages that a Python process needs.
    modules: std::ffi::OsString,
    repositories: Vec<PathBuf>,
}

impl Lane {
    /// Chooses the places.
    fn new(profile: &'static str, n_places: &str, repositories: &[PathBuf]) -> Result<Lane> {
        let spark = pip_packages("pyspark", &[PYSPARK])?;
        python::build(profile)?;
        let modules = env::join_paths([spark, root::root().join("python")])?;
        let folder = root::work().join("spark").join(n_places);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let lane = Lane { profile, folder, modules, repositories: repositories.to_vec() };
        let mut histories = lane.script("histories.py");
        histories.arg(&lane.folder).args(["--comments", n_places, "--commits", &N_COMMITS.to_string()]);
        run(histories.args(repositories))?;
        Ok(lane)
    }

    fn script(&self, name: &str) -> Command {
        let mut python = Command::new("python3");
        python.arg(root::root().join(EXAMPLES).join(name)).env("PYTHONPATH", &self.modules);
        python.env("PYTHONDONTWRITEBYTECODE", "1");
        python
    }

    /// Runs the job with a master. Returns the seconds that it says it took.
    fn spark(&self, master: &str) -> Result<f64> {
        let modules = self.modules.to_string_lossy();
        // Workers start the executors, with the environment that these settings name.
        let settings = format!(
            "--conf spark.executorEnv.PYTHONPATH={modules} --conf spark.ui.enabled=false \
             --conf spark.driver.bindAddress=127.0.0.1 --conf spark.driver.host=127.0.0.1 \
             --conf spark.log.level=ERROR --conf spark.ui.showConsoleProgress=false pyspark-shell"
        );
        let mut job = self.script("reanchor.py");
        job.arg(self.folder.join("files")).arg(self.folder.join("comments")).arg(self.folder.join("answers"));
        job.args(["--master", master, "--parts", "64"]).env("PYSPARK_SUBMIT_ARGS", settings);
        let said = output(job.env("SPARK_LOCAL_IP", "127.0.0.1").current_dir(&self.folder))?;
        let line = said.lines().find(|line| line.contains(" answers in ")).context("the job says nothing")?;
        println!("{master}: {line}");
        let seconds = line.split(" answers in ").nth(1).and_then(|rest| rest.split(' ').next());
        seconds.context("the job says how long it took")?.parse().context("its seconds are a number")
    }

    /// Answers the same requests with `locant batch`, in several processes at once. Returns the files with the answers.
    fn parallel(&self, n_jobs: u32) -> Result<Vec<PathBuf>> {
        let programs = target_directory()?.join(self.profile);
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(std::iter::once(programs).chain(env::split_paths(&path)))?;
        let mut answers = Vec::new();
        for repository in &self.repositories {
            let name = repository.file_name().context("a repository has a name")?.to_string_lossy();
            let requests = self.folder.join("requests").join(format!("{name}.jsonl"));
            if !requests.exists() {
                continue;
            }
            let at_most = format!("--max-count={}", N_COMMITS + 1);
            let commits = ["rev-list", "--first-parent", &at_most, "HEAD"];
            let commits = output(Command::new("git").arg("-C").arg(repository).args(commits))?;
            let old = commits.lines().next_back().context("there is a commit")?;
            let mut parallel = Command::new(root::root().join(EXAMPLES).join("parallel.sh"));
            parallel.arg(repository).arg(old).arg(requests);
            let said = output(parallel.arg(n_jobs.to_string()).env("PATH", &path))?;
            let file = self.folder.join(format!("{name}.answers.jsonl"));
            fs::write(&file, said)?;
            answers.push(file);
        }
        Ok(answers)
    }

    /// How many places were chosen. If the histories have too few lines, there are fewer places than were asked for.
    fn n_places(&self) -> Result<usize> {
        Ok(fs::read_to_string(self.folder.join("comments/part-0.jsonl"))?.lines().count())
    }

    fn check(&self, batches: &[PathBuf]) -> Result<()> {
        let mut check = self.script("check.py");
        check.arg(self.folder.join("files")).arg(self.folder.join("comments"));
        run(check.arg(self.folder.join("answers")).args(batches))
    }
}

/// How many commits lie between the old version and the new one.
const N_COMMITS: usize = 500;

/// Looks for a million places with two cores, and for a part of them in the other ways.
fn million(repositories: &[String]) -> Result<()> {
    let repositories =
        repositories.iter().map(|repository| clone_of(repository)).collect::<Result<Vec<_>>>()?;
    let part = Lane::new("release", "200000", &repositories)?;
    let whole = Lane::new("release", "1000000", &repositories)?;
    let mut table = String::from("| | places | time | places a second |\n|---|--:|--:|--:|\n");
    let mut row = |name: &str, n_places: usize, seconds: f64| {
        let rate = n_places as f64 / seconds;
        println!("{name}: {n_places} places, {seconds:.0} s");
        writeln!(table, "| {name} | {n_places} | {seconds:.0} s | {rate:.0} |")
    };
    row("PySpark, one core", part.n_places()?, part.spark("local[1]")?)?;
    row("PySpark, two cores", part.n_places()?, part.spark("local[2]")?)?;
    row("PySpark, two cores", whole.n_places()?, whole.spark("local[2]")?)?;
    whole.check(&[])?;
    let start = Instant::now();
    part.parallel(1)?;
    row("GNU parallel, one process", part.n_places()?, start.elapsed().as_secs_f64())?;
    let start = Instant::now();
    let batches = part.parallel(2)?;
    row("GNU parallel, two processes", part.n_places()?, start.elapsed().as_secs_f64())?;
    part.check(&batches)?;
    let n_repositories = repositories.len();
    let counted = format!("Lines of {n_repositories} repositories, {N_COMMITS} commits apart:");
    tables::write("docs/scale.md", "spark --million", &format!("{counted}\n\n{table}"))
}

/// A clone with checked-out files, which `locant batch` reads. It shares the objects of the repository.
fn clone_of(repository: &str) -> Result<PathBuf> {
    let given = Path::new(repository).canonicalize().with_context(|| repository.to_owned())?;
    let parts = given.components().rev().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let is_name = |part: &String| ![".git", "repo"].contains(&part.as_str());
    let name = parts.into_iter().find(is_name).context("a repository has a name")?;
    let folder = root::work().join("spark").join("clones").join(name);
    if !folder.exists() {
        fs::create_dir_all(root::work().join("spark").join("clones"))?;
        output(Command::new("git").args(["clone", "--quiet", "--shared"]).arg(&given).arg(&folder))?;
    }
    Ok(folder)
}
