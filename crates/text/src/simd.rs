//! The bytes that matter to lines and columns, found 64 at a time.
//!
//! The only module with `unsafe`: vector loads, and the call of code that needs a newer processor.
#![allow(unsafe_code)]

use crate::lines::{self, LineIndex};

/// Which of 64 bytes are of interest; bit `i` stands for byte `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Masks {
    /// The bytes that are `\n`.
    pub(crate) lf: u64,
    /// The bytes that are `\r`.
    pub(crate) cr: u64,
    /// Is any byte not ASCII?
    pub(crate) non_ascii: bool,
}

/// Builds the line index with the best that this processor can do.
pub(crate) fn build(bytes: &[u8], first: usize) -> LineIndex {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor was just asked whether it has both features that the function enables.
        return unsafe { build_avx2(bytes, first) };
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("sse2") {
        // SAFETY: the processor was just asked whether it has the feature that the function enables.
        return unsafe { build_sse2(bytes, first) };
    }
    lines::build(bytes, first, masks_portable)
}

// A closure has the features of the function it is written in, so these inline the vector code into the loop.

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn build_avx2(bytes: &[u8], first: usize) -> LineIndex {
    lines::build(bytes, first, |chunk| masks_avx2(chunk))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
fn build_sse2(bytes: &[u8], first: usize) -> LineIndex {
    lines::build(bytes, first, |chunk| masks_sse2(chunk))
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn masks_avx2(chunk: &[u8; 64]) -> Masks {
    use std::arch::x86_64::*;
    let pointer = chunk.as_ptr().cast::<__m256i>();
    // SAFETY: the 64 bytes of `chunk` are exactly the two vectors at `pointer`; the load needs no alignment.
    let [low, high] = unsafe { [_mm256_loadu_si256(pointer), _mm256_loadu_si256(pointer.add(1))] };
    let bits = |low, high| {
        let half = |vector| u64::from(_mm256_movemask_epi8(vector).cast_unsigned());
        half(low) | half(high) << 32
    };
    let equal = |byte: u8| {
        let wanted = _mm256_set1_epi8(byte.cast_signed());
        bits(_mm256_cmpeq_epi8(low, wanted), _mm256_cmpeq_epi8(high, wanted))
    };
    let non_ascii = _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0;
    Masks { lf: equal(b'\n'), cr: equal(b'\r'), non_ascii }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn masks_sse2(chunk: &[u8; 64]) -> Masks {
    use std::arch::x86_64::*;
    let mut masks = Masks { lf: 0, cr: 0, non_ascii: false };
    for (index, quarter) in chunk.as_chunks::<16>().0.iter().enumerate() {
        // SAFETY: `quarter` is 16 bytes, as many as are loaded; the load needs no alignment.
        let vector = unsafe { _mm_loadu_si128(quarter.as_ptr().cast()) };
        let bits = |vector| u64::from(_mm_movemask_epi8(vector).cast_unsigned());
        let equal = |byte: u8| bits(_mm_cmpeq_epi8(vector, _mm_set1_epi8(byte.cast_signed())));
        masks.lf |= equal(b'\n') << (16 * index);
        masks.cr |= equal(b'\r') << (16 * index);
        masks.non_ascii |= bits(vector) != 0;
    }
    masks
}

/// The same for processors whose vectors we do not speak.
fn masks_portable(chunk: &[u8; 64]) -> Masks {
    let equal = |wanted: u8| {
        chunk.iter().enumerate().fold(0, |bits, (i, byte)| bits | u64::from(*byte == wanted) << i)
    };
    Masks { lf: equal(b'\n'), cr: equal(b'\r'), non_ascii: !chunk.is_ascii() }
}
