//! Converts between document URIs and file paths.

use std::borrow::Cow;

use locant_engine::Location;

const SCHEME: &str = "file://";

/// The path of a document, written with `/`. A URI that is not a file is returned as it is.
pub fn path(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix(SCHEME) else { return uri.to_owned() };
    // The scheme is followed by a host, which is nearly always empty.
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    let path = decoded(path);
    match path.as_bytes() {
        // On Windows, `/c:/x` means `c:/x`.
        [b'/', letter, b':', ..] if cfg!(windows) && letter.is_ascii_alphabetic() => path[1..].to_owned(),
        _ => path,
    }
}

/// Replaces a file URI at the start of a location by its path: `file:///a%20b.py:f` becomes `/a b.py:f`.
///
/// `exists` returns whether a path names a file. It is needed because the URI may itself contain `:`, `@` or `#`.
pub fn plain<'l>(location: &'l str, exists: &dyn Fn(&str) -> bool) -> Cow<'l, str> {
    /// How many possible ends of the URI are tried. A find may contain many such characters, and each try looks at the
    /// disk.
    const MOST: usize = 20;

    if !location.starts_with(SCHEME) {
        return Cow::Borrowed(location);
    }
    let signs = location.match_indices([':', '@', '#']).map(|(at, _)| at).filter(|&at| at > SCHEME.len());
    let ends: Vec<usize> = signs.take(MOST).chain([location.len()]).collect();
    let is_file = |end: &&usize| exists(&path(&location[..**end]));
    let end = *ends.iter().rev().find(is_file).unwrap_or(&ends[0]);
    let file = Location { path: path(&location[..end]), ..Location::default() };
    Cow::Owned(format!("{file}{}", &location[end..]))
}

/// The URI of a path.
pub fn of_path(path: &str) -> String {
    let is_address =
        path.split_once(':').is_some_and(|(scheme, _)| scheme.len() > 1 && !scheme.contains('/'));
    if is_address {
        return path.to_owned();
    }
    let mut uri = SCHEME.to_owned();
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = bytes.get(at + 1..at + 3).filter(|_| byte == b'%');
        let code = code.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        decoded.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_its_address_and_back() {
        for path in ["/a/b.proto", "/a b/ü😀#?%.proto", "/a/c:d@e.proto"] {
            assert_eq!(super::path(&of_path(path)), path);
        }
        assert_eq!(of_path("/a b"), "file:///a%20b");
        assert_eq!(path("file:///a%2Fb%zz"), "/a/b%zz");
        assert_eq!(path("file://host/a"), "/a");
    }

    #[test]
    fn the_file_of_a_location_may_be_an_address() {
        let is_odd = |path: &str| path == "/a/@b:c.py";
        assert_eq!(plain("file:///a%20b.py:f@x%20y", &|_| false), "/a b.py:f@x%20y");
        assert_eq!(plain("file:///a/@b:c.py:f", &is_odd), "\"/a/@b:c.py\":f");
        assert_eq!(plain("a.py:f@file://", &|_| false), "a.py:f@file://");
    }

    #[test]
    fn what_is_no_file_is_its_own_path() {
        assert_eq!(path("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(of_path("untitled:Untitled-1"), "untitled:Untitled-1");
    }
}
