//! Folders of the user, and the programs that are installed.

use std::env;
use std::path::PathBuf;

/// A path with its variables replaced. `None` if one of them is not set.
pub(crate) fn resolved(path: &str) -> Option<PathBuf> {
    let Some(rest) = path.strip_prefix('{') else { return Some(PathBuf::from(path)) };
    let (name, rest) = rest.split_once('}')?;
    let home = || env::home_dir().filter(|home| home.is_absolute());
    let folder = match name {
        "home" => home()?,
        "config" => variable("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))?,
        "application" if cfg!(windows) => variable("APPDATA")?,
        "application" if cfg!(target_os = "macos") => home()?.join("Library/Application Support"),
        "application" => variable("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))?,
        name => variable(name)?,
    };
    Some(folder.join(rest.trim_start_matches('/')))
}

/// A variable of the environment that names a folder. A relative one would mean another folder each time.
fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute())
}

/// The program of this name in the folders of `PATH`.
pub fn program(name: &str) -> Option<PathBuf> {
    let name = if cfg!(windows) { format!("{name}.exe") } else { name.to_owned() };
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut files =
        env::split_paths(&folders).filter(|folder| folder.is_absolute()).map(|folder| folder.join(&name));
    files.find(|file| file.is_file())
}
