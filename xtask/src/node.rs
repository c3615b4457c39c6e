//! `cargo xtask npm`: packs the Node package for this platform, and installs and asks it offline.
//!
//! The tests of the package (`npm/test/`) run with a debug build of the program, in `cargo xtask test`.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::children::{cargo, output, run, target_directory};
use crate::{npm_packages, root};

const PROGRAM: &str = if cfg!(windows) { "locant.exe" } else { "locant" };

/// The compiler that checks the types.
const TYPESCRIPT: &str = "typescript@5.9.3";

/// Runs the tests of the package, and checks its types.
pub(crate) fn tests() -> Result<()> {
    run(&mut cargo(&["build", "--quiet", "-p", "locant"]))?;
    let program = target_directory()?.join("debug").join("locant");
    run(in_package("node").args(["--test", "--test-reporter=spec"]).env("LOCANT_PROGRAM", program))?;
    let compiler = npm_packages::installed(TYPESCRIPT)?.join("node_modules/typescript/bin/tsc");
    let options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "test/types.ts"];
    run(in_package("node").arg(compiler).args(options))
}

/// The systems that packages of the program are made for, as Node names them.
const PLATFORMS: [&str; 5] = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];

/// Builds the program, packs it, and tries the packages out.
pub(crate) fn pack() -> Result<()> {
    run(&mut cargo(&["build", "--release", "-p", "locant"]))?;
    pack_with(&target_directory()?.join("release").join(PROGRAM), &root::work().join("npm"))
}

/// Packs a program into three tarballs. `locant-VERSION.tgz` contains the program for this platform, to be installed
/// from a file. The two in the folder `publish` are the package for all platforms, which names a package for each
/// platform, and the package for this platform. Then both ways to install are tried without a network.
pub(crate) fn pack_with(program: &Path, to: &Path) -> Result<()> {
    let made = root::work().join("npm").join("packages");
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    let platform = platform()?;
    let own = made.join(&platform);
    add_program(&own, &platform, program)?;
    let for_all = made.join("locant");
    add_module(&for_all, for_platforms(manifest()?))?;
    let with_program = made.join("with-program");
    add_module(&with_program, with_bundled(manifest()?, &platform))?;
    add_program(&with_program.join("node_modules").join(&platform), &platform, program)?;
    let publish = to.join("publish");
    let published = [tarball(&own, &publish)?, tarball(&for_all, &publish)?];
    let alone = tarball(&with_program, to)?;
    try_out(&made.join("try"), std::slice::from_ref(&alone))?;
    try_out(&made.join("try-published"), &published)?;
    for tarball in [&alone, &published[0], &published[1]] {
        println!("{} ({} MB)", tarball.display(), fs::metadata(tarball)?.len() / 1_000_000);
    }
    Ok(())
}

/// Makes the package of the module, with this manifest.
fn add_module(folder: &Path, manifest: Value) -> Result<()> {
    copy(&root::root().join("npm"), folder, &["bin", "lib", "README.md"])?;
    Ok(fs::write(folder.join("package.json"), serde_json::to_string_pretty(&manifest)?)?)
}

/// Packs a folder into a tarball in another folder.
fn tarball(folder: &Path, to: &Path) -> Result<PathBuf> {
    fs::create_dir_all(to)?;
    let packed = output(Command::new("npm").args(["pack", "--silent"]).current_dir(folder))?;
    let tarball = to.join(packed.trim());
    fs::rename(folder.join(packed.trim()), &tarball)?;
    Ok(tarball)
}

/// Installs tarballs in an empty folder without a network. Asks the program for its version, and the server for agents
/// for a place. Compiles a program that uses the types.
fn try_out(folder: &Path, tarballs: &[PathBuf]) -> Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("package.json"), "{\"private\": true, \"type\": \"module\"}")?;
    let install = ["install", "--offline", "--silent", "--no-audit", "--no-fund"];
    output(Command::new("npm").args(install).args(tarballs).current_dir(folder))?;
    let version =
        output(Command::new("npx").args(["--no-install", "locant", "--version"]).current_dir(folder))?;
    ensure!(version.starts_with("locant "), "the installed program says {version}");
    let answers = mcp(folder)?;
    ensure!(answers.contains("Located `cart.py` at 1:7"), "`npx locant mcp` says {answers}");
    fs::copy(root::root().join("npm/test/installed.ts"), folder.join("installed.ts"))?;
    let compiler = npm_packages::installed(TYPESCRIPT)?.join("node_modules/typescript/bin/tsc");
    let options = ["--strict", "--module", "nodenext", "--target", "es2022", "installed.ts"];
    run(Command::new("node").arg(compiler).args(options).current_dir(folder))?;
    let printed = output(Command::new("node").arg("installed.js").current_dir(folder))?;
    ensure!(printed.trim() == "1:7 cart.py:Cart", "the module says {printed}");
    Ok(())
}

/// What `npx locant mcp` answers to an agent that introduces itself and asks for a place.
fn mcp(folder: &Path) -> Result<String> {
    fs::write(folder.join("cart.py"), "class Cart:\n    pass\n")?;
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "xtask", "version": "0"}});
    let call = json!({"name": "locate", "arguments": {"locate": "cart.py:Cart"}});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}),
    ];
    let mut server = Command::new("npx")
        .args(["--no-install", "locant", "mcp", "--root", "."])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = server.stdin.take().context("it is a pipe")?;
    for message in messages {
        writeln!(input, "{message}")?;
    }
    // The server ends when its input ends, perhaps before it has answered. So the input stays open until the answers
    // are here.
    let lines = BufReader::new(server.stdout.take().context("it is a pipe")?).lines();
    let answers: Vec<String> = lines.take(2).collect::<std::io::Result<_>>()?;
    drop(input);
    ensure!(server.wait()?.success(), "`npx locant mcp` failed");
    Ok(answers.join("\n"))
}

/// Makes the package of the program, which contains only the program and its manifest.
fn add_program(folder: &Path, name: &str, program: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("bin"))?;
    fs::copy(program, folder.join("bin").join(PROGRAM))?;
    let own = manifest()?;
    let (os, cpu) = name.trim_start_matches("locant-").split_once('-').context("a platform has two parts")?;
    let manifest = json!({
        "name": name,
        "version": own["version"],
        "license": own["license"],
        "description": "The program locant for one platform",
        "os": [os],
        "cpu": [cpu],
        "files": ["bin"],
    });
    fs::write(folder.join("package.json"), serde_json::to_string_pretty(&manifest)?)?;
    Ok(())
}

/// The manifest of the package for all platforms. npm installs the package of the program for the right one.
fn for_platforms(mut manifest: Value) -> Value {
    let version = manifest["version"].clone();
    let packages = PLATFORMS.iter().map(|platform| (format!("locant-{platform}"), version.clone()));
    manifest["optionalDependencies"] = Value::Object(packages.collect());
    manifest
}

/// The manifest of a package that contains the package of the program.
fn with_bundled(mut manifest: Value, platform: &str) -> Value {
    manifest["dependencies"] = json!({platform: manifest["version"]});
    manifest["bundleDependencies"] = json!([platform]);
    manifest
}

/// The name of the package with the program for this platform, as `npm/lib/program.js` computes it.
fn platform() -> Result<String> {
    let script = "import('./lib/program.js').then((m) => console.log(m.platformPackage()))";
    Ok(output(in_package("node").args(["-e", script]))?.trim().to_owned())
}

fn manifest() -> Result<Value> {
    let text = fs::read_to_string(root::root().join("npm").join("package.json"))?;
    serde_json::from_str(&text).context("npm/package.json is no JSON")
}

fn copy(from: &Path, to: &Path, names: &[&str]) -> Result<()> {
    fs::create_dir_all(to)?;
    for name in names {
        run(Command::new("cp").arg("-R").arg(from.join(name)).arg(to))?;
    }
    Ok(())
}

fn in_package(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root::root().join("npm"));
    command
}
