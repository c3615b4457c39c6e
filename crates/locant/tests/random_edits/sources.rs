//! The sources that are edited.

use std::fs;
use std::path::{Path, PathBuf};

/// Sources of one language, with the ending of its files.
pub(crate) struct Source {
    extension: String,
    texts: Vec<String>,
}

/// A small generator of numbers (xorshift), so that each run tries the same edits.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Draw {
        Draw(0x2545_f491_4f6c_dd1d ^ seed)
    }

    /// A number below `end`, or 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// How long a source may be. Longer ones take more time and show nothing new.
const MOST_BYTES: usize = 60_000;

/// How many real files of a language are read.
const MOST_FILES: usize = 400;

/// The sources of all languages: real ones, if `LOCANT_SOURCES` names a folder that has a folder for each language,
/// else those of the cases of the languages.
pub(crate) fn sources() -> Vec<Source> {
    let sources = match std::env::var_os("LOCANT_SOURCES") {
        Some(folder) => real(Path::new(&folder)),
        None => of_cases(),
    };
    assert!(sources.len() > 30, "there are sources of {} kinds", sources.len());
    sources
}

/// A source, perhaps with other line ends, a byte-order mark, or no line break at its end.
pub(crate) fn varied(sources: &[Source], draw: &mut Draw) -> (String, String) {
    let source = &sources[draw.below(sources.len())];
    let text = source.texts[draw.below(source.texts.len())].clone();
    let text = match draw.below(8) {
        0 => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        1 => format!("\u{feff}{}", text.trim_start_matches('\u{feff}')),
        2 => text.trim_end_matches(['\r', '\n']).to_owned(),
        _ => text,
    };
    (source.extension.clone(), text)
}

/// The sources of the cases of all languages.
fn of_cases() -> Vec<Source> {
    let languages = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../languages");
    let mut sources = Vec::new();
    for folder in sorted(&languages) {
        let settings = fs::read_to_string(folder.join("language.toml")).unwrap();
        let extensions =
            settings.lines().find_map(|line| line.strip_prefix("extensions = [\"")).unwrap_or("txt\"");
        let extension = extensions.split('"').next().unwrap_or_default().to_owned();
        let cases = fs::read_to_string(folder.join("cases.md")).unwrap();
        // The lines between the first and the second fence are a source. Prose or an outline follows.
        let source = |part: &str| part.split_once('\n').map(|(_, source)| format!("{source}\n"));
        let texts: Vec<String> = cases.split("\n```").skip(1).step_by(2).filter_map(source).collect();
        sources.push(Source { extension, texts });
    }
    sources.retain(|source| !source.texts.is_empty());
    sources
}

fn real(folder: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    for language in sorted(folder) {
        let mut files = Vec::new();
        collect(&mut files, &language);
        // Files are taken from all packages, and not from the first one alone.
        let step = files.len().div_ceil(MOST_FILES).max(1);
        let mut by_extension: Vec<Source> = Vec::new();
        for file in files.iter().step_by(step) {
            let extension = file.extension().unwrap_or_default().to_string_lossy().into_owned();
            let Ok(text) = fs::read_to_string(file) else { continue };
            // A text with a lone `\r` is left out: the `\r` ends a line, but the tests do not count it.
            let has_odd_lines = text.replace("\r\n", "\n").contains('\r');
            if text.is_empty() || text.len() > MOST_BYTES || text.contains('\0') || has_odd_lines {
                continue;
            }
            match by_extension.iter_mut().find(|source| source.extension == extension) {
                Some(source) => source.texts.push(text),
                None => by_extension.push(Source { extension, texts: vec![text] }),
            }
        }
        sources.extend(by_extension);
    }
    sources
}

fn collect(files: &mut Vec<PathBuf>, folder: &Path) {
    for entry in sorted(folder) {
        if entry.is_dir() { collect(files, &entry) } else { files.push(entry) }
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
