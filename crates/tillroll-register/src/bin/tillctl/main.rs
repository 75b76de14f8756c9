//! The command line of the register.

fn main() {}
