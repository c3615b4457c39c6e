//! The command line.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, ValueEnum};
use locant_api::commands::nearest;
use locant_api::show::{self, NOTE};
use locant_api::{Context, ErrorAnswer, Failure, Files, Flags, Form, Ink, Kind, Reply, Request, guard, run};
use locant_workspace::preview;

use crate::batch;
#[cfg(feature = "editors")]
use crate::lsp;
#[cfg(feature = "agents")]
use crate::mcp;
use crate::progress::shown;
use crate::subcommands::{Asked, LEFT_OUT};
use crate::usage;
use crate::voice::CommandLine;

/// Turns descriptions of places in code into exact places, and back
///
/// A location is FILE:SCOPE@FIND: a symbol path or lines as the scope, text with `<|>` at the place as the find.
///
///   foo.py:MyClass.my_method          a symbol
///   foo.py:42                         a line
///   foo.py@self.<|>                   a place in text
///   foo.py:process@return <|>result   a place in a symbol
#[derive(Debug, Parser)]
#[command(name = "locant", version, verbatim_doc_comment, after_help = EXIT_CODES, term_width = 120)]
pub struct Cli {
    /// What is asked.
    #[command(subcommand)]
    asked: Asked,
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    shape: Shape,
}

const EXIT_CODES: &str = "Exit codes: 0 found, 1 not found or ambiguous, 2 bad arguments or a bad location, \
                          3 a file, a server or something outside failed";

/// How the command line shows an answer, and what it reads.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Common flags")]
struct Shape {
    /// Answer as JSON
    #[arg(long, global = true)]
    json: bool,
    /// Answer as an agent reads it
    #[arg(long, global = true, conflicts_with = "json")]
    markdown: bool,
    /// Use colors: `auto` is when a terminal shows them and `NO_COLOR` is not set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// The name of the text that the file `-` reads from standard input
    #[arg(long, global = true, value_name = "NAME")]
    stdin_path: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let mut is_flag = true;
    let quoted = |argument: OsString| {
        is_flag &= argument != "--";
        if is_flag { quote_stdin(argument) } else { argument }
    };
    let arguments: Vec<OsString> = std::env::args_os().map(quoted).collect();
    // `--json` is looked for before the arguments are parsed: wrong arguments cannot be parsed, and their failure is
    // written as JSON, too.
    let flags = arguments.iter().take_while(|argument| *argument != "--");
    let wants_json = flags.into_iter().any(|argument| argument == "--json");
    if let Some(cli) = Cli::of_one_command(&arguments) {
        return answer(cli, wants_json);
    }
    let matches = Cli::command().color(color_of(&arguments)).try_get_matches_from(&arguments);
    match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => answer(cli, wants_json),
        Err(error) => usage(&error, &arguments, wants_json),
    }
}

impl Cli {
    /// Reads the arguments if the first one names a command. Only the table of that command is built. To build the
    /// tables of all commands takes longer than an answer, and takes megabytes that a server would hold from then on.
    /// `None` if this fails, or if the help of all commands is needed.
    fn of_one_command(arguments: &[OsString]) -> Option<Cli> {
        let name = arguments.get(1)?.to_str()?;
        let table = Shape::augment_args(Flags::augment_args(Asked::arguments(name)?));
        let matches = table.try_get_matches_from(&arguments[1..]).ok()?;
        let asked = Asked::from_arguments(name, &matches).ok()?;
        Some(Cli {
            asked,
            flags: Flags::from_arg_matches(&matches).ok()?,
            shape: Shape::from_arg_matches(&matches).ok()?,
        })
    }
}

/// When clap may use colors. It must know before it parses the flag `--color`, since it may fail at an earlier
/// argument.
fn color_of(arguments: &[OsString]) -> clap::ColorChoice {
    let words: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    let apart = words.windows(2).find(|pair| pair[0] == "--color").map(|pair| pair[1]);
    match words.iter().find_map(|word| word.strip_prefix("--color=")).or(apart) {
        Some("always") => clap::ColorChoice::Always,
        Some("never") => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    }
}

fn answer(cli: Cli, wants_json: bool) -> ExitCode {
    let Cli { asked, flags, shape } = cli;
    let form = if shape.json || wants_json {
        Form::Json
    } else if shape.markdown {
        Form::Markdown
    } else {
        Form::Text
    };
    let color = match shape.color {
        // JSON contains no styles. To search it for styles would take longer than to make it.
        _ if form == Form::Json => ColorChoice::AlwaysAnsi,
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    for done in preview::recover() {
        print_error(&format!("note: {done}\n"), color);
    }
    match asked {
        Asked::Question(command) => {
            let files = crate::servers::files(Files::with_stdin(shape.stdin_path));
            answer_question(Request { command: *command, flags }, &files, form, color)
        }
        Asked::Batch(asked) => {
            let form = if asked.text { Form::Line } else { Form::Json };
            batch::serve(&flags, asked.report, form)
        }
        #[cfg(feature = "editors")]
        Asked::Lsp(_) => lsp::serve(),
        #[cfg(feature = "agents")]
        Asked::Mcp(asked) => {
            let served = mcp::serve(asked.serving(&flags), flags);
            served.unwrap_or_else(|failure| fail(&failure, form == Form::Json, color))
        }
        #[cfg(feature = "shells")]
        Asked::Completions(completions) => print_page(Ok(completions.text()), form, color),
        #[cfg(feature = "shells")]
        Asked::Man(man) => print_page(man.text(), form, color),
    }
}

fn answer_question(request: Request, files: &Files, form: Form, color: ColorChoice) -> ExitCode {
    let context = Context { files, form, voice: &CommandLine };
    // Some answers are made while they are written, so writing can fail for the same reasons as answering. Where the
    // answer itself appears on the terminal, it shows how far the work has come.
    let written = shown(|| run(request, context)).and_then(|answer| {
        guard(|| {
            if answer.made_of(form) == Ink::Bytes && io::stdout().is_terminal() {
                return Err(no_text());
            }
            let write = || write_answer(answer.as_ref(), form, color);
            let written = if io::stdout().is_terminal() { write() } else { shown(write) };
            written.map_err(|error| unwritten(&error))?;
            Ok((answer.beside(form), answer.has_found()))
        })
    });
    match written {
        Ok((remarks, is_found)) => {
            let said = remarks.iter().map(|remark| format!("{NOTE} {}", remark.text(&CommandLine)));
            print_error(&said.collect::<String>(), color);
            if is_found { ExitCode::SUCCESS } else { ExitCode::from(Kind::Gone.exit_code()) }
        }
        Err(failure) => fail(&failure, form == Form::Json, color),
    }
}

/// Writes a page about the program, such as the manual page.
#[cfg(feature = "shells")]
fn print_page(page: io::Result<String>, form: Form, color: ColorChoice) -> ExitCode {
    match page {
        Ok(text) if form == Form::Json => print(&format!("{}\n", serde_json::json!({"text": text})), color),
        Ok(text) => print(&text, color),
        Err(error) => return fail(&unwritten(&error), form == Form::Json, color),
    }
    ExitCode::SUCCESS
}

/// Writes an answer to standard output. It is not a failure if the reader has gone away.
fn write_answer(answer: &dyn Reply, form: Form, color: ColorChoice) -> io::Result<()> {
    let color = match answer.made_of(form) {
        Ink::Styled => color,
        // Anything that looks like a style is part of the content. Also, searching for styles would take longer than
        // making the answer.
        Ink::Plain | Ink::Bytes => ColorChoice::AlwaysAnsi,
    };
    let mut out = io::BufWriter::with_capacity(64 << 10, AutoStream::new(io::stdout().lock(), color));
    let written = answer.write(form, &CommandLine, &mut out).and_then(|()| match form {
        Form::Json => out.write_all(b"\n"),
        Form::Text | Form::Line | Form::Markdown => Ok(()),
    });
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// The failure for a binary answer, which would garble a terminal.
fn no_text() -> Failure {
    Failure::invalid(
        "the answer is no text, and standard output is a terminal",
        "send it to a file or another program: `… > FILE`",
    )
}

fn unwritten(error: &io::Error) -> Failure {
    Failure::new(Kind::Io, format!("the answer could not be written: {error}"), "make room, and ask again")
}

fn fail(failure: &Failure, json: bool, color: ColorChoice) -> ExitCode {
    if json {
        let answer = ErrorAnswer { error: failure.error(&CommandLine) };
        let json = serde_json::to_string(&answer).expect("failures have string keys and no failing parts");
        print(&format!("{json}\n"), color);
    } else {
        print_error(&show::failure(failure, &CommandLine), color);
    }
    ExitCode::from(failure.kind.exit_code())
}

/// Answers if clap returns an error instead of arguments. Help and version are answers, and wrong arguments are a
/// failure like any other.
fn usage(error: &clap::Error, arguments: &[OsString], wants_json: bool) -> ExitCode {
    let color = match color_of(arguments) {
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
        clap::ColorChoice::Auto => ColorChoice::Auto,
    };
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        return fail(&no_command(name), wants_json, color);
    }
    match error.kind() {
        ErrorKind::DisplayHelp => print(&usage::help(&error.render().ansi().to_string()), color),
        ErrorKind::DisplayVersion => print(&error.to_string(), color),
        // Without arguments there is nothing wrong to report, so the help is shown.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !wants_json => {
            print_error(&error.to_string(), color);
        }
        _ => return fail(&usage::failure(error, &Cli::command(), arguments), wants_json, color),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn no_command(name: &str) -> Failure {
    if let Some((_, feature)) = LEFT_OUT.iter().find(|(left_out, _)| *left_out == name) {
        let message =
            format!("`{name}` is not in this program: it was built without the feature `{feature}`");
        let hint = "`cargo install --path crates/locant` builds the program with all that it can do";
        return Failure::new(Kind::Unsupported, message, hint);
    }
    let hint = match nearest(name) {
        Some(nearest) => format!("did you mean `locant {nearest}`? `locant --help` lists all commands"),
        None => "`locant --help` lists the commands".to_owned(),
    };
    Failure::invalid(format!("there is no command `{name}`"), hint)
}

/// Writes a text to standard output. It is not a failure if the reader has gone away.
fn print(text: &str, color: ColorChoice) {
    let mut out = AutoStream::new(io::stdout().lock(), color);
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn print_error(text: &str, color: ColorChoice) {
    let mut out = AutoStream::new(io::stderr().lock(), color);
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Puts the `-` of `-@find` in quotes, since clap takes a word that starts with `-` for a flag.
fn quote_stdin(argument: OsString) -> OsString {
    match argument.to_str() {
        Some(text) if ["-:", "-@", "-#"].iter().any(|start| text.starts_with(start)) => {
            format!("\"-\"{}", &text[1..]).into()
        }
        _ => argument,
    }
}

#[cfg(test)]
mod tests {
    use locant_api::Command;

    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    /// The arguments as the table of all commands reads them.
    fn read_by_all(line: &str) -> Option<String> {
        Cli::try_parse_from(words(line)).ok().map(|cli| format!("{cli:?}"))
    }

    fn read_by_one(line: &str) -> Option<String> {
        Cli::of_one_command(&words(line)).map(|cli| format!("{cli:?}"))
    }

    #[test]
    fn the_table_of_one_command_reads_as_that_of_all() {
        for line in [
            "locant locate a.py:f --json",
            "locant locate a.py@x --nth 3 --encoding utf-8 --strict --root dir",
            "locant range a.py:f --color never --markdown",
            "locant read a.py:f --language python --stdin-path b.py",
            "locant outline a.py --fuzzy --from HEAD~3",
            "locant rename a.proto:M N",
            "locant mcp",
            "locant mcp --root dir --allow a --allow b",
            "locant mcp --http 127.0.0.1:0 --host x",
        ] {
            let read = read_by_one(line);
            assert!(read.is_some(), "{line}");
            assert_eq!(read, read_by_all(line), "{line}");
        }
    }

    #[test]
    fn what_one_command_does_not_read_is_left_to_the_table_of_all() {
        for line in [
            "locant",
            "locant --json locate a.py:f",
            "locant locate",
            "locant locate --help",
            "locant locate a.py --nth x",
            "locant locat a.py",
            "locant locate a.py --json --markdown",
            "locant lsp",
            "locant mcp --stdio --http 127.0.0.1:0",
            "locant mcp --host x",
        ] {
            assert_eq!(read_by_one(line), None, "{line}");
        }
    }

    #[test]
    fn every_command_has_a_sound_table_of_its_own() {
        for name in Command::NAMES.iter().chain(&["mcp"]) {
            let table = Asked::arguments(name).expect("it is started often");
            Shape::augment_args(Flags::augment_args(table)).debug_assert();
        }
    }
}
