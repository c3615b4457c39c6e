//! Packs bytes in the block format of LZ4.
//!
//! A block is a list of sequences. A sequence has a byte with two lengths of four bits, the literals, the distance back
//! to a match in two bytes, and the rest of the length of the match. The last sequence has only literals.
//!
//! For example, `14 61 01 00` is the literal `a` and a match of eight bytes at a distance of 1, which is `aaaaaaaaa`.

/// The length of the shortest match. The format writes it as 0.
const SHORTEST: usize = 4;

/// How many places with the same four bytes are tried. Trying more would take longer and find little more.
const TRIES: usize = 256;

/// No match starts in this many bytes at the end of a block. The format demands this, so that a reader may read ahead.
const LAST_LITERALS: usize = 12;

/// Packs bytes into a block.
pub(crate) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut places = Places::new(bytes);
    let (mut at, mut literals) = (0, 0);
    while at + LAST_LITERALS < bytes.len() {
        match places.longest_match(at) {
            Some(found) if !is_longer_at_next(&mut places, at, found) => {
                write(&mut packed, &bytes[literals..at], Some(found));
                at += found.length;
                literals = at;
            }
            _ => at += 1,
        }
    }
    write(&mut packed, &bytes[literals..], None);
    packed
}

/// Whether a match at the next place is so long that it is worth writing one more literal before it.
fn is_longer_at_next(places: &mut Places<'_>, at: usize, found: Match) -> bool {
    let is_short = found.length < 64 && at + 1 + LAST_LITERALS < places.bytes.len();
    is_short && places.longest_match(at + 1).is_some_and(|next| next.length > found.length + 1)
}

#[derive(Clone, Copy)]
struct Match {
    /// How far back it starts. The format has two bytes for it.
    distance: u16,
    length: usize,
}

fn write(packed: &mut Vec<u8>, literals: &[u8], found: Option<Match>) {
    let length = found.map_or(0, |found| found.length - SHORTEST);
    packed.push((small(literals.len()) << 4) | small(length));
    write_rest(packed, literals.len());
    packed.extend_from_slice(literals);
    if let Some(found) = found {
        packed.extend(found.distance.to_le_bytes());
        write_rest(packed, length);
    }
}

/// A length in four bits. 15 means that the length is 15 or more.
fn small(length: usize) -> u8 {
    u8::try_from(length).map_or(15, |length| length.min(15))
}

fn write_rest(packed: &mut Vec<u8>, length: usize) {
    let Some(rest) = length.checked_sub(15) else { return };
    packed.extend(std::iter::repeat_n(255, rest / 255));
    packed.push(u8::try_from(rest % 255).expect("it is less than 255"));
}

/// The places before some place, by the four bytes that start at each.
struct Places<'a> {
    bytes: &'a [u8],
    /// For each hash of four bytes, the last place with this hash, plus one. 0 if there is none.
    last: Vec<usize>,
    /// For each place, the last place before it with the same hash, plus one. 0 if there is none.
    before: Vec<usize>,
    /// How many places are known.
    n_known: usize,
}

const HASH_BITS: u32 = 17;

impl Places<'_> {
    fn new(bytes: &[u8]) -> Places<'_> {
        Places { bytes, last: vec![0; 1 << HASH_BITS], before: vec![0; bytes.len()], n_known: 0 }
    }

    /// The longest match for a place. The calls must have ascending places.
    fn longest_match(&mut self, at: usize) -> Option<Match> {
        while self.n_known < at {
            let hash = hash(self.bytes, self.n_known);
            self.before[self.n_known] = self.last[hash];
            self.n_known += 1;
            self.last[hash] = self.n_known;
        }
        let mut place = self.last[hash(self.bytes, at)];
        let mut longest = Match { distance: 0, length: SHORTEST - 1 };
        for _ in 0..TRIES {
            let Some(start) = place.checked_sub(1) else { break };
            let Ok(distance) = u16::try_from(at - start) else { break };
            let length = self.common_length(start, at);
            if length > longest.length {
                longest = Match { distance, length };
            }
            place = self.before[start];
        }
        (longest.length >= SHORTEST).then_some(longest)
    }

    fn common_length(&self, one: usize, other: usize) -> usize {
        let end = self.bytes.len() - LAST_LITERALS.min(5);
        let others = &self.bytes[other..end];
        self.bytes[one..].iter().zip(others).take_while(|(one, other)| one == other).count()
    }
}

fn hash(bytes: &[u8], at: usize) -> usize {
    let word = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    (word.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Unpacks with the code that the program is built with.
    fn unpacked(name: &str, packed: &[u8], n_bytes: usize) -> Vec<u8> {
        let folder = std::env::temp_dir().join(format!("compact-cc-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let listed: Vec<String> = packed.iter().map(u8::to_string).collect();
        let main = format!(
            "{}\n#include <stdio.h>\nstatic const unsigned char p[] = {{{}}};\nstatic unsigned char b[{n_bytes} + 1];\n\
             int main(void) {{ unpack(p, sizeof p, b, {n_bytes}); fwrite(b, 1, {n_bytes}, stdout); return 0; }}\n",
            include_str!("unpack.c"),
            listed.join(",")
        );
        let (source, program) = (folder.join("main.c"), folder.join("main"));
        std::fs::write(&source, main).expect("a file");
        let status = Command::new("cc").arg(&source).arg("-o").arg(&program).status();
        assert!(status.expect("there is a compiler of C").success());
        let output = Command::new(&program).output().expect("it starts");
        assert!(output.status.success(), "{:?}", output.status);
        std::fs::remove_dir_all(&folder).expect("it is ours");
        output.stdout
    }

    #[track_caller]
    fn check(name: &str, bytes: &[u8], most: usize) {
        let packed = packed(bytes);
        assert!(packed.len() <= most, "{} bytes became {}", bytes.len(), packed.len());
        assert!(unpacked(name, &packed, bytes.len()) == bytes, "{name} is not what it was");
    }

    #[test]
    fn what_is_packed_is_unpacked_as_it_was() {
        check("nothing", b"", 1);
        check("short", b"abc", 4);
        check("zeros", &[0; 100_000], 420);
        let mut noise: u32 = 1;
        let mut next = || {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            noise.to_le_bytes()[3]
        };
        let random: Vec<u8> = (0..70_000).map(|_| next()).collect();
        check("random", &random, 70_300);
        // Similar rows, as in a table. Only the first rows are near enough for a match.
        let row = &random[..700];
        let rows: Vec<u8> = (0..200).flat_map(|at| row.iter().map(move |byte| byte ^ (at % 7))).collect();
        check("rows", &rows, 7_000);
    }
}
