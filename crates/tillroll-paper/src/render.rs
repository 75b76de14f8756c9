//! Pictures of the paper: monospace text, PNG, SVG.

mod page;
mod png;
mod svg;
mod text;

pub use self::png::RenderError;

/// Unprinted paper above and below a ticket in pictures, in dots.
const END_MARGIN: u32 = 24;
