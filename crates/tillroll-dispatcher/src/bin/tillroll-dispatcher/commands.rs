//! The commands, one file for each thing they are about.

pub mod api_key;
pub mod bank_sim;
pub mod config;
pub mod counters;
pub mod jobs;
pub mod migrate;
pub mod openapi;
pub mod register;
pub mod serve;
pub mod splits;
pub mod store;
pub mod tenant;
