//! How are the messages of the language server protocol cut from a stream of bytes?
//!
//! Each message is a frame: a header with the length of the body, then the body. [`Frames`] reads them and
//! [`write_frame`] writes them, for either end of the protocol.
//!
//! The length in a header may be wrong: not a number, too large or too small. JSON cannot contain a whole header,
//! because line breaks in strings are escaped. So wherever a header is found, a message starts, and the next message is
//! found after any rubbish.
//!
//! Invariants: reading ends only when the input ends, whatever the input is; rubbish is not kept in memory.

use std::io::{self, Read, Write};

/// The longest message that is read, in bytes.
pub const LONGEST: usize = 64 << 20;

/// The longest header.
const LONGEST_HEADER: usize = 4 << 10;

/// How many bytes are read at once.
const PIECE: usize = 64 << 10;

/// The name of the field with the length, which every header has.
const NAME: &[u8] = b"content-length:";

/// A message, or a header that cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// The body of a message.
    Body(Vec<u8>),
    /// A header that cannot be read, and why. All bytes up to the next header are skipped.
    Bad(String),
}

/// Messages as they come in.
pub struct Frames<R> {
    input: R,
    /// The bytes that were read and are not dropped yet.
    buffer: Vec<u8>,
    /// How many bytes of `buffer` are used already.
    n_used: usize,
    /// Whether bytes are being skipped after a bad header. Then text that only resembles a header is not reported.
    is_lost: bool,
}

/// What is found at a place where a header may start.
#[derive(Debug, PartialEq, Eq)]
enum Header {
    /// The start of a header whose end was not read yet.
    Begun,
    /// A whole header, its own length, and the length of the message.
    Whole { n_bytes: usize, length: usize },
    /// A whole header without a usable length, and why.
    Wrong(String),
    /// No header.
    Other,
}

/// Writes the body of a message after its header.
pub fn write_frame(output: &mut (impl Write + ?Sized), body: &str) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

impl<R: Read> Frames<R> {
    /// Reads messages from this input.
    pub fn new(input: R) -> Frames<R> {
        Frames { input, buffer: Vec::new(), n_used: 0, is_lost: false }
    }

    /// The next message; `None` at the end.
    pub fn read(&mut self) -> io::Result<Option<Frame>> {
        loop {
            let Some(start) = find_start(self.ahead()) else {
                // The last bytes may be the start of `NAME`.
                self.n_used += self.ahead().len().saturating_sub(NAME.len() - 1);
                if !self.read_on()? {
                    return Ok(None);
                }
                continue;
            };
            self.n_used += start;
            match header(self.ahead()) {
                Header::Begun => {
                    if !self.read_on()? {
                        return Ok(None);
                    }
                }
                Header::Whole { n_bytes, length } => {
                    self.n_used += n_bytes;
                    self.is_lost = false;
                    return Ok(self.body(length)?.map(Frame::Body));
                }
                Header::Wrong(why) => {
                    self.n_used += NAME.len();
                    self.is_lost = true;
                    return Ok(Some(Frame::Bad(why)));
                }
                Header::Other => {
                    self.n_used += NAME.len();
                    if !std::mem::replace(&mut self.is_lost, true) {
                        return Ok(Some(Frame::Bad(
                            "a header has lines and ends with an empty one".to_owned(),
                        )));
                    }
                }
            }
        }
    }

    /// The body of a message. If the next header starts before the announced length is reached, the body ends there.
    fn body(&mut self, length: usize) -> io::Result<Option<Vec<u8>>> {
        let mut n_looked_at = 0;
        loop {
            let ahead = self.ahead();
            let seen = &ahead[..ahead.len().min(length + LONGEST_HEADER)];
            let next = find_header(seen, n_looked_at.min(length)).filter(|&next| next < length);
            let end = next.or_else(|| (length <= seen.len()).then(|| own_length(&seen[..length])));
            if let Some(end) = end {
                let body = seen[..end].to_vec();
                self.n_used += end;
                return Ok(Some(body));
            }
            n_looked_at = seen.len().saturating_sub(LONGEST_HEADER);
            if !self.read_on()? {
                return Ok(None);
            }
        }
    }

    /// The bytes that were read and are not used yet.
    fn ahead(&self) -> &[u8] {
        &self.buffer[self.n_used..]
    }

    /// Reads more; `false` at the end.
    fn read_on(&mut self) -> io::Result<bool> {
        self.buffer.drain(..self.n_used);
        self.n_used = 0;
        let n_ahead = self.buffer.len();
        if n_ahead < PIECE {
            // The memory of a long message is given back.
            self.buffer.shrink_to(2 * PIECE);
        }
        self.buffer.resize(n_ahead + PIECE, 0);
        let read = loop {
            match self.input.read(&mut self.buffer[n_ahead..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(n_ahead + *read.as_ref().unwrap_or(&0));
        read.map(|n_bytes| n_bytes > 0)
    }
}

/// The first position of the name of the length field.
fn find_name(bytes: &[u8]) -> Option<usize> {
    bytes.windows(NAME.len()).position(|name| name.eq_ignore_ascii_case(NAME))
}

/// The first position where a header may start: the last length field on the first line that has one.
fn find_start(bytes: &[u8]) -> Option<usize> {
    let first = find_name(bytes)?;
    let line = &bytes[first..bytes.len().min(first + LONGEST_HEADER)];
    let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let last = line.windows(NAME.len()).rposition(|name| name.eq_ignore_ascii_case(NAME))?;
    Some(first + last)
}

/// The first position of a whole header, starting from `from`.
fn find_header(bytes: &[u8], from: usize) -> Option<usize> {
    let mut from = from;
    loop {
        from += find_start(bytes.get(from..)?)?;
        if matches!(header(&bytes[from..]), Header::Whole { .. }) {
            return Some(from);
        }
        from += NAME.len();
    }
}

/// Reads the header at the start of the bytes, which start with the name of the length field.
fn header(bytes: &[u8]) -> Header {
    let mut said: Option<&[u8]> = None;
    let mut n_bytes = 0;
    loop {
        let rest = &bytes[n_bytes..bytes.len().min(LONGEST_HEADER)];
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            return if bytes.len() < LONGEST_HEADER { Header::Begun } else { Header::Other };
        };
        let line = rest[..end].trim_ascii();
        n_bytes += end + 1;
        let is_named = line.len() >= NAME.len() && line[..NAME.len()].eq_ignore_ascii_case(NAME);
        match said {
            Some(said) if line.is_empty() => return of_length(said, n_bytes),
            // If there are two length fields, the last one counts.
            _ if is_named => said = Some(line[NAME.len()..].trim_ascii()),
            Some(_) if is_field(line) => {}
            _ => return Header::Other,
        }
    }
}

/// Whether a line is a field of a header: a name, a colon and a value.
fn is_field(line: &[u8]) -> bool {
    let n_name =
        line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')).count();
    n_name > 0 && line.get(n_name) == Some(&b':')
}

fn of_length(said: &[u8], n_bytes: usize) -> Header {
    // A quote shows that this is text inside of a JSON string, in a message with raw line breaks.
    if said.contains(&b'"') {
        return Header::Other;
    }
    let is_number = !said.is_empty() && said.iter().all(u8::is_ascii_digit);
    let length = std::str::from_utf8(said).ok().filter(|_| is_number).and_then(|said| said.parse().ok());
    match length {
        Some(length) if length <= LONGEST => Header::Whole { n_bytes, length },
        _ if is_number => {
            Header::Wrong(format!("the message is longer than {} MiB, and was not read", LONGEST >> 20))
        }
        _ => {
            let said = String::from_utf8_lossy(&said[..said.len().min(40)]).into_owned();
            Header::Wrong(format!(
                "the message was not read: `Content-Length: {said}` is not a number of bytes"
            ))
        }
    }
}

/// The length of a body without the start of the next header, which the body may end with if the announced length is
/// too large. A message always ends with the closing bracket of an object or a list.
fn own_length(body: &[u8]) -> usize {
    let tail = body.len().saturating_sub(LONGEST_HEADER);
    let Some(end) = body[tail..].iter().rposition(|byte| matches!(byte, b'}' | b']')) else {
        return body.len();
    };
    let end = tail + end + 1;
    let n_blank = body[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let begun = &body[end + n_blank..];
    let n_shared = begun.len().min(NAME.len());
    let is_header = n_shared > 0 && begun[..n_shared].eq_ignore_ascii_case(&NAME[..n_shared]);
    if is_header { end } else { body.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames of an input. Checks that they are the same in pieces of all sizes.
    fn heard(input: &str) -> Vec<String> {
        let all = heard_in_pieces(input, usize::MAX);
        for size in [1, 2, 3, 5, 17] {
            assert_eq!(heard_in_pieces(input, size), all, "in pieces of {size}");
        }
        all
    }

    fn heard_in_pieces(input: &str, size: usize) -> Vec<String> {
        let mut frames = Frames::new(Pieces(input.as_bytes(), size));
        let mut heard = Vec::new();
        while let Some(frame) = frames.read().expect("memory can be read") {
            heard.push(match frame {
                Frame::Body(body) => String::from_utf8(body).expect("it was text"),
                Frame::Bad(_) => "bad".to_owned(),
            });
        }
        heard
    }

    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let n_bytes = self.0.len().min(self.1).min(into.len());
            into[..n_bytes].copy_from_slice(&self.0[..n_bytes]);
            self.0 = &self.0[n_bytes..];
            Ok(n_bytes)
        }
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn messages_follow_each_other() {
        assert_eq!(heard(&(framed("{\"é\": 1}") + &framed("{}"))), ["{\"é\": 1}", "{}"]);
        let typed = "Content-Type: x\r\ncontent-LENGTH:2\r\nX-Y: z\r\n\r\n{}Content-Length: 3\n\n[1]";
        assert_eq!(heard(typed), ["{}", "[1]"]);
        assert_eq!(heard(&("\r\n\r\n".to_owned() + &framed("{}") + "\r\n" + &framed("[]"))), ["{}", "[]"]);
    }

    #[test]
    fn half_a_message_is_the_end() {
        for half in
            ["Content-Length: 10\r\n\r\n{}", "Content-Length: 10\r\n", "Content-Length: 2\r\n\r\n", "Conte"]
        {
            assert_eq!(heard(half), [""; 0], "{half:?}");
        }
    }

    #[test]
    fn after_a_bad_header_the_next_message_is_heard() {
        let next = framed("{\"next\": 1}");
        for bad in ["abc", "-1", "", "1e3", "99999999999999999999999", "1073741825", "0x10", "12 34"] {
            let input = format!("Content-Length: {bad}\r\n\r\n{{\"lost\": 1}}{next}");
            assert_eq!(heard(&input), ["bad", "{\"next\": 1}"], "{bad}");
        }
        let no_end = format!("Content-Length: 12\r\n{{\"lost\": 1}}\r\n{next}");
        assert_eq!(heard(&no_end), ["bad", "{\"next\": 1}"]);
        assert_eq!(heard(&format!("{{\"lost\": 1}}\n{next}")), ["{\"next\": 1}"]);
    }

    #[test]
    fn a_wrong_length_loses_one_message_at_most() {
        let next = framed("{\"next\": 1}");
        // From no bytes at all up to the end of the next message.
        for length in 0..next.len() + 13 {
            let input = format!("Content-Length: {length}\r\n\r\n{{\"this\": 1}}{next}");
            let heard = heard(&input);
            assert_eq!(heard.last().map(String::as_str), Some("{\"next\": 1}"), "{length}");
            assert!(heard.len() == 2 && (length < 11 || heard[0].trim() == "{\"this\": 1}"), "{length}");
        }
    }

    #[test]
    fn a_message_may_speak_of_headers() {
        let about =
            "{\"text\": \"Content-Length: 5\\r\\n\\r\\n{}\", \"b\": \"content-length: x\",\n\n\"c\": 1}";
        assert_eq!(heard(&(framed(about) + &framed("{}"))), [about, "{}"]);
        let skipped = format!("Content-Length: 99999999999\r\n\r\n{about}{}", framed("{}"));
        assert_eq!(heard(&skipped), ["bad", "{}"]);
    }

    #[test]
    fn what_has_no_end_is_not_kept() {
        let endless = [&b"x"[..], b"Content-Length: ", b"Content-Length", b"X: y\r\n"];
        for piece in endless {
            let mut frames = Frames::new(io::Cursor::new(piece.repeat((4 << 20) / piece.len())));
            while frames.read().expect("memory can be read").is_some() {}
            assert!(frames.buffer.capacity() < 1 << 20, "{}", frames.buffer.capacity());
        }
    }
}
