//! Lays out real programs anew: `layout FOLDER`. Fails if anything but blanks changes, or if something changes the
//! second time.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[path = "../tests/laid_out/mod.rs"]
mod laid_out;

fn main() -> ExitCode {
    let folder = std::env::args().nth(1).expect("usage: layout FOLDER");
    let mut paths = Vec::new();
    collect(&mut paths, Path::new(&folder));
    paths.sort();
    let (mut n_left, mut n_same, mut wrong) = (0, 0, Vec::new());
    for path in &paths {
        let text = std::fs::read(path).expect("it was found");
        match laid_out::formatted(&text) {
            None => n_left += 1,
            Some(new) => n_same += usize::from(new == text),
        }
        wrong.extend(
            laid_out::difference(&text).map(|difference| format!("{}: {difference}", path.display())),
        );
    }
    println!(
        "{} programs laid out anew, {n_left} left because of syntax errors, {n_same} as they were, {} wrong",
        paths.len(),
        wrong.len()
    );
    wrong.iter().take(20).for_each(|wrong| println!("{wrong}"));
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn collect(paths: &mut Vec<PathBuf>, folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(paths, &path);
        } else if path.extension().is_some_and(|extension| extension == "rho") {
            paths.push(path);
        }
    }
}
