//! The engine's hints in the words of the command line: with the command to paste, or the flag to add.

use std::borrow::Cow;

use locant_engine::{Hint, Scope};

use crate::show::shell_word;

/// The hints about the file with this path, as one sentence.
pub(crate) fn words(hints: &[Hint], path: &str) -> String {
    let words: Vec<_> = hints.iter().map(|hint| word(hint, path)).collect();
    words.join("; ")
}

fn word(hint: &Hint, path: &str) -> Cow<'static, str> {
    match hint {
        Hint::Read(None) => read(path),
        Hint::Read(Some(Scope::Lines { first, last: Some(last) })) => read(&format!("{path}:{first}-{last}")),
        Hint::Read(Some(scope)) => read(&format!("{path}:{scope}")),
        Hint::Outline => format!("see what there is with: locant outline {}", shell_word(path)).into(),
        Hint::FindAgain => "`--fuzzy` looks for where the place is now".into(),
        Hint::ListDescriptorPaths => "`locant proto FILE` lists all paths".into(),
        other => other.words(path),
    }
}

fn read(location: &str) -> Cow<'static, str> {
    format!("see what is there with: locant read {}", shell_word(location)).into()
}
