//! Why an answer may lack something.

/// A reason why an answer may lack something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The file is not inside a repository or a package, so only its own folder was searched.
    NoProject {
        /// The file.
        file: String,
    },
    /// The word that is asked about also occurs in files that are hidden or ignored by version control.
    Hidden {
        /// The word.
        word: String,
        /// The first few of these files.
        files: Vec<String>,
        /// How many more there are.
        n_more: usize,
        /// The folder of the first file. It is searched when the request names it as an import folder. `None` for
        /// languages without imports.
        import_folder: Option<String>,
    },
    /// The word also occurs in a file outside of the project that imports one of the project's files.
    Around {
        /// The word.
        word: String,
        /// The file.
        file: String,
        /// A folder around both the file and the project.
        folder: String,
    },
    /// No provider knows what names mean in the language. The answer is what a search for the word finds.
    ByText {
        /// The word.
        word: String,
        /// The language.
        language: &'static str,
    },
    /// A language server had not read the whole project yet, or has problems with it.
    StillReading {
        /// The server.
        server: String,
        /// What it was busy with.
        work: String,
    },
    /// A language server does not know all files of the project.
    PartOfProject {
        /// The server.
        server: String,
        /// Why it does not.
        why: String,
    },
    /// Some places of an answer are in files that cannot be read, or whose positions cannot be relied on.
    LostPlaces {
        /// How many.
        n_places: usize,
    },
    /// A folder has more entries than are looked at.
    TooManyEntries {
        /// The folder.
        folder: String,
        /// How many entries are looked at.
        most: usize,
    },
    /// The files of the project have more bytes than are read.
    TooManyBytes {
        /// How many are read, in MiB.
        megabytes: usize,
    },
    /// A folder cannot be read.
    UnreadableFolder {
        /// The message of the system.
        error: String,
    },
    /// A file cannot be read.
    UnreadableFile {
        /// The file.
        path: String,
    },
    /// A link leads out of the folder that was searched, and was not followed.
    OutwardLink {
        /// The link.
        path: String,
    },
    /// The ignore file of a folder is a pipe or a device, so that the folder was left out.
    EndlessIgnoreList {
        /// The folder.
        folder: String,
    },
}
