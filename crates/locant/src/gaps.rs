//! Why an answer may lack something, in the words of the command line.

use locant_workspace::Gap;

use crate::show;

/// What to say of a gap in an editor, where there are no flags.
pub(crate) fn said_to_editor(gap: &Gap) -> String {
    match gap {
        Gap::Hidden { word, files, n_more, import_folder: Some(_) } => {
            let hidden = Gap::Hidden {
                word: word.clone(),
                files: files.clone(),
                n_more: *n_more,
                import_folder: None,
            };
            format!("{}; the option `protoPath` names folders to look through", said(&hidden))
        }
        gap => said(gap),
    }
}

/// What to say of a gap.
pub(crate) fn said(gap: &Gap) -> String {
    match gap {
        Gap::NoProject { file } => format!(
            "nothing above `{}` tells its project, so that only its folder was looked through; `--root DIR` names it",
            show::path(file)
        ),
        Gap::Hidden { word, files, n_more, import_folder } => {
            let files: Vec<String> = files.iter().map(|file| format!("`{}`", show::path(file))).collect();
            let more = if *n_more == 0 { String::new() } else { format!(" and {n_more} more") };
            let way = import_folder
                .as_ref()
                .map(|folder| format!("; `--proto-path {}` looks there too", show::shell_word(folder)));
            format!(
                "`{word}` also stands in files that are hidden or ignored by version control, which were not looked \
                 through: {}{more}{}",
                files.join(", "),
                way.unwrap_or_default()
            )
        }
        Gap::Around { word, file, folder } => format!(
            "`{word}` also stands in `{}`, around what was looked through; ask with `--root {}` and paths from there, \
             or put a `buf.yaml` or a repository there",
            show::path(file),
            show::shell_word(folder)
        ),
        Gap::TooManyEntries { folder, most } => {
            format!("there are more than {most} files and folders in `{folder}`")
        }
        Gap::TooManyBytes { megabytes } => format!("only {megabytes} MB of files are read"),
        Gap::UnreadableFolder { error } => format!("a folder cannot be read: {error}"),
        Gap::UnreadableFile { path } => format!("`{path}` cannot be read"),
        Gap::OutwardLink { path } => format!("the link `{path}` leads outside, and is not followed"),
        Gap::EndlessIgnoreList { folder } => {
            format!("`{folder}` was left out: the list of what to ignore is a pipe or a device")
        }
    }
}
