//! XML.

use crate::finish::Words;
use crate::tagged::Tagged;

pub(crate) static XML: Tagged = Tagged {
    names: &["id", "xml:id", "name", "x:Name", "x:Key", "Name", "android:name"],
    words: Words { inner_comments: &[], terminator: None, silent: &[] },
};
