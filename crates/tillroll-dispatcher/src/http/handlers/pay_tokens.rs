//! Pay tokens, asked for by business systems and by registers.

mod of_a_register;
mod of_a_store;

pub(super) use self::of_a_register::routes as of_a_register;
pub(super) use self::of_a_store::routes as of_a_store;
