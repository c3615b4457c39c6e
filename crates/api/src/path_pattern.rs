//! Paths that are written as patterns: `**/models.py`.

use globset::{GlobBuilder, GlobMatcher};

use crate::failure::Failure;

/// Whether a path is written as a pattern.
pub(crate) fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// Compiles the pattern.
pub(crate) fn pattern(path: &str) -> Result<GlobMatcher, Failure> {
    let glob = GlobBuilder::new(path.trim_start_matches("./")).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| {
        Failure::invalid(
            format!("`{path}` is no pattern for paths: {}", error.kind()),
            "`*` stands for a part of a name, `**` for folders: `**/models.py`",
        )
    })
}
