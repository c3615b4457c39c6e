//! How is locant asked from Python?
//!
//! The native half of the Python module `locant`. Its functions take and return plain strings, numbers and tuples. The
//! classes that people use are written in Python, in the folder `locant/` beside this one.
//!
//! [`ask`] answers every command, with the same request and the same answer as in a batch. For the most frequent
//! request, a place in a given text, there is also a short way, [`place`]. It makes no JSON, and computes nothing that
//! the caller may not need.
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
