//! Addresses of documents, and paths of files.

const SCHEME: &str = "file://";

/// The path of a document: that of its file, written with `/`; the address itself when it is no file.
pub(super) fn path(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix(SCHEME) else { return uri.to_owned() };
    // Behind the scheme stands a host, nearly always none.
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    let path = decoded(path);
    match path.as_bytes() {
        // `/c:/x` is `c:/x` where drives have letters.
        [b'/', letter, b':', ..] if cfg!(windows) && letter.is_ascii_alphabetic() => path[1..].to_owned(),
        _ => path,
    }
}

/// The address of a path.
pub(super) fn of_path(path: &str) -> String {
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
    fn what_is_no_file_is_its_own_path() {
        assert_eq!(path("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(of_path("untitled:Untitled-1"), "untitled:Untitled-1");
    }
}
