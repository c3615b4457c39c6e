//! `batch`: many requests in one process. The door itself is [`crate::batch`].

use clap::Args;

/// Answer JSON lines: one request a line in, one answer a line out, in order
///
/// A request is an object: `op` is a command's name with `_` for `-`, the other fields are the command's
/// arguments and flags (`--nth` is `find_index`), and `id` comes back with the answer. `text` stands for the
/// file's content. A location alone on a line asks for its place; so does one in a line of notes, after the mark of
/// a list or in backticks: the first of each line, one in backticks before others. A bad line gets an error answer,
/// and the stream goes on; so does one of more than 64 MiB. Flags of `batch` itself are the defaults of all requests.
/// A client may write ahead: some 150 MiB of requests and answers wait, then no more is read before answers are.
/// With `--text`, what `grep -n` or a compiler prints comes back with the symbol around each place; other lines come
/// back as they are.
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
