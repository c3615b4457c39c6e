//! Finds the bytes that matter for lines and columns, 64 at a time. Also runs other work with the best instructions
//! that the processor has.
//!
//! This is one of three modules in the project with `unsafe` code; the others are `grammar.rs` of locant-rholang and
//! `guard.rs` of locant-parse. Here, `unsafe` is needed for vector loads and for calls of functions that need newer
//! processors.
#![allow(unsafe_code)]

use crate::LineIndex;

/// Work on many bytes that is worth compiling twice: once for any processor, and once for processors with wide vectors
/// and bit-manipulation instructions.
pub trait Work {
    /// The result of the work.
    type Output;

    /// Does the work. Functions called from here must be inlined (`#[inline(always)]`), because only inlined functions
    /// are compiled twice.
    fn run(self) -> Self::Output;
}

/// Does the work with the best instructions that this processor has.
pub fn run_tuned<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor was just asked whether it has all features that the function enables.
        return unsafe { run_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

/// Which of 64 bytes have their highest bit set; bit `i` stands for byte `i`.
#[cfg(target_feature = "sse2")]
#[inline(always)]
pub fn highest_bits(bytes: &[u8; 64]) -> u64 {
    use std::arch::x86_64::*;
    let quarters = bytes.as_chunks::<16>().0.iter().enumerate();
    quarters.fold(0, |bits, (at, quarter)| {
        // SAFETY: `quarter` has 16 bytes, exactly as many as are loaded, and the load needs no alignment. This
        // function exists only on targets where every processor has SSE2.
        let highest = unsafe { _mm_movemask_epi8(_mm_loadu_si128(quarter.as_ptr().cast())) };
        bits | u64::from(highest.cast_unsigned()) << (16 * at)
    })
}

/// Which of 64 bytes have their highest bit set; bit `i` stands for byte `i`.
#[cfg(not(target_feature = "sse2"))]
#[inline(always)]
pub fn highest_bits(bytes: &[u8; 64]) -> u64 {
    highest_bits_portable(bytes)
}

#[cfg(any(test, not(target_feature = "sse2")))]
#[inline(always)]
fn highest_bits_portable(bytes: &[u8; 64]) -> u64 {
    let eights = bytes.as_chunks::<8>().0.iter().enumerate();
    eights.fold(0, |bits, (at, eight)| {
        let highest = u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080;
        // After the shift, each of the eight bytes is 0 or 1. The product gathers these bits in its top byte.
        bits | (highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * at)
    })
}

/// Which of 64 bytes are line feeds or carriage returns, as masks in which bit `i` stands for byte `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Masks {
    /// The bytes that are `\n`.
    pub(crate) lf: u64,
    /// The bytes that are `\r`.
    pub(crate) cr: u64,
    /// Whether any byte is not ASCII.
    pub(crate) non_ascii: bool,
}

/// Builds the line index with the best instructions that this processor has.
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
    build_portable(bytes, first)
}

/// Builds the line index on processors for which this module has no vector code.
fn build_portable(bytes: &[u8], first: usize) -> LineIndex {
    LineIndex::with_eyes(bytes, first, masks_portable)
}

// A closure is compiled with the processor features of the function that contains it. So the closures below let the
// vector code be inlined into the loop.

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn build_avx2(bytes: &[u8], first: usize) -> LineIndex {
    LineIndex::with_eyes(bytes, first, |chunk| masks_avx2(chunk))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
fn build_sse2(bytes: &[u8], first: usize) -> LineIndex {
    LineIndex::with_eyes(bytes, first, |chunk| masks_sse2(chunk))
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn masks_avx2(chunk: &[u8; 64]) -> Masks {
    use std::arch::x86_64::*;
    let pointer = chunk.as_ptr().cast::<__m256i>();
    // SAFETY: `chunk` has 64 bytes, exactly the two vectors that are loaded, and the loads need no alignment.
    let [low, high] = unsafe { [_mm256_loadu_si256(pointer), _mm256_loadu_si256(pointer.add(1))] };
    let bits = |vector| u64::from(_mm256_movemask_epi8(vector).cast_unsigned());
    let equal = |byte: u8| {
        let wanted = _mm256_set1_epi8(byte.cast_signed());
        bits(_mm256_cmpeq_epi8(low, wanted)) | bits(_mm256_cmpeq_epi8(high, wanted)) << 32
    };
    Masks { lf: equal(b'\n'), cr: equal(b'\r'), non_ascii: bits(_mm256_or_si256(low, high)) != 0 }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn masks_sse2(chunk: &[u8; 64]) -> Masks {
    use std::arch::x86_64::*;
    let mut masks = Masks { lf: 0, cr: 0, non_ascii: false };
    for (index, quarter) in chunk.as_chunks::<16>().0.iter().enumerate() {
        // SAFETY: `quarter` has 16 bytes, exactly as many as are loaded, and the load needs no alignment.
        let vector = unsafe { _mm_loadu_si128(quarter.as_ptr().cast()) };
        let bits = |vector| u64::from(_mm_movemask_epi8(vector).cast_unsigned());
        let equal = |byte: u8| bits(_mm_cmpeq_epi8(vector, _mm_set1_epi8(byte.cast_signed())));
        masks.lf |= equal(b'\n') << (16 * index);
        masks.cr |= equal(b'\r') << (16 * index);
        masks.non_ascii |= bits(vector) != 0;
    }
    masks
}

fn masks_portable(chunk: &[u8; 64]) -> Masks {
    let equal = |wanted: u8| {
        let bytes = chunk.as_chunks::<8>().0.iter().enumerate();
        bytes.fold(0, |bits, (i, eight)| bits | equal_in_eight(*eight, wanted) << (8 * i))
    };
    Masks { lf: equal(b'\n'), cr: equal(b'\r'), non_ascii: !chunk.is_ascii() }
}

/// Eight bits that say which of eight bytes equal `wanted`.
///
/// Example: the bytes are `a \n b \n c d e f`, and `wanted` is `\n`. Then:
/// - `differences`, the exclusive or, is zero in bytes 1 and 3.
/// - Adding `7F` to the low seven bits of a byte carries into its top bit unless they are all zero. So the inverted
///   top bits are `00 80 00 80 00 00 00 00`.
/// - The product gathers these bits in its top byte: `0000_1010`.
fn equal_in_eight(bytes: [u8; 8], wanted: u8) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let differences = u64::from_le_bytes(bytes) ^ u64::from_le_bytes([wanted; 8]);
    let equal = !(((differences & LOW) + LOW) | differences | LOW);
    (equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The masks, found byte by byte.
    fn masks_by_meaning(chunk: &[u8; 64]) -> Masks {
        let bits = |is: fn(u8) -> bool| (0..64).fold(0, |bits, i| bits | u64::from(is(chunk[i])) << i);
        let non_ascii = bits(|byte| byte >= 0x80) != 0;
        Masks { lf: bits(|byte| byte == b'\n'), cr: bits(|byte| byte == b'\r'), non_ascii }
    }

    /// Checks that all ways to find the masks give the same line index.
    fn check(bytes: &[u8]) {
        let expected = LineIndex::with_eyes(bytes, 0, masks_by_meaning);
        assert!(build_portable(bytes, 0) == expected, "portable: {bytes:?}");
        assert!(build(bytes, 0) == expected, "the best: {bytes:?}");
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("sse2") {
            // SAFETY: the processor was just asked whether it has the feature that the function enables.
            assert!(unsafe { build_sse2(bytes, 0) } == expected, "sse2: {bytes:?}");
        }
    }

    #[test]
    fn every_byte_at_every_place_of_a_chunk() {
        for byte in 0..=u8::MAX {
            for at in 0..64 {
                let mut bytes = [b'x'; 66];
                bytes[at] = byte;
                check(&bytes);
                bytes[at + 1] = b'\n';
                check(&bytes);
            }
        }
    }

    #[test]
    fn every_length_of_a_text() {
        let bytes: Vec<u8> = b"a\r\n\r\xC3\xA9\n".iter().copied().cycle().take(1000).collect();
        (0..bytes.len()).for_each(|len| check(&bytes[..len]));
    }

    #[test]
    fn bytes_that_differ_in_one_bit() {
        let near = |byte: u8| (0..8).map(move |bit| byte ^ 1 << bit).chain([byte]);
        let bytes: Vec<u8> = near(b'\n').chain(near(b'\r')).cycle().take(500).collect();
        (0..64).for_each(|start| check(&bytes[start..]));
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..Default::default() })]

        #[test]
        fn random_bytes(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..2000)) {
            check(&bytes);
        }

        #[test]
        fn highest_bits_are_those_of_each_byte(halves in proptest::prelude::any::<[[u8; 32]; 2]>()) {
            let bytes: &[u8; 64] = halves.as_flattened().try_into().expect("64 bytes");
            let expected = (0..64).fold(0, |bits, i| bits | u64::from(bytes[i] >> 7) << i);
            assert_eq!(highest_bits(bytes), expected);
            assert_eq!(highest_bits_portable(bytes), expected);
        }

        #[test]
        fn random_line_breaks(
            bytes in proptest::collection::vec(proptest::sample::select(&b"\r\nx\x8A"[..]), 0..2000)
        ) {
            check(&bytes);
        }
    }
}
