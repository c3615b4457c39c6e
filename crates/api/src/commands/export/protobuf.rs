//! Writes protocol buffer messages as bytes.

/// A message that is being written, field by field.
///
/// A field starts with a tag, a number that combines the field number and the wire type. The value follows: 150 in
/// field 1 is `08 96 01`, the string `hi` in field 2 is `12 02 68 69`.
#[derive(Debug, Default)]
pub(super) struct Message(Vec<u8>);

/// The wire type of a field.
#[derive(Clone, Copy)]
enum Written {
    Number = 0,
    Bytes = 2,
}

impl Message {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Writes a number or an enum value. 0 is the default and is not written.
    pub(super) fn number(&mut self, field: u32, value: u32) {
        if value != 0 {
            self.tag(field, Written::Number);
            self.varint(u64::from(value));
        }
    }

    /// Writes a string. The empty string is the default and is not written.
    pub(super) fn string(&mut self, field: u32, value: &str) {
        if !value.is_empty() {
            self.field(field, value.as_bytes());
        }
    }

    /// Writes a list of numbers into one field.
    pub(super) fn numbers(&mut self, field: u32, values: &[u32]) {
        let mut packed = Message::default();
        for &value in values {
            packed.varint(u64::from(value));
        }
        self.field(field, &packed.0);
    }

    /// Writes a message into a field.
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

    /// Writes seven bits in each byte, lowest first. The highest bit of a byte says that more bytes follow.
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
