//! What goes over the wire, word for word: registers and dispatchers of different versions meet.

mod codes;
mod digests;
mod golden;
mod messages;
mod older_and_newer;
