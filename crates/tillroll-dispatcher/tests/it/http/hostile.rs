//! Strangers, and requests made to hurt. Which routes there are is read from the description, so that a new one is
//! asked too.

mod addresses;
mod bodies;
mod routes;
mod strangers;
mod web_pages;
