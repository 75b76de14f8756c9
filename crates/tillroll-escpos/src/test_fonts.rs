//! Fonts of this machine for tests.

use std::fs;

use crate::typeset::Typesetter;

const FILES: [&str; 3] = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
];

/// A typesetter with DejaVu and Noto CJK.
pub(crate) fn typesetter() -> Typesetter {
    let read = |path: &&str| {
        fs::read(path).unwrap_or_else(|error| {
            panic!("{path}: {error}; apt-get install fonts-dejavu-core fonts-noto-cjk")
        })
    };
    Typesetter::from_fonts(FILES.iter().map(read).collect())
}
