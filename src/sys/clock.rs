//! The only reader of the clock.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The monotonic time.
pub fn now() -> Instant {
    Instant::now()
}

/// Milliseconds since 1970, for people and files.
pub fn wall_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| {
            u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
        })
}
