//! The page by the keyboard alone.

use anyhow::{Result, bail};
use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use fantoccini::key::Key;

use crate::page::Page;

/// More than any screen has stops for Tab.
const STOPS: usize = 80;
/// What the focused thing is called.
const FOCUSED: &str = r#"
const at = document.activeElement;
return [at.labels?.[0]?.innerText, at.getAttribute("aria-label"), at.innerText].join(" ");
"#;

impl Page {
    /// Presses a key, wherever the focus is.
    pub async fn press(&self, key: Key) -> Result<()> {
        self.type_text(&String::from(char::from(key))).await
    }

    /// Presses a key while Ctrl is held down.
    pub async fn press_with_ctrl(&self, letter: char) -> Result<()> {
        let ctrl = char::from(Key::Control);
        let keys = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: ctrl })
            .then(KeyAction::Down { value: letter })
            .then(KeyAction::Up { value: letter })
            .then(KeyAction::Up { value: ctrl });
        Ok(self.client.perform_actions(keys).await?)
    }

    /// Types, wherever the focus is.
    pub async fn type_text(&self, text: &str) -> Result<()> {
        let keys = text.chars().fold(KeyActions::new("keyboard".to_owned()), |keys, value| {
            keys.then(KeyAction::Down { value }).then(KeyAction::Up { value })
        });
        Ok(self.client.perform_actions(keys).await?)
    }

    /// Goes on with Tab until what has that name has the focus.
    pub async fn tab_to(&self, name: &str) -> Result<()> {
        let mut passed = Vec::new();
        for _ in 0..STOPS {
            self.press(Key::Tab).await?;
            let focused = self.run(FOCUSED).await?;
            let focused = focused.as_str().unwrap_or_default().to_owned();
            if focused.contains(name) {
                return Ok(());
            }
            passed.push(focused);
        }
        bail!("Tab does not come to {name:?}, but to {passed:#?}")
    }
}
