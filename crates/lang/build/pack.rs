//! The lists and words of all languages, without pointers: each is a part of one long list of its type, or of one long
//! text, given by its start and length.
//!
//! The program is loaded at a random address each time it starts, so the loader would have to adjust every pointer in
//! the tables, whichever language is needed.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::rc::Rc;

/// What has been packed so far. All copies pack into the same lists.
#[derive(Clone, Default)]
pub(crate) struct Pack(Rc<RefCell<Packed>>);

#[derive(Default)]
struct Packed {
    /// By type: the code of all items.
    items: BTreeMap<&'static str, Vec<String>>,
    /// By type and items: where a list starts.
    starts: HashMap<(&'static str, Vec<String>), usize>,
    text: String,
    /// By word: where it starts in the text.
    words: HashMap<String, usize>,
}

impl Pack {
    /// A list of items of a type, given and returned as code.
    pub(crate) fn list(&self, of: &'static str, items: Vec<String>) -> String {
        let mut packed = self.0.borrow_mut();
        let length = items.len();
        let start = match packed.starts.get(&(of, items.clone())) {
            Some(start) => *start,
            None => {
                let all = packed.items.entry(of).or_default();
                let start = all.len();
                all.extend(items.iter().cloned());
                packed.starts.insert((of, items), start);
                start
            }
        };
        if length == 0 { "List::EMPTY".to_owned() } else { format!("List::new({start}, {length})") }
    }

    /// A word as code.
    pub(crate) fn word(&self, word: &str) -> String {
        let mut packed = self.0.borrow_mut();
        let start = match packed.words.get(word) {
            Some(start) => *start,
            None => {
                let start = packed.text.len();
                packed.text += word;
                packed.words.insert(word.to_owned(), start);
                start
            }
        };
        format!("Word::new({start}, {})", word.len())
    }

    /// A list of words as code.
    pub(crate) fn words(&self, words: &[String]) -> String {
        self.list("Word", words.iter().map(|word| self.word(word)).collect())
    }

    /// The code of the long lists and of the long text.
    pub(crate) fn code(&self) -> String {
        let packed = self.0.borrow();
        let mut code = format!("pub(crate) const TEXT: &str = {:?};\n", packed.text);
        for (of, items) in &packed.items {
            let (n_items, items) = (items.len(), items.join(", "));
            let _ = writeln!(
                code,
                "impl Kept for {of} {{ fn all() -> &'static [{of}] {{ \
                 static ALL: [{of}; {n_items}] = [{items}]; &ALL }} }}"
            );
        }
        code
    }
}
