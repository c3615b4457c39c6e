//! What the user can do if a location has no single answer ([`Hint`]), and why a place is offered instead ([`Reason`]).
//!
//! Both are values, so that an editor or a command can offer an action that fits them. Their `words` mention no command
//! or setting, so they can be shown everywhere.

use std::borrow::Cow;

use locant_tree::SymbolKind;

use crate::location::{Scope, Segment};

/// What to do next, or what to know about the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Write the marker only once. It is in the find several times, so it was searched for as text.
    WriteMarkerOnce,
    /// Write the whole marker. The find has only a part of one, which was searched for as text.
    WriteWholeMarker,
    /// Use another scope or none. The text is outside of the scope, at the candidates.
    SearchOutsideScope,
    /// Copy the text from a candidate. The candidates are the lines most like the find.
    CopyNearLine,
    /// Read the scope, or the whole file if there is no scope.
    Read(Option<Scope>),
    /// Look at the symbols of the file.
    Outline,
    /// Search for where the place is now, since the lines around it have changed.
    FindAgain,
    /// Read the lines again, since they have changed.
    ReadAgain,
    /// Leave out the column, which is not in the line. Columns count UTF-16 units.
    DropColumn,
    /// Use a line up to this number, which is the last line of the file.
    UseLastLine(u32),
    /// Use a text or a line. The language of the file is not supported, so it has no symbols.
    UseTextOrLine,
    /// Use a scope that is not a descriptor path. The file has no descriptor.
    UseOtherScope,
    /// Write the whole path. Several symbols match the short path, and their whole paths differ.
    WriteWholePath,
    /// Use the only candidate. It has the path, but its declaration contradicts the parameters or words beside the
    /// path.
    TakeCandidate,
    /// Use one of the candidates. They have the path, but their declarations contradict the parameters or words beside
    /// the path.
    ChooseCandidate,
    /// Use one of the candidates. They have a similar name or are in the same parent.
    TakeSimilar,
    /// Use one of the candidates. No symbol has the path, but the paths of the candidates start with it.
    NameMember,
    /// Use the name as a text to find. It occurs at the first candidates, but declares no symbol there.
    UseNameAsText,
    /// Name something inside an item of the list, since the items have no names. The path is an example.
    NameInsideItem(Vec<Segment>),
    /// Leave out the index. There is only one place.
    DropIndex,
    /// Use an index up to this one, which is the highest.
    UseIndexUpTo(usize),
    /// Use this path. It is the longest part of the descriptor path that leads somewhere.
    UseShorterPath(Scope),
    /// List the paths of a descriptor.
    ListDescriptorPaths,
    /// Only some candidates are listed.
    SomeAreShown {
        /// How many candidates are listed.
        n_shown: usize,
        /// How many candidates there are.
        n_all: usize,
    },
    /// The file could only be read line by line.
    ReadByLine,
    /// The file has syntax errors.
    HasErrors,
}

impl Hint {
    /// The hint in words, for the file with this path.
    pub fn words(&self, path: &str) -> Cow<'static, str> {
        match self {
            Hint::WriteMarkerOnce => {
                "the marker `<|>` stands here more than once, so it was looked for as text: write it once"
            }
            Hint::WriteWholeMarker => "if a part of it is to be the marker, write the whole: `<|>`",
            Hint::SearchOutsideScope => "the text stands elsewhere in the file: use one of these locations",
            Hint::CopyNearLine => "these lines come nearest: copy the text from one of them",
            Hint::Read(None) => return format!("read {path} to see what is there").into(),
            Hint::Read(Some(scope)) => return format!("read {path}:{scope} to see what is there").into(),
            Hint::Outline => return format!("see what there is in the outline of {path}").into(),
            Hint::FindAgain => "look for where the place is now",
            Hint::ReadAgain => "read the lines again: their marks are others now",
            Hint::DropColumn => {
                "columns in a location count UTF-16 units from 1; drop the column for the whole line"
            }
            Hint::UseLastLine(line) => return format!("the last line is {path}:{line}").into(),
            Hint::UseTextOrLine => {
                let instead = format!("use a text or a line instead ({path}@text, {path}:42)");
                return (instead + ", or name the language").into();
            }
            Hint::UseOtherScope => "use a symbol path, a line, or a text to find: FILE@text",
            Hint::WriteWholePath => "name the one you mean by its whole path",
            Hint::TakeCandidate => "did you mean this one?",
            Hint::ChooseCandidate => "take one of these",
            Hint::TakeSimilar => "did you mean one of these?",
            Hint::NameMember => "name one of these",
            Hint::UseNameAsText => "the name stands in the file, but declares no symbol there",
            Hint::NameInsideItem(path) => {
                let path = Scope::Symbol(path.clone());
                return format!("name what is inside of them, and count that: `{path}`").into();
            }
            Hint::DropIndex => "leave the index out",
            Hint::UseIndexUpTo(highest) => return format!("use an index up to {highest}").into(),
            Hint::UseShorterPath(scope) => return format!("{path}:{scope} is there").into(),
            Hint::ListDescriptorPaths => "list all paths of the descriptor",
            Hint::SomeAreShown { n_shown, n_all } => return format!("{n_shown} of {n_all} are shown").into(),
            Hint::ReadByLine => "the file is too much for its parser, so only single lines were read",
            Hint::HasErrors => "the file has syntax errors, so a symbol may have been missed",
        }
        .into()
    }
}

/// Why a place is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The location matches there.
    Matches,
    /// The location matches there too, besides at the answer.
    MatchesAsWell,
    /// It is the only place where the location matches.
    OnlyMatch,
    /// It has the number of the line that is searched for.
    HasItsNumber,
    /// The location leads there without its check.
    MatchesWithoutCheck,
    /// The text is there, but outside of the scope.
    OutsideScope,
    /// The text is there if one slip in it is corrected, such as a missing letter.
    OneSlip,
    /// Its line is one of the lines most like the find.
    NearestLine,
    /// Its line is one of the lines in the scope most like the find.
    NearestLineInScope,
    /// Its line is one of the lines outside of the scope most like the find.
    NearestLineOutsideScope,
    /// It is the start of the scope, in which nothing is like the find.
    WholeScope,
    /// The line ends there, before the column.
    EndOfLine,
    /// The column is inside the character that starts there.
    StartOfCharacter,
    /// A symbol of this kind is declared there.
    Symbol(SymbolKind),
    /// A symbol whose path starts with the given path is declared there.
    Member,
    /// The name that is declared there is similar to the last name of the path.
    SimilarName,
    /// Another member of the same parent is declared there.
    Sibling,
    /// The name occurs there but declares nothing.
    NameAsText,
    /// A part of the path leads there.
    PartOfPath,
    /// It resembles a place that was not found again.
    Resembles,
    /// It resembles a place that was not found again, but has another word.
    OtherWord {
        /// The word at the old place.
        old: String,
        /// The word at this place.
        new: String,
    },
}

impl Reason {
    /// The reason in words.
    pub fn words(&self) -> Cow<'static, str> {
        match self {
            Reason::Matches => "matches",
            Reason::MatchesAsWell => "matches as well",
            Reason::OnlyMatch => "the only match",
            Reason::HasItsNumber => "stands there now",
            Reason::MatchesWithoutCheck => "leads there without the check",
            Reason::OutsideScope => "the same text outside of this scope",
            Reason::OneSlip => "the same but for one slip",
            Reason::NearestLine => "the nearest line",
            Reason::NearestLineInScope => "the nearest line in this scope",
            Reason::NearestLineOutsideScope => "the nearest line outside of this scope",
            Reason::WholeScope => "what stands there",
            Reason::EndOfLine => "the end of that line",
            Reason::StartOfCharacter => "the start of that character",
            Reason::Symbol(kind) => kind.word(),
            Reason::Member => "a member of it",
            Reason::SimilarName => "a similar name",
            Reason::Sibling => "beside it",
            Reason::NameAsText => "the name as text",
            Reason::PartOfPath => "what is there of the path",
            Reason::Resembles => "resembles it",
            Reason::OtherWord { old, new } => return format!("`{new}` stands where `{old}` was").into(),
        }
        .into()
    }
}
