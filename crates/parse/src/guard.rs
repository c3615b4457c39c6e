//! The guard around one parse: the part in Rust. `guard.c` says how the guard works and why it is C.

#![allow(unsafe_code, reason = "the guard is C, and this is the one module that calls it")]

use std::ffi::c_char;

use tree_sitter::ffi::{TSLanguage, TSTree};
use tree_sitter::{Language, Tree};

use crate::Characters;

/// How much work one parse may take. The same struct as `LocantBounds` in `guard.c`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Bounds {
    /// Bytes allocated, including those that are freed again.
    pub(crate) allocated: usize,
    /// Bytes of text handed to tree-sitter, repeated reads included.
    pub(crate) read: usize,
    /// Times that tree-sitter reports its progress.
    pub(crate) progress: usize,
    /// Nodes of its stack that tree-sitter may look at after errors.
    pub(crate) walked: usize,
}

unsafe extern "C" {
    fn locant_parse(
        language: *const TSLanguage,
        old: *const TSTree,
        text: *const c_char,
        length: u32,
        is_narrow: bool,
        bounds: Bounds,
        is_stopped: extern "C" fn() -> bool,
    ) -> *mut TSTree;
}

extern "C" fn is_stopped() -> bool {
    locant_stop::is_asked()
}

/// Parses a text, unless it takes more than the bounds allow or the work is asked to stop.
pub(crate) fn parse(
    language: &Language,
    old: Option<&Tree>,
    text: &[u8],
    characters: Characters,
    bounds: Bounds,
) -> Option<Tree> {
    let length = u32::try_from(text.len()).ok()?;
    let language = Held::new(language.clone().into_raw(), |raw| {
        // SAFETY: `raw` came from `into_raw` of a language and is given back once.
        drop(unsafe { Language::from_raw(raw) });
    });
    let old = old.map(|old| {
        Held::new(old.clone().into_raw().cast_const(), |raw| {
            // SAFETY: `raw` came from `into_raw` of a tree and is given back once.
            drop(unsafe { Tree::from_raw(raw.cast_mut()) });
        })
    });
    let old = old.as_ref().map_or(std::ptr::null(), |old| old.raw);
    // SAFETY: language and old tree are alive until after the call, and `text` is readable for `length` bytes. The
    // function keeps none of them. It leaves a parse only by jumping over frames of C, so no Rust is skipped.
    let tree = unsafe {
        locant_parse(
            language.raw,
            old,
            text.as_ptr().cast(),
            length,
            characters == Characters::Narrow,
            bounds,
            is_stopped,
        )
    };
    // SAFETY: a pointer that is not null is a tree that was made by this call, and nothing else holds it.
    (!tree.is_null()).then(|| unsafe { Tree::from_raw(tree) })
}

/// A pointer that is given back when this is dropped.
struct Held<T> {
    raw: *const T,
    give_back: fn(*const T),
}

impl<T> Held<T> {
    fn new(raw: *const T, give_back: fn(*const T)) -> Held<T> {
        Held { raw, give_back }
    }
}

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        (self.give_back)(self.raw);
    }
}
