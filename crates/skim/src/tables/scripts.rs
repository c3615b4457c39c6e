//! JavaScript, TypeScript and TSX.

use crate::finish::Words;
use crate::scripted::Scripted;

pub(crate) static JAVASCRIPT: Scripted = Scripted { has_types: false, has_elements: true, words: WORDS };

pub(crate) static TYPESCRIPT: Scripted = Scripted { has_types: true, has_elements: false, words: WORDS };

pub(crate) static TSX: Scripted = Scripted { has_types: true, has_elements: true, words: WORDS };

const WORDS: Words = Words {
    inner_comments: &["#!"],
    terminator: Some(b';'),
    silent: &["prototype", "module", "exports", "this"],
};
