//! The commands, a module for each group.

pub mod answer;
pub mod client;
pub mod cloud;
pub mod day;
pub mod init;
pub mod job;
pub mod limits;
pub mod notice;
pub mod openapi;
pub mod pair;
pub mod paper;
pub mod printer;
pub mod rejected;
pub mod route;
pub mod serve;
pub mod splits;
pub mod submit;
pub mod todo;
