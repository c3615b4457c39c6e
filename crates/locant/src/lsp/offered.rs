//! The names of what the server offers: its commands, and the kinds of its actions.

/// The names of the commands.
pub(super) const COMMANDS: [&str; 3] = [COPY, GO, GONE];

/// Gives the location of a place or a range: `{"uri", "position"}` or `{"uri", "range"}`.
pub(super) const COPY: &str = "locant.copyLocation";

/// Goes to a location: `{"location"}`, and in `uri` the document in which it is written.
pub(super) const GO: &str = "locant.goToLocation";

/// Finds a place of an earlier version: `{"uri", "position"}` or `{"location"}`, with the earlier text as `oldText` or
/// a revision as `from`.
pub(super) const GONE: &str = "locant.whereDidThisPlaceGo";

/// The kind of actions that repair.
pub(super) const QUICK_FIX: &str = "quickfix";

/// The kind of actions about locations.
pub(super) const LOCATIONS: &str = "source.locant";
