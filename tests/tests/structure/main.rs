//! The shape of the workspace, kept by tests: which crate may depend on which, what lies where, how long a file
//! may be, and which words have no place in the product. A failure names the offender and the rule.

mod dependencies;
mod field_cases;
mod layout;
mod licences;
mod purity;
mod repository;
mod words;
