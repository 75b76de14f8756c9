//! The page as a person uses it: reads its text, presses its keys, clicks what has a name.

use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::desktop::PATIENCE;

/// The English texts of the window, so that a journey names what it looks for as the pages do.
const TEXTS: &str = include_str!("../../../ui/messages/en.json");

/// A text of the window by its name; a placeholder ends it.
pub fn text(name: &str) -> String {
    let texts: Value = serde_json::from_str(TEXTS).unwrap();
    let text = texts[name].as_str().unwrap_or_else(|| panic!("there is no text {name}"));
    text.split('{').next().unwrap_or_default().trim().to_owned()
}

/// The open window.
pub struct Page {
    client: Client,
}

impl Page {
    pub fn of(client: Client) -> Self {
        Self { client }
    }

    /// Waits until the page shows the text.
    pub async fn sees(&self, text: &str) -> Result<()> {
        let begun = Instant::now();
        loop {
            let shown = self.run("return document.body.innerText").await?;
            let shown = shown.as_str().unwrap_or_default().to_owned();
            if shown.contains(text) {
                return Ok(());
            }
            ensure!(begun.elapsed() < PATIENCE, "the page does not show {text:?} but:\n{shown}");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }

    /// Waits until the page is there; a hidden window lays no text out.
    pub async fn is_loaded(&self) -> Result<()> {
        let main = self.client.wait().at_most(PATIENCE).for_element(Locator::Css("main")).await;
        main.context("the page is not there").map(drop)
    }

    /// Ends the session with a program that is gone; what the driver says to that does not matter.
    pub async fn leave(self) {
        let _ = self.client.close().await;
    }

    /// Clicks the button with that text.
    pub async fn click(&self, text: &str) -> Result<()> {
        let path = format!("//button[contains(normalize-space(.), \"{text}\")]");
        let button = self.client.wait().at_most(PATIENCE).for_element(Locator::XPath(&path)).await;
        button.with_context(|| format!("no button {text:?}"))?.click().await?;
        Ok(())
    }

    /// Clicks whatever shows that text and nothing else.
    pub async fn pick(&self, text: &str) -> Result<()> {
        let path = format!("//*[normalize-space(text())=\"{text}\"]");
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::XPath(&path)).await;
        found.with_context(|| format!("nothing shows {text:?}"))?.click().await?;
        Ok(())
    }

    /// Types into the field with that label.
    pub async fn fill(&self, label: &str, value: &str) -> Result<()> {
        let path = format!(
            "//label[contains(normalize-space(.), \"{label}\")]//input | //input[@id=//label[contains(normalize-space(.), \"{label}\")]/@for]"
        );
        let field = self.client.wait().at_most(PATIENCE).for_element(Locator::XPath(&path)).await;
        field.with_context(|| format!("no field {label:?}"))?.send_keys(value).await?;
        Ok(())
    }

    /// Presses a key, wherever the focus is.
    pub async fn press(&self, key: Key) -> Result<()> {
        self.type_char(key.into()).await
    }

    /// Types a letter, wherever the focus is.
    pub async fn type_char(&self, value: char) -> Result<()> {
        let keys = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value });
        Ok(self.client.perform_actions(keys).await?)
    }

    /// Asks the program itself, to prepare a journey.
    pub async fn invoke(&self, command: &str, arguments: Value) -> Result<Value> {
        let script = "const [command, args, done] = arguments;
            window.__TAURI_INTERNALS__.invoke(command, args)
                .then((answer) => done({ answer }), (problem) => done({ problem }));";
        let told = self.client.execute_async(script, vec![command.into(), arguments]).await?;
        if let Some(problem) = told.get("problem") {
            bail!("{command}: {problem}");
        }
        Ok(told["answer"].clone())
    }

    /// Makes the to-do list impatient: what waits a second is on it.
    pub async fn be_impatient(&self) -> Result<()> {
        let pin = "2468";
        self.invoke("set_manager_pin", json!({"pin": pin})).await?;
        self.invoke("unlock_manager", json!({"pin": pin})).await?;
        let settings = json!({"attention_after_s": 1, "stale_after_s": 1800, "sounds": false});
        self.invoke("change_settings", json!({"settings": settings})).await?;
        Ok(())
    }

    /// Whether the window is shown.
    pub async fn is_shown(&self) -> Result<bool> {
        Ok(self.run("return document.visibilityState").await? == "visible")
    }

    pub async fn run(&self, script: &str) -> Result<Value> {
        Ok(self.client.execute(script, Vec::new()).await?)
    }
}
