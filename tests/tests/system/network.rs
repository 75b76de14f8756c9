//! Networks that are not what they seem, between a register and a dispatcher: the register says what is wrong, and
//! whatever was sold and ordered is in the books and on paper, once.

mod relay;
mod shop;
mod strangers;
mod unruly;
