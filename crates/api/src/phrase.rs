//! Sentences that suggest the next request. Calls and settings in them are values. Each door (the command line, a
//! batch, the language server, the tools for agents) writes these values in its own way.

use std::borrow::Cow;

/// A sentence, without a full stop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phrase(Vec<Part>);

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    Words(Cow<'static, str>),
    Call(Call),
    Setting(Setting),
}

/// A command with its arguments, suggested as the next request.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The command.
    pub command: &'static str,
    /// The fields of the request, in order. A flag without a value has an empty string.
    pub fields: Vec<(&'static str, String)>,
}

/// A field to add to the same request. The value is empty for a flag without a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting(&'static str, String);

/// How a door writes suggested requests: the command line, for example, as commands to paste.
pub trait Voice: Sync {
    /// A command with its arguments.
    fn call(&self, call: &Call) -> String;

    /// Writes a field to add to the same request. The value is empty for a flag without a value.
    fn setting(&self, field: &str, value: &str) -> String;
}

impl Phrase {
    /// A phrase of these pieces.
    pub(crate) fn of<const N: usize>(parts: [Part; N]) -> Phrase {
        Phrase(parts.into())
    }

    /// Whether the phrase has no words.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|part| matches!(part, Part::Words(words) if words.is_empty()))
    }

    /// Whether the phrase suggests this command.
    pub fn suggests(&self, command: &str) -> bool {
        self.0.iter().any(|part| matches!(part, Part::Call(call) if call.command == command))
    }

    /// Appends another phrase.
    #[must_use]
    pub(crate) fn and(mut self, other: impl Into<Phrase>) -> Phrase {
        self.0.extend(other.into().0);
        self
    }

    /// Joins several phrases, with `between` between them.
    pub(crate) fn joined(phrases: impl IntoIterator<Item = Phrase>, between: &'static str) -> Phrase {
        let mut all = Phrase::default();
        for phrase in phrases {
            if !all.0.is_empty() {
                all = all.and(between);
            }
            all = all.and(phrase);
        }
        all
    }

    /// The sentence, with its calls and settings as this voice writes them.
    pub fn said(&self, voice: &dyn Voice) -> String {
        let said = |part: &Part| match part {
            Part::Words(words) => words.to_string(),
            Part::Call(call) => voice.call(call),
            Part::Setting(Setting(field, value)) => voice.setting(field, value),
        };
        self.0.iter().map(said).collect()
    }
}

/// A command without arguments.
pub(crate) fn call(command: &'static str) -> Call {
    Call { command, fields: Vec::new() }
}

impl Call {
    /// Adds a field.
    #[must_use]
    pub(crate) fn with(mut self, field: &'static str, value: impl Into<String>) -> Call {
        self.fields.push((field, value.into()));
        self
    }
}

/// A field to add to the same request.
pub(crate) fn setting(field: &'static str, value: impl Into<String>) -> Setting {
    Setting(field, value.into())
}

impl From<&'static str> for Part {
    fn from(words: &'static str) -> Part {
        Part::Words(words.into())
    }
}

impl From<String> for Part {
    fn from(words: String) -> Part {
        Part::Words(words.into())
    }
}

impl From<Cow<'static, str>> for Part {
    fn from(words: Cow<'static, str>) -> Part {
        Part::Words(words)
    }
}

impl From<Call> for Part {
    fn from(call: Call) -> Part {
        Part::Call(call)
    }
}

impl From<Setting> for Part {
    fn from(setting: Setting) -> Part {
        Part::Setting(setting)
    }
}

impl<T: Into<Part>> From<T> for Phrase {
    fn from(part: T) -> Phrase {
        Phrase(vec![part.into()])
    }
}

/// A phrase of several pieces: words, calls and settings.
macro_rules! phrase {
    ($($part:expr),* $(,)?) => {
        $crate::phrase::Phrase::of([$($crate::phrase::Part::from($part)),*])
    };
}
pub(crate) use phrase;
