//! Several nodes over one database, each a whole dispatcher with its API: counted at the registers, nothing prints
//! twice and every job ends.

mod cable;
mod cancel;
mod cut_off;
mod death;
mod leave;
mod move_over;
mod redis;
mod storm;
mod till;
mod world;
mod wrong_node;
