//! `cargo xtask chroot`: installs what `cargo xtask release` built on a bare system without Rust and without a network,
//! and asks for a place: the static program, the wheel with pip, the package with npm.
//!
//! The bare system is a Debian made by debootstrap. The packages that Python and Node need are installed in it before
//! the network is taken away. They come from the same repositories as the packages of this machine.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::children::{output, run};
use crate::{programs, release, root, tables};

/// A way to install.
struct Case {
    name: &'static str,
    /// What the system must have besides the bare minimum.
    packages: &'static [&'static str],
    /// The file of the release that is installed: how its name starts and ends.
    file: (&'static str, &'static str),
    /// Installs `/try/FILE` and asks a question. The last line that it prints is the answer.
    script: &'static str,
}

const CASES: [Case; 3] = [
    Case {
        name: "static program, copied",
        packages: &[],
        file: ("locant", "locant"),
        script: "cp /try/locant /usr/local/bin/ && locant locate cart.py:Cart.total --json",
    },
    Case {
        name: "wheel, `pip install`",
        packages: &["python3-venv"],
        file: ("locant-", ".whl"),
        script: "python3 -m venv /try/env && /try/env/bin/pip install --quiet --no-index /try/locant-*.whl \
                 && /try/env/bin/locant locate cart.py:Cart.total \
                 && /try/env/bin/python -c 'import locant, json; \
                 print(json.dumps(locant.locate(\"cart.py:Cart.total\").to_dict()))'",
    },
    Case {
        name: "package, `npm install`",
        packages: &["nodejs", "npm"],
        file: ("locant-", ".tgz"),
        script: "npm install --offline --silent --no-audit --no-fund /try/locant-*.tgz \
                 && npx --no-install locant locate cart.py:Cart.total --json",
    },
];

const SOURCE: &str = "class Cart:\n    def total(self):\n        return 1\n";

pub(crate) fn run_all() -> Result<()> {
    ensure!(output(Command::new("id").arg("-u"))?.trim() == "0", "only root can make another system");
    for (program, package) in [("debootstrap", "debootstrap"), ("unshare", "util-linux")] {
        programs::have(program, package)?;
    }
    let bare = bare()?;
    let mut table =
        String::from("| on a bare Debian, offline | installed | first answer after |\n|---|--:|--:|\n");
    for case in CASES {
        let file = release::file(case.file.0, case.file.1)?;
        let system = system(&bare, &case)?;
        let seconds = install_and_ask(&system, &case, &file)?;
        let megabytes = fs::metadata(&file)?.len() as f64 / 1e6;
        println!("{}: {seconds:.1} s", case.name);
        writeln!(table, "| {} | {megabytes:.0} MB | {seconds:.1} s |", case.name)?;
    }
    tables::write("docs/install.md", "chroot", &table)
}

/// The folder of the bare system.
fn bare() -> Result<PathBuf> {
    let folder = root::work().join("chroot").join("bare");
    if !folder.exists() {
        let (from, suite) = origin()?;
        let made = root::work().join("chroot").join(".bare");
        run(Command::new("debootstrap").args(["--variant=minbase", &suite]).arg(&made).arg(from))?;
        fs::rename(&made, &folder)?;
    }
    Ok(folder)
}

/// Where apt gets the packages of this system from, and the name of its release.
fn origin() -> Result<(String, String)> {
    let format = ["indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages"];
    let release = fs::read_to_string("/etc/os-release")?;
    let suite = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    let suite = suite.context("/etc/os-release names no release of Debian")?;
    let targets = output(Command::new("apt-get").args(format))?;
    let origin = targets.lines().find_map(|line| line.strip_suffix(suite)?.strip_suffix(' '));
    Ok((origin.with_context(|| format!("apt knows no packages of {suite}"))?.to_owned(), suite.to_owned()))
}

/// The system for a case: the bare one with the packages that the case needs.
fn system(bare: &Path, case: &Case) -> Result<PathBuf> {
    let name = if case.packages.is_empty() { "none".to_owned() } else { case.packages.join("+") };
    let folder = root::work().join("chroot").join(name);
    if !folder.exists() {
        let made = root::work().join("chroot").join(".made");
        if made.exists() {
            fs::remove_dir_all(&made)?;
        }
        run(Command::new("cp").arg("-a").arg(bare).arg(&made))?;
        if !case.packages.is_empty() {
            let install = ["apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends"];
            let mut chroot = Command::new("chroot");
            chroot.arg(&made).env("DEBIAN_FRONTEND", "noninteractive");
            output(chroot.args(install).args(case.packages))?;
        }
        fs::rename(&made, &folder)?;
    }
    Ok(folder)
}

/// Installs in a fresh folder without a network. Returns the seconds until the first answer.
fn install_and_ask(system: &Path, case: &Case, file: &Path) -> Result<f64> {
    let folder = system.join("try");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("cart.py"), SOURCE)?;
    fs::copy(file, folder.join(file.file_name().context("a file has a name")?))?;
    let script = format!("cd /try; ! command -v cargo rustc >&2 && {}", case.script);
    let start = Instant::now();
    // The processes in the bare system see no network, and no processes outside of it.
    let apart = ["--net", "--pid", "--fork", "--mount"];
    let mount = format!("--mount-proc={}", system.join("proc").display());
    let mut command = Command::new("unshare");
    command.args(apart).arg(mount).arg("chroot").arg(system).args(["/bin/sh", "-c", &script]);
    command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin").env("HOME", "/try");
    let said = output(&mut command)?;
    let seconds = start.elapsed().as_secs_f64();
    let answer: serde_json::Value = serde_json::from_str(said.lines().next_back().unwrap_or_default())
        .with_context(|| format!("{}: it says {said}", case.name))?;
    let place = &answer["position"];
    ensure!(place["line"] == 2 && place["character"] == 9, "{}: it says {said}", case.name);
    Ok(seconds)
}
