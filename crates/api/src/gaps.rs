//! Why an answer may lack something, in words.

use locant_workspace::Gap;

use crate::phrase::{Phrase, phrase, setting};
use crate::show;

/// The sentence for a gap.
pub fn said(gap: &Gap) -> Phrase {
    match gap {
        Gap::NoProject { file } => {
            let file = show::path(file);
            let why = format!(
                "nothing above `{file}` tells its project, so that only its folder was looked through; `"
            );
            phrase![why, setting("root", "DIR"), "` names it"]
        }
        Gap::Hidden { word, files, n_more, import_folder } => {
            let files: Vec<String> = files.iter().map(|file| format!("`{}`", show::path(file))).collect();
            let more = if *n_more == 0 { String::new() } else { format!(" and {n_more} more") };
            let said = Phrase::from(format!(
                "`{word}` also stands in files that are hidden or ignored by version control, which were not looked \
                 through: {}{more}",
                files.join(", "),
            ));
            match import_folder {
                Some(folder) => {
                    said.and(phrase!["; `", setting("proto_path", folder.clone()), "` looks there too"])
                }
                None => said,
            }
        }
        Gap::Around { word, file, folder } => phrase![
            format!(
                "`{word}` also stands in `{}`, around what was looked through; ask with `",
                show::path(file)
            ),
            setting("root", folder.clone()),
            "` and paths from there, or put a `buf.yaml` or a repository there",
        ],
        Gap::ByText { word, language } => format!(
            "nobody here knows what names mean in {language}, so this is by text: where `{word}` stands as a word in \
             the {language} files of the project, outside of comments and strings"
        )
        .into(),
        Gap::StillReading { server, work } => {
            format!("{server} was still busy ({work}): ask again later for what may be missing").into()
        }
        Gap::PartOfProject { server, why } => {
            format!("{server} does not know the whole project: {why}").into()
        }
        Gap::LostPlaces { n_places } => format!(
            "{n_places} places of the answer are left out: their files cannot be read, or have no such lines"
        )
        .into(),
        Gap::TooManyEntries { folder, most } => {
            format!("there are more than {most} files and folders in `{folder}`").into()
        }
        Gap::TooManyBytes { megabytes } => format!("only {megabytes} MB of files are read").into(),
        Gap::UnreadableFolder { error } => format!("a folder cannot be read: {error}").into(),
        Gap::UnreadableFile { path } => format!("`{path}` cannot be read").into(),
        Gap::OutwardLink { path } => format!("the link `{path}` leads outside, and is not followed").into(),
        Gap::EndlessIgnoreList { folder } => {
            format!("`{folder}` was left out: the list of what to ignore is a pipe or a device").into()
        }
    }
}
