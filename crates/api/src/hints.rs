//! Turns the engine's hints into phrases, with the next request to make or the setting to add.

use locant_engine::{Hint, Scope};

use crate::phrase::{Phrase, call, phrase, setting};

/// The hints about the file with this path, as one sentence.
pub(crate) fn words(hints: &[Hint], path: &str) -> Phrase {
    Phrase::joined(hints.iter().map(|hint| word(hint, path)), "; ")
}

fn word(hint: &Hint, path: &str) -> Phrase {
    match hint {
        Hint::Read(None) => read(path.to_owned()),
        Hint::Read(Some(Scope::Lines { first, last: Some(last) })) => read(format!("{path}:{first}-{last}")),
        Hint::Read(Some(scope)) => read(format!("{path}:{scope}")),
        Hint::Outline => phrase!["see what there is with: ", call("outline").with("file_path", path)],
        Hint::FindAgain => phrase!["`", setting("fuzzy", ""), "` looks for where the place is now"],
        Hint::ReadAgain => {
            let again = call("read").with("locate", path).with("marks", "");
            phrase!["read the lines again, for their marks: ", again]
        }
        Hint::ListDescriptorPaths => {
            phrase!["`", call("proto").with("file_path", "FILE"), "` lists all paths"]
        }
        other => other.words(path).into(),
    }
}

fn read(location: String) -> Phrase {
    phrase!["see what is there with: ", call("read").with("locate", location)]
}
