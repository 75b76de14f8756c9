//! A running dispatcher, asked over real sockets.

mod books;
mod channel;
mod cli;
mod connections;
mod disk;
mod line;
mod openapi;
mod pairing;
mod print_jobs;
mod rates;
mod restart;
mod revoked;
mod support;
mod sync;
mod webhooks;
