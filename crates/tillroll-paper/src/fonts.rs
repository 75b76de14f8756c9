//! Fonts of the machine for pictures of the paper.

use std::fs;

/// Where Debian and Ubuntu put the fonts of `fonts-dejavu-core` and `fonts-noto-cjk`.
const FILES: [&str; 4] = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
];

/// The font files that are installed, in the order they are preferred; those missing are left out.
pub fn installed() -> Vec<Vec<u8>> {
    FILES.iter().filter_map(|file| fs::read(file).ok()).collect()
}
