//! A business system that is told how its orders ended: it takes every webhook.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Result, ensure};
use axum::Router;
use axum::http::StatusCode;
use axum::routing::post;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use tillroll_dispatcher::sqlite::{SqliteOptions, SqliteStore};
use tillroll_dispatcher::store::{DispatcherStore as _, Hook};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::chain::Chain;

/// Longer than anything takes that is right.
const PATIENCE: Duration = Duration::from_secs(60);

/// Listens until it is dropped.
pub struct Receiver {
    url: String,
    taken: Arc<AtomicU32>,
    _serving: JoinSet<()>,
}

impl Receiver {
    /// Listens on a free port.
    pub async fn listen() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/hook", listener.local_addr()?);
        let taken = Arc::<AtomicU32>::default();
        let here = Arc::clone(&taken);
        let take = async move || {
            here.fetch_add(1, Relaxed);
            StatusCode::NO_CONTENT
        };
        let routes = Router::new().route("/hook", post(take));
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            // Its end is seen by what is no longer taken.
            let _ = axum::serve(listener, routes).await;
        });
        Ok(Self { url, taken, _serving: serving })
    }

    /// Where it takes webhooks.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// How many it took.
    pub fn taken(&self) -> u32 {
        self.taken.load(Relaxed)
    }

    /// Has the ends of all jobs of a chain told to it.
    pub async fn listens_to(&self, chain: &Chain) -> Result<()> {
        let (store, _) = SqliteStore::open(&chain.database(), SqliteOptions::default())?;
        let secret = format!("whsec_{}", BASE64_STANDARD.encode([7; 24]));
        store.set_hook(Hook { api_key: chain.api_key, url: self.url.clone(), secret }).await?;
        tokio::task::spawn_blocking(|| store.close()).await??;
        Ok(())
    }

    /// Waits until so many webhooks came.
    pub async fn until(&self, count: u32) -> Result<()> {
        let begun = Instant::now();
        while self.taken() < count {
            ensure!(begun.elapsed() < PATIENCE, "{} of {count}", self.taken());
            sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }
}
