//! Commands and events in, effects and state out.
