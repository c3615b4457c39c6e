//! SHA-256, a digest by which texts are compared. Nobody can make another text with the same digest, even on purpose.

use std::fmt;
use std::io::{self, Read};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The digest of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Digest([u8; 32]);

impl Digest {
    pub(super) fn of(bytes: &[u8]) -> Digest {
        let mut sum = Sum::new();
        sum.take(bytes);
        sum.end()
    }

    /// The digest of all bytes up to the end of the reader.
    pub(super) fn of_reader(mut reader: impl Read) -> io::Result<Digest> {
        let (mut sum, mut piece) = (Sum::new(), vec![0; 64 << 10]);
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return Ok(sum.end()),
                Ok(n) => sum.take(&piece[..n]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let written = String::deserialize(deserializer)?;
        let byte = |at: usize| u8::from_str_radix(written.get(2 * at..2 * at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..32).map(byte).collect();
        let bytes = bytes.filter(|_| written.len() == 64).and_then(|bytes| bytes.try_into().ok());
        bytes.map(Digest).ok_or_else(|| serde::de::Error::custom("no SHA-256 in 64 hexadecimal digits"))
    }
}

/// The state of the computation after some of the bytes.
struct Sum {
    state: [u32; 8],
    /// The bytes that do not fill a block yet. Invariant: shorter than a block.
    rest: Vec<u8>,
    n_bytes: u64,
}

const BLOCK: usize = 64;

impl Sum {
    fn new() -> Sum {
        // The first 32 bits of the fractional parts of the square roots of the first eight primes.
        let state = [
            0x6a09_e667,
            0xbb67_ae85,
            0x3c6e_f372,
            0xa54f_f53a,
            0x510e_527f,
            0x9b05_688c,
            0x1f83_d9ab,
            0x5be0_cd19,
        ];
        Sum { state, rest: Vec::with_capacity(2 * BLOCK), n_bytes: 0 }
    }

    fn take(&mut self, mut bytes: &[u8]) {
        self.n_bytes += bytes.len() as u64;
        if !self.rest.is_empty() {
            let n_missing = (BLOCK - self.rest.len()).min(bytes.len());
            let (now, later) = bytes.split_at(n_missing);
            self.rest.extend_from_slice(now);
            bytes = later;
            if self.rest.len() == BLOCK {
                let block = std::mem::take(&mut self.rest);
                self.mix(&block);
            }
        }
        let mut blocks = bytes.chunks_exact(BLOCK);
        for block in blocks.by_ref() {
            self.mix(block);
        }
        self.rest.extend_from_slice(blocks.remainder());
    }

    /// Finishes the digest: appends a one bit, zeros, and the number of bits as the last eight bytes of a block.
    fn end(mut self) -> Digest {
        let n_bits = self.n_bytes.wrapping_mul(8);
        let n_zeros = (2 * BLOCK - 1 - 8 - self.rest.len()) % BLOCK;
        let mut end = vec![0x80];
        end.resize(1 + n_zeros, 0);
        end.extend_from_slice(&n_bits.to_be_bytes());
        self.take(&end);
        let mut digest = [0; 32];
        for (bytes, word) in digest.chunks_exact_mut(4).zip(self.state) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        Digest(digest)
    }

    fn mix(&mut self, block: &[u8]) {
        let mut words = [0_u32; 64];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
        }
        for at in 16..64 {
            let (near, far) = (words[at - 2], words[at - 15]);
            let near = near.rotate_right(17) ^ near.rotate_right(19) ^ (near >> 10);
            let far = far.rotate_right(7) ^ far.rotate_right(18) ^ (far >> 3);
            words[at] = words[at - 16].wrapping_add(far).wrapping_add(words[at - 7]).wrapping_add(near);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.state;
        for (constant, word) in CONSTANTS.iter().zip(words) {
            let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let chosen = e & f ^ !e & g;
            let new = h.wrapping_add(turned).wrapping_add(chosen).wrapping_add(*constant).wrapping_add(word);
            let turned = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let most = a & b ^ a & c ^ b & c;
            (h, g, f, e) = (g, f, e, d.wrapping_add(new));
            (d, c, b, a) = (c, b, a, new.wrapping_add(turned).wrapping_add(most));
        }
        for (word, new) in self.state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(new);
        }
    }
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
#[rustfmt::skip]
const CONSTANTS: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standard() {
        let check = |text: &[u8], expected: &str| assert_eq!(Digest::of(text).to_string(), expected);
        check(b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        check(b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        check(&[b'a'; 55], "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
        check(&[b'a'; 56], "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
        check(&[b'a'; 64], "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
        check(&[b'a'; 1000], "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
    }

    #[test]
    fn pieces_have_the_digest_of_the_whole() {
        let text: Vec<u8> = (0..=255).cycle().take(1_000).collect();
        for piece in 1..150 {
            let mut sum = Sum::new();
            text.chunks(piece).for_each(|piece| sum.take(piece));
            assert_eq!(sum.end(), Digest::of(&text), "pieces of {piece} bytes");
        }
    }

    #[test]
    fn a_digest_is_read_as_it_is_written() {
        let digest = Digest::of(b"abc");
        let written = serde_json::to_string(&digest).expect("a digest is a string");
        assert_eq!(serde_json::from_str::<Digest>(&written).expect("as written"), digest);
        assert!(serde_json::from_str::<Digest>("\"abc\"").is_err());
    }
}
