//! Fetches packages of Debian-like distributions, and the sources that they are built from.
//!
//! It keeps its own package lists, so it needs neither root privileges nor the lists of the machine.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::{Package, clients, plain};
use crate::children::{output, run};
use crate::root;

/// Downloads a binary package and unpacks it without installing it. Returns the folder.
pub(super) fn ready(package: &Package) -> Result<PathBuf> {
    let folder = clients::fresh(&plain(&package.name))?;
    output(apt_get(&["download", &package.name]).current_dir(&folder))?;
    let made = folder.join("unpacked");
    for archive in archives(&folder, |name| name.ends_with(".deb"))? {
        run(Command::new("dpkg-deb").arg("-x").arg(archive).arg(&made))?;
    }
    Ok(made)
}

/// Downloads and unpacks the source of a package. Returns the folder.
pub(super) fn source(package: &Package) -> Result<PathBuf> {
    let folder = clients::fresh(&plain(&package.name))?;
    // `--tar-only` leaves out the changes that the distribution made, which are of no interest here.
    let arguments = ["source", "--quiet", "--download-only", "--tar-only", &package.name];
    output(apt_get(&arguments).current_dir(&folder))?;
    let made = folder.join("unpacked");
    fs::create_dir_all(&made)?;
    let is_origin = |name: &str| name.contains(".orig") && !name.ends_with(".asc");
    for archive in archives(&folder, is_origin)? {
        run(Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(&made))?;
    }
    // Most archives have a single folder, named after the version.
    let inside = clients::entries(&made)?;
    Ok(match inside.as_slice() {
        [folder] if folder.is_dir() => folder.clone(),
        _ => made,
    })
}

/// The folder with the unpacked files of a package, which is not installed. It is fetched only once.
pub(crate) fn unpacked(package: &str) -> Result<PathBuf> {
    let folder = root::work().join("unpacked").join(package);
    let made = folder.join("unpacked");
    if made.exists() {
        return Ok(made);
    }
    fs::create_dir_all(&folder)?;
    update()?;
    output(apt_get(&["download", package]).current_dir(&folder))?;
    for archive in archives(&folder, |name| name.ends_with(".deb"))? {
        run(Command::new("dpkg-deb").arg("-x").arg(archive).arg(&made))?;
    }
    Ok(made)
}

/// Unpacks packages, and those of their dependencies whose names start with one of `starts`, into a folder, without
/// installing them.
pub(crate) fn unpack_with_dependencies(packages: &[String], starts: &[String], folder: &Path) -> Result<()> {
    update()?;
    let downloads = folder.join(".download");
    fs::create_dir_all(&downloads)?;
    // With this option, apt assumes that nothing is installed. Otherwise a dependency that the machine has would be
    // missing in the folder.
    let mut simulated = apt_get(&["install", "--simulate", "--no-install-recommends"]);
    let simulated = output(simulated.args(["-o", "Dir::State::status=/dev/null"]).args(packages))?;
    let names: BTreeSet<&str> = simulated
        .lines()
        .filter_map(|line| line.strip_prefix("Inst ")?.split_whitespace().next())
        .filter(|name| {
            packages.iter().any(|own| own == name) || starts.iter().any(|start| name.starts_with(start))
        })
        .collect();
    output(apt_get(&["download"]).args(names).current_dir(&downloads))?;
    for archive in archives(&downloads, |name| name.ends_with(".deb"))? {
        run(Command::new("dpkg-deb").arg("-x").arg(archive).arg(folder))?;
    }
    Ok(fs::remove_dir_all(downloads)?)
}

fn archives(folder: &Path, is_it: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let mut archives = clients::entries(folder)?;
    archives.retain(|path| path.file_name().is_some_and(|name| is_it(&name.to_string_lossy())));
    anyhow::ensure!(!archives.is_empty(), "no archive was downloaded");
    archives.sort();
    Ok(archives)
}

/// A program that prints what protoc's parser makes of files. It is built with protoc's library, which is downloaded
/// but not installed.
pub(crate) fn proto_parser() -> Result<PathBuf> {
    let folder = root::work().join("tools").join("proto-parser");
    let program = folder.join("proto-parser");
    if program.exists() {
        return Ok(program);
    }
    fs::create_dir_all(&folder)?;
    update()?;
    // The library, and the headers of its parser.
    output(apt_get(&["download", "libprotobuf-dev", "libprotoc-dev"]).current_dir(&folder))?;
    for archive in archives(&folder, |name| name.ends_with(".deb"))? {
        run(Command::new("dpkg-deb").arg("-x").arg(archive).arg(&folder))?;
    }
    let library = walk(&folder.join("usr/lib"), "libprotobuf.a")?;
    let mut compiler = Command::new("c++");
    compiler.arg("-I").arg(folder.join("usr/include"));
    compiler.arg(root::root().join("crates/proto/tests/oracle/raw.cc")).arg(library);
    run(compiler.args(["-lpthread", "-lz", "-o"]).arg(&program))?;
    Ok(program)
}

/// The path of a file with this name, anywhere below a folder.
fn walk(folder: &Path, name: &str) -> Result<PathBuf> {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in clients::entries(&folder)? {
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with(name) {
                return Ok(path);
            }
        }
    }
    anyhow::bail!("the package has no {name}")
}

/// Fetches the package lists of the repositories that the machine uses, including the lists of source packages.
pub(super) fn update() -> Result<()> {
    let mut targets = Command::new("apt-get");
    targets.args(["indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)"]);
    let targets = output(targets.arg("Created-By: Packages"))?;
    let mut places = String::new();
    for place in targets.lines().collect::<BTreeSet<&str>>() {
        writeln!(places, "deb {place}\ndeb-src {place}")?;
    }
    let folder = state();
    for part in ["lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(folder.join(part))?;
    }
    fs::write(folder.join("places.list"), places)?;
    // This fails if a repository has no sources. The failure does not matter: if a package is missing, its download
    // will fail.
    drop(output(&mut apt_get(&["update", "--quiet"])));
    Ok(())
}

fn apt_get(arguments: &[&str]) -> Command {
    let folder = state();
    let option = |key: &str, path: &Path| format!("{key}={}", path.display());
    let mut command = Command::new("apt-get");
    command.args(["-o", &option("Dir::Etc::sourcelist", &folder.join("places.list"))]);
    command.args(["-o", &option("Dir::Etc::sourceparts", Path::new("/dev/null"))]);
    command.args(["-o", &option("Dir::State::lists", &folder.join("lists"))]);
    command.args(["-o", &option("Dir::Cache", &folder.join("cache"))]);
    // If run by root, apt would download as another user, who is not allowed to write here.
    command.args(["-o", "APT::Sandbox::User=root"]);
    command.args(arguments);
    command
}

fn state() -> PathBuf {
    root::work().join("download").join("apt")
}
