//! `batch`: many requests in one process. The door itself is [`crate::batch`].

use clap::Args;

/// Answer JSON lines: one request a line in, one answer a line out, in order
///
/// A request is an object. `op` is a command's name with `_` for `-`, the other fields are the command's
/// arguments and flags (`--nth` is `find_index`), and `id` comes back with the answer. `text` replaces the
/// content of the file on disk. A location alone on a line asks for its place. In a line of notes, the first
/// location is taken, and one in backticks is preferred. A bad line, or one of more than 64 MiB, gets an error
/// as its answer, and the next line is read. Flags of `batch` itself are the defaults of all requests. A client
/// may write ahead: up to about 150 MiB of requests and answers are kept until the client reads.
/// With `--text`, the output of `grep -n` or a compiler comes back with the symbol around each place. Other
/// lines come back unchanged.
///
///   echo '{"id": 1, "op": "locate", "locate": "foo.py:MyClass"}' | locant batch
///   locant batch --fuzzy --report < notes.md > places.jsonl
///   grep -rn TODO src | locant batch --text
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Batch {
    /// At the end, say on standard error which places are not where they were, and count them all; exit with 1 when one
    /// is gone, ambiguous or failed
    #[arg(long)]
    pub report: bool,
    /// Answer as people read it: each place on a line with the symbol that it stands in
    #[arg(long)]
    pub text: bool,
}
