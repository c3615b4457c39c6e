//! What a node is, in four bytes. A tree has a table of its labels, so that a node usually needs only one byte.

/// What a node is: its kind, the field of its parent that it is in, and some flags. Kinds and fields are numbers in a
/// [`Vocabulary`](crate::Vocabulary).
///
/// The bits, from the lowest: 16 for the kind, 11 for the field (0 if none), then one bit each for lacking, extra,
/// missing, leaf and filler. The last two are used only inside packed trees; public labels have neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Label(u32);

const FIELD_SHIFT: u32 = 16;
const LACKING: u32 = 1 << 27;
const EXTRA: u32 = 1 << 28;
const MISSING: u32 = 1 << 29;
const LEAF: u32 = 1 << 30;
const FILLER: u32 = 1 << 31;

impl Label {
    /// The most kinds that a vocabulary can have.
    pub const MOST_KINDS: usize = 1 << 16;
    /// The most fields that a vocabulary can have.
    pub const MOST_FIELDS: usize = (1 << 11) - 1;

    /// The label of a filler. A filler is not a node. It marks a place where a node starts or ends, but no leaf does.
    pub(crate) const FILLER: Label = Label(FILLER | LEAF);

    /// The label of a node with this kind, in this field of its parent. Field 0 means no field.
    ///
    /// # Panics
    /// When the field is greater than [`Label::MOST_FIELDS`].
    pub const fn new(kind: u16, field: u16) -> Label {
        assert!(field as usize <= Label::MOST_FIELDS, "a vocabulary has no more fields");
        Label(kind as u32 | (field as u32) << FIELD_SHIFT)
    }

    /// The same label, with the flag that says whether the node may occur anywhere, as a comment may.
    #[must_use]
    pub const fn extra(self, is_extra: bool) -> Label {
        self.with(EXTRA, is_extra)
    }

    /// The same label, with the flag that says whether the parser inserted the node because the text lacks it.
    #[must_use]
    pub const fn missing(self, is_missing: bool) -> Label {
        self.with(MISSING, is_missing)
    }

    /// The same label, with the flag that says whether the node lacks a token: the parser inserted a token that is not
    /// in the text and is not a node itself. Examples are the end of a line and the end of an indented block.
    #[must_use]
    pub const fn lacking(self, is_lacking: bool) -> Label {
        self.with(LACKING, is_lacking)
    }

    /// The number of the kind.
    #[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
    pub const fn kind(self) -> u16 {
        self.0 as u16
    }

    /// The number of the field, counted from 1. 0 if the node is in no field.
    #[expect(clippy::cast_possible_truncation, reason = "eleven bits are left")]
    pub const fn field(self) -> u16 {
        (self.0 >> FIELD_SHIFT & Label::MOST_FIELDS as u32) as u16
    }

    /// Whether the node may occur anywhere, as a comment may.
    pub const fn is_extra(self) -> bool {
        self.0 & EXTRA != 0
    }

    /// Whether the parser inserted the node because the text lacks it.
    pub const fn is_missing(self) -> bool {
        self.0 & MISSING != 0
    }

    /// Whether the node lacks a token: the parser inserted one that is not in the text and is not a node itself.
    pub const fn is_lacking(self) -> bool {
        self.0 & LACKING != 0
    }

    pub(crate) const fn leaf(self) -> Label {
        self.with(LEAF, true)
    }

    pub(crate) const fn is_leaf(self) -> bool {
        self.0 & LEAF != 0
    }

    pub(crate) const fn is_filler(self) -> bool {
        self.0 & FILLER != 0
    }

    /// The label without the bits that are used only inside packed trees.
    pub(crate) const fn plain(self) -> Label {
        Label(self.0 & !(LEAF | FILLER))
    }

    /// The same label with other numbers for kind and field.
    pub(crate) const fn renumbered(self, kind: u16, field: u16) -> Label {
        Label(self.0 & (LACKING | EXTRA | MISSING | LEAF | FILLER) | Label::new(kind, field).0)
    }

    const fn with(self, bit: u32, is_set: bool) -> Label {
        Label(if is_set { self.0 | bit } else { self.0 & !bit })
    }
}

/// The labels that occur in a tree. The stream contains indices into this table, which usually fit in a byte.
///
/// Invariant: labels are only added, so that all versions of a tree can share the table and indices keep their meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Labels {
    labels: Vec<Label>,
}

impl Labels {
    pub(crate) fn get(&self, code: u32) -> Label {
        self.labels[code as usize]
    }

    pub(crate) fn find(&self, code: u32) -> Option<Label> {
        self.labels.get(code as usize).copied()
    }

    pub(crate) fn as_slice(&self) -> &[Label] {
        &self.labels
    }

    /// How many bytes the table takes in memory, this struct included.
    pub(crate) fn n_bytes(&self) -> usize {
        size_of::<Labels>() + self.labels.capacity() * size_of::<Label>()
    }

    pub(crate) fn shrink(&mut self) {
        self.labels.shrink_to_fit();
    }

    fn push(&mut self, label: Label) -> u32 {
        self.labels.push(label);
        // There are fewer labels than values of their 32 bits.
        u32::try_from(self.labels.len() - 1).expect("fewer labels than numbers")
    }
}

impl From<Vec<Label>> for Labels {
    fn from(labels: Vec<Label>) -> Labels {
        Labels { labels }
    }
}

/// Gives labels their numbers while a tree is built. It adds a hash table with open addressing to the labels.
pub(crate) struct Numbering {
    pub(crate) labels: Labels,
    /// The number of a label plus 1, or 0 for a free slot. Invariant: the length is a power of two, and at most half
    /// of the slots are used.
    slots: Vec<u32>,
}

impl Numbering {
    pub(crate) fn new(labels: Labels) -> Numbering {
        let mut numbering = Numbering { labels, slots: Vec::new() };
        numbering.spread();
        numbering
    }

    /// The number of a label. A new label gets a new number.
    pub(crate) fn code(&mut self, label: Label) -> u32 {
        let mut slot = self.home(label);
        while self.slots[slot] != 0 {
            let code = self.slots[slot] - 1;
            if self.labels.get(code) == label {
                return code;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let code = self.labels.push(label);
        self.slots[slot] = code + 1;
        if self.labels.labels.len() * 2 > self.slots.len() {
            self.spread();
        }
        code
    }

    /// Allocates at least four slots for each label, and puts all labels into them.
    fn spread(&mut self) {
        let n_slots = (self.labels.labels.len() * 4).next_power_of_two().max(256);
        self.slots = vec![0; n_slots];
        for code in 0..self.labels.labels.len() {
            let mut slot = self.home(self.labels.labels[code]);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (n_slots - 1);
            }
            self.slots[slot] = u32::try_from(code + 1).expect("fewer labels than numbers");
        }
    }

    fn home(&self, label: Label) -> usize {
        // Multiplying by Fibonacci's constant spreads the low bits, which differ most, over the high ones.
        let hash = label.0.wrapping_mul(0x9e37_79b9) >> 8;
        hash as usize & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back() {
        let label = Label::new(0xfffe, 2047).extra(true).leaf();
        assert_eq!((label.kind(), label.field()), (0xfffe, 2047));
        assert_eq!((label.is_extra(), label.is_missing(), label.is_leaf()), (true, false, true));
        assert_eq!(label.plain().extra(false), Label::new(0xfffe, 2047));
        assert!(label.lacking(true).is_lacking() && !label.is_lacking());
    }

    #[test]
    fn a_label_keeps_its_number() {
        let mut numbering = Numbering::new(Labels::default());
        let label = |n: u16| Label::new(n, n % 7).missing(n.is_multiple_of(2));
        for n in 0..5000 {
            assert_eq!(numbering.code(label(n)), u32::from(n));
        }
        let mut again = Numbering::new(numbering.labels);
        for n in 0..5000 {
            assert_eq!(again.code(label(n)), u32::from(n));
        }
    }
}
