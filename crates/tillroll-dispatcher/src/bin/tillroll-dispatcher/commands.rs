//! The commands, one file for each thing they are about.

pub mod api_key;
pub mod config;
pub mod jobs;
pub mod migrate;
pub mod openapi;
pub mod register;
pub mod serve;
pub mod store;
pub mod tenant;
