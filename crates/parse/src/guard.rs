//! The Rust side of the guard around one parse. `guard.c` explains how the guard works and why it is written in C.

#![allow(unsafe_code, reason = "the guard is C, and this is the one module that calls it")]

use std::ffi::c_char;

use tree_sitter::ffi::{TSLanguage, TSTree};
use tree_sitter::{Language, Tree};

use crate::Characters;

/// The bounds on the work of one parse. Must have the same layout as `LocantBounds` in `guard.c`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Bounds {
    /// How many bytes may be allocated, including those that are freed again.
    pub(crate) allocated: usize,
    /// How many bytes of text may be handed to tree-sitter, repeated reads included.
    pub(crate) read: usize,
    /// How often tree-sitter may report its progress.
    pub(crate) progress: usize,
    /// How many nodes of its parse stack tree-sitter may visit after errors.
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

    fn locant_accepts(
        language: *const TSLanguage,
        text: *const c_char,
        length: u32,
        is_narrow: bool,
        read: usize,
        steps: usize,
        allocated: usize,
        is_stopped: extern "C" fn() -> bool,
    ) -> bool;
}

extern "C" fn is_stopped() -> bool {
    locant_stop::is_asked()
}

/// Parses a text. Returns `None` if the parse reaches a bound or the work is asked to stop.
pub(crate) fn parse(
    language: &Language,
    old: Option<&Tree>,
    text: &[u8],
    characters: Characters,
    bounds: Bounds,
) -> Option<Tree> {
    let length = u32::try_from(text.len()).ok()?;
    let language = held(language);
    let old = old.map(|old| {
        Held::new(old.clone().into_raw().cast_const(), |raw| {
            // SAFETY: `raw` came from `into_raw` of a tree, and this function is called once.
            drop(unsafe { Tree::from_raw(raw.cast_mut()) });
        })
    });
    let old = old.as_ref().map_or(std::ptr::null(), |old| old.raw);
    // SAFETY: `language` and `old` stay alive until after the call, and `text` is readable for `length` bytes. The
    // function keeps none of these pointers. If it abandons a parse, it jumps over frames of C only, never of Rust.
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
    // SAFETY: a pointer that is not null is a tree that this call made, and nothing else owns it.
    (!tree.is_null()).then(|| unsafe { Tree::from_raw(tree) })
}

/// Whether a grammar accepts a text without errors. `false` also when that takes more work than the bounds allow.
pub(crate) fn accepts(language: &Language, text: &str, characters: Characters, bounds: Bounds) -> bool {
    let Ok(length) = u32::try_from(text.len()) else { return false };
    let language = held(language);
    // SAFETY: `language` stays alive until after the call, and `text` is UTF-8 of `length` bytes. The function
    // keeps none of these pointers. If it abandons its work, it jumps over frames of C only, never of Rust.
    unsafe {
        locant_accepts(
            language.raw,
            text.as_ptr().cast(),
            length,
            characters == Characters::Narrow,
            bounds.read,
            bounds.progress,
            bounds.allocated,
            is_stopped,
        )
    }
}

fn held(language: &Language) -> Held<TSLanguage> {
    Held::new(language.clone().into_raw(), |raw| {
        // SAFETY: `raw` came from `into_raw` of a language, and this function is called once.
        drop(unsafe { Language::from_raw(raw) });
    })
}

/// A raw pointer, given back to its owner when this value is dropped.
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
