//! The page as a person uses it: reads its text, clicks what has a name, fills fields.

use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use fantoccini::{Client, Locator};
use serde_json::Value;

use crate::desktop::PATIENCE;

/// The open window.
pub struct Page {
    pub(crate) client: Client,
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

    /// Waits until one row of a list shows both texts.
    pub async fn sees_row(&self, one: &str, other: &str) -> Result<()> {
        let path = format!(
            "//*[@role='option' or @role='row'][contains(., \"{one}\")][contains(., \"{other}\")]"
        );
        let row = self.client.wait().at_most(PATIENCE).for_element(Locator::XPath(&path)).await;
        row.with_context(|| format!("no row shows {one:?} and {other:?}")).map(drop)
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

    /// Chooses one of several, by its label.
    pub async fn choose(&self, label: &str) -> Result<()> {
        let path = format!("//label[normalize-space(.)=\"{label}\"]");
        let choice = self.client.wait().at_most(PATIENCE).for_element(Locator::XPath(&path)).await;
        choice.with_context(|| format!("no choice {label:?}"))?.click().await?;
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

    /// Whether the window is shown.
    pub async fn is_shown(&self) -> Result<bool> {
        Ok(self.run("return document.visibilityState").await? == "visible")
    }

    pub async fn run(&self, script: &str) -> Result<Value> {
        Ok(self.client.execute(script, Vec::new()).await?)
    }
}
