//! The open fonts of this machine.

use std::fs;

/// Latin in cells, Latin with more signs, Chinese, Japanese and Korean.
const FILES: [&str; 3] = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
];

/// The fonts' files, DejaVu Sans Mono first.
///
/// # Panics
/// When one is not installed; the message names the packages.
#[must_use]
pub fn fonts() -> Vec<Vec<u8>> {
    let read = |path: &&str| {
        fs::read(path).unwrap_or_else(|error| {
            panic!("{path}: {error}; apt-get install fonts-dejavu-core fonts-noto-cjk")
        })
    };
    FILES.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn fonts_are_installed() {
        assert!(super::fonts().iter().all(|font| font.len() > 100_000));
    }
}
