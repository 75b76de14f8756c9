//! How long a PIN is refused after wrong tries: guessing four digits must take longer than a shift.

use jiff::{SignedDuration, Timestamp};

/// So many wrong tries cost nothing but the last: fingers slip.
pub const FREE_TRIES: u32 = 5;
/// The first lock-out; each further wrong try doubles it.
const FIRST: SignedDuration = SignedDuration::from_secs(30);
/// No lock-out is longer.
const LONGEST: SignedDuration = SignedDuration::from_mins(30);

/// How long the PIN is refused after `wrong` wrong tries in a row.
#[must_use]
pub fn lock_out(wrong: u32) -> Option<SignedDuration> {
    let doublings = wrong.checked_sub(FREE_TRIES)?;
    let factor = 1_i32.checked_shl(doublings.min(10)).unwrap_or(i32::MAX);
    Some(FIRST.saturating_mul(factor).min(LONGEST))
}

/// Until when the PIN is refused, if it is at `now`. A clock that was set back makes it no longer than
/// the lock-out itself.
#[must_use]
pub fn locked_until(stored: Option<Timestamp>, wrong: u32, now: Timestamp) -> Option<Timestamp> {
    let latest = now.checked_add(lock_out(wrong)?).unwrap_or(Timestamp::MAX);
    stored.map(|until| until.min(latest)).filter(|until| *until > now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_out_begins_at_the_fifth_wrong_try_and_doubles_to_its_limit() {
        assert_eq!(lock_out(0), None);
        assert_eq!(lock_out(4), None);
        assert_eq!(lock_out(5), Some(SignedDuration::from_secs(30)));
        assert_eq!(lock_out(6), Some(SignedDuration::from_secs(60)));
        assert_eq!(lock_out(8), Some(SignedDuration::from_secs(240)));
        assert_eq!(lock_out(11), Some(LONGEST));
        assert_eq!(lock_out(u32::MAX), Some(LONGEST));
    }

    #[test]
    fn clock_set_back_does_not_lengthen_the_lock_out() {
        let now = Timestamp::UNIX_EPOCH;
        let far = now + SignedDuration::from_hours(48);
        assert_eq!(locked_until(Some(far), 5, now), Some(now + FIRST));
        assert_eq!(locked_until(Some(now), 5, now), None);
        assert_eq!(locked_until(None, 5, now), None);
    }
}
