//! The real trees that are measured.

use std::path::PathBuf;

use anyhow::Result;

use super::folders::remove;
use super::measured::Question;
use crate::{root, sources};

/// A tree of real sources, and what is asked about it.
pub(super) struct Tree {
    pub(super) name: &'static str,
    origin: Origin,
    location: &'static str,
    word: &'static str,
    /// A file of about a hundred kilobytes in the tree, and a symbol of this file.
    pub(super) large_file: &'static str,
    pub(super) symbol_of_large_file: &'static str,
}

/// Where a tree comes from.
enum Origin {
    /// The source archive of a Python package: its name and version.
    Pip(&'static str, &'static str),
    /// A package of a Debian-like distribution, and how the names of the packages with its files start.
    Deb(&'static str, &'static str),
}

pub(super) const ALL: [Tree; 2] = [
    Tree {
        name: "Django 5.1 with its tests",
        origin: Origin::Pip("Django", "5.1"),
        location: ":QuerySet.filter",
        word: "QuerySet",
        large_file: "django/db/models/sql/query.py",
        symbol_of_large_file: "Query.build_filter",
    },
    Tree {
        name: "Go 1.19, its library, compiler and tests",
        origin: Origin::Deb("golang-src", "golang-"),
        location: ":ResponseRecorder.WriteHeader",
        word: "ResponseRecorder",
        large_file: "go-1.19/src/net/http/server.go",
        symbol_of_large_file: "conn.serve",
    },
];

impl Tree {
    pub(super) fn question(&self) -> Question<'static> {
        Question { location: self.location, word: self.word }
    }

    /// The folder of the tree. It is fetched only once.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        match self.origin {
            Origin::Pip(name, version) => sources::source_of(name, version),
            Origin::Deb(name, start) => {
                let folder = root::work().join("packages").join(name);
                if !folder.exists() {
                    let made = root::work().join("packages").join(format!(".{name}"));
                    remove(&made)?;
                    sources::unpack_with_dependencies(&[name.to_owned()], &[start.to_owned()], &made)?;
                    std::fs::rename(&made, &folder)?;
                }
                Ok(folder.join("usr/share"))
            }
        }
    }
}
