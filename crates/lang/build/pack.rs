//! The lists and words of all languages, stored without pointers. Each list is a part of one long list of its type,
//! and each word is a part of one long text. Both are given by a start and a length.
//!
//! The program is loaded at a random address each time it starts. So the loader would have to adjust every pointer in
//! the tables, even those of languages that are not needed.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::rc::Rc;

/// What has been packed so far. All clones share the same lists.
#[derive(Clone, Default)]
pub(crate) struct Pack(Rc<RefCell<Packed>>);

#[derive(Default)]
struct Packed {
    /// For each type, the code of all items.
    items: BTreeMap<&'static str, Vec<String>>,
    /// For each type and list of items, where the list starts.
    starts: HashMap<(&'static str, Vec<String>), usize>,
    text: String,
    /// For each word, where it starts in the text.
    words: HashMap<String, usize>,
}

impl Pack {
    /// Packs a list of items of a type. Both the items and the result are code.
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

    /// Packs a word. The result is code.
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

    /// Packs a list of words. The result is code.
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
