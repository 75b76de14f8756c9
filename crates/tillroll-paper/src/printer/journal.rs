//! Every byte received, with the connection it came by; bounded.

use std::collections::VecDeque;

/// Bytes that came by one connection without bytes of another between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Counts from 1 in the order connections were made.
    pub connection: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Journal {
    parts: VecDeque<Received>,
    size: usize,
    limit: usize,
}

impl Journal {
    pub(crate) fn new(limit: usize) -> Self {
        Self { parts: VecDeque::new(), size: 0, limit }
    }

    pub(crate) fn record(&mut self, connection: u64, bytes: &[u8]) {
        match self.parts.back_mut() {
            Some(part) if part.connection == connection && part.bytes.len() < self.limit / 4 => {
                part.bytes.extend_from_slice(bytes);
            }
            _ => self.parts.push_back(Received { connection, bytes: bytes.to_vec() }),
        }
        self.size += bytes.len();
        while self.size > self.limit {
            let Some(oldest) = self.parts.pop_front() else { break };
            self.size -= oldest.bytes.len();
        }
    }

    pub(crate) fn parts(&self) -> Vec<Received> {
        self.parts.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_bytes_of_a_connection_are_joined() {
        let mut journal = Journal::new(100);
        journal.record(1, b"ab");
        journal.record(1, b"c");
        journal.record(2, b"d");
        let first = Received { connection: 1, bytes: b"abc".to_vec() };
        assert_eq!(journal.parts()[0], first);
        assert_eq!(journal.parts().len(), 2);
    }

    #[test]
    fn oldest_bytes_are_forgotten_at_the_limit() {
        let mut journal = Journal::new(8);
        for _ in 0..100 {
            journal.record(1, b"abc");
        }
        assert!(journal.parts().iter().map(|part| part.bytes.len()).sum::<usize>() <= 8);
    }
}
