// The shapes of the register, as the rest of the window imports them: generated from its Rust.
export type * from "../generated/views";
