//! Measures what edits cost: the processor time of the program, from start to end, and the time that it waits for the
//! disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// How large the edited file is.
const N_BYTES: usize = 20_000;

/// How often each command is run. The system counts the processor time of ended processes in hundredths of a second, so
/// only many runs together give a figure.
const N_RUNS: u32 = 100;

/// How often a plan is run, how many files it changes, and how many edits it has.
const N_PLANS: u32 = 5;
const N_FILES: usize = 200;
const N_EDITS: usize = 1_000;

/// The goals: for one edit that is shown and made at once, and for a plan.
const GOAL: Duration = Duration::from_millis(10);
const GOAL_OF_PLAN: Duration = Duration::from_secs(1);

/// A language, and how a function with a number is written in it.
struct Language {
    name: &'static str,
    file: &'static str,
    function: fn(usize) -> String,
}

const LANGUAGES: [Language; 5] = [
    Language {
        name: "Python",
        file: "a.py",
        function: |n| {
            format!(
                "def f{n}(items):\n\
                 \x20   total = {n}\n\
                 \x20   for item in items:\n\
                 \x20       total += item.price\n\
                 \x20   return total\n\n\n"
            )
        },
    },
    Language {
        name: "TypeScript",
        file: "a.ts",
        function: |n| {
            format!(
                "export function f{n}(items: Item[]): number {{\n\
                 \x20 let total = {n};\n\
                 \x20 for (const item of items) {{\n\
                 \x20   total += item.price;\n\
                 \x20 }}\n\
                 \x20 return total;\n\
                 }}\n\n"
            )
        },
    },
    Language {
        name: "Rust",
        file: "a.rs",
        function: |n| {
            format!(
                "pub fn f{n}(items: &[Item]) -> u64 {{\n\
                 \x20   let mut total = {n};\n\
                 \x20   for item in items {{\n\
                 \x20       total += item.price;\n\
                 \x20   }}\n\
                 \x20   total\n\
                 }}\n\n"
            )
        },
    },
    Language {
        name: "C++",
        file: "a.cpp",
        function: |n| {
            format!(
                "int f{n}(const std::vector<Item> &items) {{\n\
                 \x20 int total = {n};\n\
                 \x20 for (const Item &item : items) {{\n\
                 \x20   total += item.price;\n\
                 \x20 }}\n\
                 \x20 return total;\n\
                 }}\n\n"
            )
        },
    },
    Language {
        name: "Go",
        file: "a.go",
        function: |n| {
            format!(
                "func f{n}(items []Item) int {{\n\
                 \ttotal := {n}\n\
                 \tfor _, item := range items {{\n\
                 \t\ttotal += item.Price\n\
                 \t}}\n\
                 \treturn total\n\
                 }}\n\n"
            )
        },
    },
];

/// The cost of a command.
#[derive(Clone, Copy, Default)]
struct Cost {
    on_processor: Duration,
    on_wall: Duration,
}

/// The table, in Markdown.
pub(crate) fn table(locant: &Path) -> Result<String> {
    let bench = Bench::new(locant)?;
    let mut table = "| | processor | waiting | goal |\n|---|---|---|---|\n".to_owned();
    for language in &LANGUAGES {
        let [shown, made] = bench.one_edit(language)?;
        let name = language.name;
        table += &row(&format!("an edit in 20 KB of {name}, shown"), shown, None);
        table += &row(&format!("the same, shown and made (`--apply`), {name}"), made, Some(GOAL));
    }
    let [shown, made] = bench.plan()?;
    let what = format!("a plan of {N_EDITS} edits in {N_FILES} files, shown");
    table += &row(&what, shown, Some(GOAL_OF_PLAN));
    table += &row("the same, shown and made", made, Some(GOAL_OF_PLAN));
    Ok(table)
}

fn row(what: &str, cost: Cost, goal: Option<Duration>) -> String {
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let met = |goal: Duration| if cost.on_processor <= goal { "met" } else { "not met" };
    let goal = goal.map(|goal| format!("≤ {} ms: {}", goal.as_millis(), met(goal))).unwrap_or_default();
    let waiting = cost.on_wall.saturating_sub(cost.on_processor);
    format!("| {what} | {} | {} | {goal} |\n", ms(cost.on_processor), ms(waiting))
}

/// A folder with files to edit.
struct Bench {
    folder: PathBuf,
    locant: PathBuf,
}

impl Bench {
    fn new(locant: &Path) -> Result<Bench> {
        let folder = std::env::temp_dir().join(format!("locant-bench-edits-{}", std::process::id()));
        fs::create_dir_all(folder.join("root/.git"))?;
        let locant = fs::canonicalize(locant).context("the program is missing")?;
        Ok(Bench { folder, locant })
    }

    fn write(&self, file: &str, text: &str) -> Result<()> {
        Ok(fs::write(self.folder.join("root").join(file), text)?)
    }

    /// The cost of one edit of a symbol in the middle of a file: of showing it, and of making it.
    fn one_edit(&self, language: &Language) -> Result<[Cost; 2]> {
        let function = language.function;
        let mut source = String::new();
        let mut n_functions = 0;
        while source.len() < N_BYTES {
            source += &function(n_functions);
            n_functions += 1;
        }
        self.write(language.file, &source)?;
        let location = format!("{}:f{}", language.file, n_functions / 2);
        let edit = |n: u32, more: &[&str]| {
            let text = function(n_functions / 2).replacen("total", &format!("sum{n}"), 1);
            let arguments = ["edit", &location, "--replace", text.trim_end()];
            self.run(&[&arguments[..], more].concat())
        };
        let shown = cost(N_RUNS, |n| edit(n, &[]))?;
        let made = cost(N_RUNS, |n| edit(n, &["--apply"]))?;
        Ok([shown, made])
    }

    /// The cost of many edits in many files: of showing them, and of making them.
    fn plan(&self) -> Result<[Cost; 2]> {
        let n_in_file = N_EDITS / N_FILES;
        let function = LANGUAGES[0].function;
        let mut plans = vec![Vec::new(); N_PLANS as usize];
        for file in 0..N_FILES {
            let name = format!("p{file}.py");
            self.write(&name, &(0..4 * n_in_file).map(function).collect::<String>())?;
            for n in 0..n_in_file {
                let function_number = 4 * n + 1;
                for (round, plan) in plans.iter_mut().enumerate() {
                    let text = function(function_number).replacen("total", &format!("sum{round}"), 1);
                    let locate = format!("{name}:f{function_number}");
                    plan.push(serde_json::json!({"locate": locate, "replace": text.trim_end()}));
                }
            }
        }
        for (round, plan) in plans.iter().enumerate() {
            self.write(&format!("plan{round}.json"), &serde_json::to_string(plan)?)?;
        }
        let edit = |n: u32, more: &[&str]| {
            let plan = format!("plan{n}.json");
            self.run(&[&["edit", "--plan", &plan][..], more].concat())
        };
        let shown = cost(N_PLANS, |n| edit(n, &[]))?;
        let made = cost(N_PLANS, |n| edit(n, &["--apply"]))?;
        Ok([shown, made])
    }

    fn run(&self, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new(&self.locant);
        command.args(arguments).current_dir(self.folder.join("root"));
        command.env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().context("locant did not start")?;
        ensure!(status.success(), "{arguments:?} failed ({status})");
        Ok(())
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The average cost of one of several runs.
fn cost(n_runs: u32, mut run: impl FnMut(u32) -> Result<()>) -> Result<Cost> {
    let (before, start) = (time_of_children()?, Instant::now());
    for n in 0..n_runs {
        run(n)?;
    }
    let on_wall = start.elapsed() / n_runs;
    Ok(Cost { on_processor: time_of_children()?.saturating_sub(before) / n_runs, on_wall })
}

/// The processor time of the processes that this process started and that have ended.
fn time_of_children() -> Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").context("only Linux tells the time of processes")?;
    // The name of the program is in brackets and may have blanks. Fields are counted from 1, and the name is the
    // second.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).and_then(|field| field.parse::<u64>().ok());
    let ticks = field(16).zip(field(17)).map(|(user, system)| user + system);
    let ticks = ticks.context("the times of processes are not where they should be")?;
    // Linux counts in hundredths of a second here, whatever the clock of the kernel.
    Ok(Duration::from_millis(ticks * 10))
}
