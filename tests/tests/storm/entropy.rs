//! Chance in a simulated run: all of it comes from the seed, so that a seed replays a run to the last event.
//!
//! The program's own jitter is passed in, see [`jitter`]. What the runtime and the standard library draw (the
//! order of ready branches of `select!`, the keys of hash maps) comes from the C library's `getrandom`,
//! which the standard library calls by a symbol that may be replaced. It is replaced here, for threads that
//! were seeded; all others get what the kernel draws.
#![expect(unsafe_code, reason = "replacing a symbol of the C library is a promise to the linker")]

use std::cell::Cell;

use tillroll_testkit::Dice;

thread_local! {
    static SYSTEM: Cell<Option<u64>> = const { Cell::new(None) };
    static JITTER: Cell<u64> = const { Cell::new(0) };
}

/// From now on this thread's chance comes from a seed. Has to come before anything draws on it.
pub fn seed(seed: u64) {
    let table = Dice::new(seed);
    SYSTEM.set(Some(table.of(1).roll()));
    JITTER.set(table.of(2).roll());
}

/// A number for the jitter of whoever runs on this thread.
pub fn jitter() -> u32 {
    let mut dice = Dice::new(JITTER.get());
    let drawn = dice.roll();
    JITTER.set(drawn);
    u32::try_from(drawn >> 32).unwrap_or_default()
}

/// Fills the buffer from the seed of this thread; false on a thread without one.
fn draw_seeded(buffer: &mut [u8]) -> bool {
    // A thread that ends has no more locals.
    let Ok(Some(state)) = SYSTEM.try_with(Cell::get) else { return false };
    let mut dice = Dice::new(state);
    for part in buffer.chunks_mut(8) {
        let drawn = dice.roll().to_le_bytes();
        part.copy_from_slice(&drawn[..part.len()]);
    }
    SYSTEM.set(Some(dice.roll()));
    true
}

/// `getrandom(2)` in the C library's name.
///
/// # Safety
/// As there: `buffer` is valid for writes of `length` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize {
    if length == 0 {
        return 0;
    }
    // SAFETY: the caller's promise. Zeroed first, since a slice of bytes must be initialised.
    let buffer = unsafe {
        buffer.write_bytes(0, length);
        std::slice::from_raw_parts_mut(buffer, length)
    };
    if draw_seeded(buffer) {
        return isize::try_from(length).unwrap_or(-1);
    }
    let flags = rustix::rand::GetRandomFlags::from_bits_retain(flags);
    match rustix::rand::getrandom(buffer, flags) {
        Ok(drawn) => isize::try_from(drawn).unwrap_or(-1),
        // Who called by this symbol asks the kernel itself when it fails.
        Err(_) => -1,
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher as _, RandomState};
    use std::thread;

    use super::*;

    fn drawn_on_a_thread(of: Option<u64>) -> (u64, u32) {
        let draw = move || {
            of.into_iter().for_each(seed);
            (RandomState::new().hash_one(1), jitter())
        };
        thread::spawn(draw).join().unwrap()
    }

    #[test]
    fn seed_decides_what_the_standard_library_draws() {
        assert_eq!(drawn_on_a_thread(Some(7)), drawn_on_a_thread(Some(7)));
        assert_ne!(drawn_on_a_thread(Some(7)), drawn_on_a_thread(Some(8)));
        assert_ne!(drawn_on_a_thread(None).0, drawn_on_a_thread(None).0);
    }
}
