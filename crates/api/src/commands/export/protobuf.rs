//! Messages of protocol buffers, as bytes.

/// A message that is being written, field after field.
///
/// A field is its number and how its value is written, both in one number, and then the value: 150 in field 1 is
/// `08 96 01`, the string `hi` in field 2 is `12 02 68 69`.
#[derive(Debug, Default)]
pub(super) struct Message(Vec<u8>);

/// How the value of a field is written.
#[derive(Clone, Copy)]
enum Written {
    Number = 0,
    Bytes = 2,
}

impl Message {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// A number, or the number of a word of an enumeration; 0 is what a field has that is not written.
    pub(super) fn number(&mut self, field: u32, value: u32) {
        if value != 0 {
            self.tag(field, Written::Number);
            self.varint(u64::from(value));
        }
    }

    /// A string; an empty one is what a field has that is not written.
    pub(super) fn string(&mut self, field: u32, value: &str) {
        if !value.is_empty() {
            self.field(field, value.as_bytes());
        }
    }

    /// A list of numbers in one field.
    pub(super) fn numbers(&mut self, field: u32, values: &[u32]) {
        let mut packed = Message::default();
        for &value in values {
            packed.varint(u64::from(value));
        }
        self.field(field, &packed.0);
    }

    /// A message in a field.
    pub(super) fn message(&mut self, field: u32, message: &Message) {
        self.field(field, &message.0);
    }

    fn field(&mut self, field: u32, bytes: &[u8]) {
        self.tag(field, Written::Bytes);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn tag(&mut self, field: u32, written: Written) {
        self.varint(u64::from(field << 3 | written as u32));
    }

    /// Seven bits in each byte, the lowest first; the highest bit says that more follow.
    fn varint(&mut self, mut value: u64) {
        loop {
            let [low, ..] = value.to_le_bytes();
            value >>= 7;
            if value == 0 {
                return self.0.push(low);
            }
            self.0.push(low | 0x80);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_as_the_specification_has_them() {
        let mut message = Message::default();
        message.number(1, 150);
        message.string(2, "hi");
        message.numbers(6, &[3, 270, 86942]);
        message.number(3, 0);
        message.string(4, "");
        let expected = "0896 0112 0268 6932 0603 8e02 9ea7 05";
        let written: String = message.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(written, expected.replace(' ', ""));
        let mut outer = Message::default();
        outer.message(3, &message);
        assert_eq!(outer.bytes()[..2], [0x1a, 15]);
    }
}
