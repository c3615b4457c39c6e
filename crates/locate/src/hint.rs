//! What the user can do if a location has no single answer, and why a place is offered instead.
//!
//! Both are values, so that an editor or command can offer an action for them. The words here are the same everywhere
//! and mention no command.

use std::borrow::Cow;

use locant_tree::SymbolKind;

use crate::location::{Scope, Segment};

/// What to do next, or what to know about the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The marker was searched for as text, since it is in the find more than once.
    WriteMarkerOnce,
    /// The text is outside of the scope, at the candidates.
    SearchOutsideScope,
    /// The candidates are the lines most like the find.
    CopyNearLine,
    /// Read the scope, or the whole file.
    Read(Option<Scope>),
    /// Look at the symbols of the file.
    Outline,
    /// Search for where the place is now, since the lines around it have changed.
    FindAgain,
    /// Columns count UTF-16 units.
    DropColumn,
    /// The file has only this number of lines.
    UseLastLine(u32),
    /// The file has no symbols, so a location can only use texts and lines.
    UseTextOrLine,
    /// The file has no descriptor.
    UseOtherScope,
    /// Several symbols are meant; their whole paths distinguish them.
    WriteWholePath,
    /// The only candidate has the path, but not what was written beside it.
    TakeCandidate,
    /// The candidates have the path, but not what was written beside it.
    ChooseCandidate,
    /// The candidates have a similar name or are in the same parent.
    TakeSimilar,
    /// The path leads to no symbol itself, but the candidates are members of it.
    NameMember,
    /// The name occurs at the first candidates, but declares nothing there.
    UseNameAsText,
    /// Items of a list have no names, so name something inside an item. An example is given.
    NameInsideItem(Vec<Segment>),
    /// There is only one place, so no index is needed.
    DropIndex,
    /// The highest index there is.
    UseIndexUpTo(usize),
    /// The longest part of a descriptor path that leads somewhere.
    UseShorterPath(Scope),
    /// List the paths of a descriptor.
    ListDescriptorPaths,
    /// Not all candidates are listed.
    SomeAreShown {
        /// How many are listed.
        n_shown: usize,
        /// How many there are.
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
            Hint::SearchOutsideScope => "the text stands elsewhere in the file: use one of these locations",
            Hint::CopyNearLine => "these lines come nearest: copy the text from one of them",
            Hint::Read(None) => return format!("read {path} to see what is there").into(),
            Hint::Read(Some(scope)) => return format!("read {path}:{scope} to see what is there").into(),
            Hint::Outline => return format!("see what there is in the outline of {path}").into(),
            Hint::FindAgain => "look for where the place is now",
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
    /// It is a further match beside the answer.
    MatchesAsWell,
    /// Nothing else matches.
    OnlyMatch,
    /// The location leads there without its check.
    MatchesWithoutCheck,
    /// The text is there, but outside of the scope.
    OutsideScope,
    /// The text is there with one slip.
    OneSlip,
    /// Its line is among the lines most like the find.
    NearestLine,
    /// Its line is among the lines of the scope most like the find.
    NearestLineInScope,
    /// Its line is like the find, but outside of the scope.
    NearestLineOutsideScope,
    /// It is the only text in the scope.
    WholeScope,
    /// The line ends before the column.
    EndOfLine,
    /// The column is inside the character that starts there.
    StartOfCharacter,
    /// A symbol of this kind is declared there.
    Symbol(SymbolKind),
    /// A symbol below the path is declared there.
    Member,
    /// The name that is declared there is similar to the one in the path.
    SimilarName,
    /// A symbol with the same parent as the path is declared there.
    Sibling,
    /// The name occurs there but declares nothing.
    NameAsText,
    /// A part of the path leads there.
    PartOfPath,
    /// It resembles a place that was not found again.
    Resembles,
    /// It resembles that place, but has another word.
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
