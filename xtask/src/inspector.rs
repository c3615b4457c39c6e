//! Tests the page of `locant inspect`: compares its resolver with the program, and uses the page in a real browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::children::{cargo, exists, output, run, target_directory};
use crate::{npm_packages, programs, root};

/// The library that uses a browser as people do.
const PLAYWRIGHT: &str = "playwright-core@1.64.1";

/// What could be tested on this machine.
pub(crate) enum Tested {
    Everything,
    /// Everything but the page in a browser. The text says why.
    WithoutBrowser(String),
    Nothing(String),
}

/// Runs the tests of the page. With `picture`, also draws the picture of the documentation.
pub(crate) fn check(picture: Option<&Path>) -> Result<Tested> {
    if !exists("node", "--version") {
        return Ok(Tested::Nothing("there is no Node".to_owned()));
    }
    run(&mut cargo(&["build", "--quiet", "-p", "locant"]))?;
    let program = target_directory()?.join("debug").join("locant");
    let folder = files()?;
    run(script("resolver.test.mjs").arg(&program).arg(&folder))?;
    let (browser, playwright) = match (browser(), playwright()) {
        (Ok(browser), Ok(playwright)) => (browser, playwright),
        (Err(error), _) | (_, Err(error)) => return Ok(Tested::WithoutBrowser(format!("{error:#}"))),
    };
    let mut test = script("browser.test.mjs");
    test.arg(&program).arg(&folder).arg(playwright).arg(browser);
    run(test.args(picture))?;
    Ok(Tested::Everything)
}

/// Draws the picture of the documentation anew.
pub(crate) fn draw() -> Result<()> {
    let picture = root::root().join("docs").join("inspect.png");
    match check(Some(&picture))? {
        Tested::Everything => Ok(()),
        Tested::WithoutBrowser(why) | Tested::Nothing(why) => anyhow::bail!("not drawn: {why}"),
    }
}

/// An empty folder for the files whose pages are tested, with the cases of the location language in it.
fn files() -> Result<PathBuf> {
    let folder = root::work().join("inspector");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("spec"))?;
    for case in fs::read_dir(root::root().join("tests").join("spec"))? {
        let case = case?;
        fs::copy(case.path(), folder.join("spec").join(case.file_name()))?;
    }
    Ok(folder)
}

/// The browser of this machine. If there is none, the browser of the distribution is installed.
fn browser() -> Result<PathBuf> {
    programs::have("chromium", "chromium")?;
    let found = output(Command::new("sh").args(["-c", "command -v chromium"]))?;
    Ok(PathBuf::from(found.trim()))
}

fn playwright() -> Result<PathBuf> {
    Ok(npm_packages::installed(PLAYWRIGHT)?.join("node_modules").join("playwright-core"))
}

fn script(name: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(root::root().join("tests").join("inspector").join(name));
    command
}
