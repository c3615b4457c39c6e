//! `man`: the manual page.

use std::io::{self, Write as _};

use clap::{Args, CommandFactory};

use crate::cli::Cli;

/// Print the manual page
///
///   locant man | man -l -
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Man {}

impl Man {
    /// The page.
    pub(crate) fn text(&self) -> io::Result<String> {
        let mut page = Vec::new();
        render(Cli::command(), &mut page)?;
        Ok(String::from_utf8_lossy(&page).into_owned())
    }
}

/// Writes the page of the program, with a section for each command.
fn render(command: clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let commands: Vec<clap::Command> = shown.cloned().collect();
    let whole = clap_mangen::Man::new(command);
    whole.render_title(page)?;
    whole.render_name_section(page)?;
    whole.render_synopsis_section(page)?;
    whole.render_description_section(page)?;
    whole.render_options_section(page)?;
    for command in commands {
        writeln!(page, ".SH \"locant {}\"", command.get_name())?;
        let about = command.get_long_about().or_else(|| command.get_about());
        let about = about.map(ToString::to_string).unwrap_or_default();
        // The formatter would take a line that starts with a dot for a request, so `\&` comes first.
        let lines: Vec<String> =
            about.lines().map(|line| line.replace('\\', "\\\\").replace('-', "\\-")).collect();
        writeln!(page, ".nf\n\\&{}\n.fi", lines.join("\n\\&"))?;
        let mut own = Vec::new();
        clap_mangen::Man::new(command).render_options_section(&mut own)?;
        page.extend(String::from_utf8_lossy(&own).replace(".SH OPTIONS", ".SS Options").into_bytes());
    }
    let mut extra = Vec::new();
    whole.render_extra_section(&mut extra)?;
    page.extend(String::from_utf8_lossy(&extra).replace(".SH EXTRA", ".SH \"EXIT STATUS\"").into_bytes());
    whole.render_version_section(page)
}
