//! The root: the folder that paths start from, and outside of which no file is read or changed.
//!
//! It is the folder that the user names, else the first one that the client names, else the project around the working
//! directory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use locant_api::{Failure, Flags, uri};
use locant_workspace::{Base, Boundary, Project, written};

/// Where requests may look.
#[derive(Clone, Debug)]
pub(super) struct Root {
    folder: PathBuf,
    allowed: Vec<PathBuf>,
    /// Whether the user or a client has named it. Then the client is not asked.
    is_given: bool,
}

impl Root {
    /// The root that the user names, or the project around the working directory.
    pub(super) fn new(given: Option<String>, allowed: Vec<PathBuf>) -> Result<Root, Failure> {
        let base = Base::new(given.as_deref());
        let folder = if base.is_given() { base.folder() } else { Project::around("_", &base).root };
        if let Some(missing) = [&folder].into_iter().chain(&allowed).find(|folder| !folder.is_dir()) {
            let message = format!("there is no folder `{}`", missing.display());
            return Err(Failure::invalid(message, "name the folder of the project"));
        }
        Ok(Root { folder, allowed, is_given: base.is_given() })
    }

    /// Whether the client may say which folder it works in.
    pub(super) fn is_open(&self) -> bool {
        !self.is_given
    }

    /// The root for a client that works in these folders.
    pub(super) fn of_client(&self, roots: &[String]) -> Root {
        let folders =
            roots.iter().filter(|root| root.starts_with("file:")).map(|root| PathBuf::from(uri::path(root)));
        let mut folders = folders.filter(|folder| folder.is_dir());
        match folders.next() {
            None => self.clone(),
            Some(folder) => {
                let allowed = folders.chain(self.allowed.iter().cloned()).collect();
                Root { folder, allowed, is_given: true }
            }
        }
    }

    /// The flags of a request below this root.
    pub(super) fn flags(&self, defaults: &Flags) -> Flags {
        let allowed = self.allowed.iter().map(PathBuf::as_path);
        let folders = [self.folder.as_path()].into_iter().chain(allowed).map(Path::to_owned);
        let boundary = Arc::new(Boundary::around(folders));
        Flags { root: Some(written(&self.folder)), boundary: Some(boundary), ..defaults.clone() }
    }
}
