//! Wrong arguments and help, in the form of the other answers: what was tried, why it failed, what to paste next.

use std::ffi::OsString;

use anstream::adapter::strip_str;
use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use locant_api::Failure;
use locant_workspace::shell_word;

/// The failure for wrong arguments, with a hint what to write instead.
pub(crate) fn failure(error: &clap::Error, cli: &Command, arguments: &[OsString]) -> Failure {
    let words: Vec<&str> = arguments.iter().skip(1).filter_map(|argument| argument.to_str()).collect();
    let mut wrong = Wrong { error, cli, asked: None, name: "locant".to_owned(), words, first: 0 };
    let command = |(index, word): (usize, &&str)| {
        let known = cli.get_subcommands().find(|known| known.get_name() == *word)?;
        (!wrong.is_value(index)).then_some((index, known))
    };
    if let Some((index, asked)) = wrong.words.iter().enumerate().find_map(command) {
        wrong.name = format!("locant {}", asked.get_name());
        wrong.asked = Some(asked);
        wrong.first = index + 1;
    }
    match error.kind() {
        ErrorKind::UnknownArgument => wrong.unknown(),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => wrong.value(),
        ErrorKind::MissingRequiredArgument => wrong.missing(),
        ErrorKind::ArgumentConflict => wrong.conflict(),
        ErrorKind::TooManyValues => wrong.too_many(),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::invalid("no command is given", "`locant --help` lists the commands")
        }
        ErrorKind::InvalidUtf8 => Failure::invalid(
            "an argument is not UTF-8",
            "give the text on standard input: locant locate -@TEXT --stdin-path NAME < FILE",
        ),
        _ => Failure::invalid(wrong.first_words(), wrong.help()),
    }
}

/// The help of a command. It only lists the names of the flags that all commands share; the help of the program
/// explains them.
pub(crate) fn help(rendered: &str) -> String {
    let is_common = |line: &str| strip_str(line).to_string() == "Common flags:";
    let is_of_program = rendered.lines().any(|line| strip_str(line).to_string() == "Commands:");
    let Some(start) = rendered.lines().position(is_common).filter(|_| !is_of_program) else {
        return rendered.to_owned();
    };
    let flags: Vec<String> = rendered.lines().skip(start + 1).filter_map(flag).collect();
    let above: String = rendered.lines().take(start).map(|line| format!("{line}\n")).collect();
    format!("{above}Common flags, which `locant --help` explains:\n{}", lines_of(&flags))
}

/// The flag that a line of the help explains; `None` if the line explains no flag.
fn flag(line: &str) -> Option<String> {
    let line = strip_str(line).to_string();
    let flag = line.trim_start().split([' ', ',']).next()?;
    (line.starts_with(' ') && flag.starts_with("--")).then(|| flag.to_owned())
}

/// Words, wrapped into lines.
fn lines_of(words: &[String]) -> String {
    let mut lines = vec![String::new()];
    for word in words {
        let last = lines.last_mut().expect("there is one from the start");
        if last.len() + word.len() > 110 {
            lines.push(format!("  {word}"));
        } else {
            last.push_str(if last.is_empty() { "  " } else { " " });
            last.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}

struct Wrong<'e> {
    error: &'e clap::Error,
    cli: &'e Command,
    /// The command among the words, if there is one.
    asked: Option<&'e Command>,
    /// How the command is written: `locant` and its name.
    name: String,
    /// All arguments after the name of the program.
    words: Vec<&'e str>,
    /// The index of the first word after the command.
    first: usize,
}

impl Wrong<'_> {
    fn unknown(&self) -> Failure {
        let word = self.told(ContextKind::InvalidArg);
        let mut places = (self.first..self.words.len()).filter(|at| self.words[*at] == word);
        if let Some(at) = places.clone().find(|at| self.is_value(*at)) {
            return not_a_number(self.words[at - 1], &word);
        }
        if word.starts_with('-') {
            let similar = self.told(ContextKind::SuggestedArg);
            let flag = similar.split(' ').next().unwrap_or_default();
            let hint = if is_slip(&word, flag) {
                format!("did you mean `{flag}`? {}", self.help())
            } else if word.contains(['@', ':', '.']) {
                format!("if it is a location: {} -- {}", self.name, shell_word(&word))
            } else {
                self.help()
            };
            return Failure::invalid(format!("`{}` has no flag `{word}`", self.name), hint);
        }
        let hint = places.find_map(|at| self.joined(at)).map(|whole| {
            let whole = shell_word(&whole).into_owned();
            format!("if it belongs to what is before it, put quotes around both: {} {whole}", self.name)
        });
        let message = format!("`{word}` is one word too many for `{}`", self.name);
        Failure::invalid(message, hint.unwrap_or_else(|| self.help()))
    }

    /// The words around the one at an index, joined: a shell may have split one argument at its blanks.
    fn joined(&self, at: usize) -> Option<String> {
        let is_word = |index: &usize| !self.words[*index].starts_with("--") && !self.is_value(*index);
        let first = (self.first..at).rev().take_while(is_word).last()?;
        let last = (at..self.words.len()).take_while(is_word).last().unwrap_or(at);
        let mut whole = self.words[first].to_owned();
        for next in &self.words[first + 1..=last] {
            let is_part = next.starts_with(['@', ':']);
            whole.push_str(if is_part { "" } else { " " });
            whole.push_str(next);
        }
        Some(whole)
    }

    /// Whether the word at an index is the value of the flag before it.
    fn is_value(&self, index: usize) -> bool {
        let flag = index.checked_sub(1).and_then(|before| self.words[before].strip_prefix("--"));
        let arguments =
            self.cli.get_arguments().chain(self.asked.iter().flat_map(|asked| asked.get_arguments()));
        let mut takes_value = arguments.filter(|argument| argument.get_action().takes_values());
        flag.is_some_and(|flag| takes_value.any(|argument| argument.get_long() == Some(flag)))
    }

    fn value(&self) -> Failure {
        let (argument, value) = (self.told(ContextKind::InvalidArg), self.told(ContextKind::InvalidValue));
        // The argument is written as `--nth <N>` or as `<SHELL>`.
        let (flag, placeholder) = argument.split_once(' ').unwrap_or((&argument, ""));
        let placeholder = placeholder.trim_matches(['<', '>']);
        let known = match self.error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(known)) => known.as_slice(),
            _ => &[],
        };
        if value.is_empty() {
            let example = if known.is_empty() { placeholder.to_owned() } else { known.join("|") };
            return Failure::invalid(format!("`{flag}` has no value"), format!("write {flag} {example}"));
        }
        match known.first() {
            None if placeholder.starts_with('N') => not_a_number(flag, &value),
            None => Failure::invalid(self.first_words(), self.help()),
            Some(first) => {
                let written = if flag.starts_with('<') { &self.name } else { flag };
                let message = format!("`{written}` takes {}, and not `{value}`", known.join(", "));
                Failure::invalid(message, format!("write {written} {first}"))
            }
        }
    }

    fn too_many(&self) -> Failure {
        let (flag, value) = (self.told(ContextKind::InvalidArg), self.told(ContextKind::InvalidValue));
        Failure::invalid(format!("`{flag}` takes no value, and has `{value}`"), format!("write {flag}"))
    }

    fn missing(&self) -> Failure {
        let missing = match self.error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => missing.join(" "),
            _ => String::new(),
        };
        let message = format!("`{}` needs {}", self.name, missing.replace(['<', '>'], ""));
        let about = self.asked.and_then(|asked| asked.get_long_about()).map(ToString::to_string);
        let example = about.as_deref().and_then(|about| {
            about.lines().map(str::trim).find(|line| line.starts_with("locant ")).map(str::to_owned)
        });
        let example = example.map(|example| format!("for example: {example}"));
        Failure::invalid(message, example.unwrap_or_else(|| self.help()))
    }

    fn conflict(&self) -> Failure {
        let told = [ContextKind::InvalidArg, ContextKind::PriorArg].map(|kind| self.told(kind));
        // Arguments are written as `--nth <N>`.
        let [one, other] = told.each_ref().map(|told| told.split(' ').next().unwrap_or_default());
        match other {
            "" => Failure::invalid(self.first_words(), self.help()),
            _ if one == other => Failure::invalid(format!("`{one}` is given twice"), "give it once"),
            _ => Failure::invalid(format!("`{one}` and `{other}` cannot both be given"), "give one of them"),
        }
    }

    /// A part of clap's error; empty where the error does not have it.
    fn told(&self, kind: ContextKind) -> String {
        match self.error.get(kind) {
            Some(ContextValue::String(told)) => told.clone(),
            Some(ContextValue::Strings(told)) => told.first().cloned().unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// The first sentence of clap's own message, on one line.
    fn first_words(&self) -> String {
        let said = self.error.to_string();
        let said = said.trim_start_matches("error: ").split("\n\n").next().unwrap_or_default();
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn help(&self) -> String {
        format!("`{} --help` says how it is asked", self.name)
    }
}

/// Whether a flag may be a misspelt one. What clap suggests may also be another word, such as `--nth` for `--with`.
fn is_slip(word: &str, flag: &str) -> bool {
    let [word, flag] = [word, flag].map(|word| word.trim_start_matches('-'));
    !flag.is_empty() && strsim::damerau_levenshtein(word, flag) * 3 <= word.len().max(3)
}

fn not_a_number(flag: &str, value: &str) -> Failure {
    let message = format!("`{flag}` takes a whole number, and `{value}` is not one");
    Failure::invalid(message, format!("write {flag} 1"))
}
