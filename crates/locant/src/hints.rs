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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(hint: Hint, path: &str, expected: &str) {
        assert_eq!(words(&[hint], path), expected);
    }

    #[test]
    fn commands_can_be_pasted_whatever_the_path_is() {
        check(Hint::Outline, "a.py", "see what there is with: locant outline a.py");
        check(Hint::Outline, "it's; rm.py", r"see what there is with: locant outline 'it'\''s; rm.py'");
        check(Hint::Read(None), "a b.py", "see what is there with: locant read 'a b.py'");
        let lines = Scope::Lines { first: 3, last: Some(3) };
        check(Hint::Read(Some(lines)), "$(x).py", "see what is there with: locant read '$(x).py:3-3'");
    }

    #[test]
    fn a_path_that_reads_like_a_hint_is_only_a_path() {
        let path = "with: locant read x";
        check(Hint::Outline, path, "see what there is with: locant outline 'with: locant read x'");
        check(Hint::UseLastLine(7), path, "the last line is with: locant read x:7");
    }

    #[test]
    fn all_that_there_is_to_say_is_one_sentence() {
        let hints = [Hint::ChooseCandidate, Hint::SomeAreShown { n_shown: 10, n_all: 12 }];
        assert_eq!(words(&hints, "a.py"), "take one of these; 10 of 12 are shown");
        assert_eq!(words(&[], "a.py"), "");
    }
}
