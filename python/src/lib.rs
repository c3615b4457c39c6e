//! How is locant asked from Python?
//!
//! The native half of the Python module `locant`. Its functions take and return plain strings, numbers and tuples. The
//! classes that people use are written in Python, in the folder `locant/` beside this one.
//!
//! Every command is answered by [`ask`], with the same request and the same answer as in a batch. Besides it there is a
//! short way for the most frequent question, a place in a text at hand ([`place`]): it makes no JSON, and computes only
//! what every caller needs.
//!
//! Invariants:
//! - The short way gives the same place as [`ask`], or none at all.
//! - The lock of the interpreter is released while the engine works.

mod ask;
mod location;
mod place;
mod voice;

use pyo3::prelude::*;

/// The native half of the module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(ask::ask, module)?)?;
    module.add_function(wrap_pyfunction!(location::parse, module)?)?;
    module.add_function(wrap_pyfunction!(location::write, module)?)?;
    module.add_function(wrap_pyfunction!(location::marker, module)?)?;
    module.add_function(wrap_pyfunction!(place::place, module)?)?;
    Ok(())
}
