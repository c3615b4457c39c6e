//! Why an answer may lack something.

/// A reason why an answer may lack something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Nothing tells the project of a file, so that only its folder was looked through.
    NoProject {
        /// The file.
        file: String,
    },
    /// The word that is asked about also stands in files that are hidden or ignored by version control.
    Hidden {
        /// The word.
        word: String,
        /// The first of these files.
        files: Vec<String>,
        /// How many there are besides.
        n_more: usize,
        /// The folder of the first, where it would be looked through if imports were looked for there.
        import_folder: Option<String>,
    },
    /// The word also stands in a file around the project that imports one of its files.
    Around {
        /// The word.
        word: String,
        /// The file.
        file: String,
        /// The folder that has both the file and the project.
        folder: String,
    },
    /// A folder has more entries than are looked at.
    TooManyEntries {
        /// The folder.
        folder: String,
        /// How many are looked at.
        most: usize,
    },
    /// The files have more bytes than are read.
    TooManyBytes {
        /// How many are read, in MiB.
        megabytes: usize,
    },
    /// A folder cannot be read.
    UnreadableFolder {
        /// What the system says.
        error: String,
    },
    /// A file cannot be read.
    UnreadableFile {
        /// The file.
        path: String,
    },
    /// A link leads to files elsewhere, and is not followed.
    OutwardLink {
        /// The link.
        path: String,
    },
    /// The list of what to ignore in a folder is a pipe or a device, so that the folder was left out.
    EndlessIgnoreList {
        /// The folder.
        folder: String,
    },
}
