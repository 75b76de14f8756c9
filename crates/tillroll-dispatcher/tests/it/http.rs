//! A running dispatcher, asked over real sockets.

mod alerts;
/// A test on each engine of each behaviour: an async function of a [`support::Cloud`].
macro_rules! on_both_engines {
    ($($behaviour:ident),* $(,)?) => {
        mod on_sqlite {
            use crate::http::support::Cloud;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $behaviour() {
                super::$behaviour(Cloud::start().await).await;
            })*
        }
        mod on_postgres {
            use crate::http::support::Cloud;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $behaviour() {
                super::$behaviour(Cloud::on_postgres().await).await;
            })*
        }
    };
}
pub(crate) use on_both_engines;

mod books;
mod channel;
pub mod cli;
mod connections;
mod counters;
mod disk;
mod hostile;
mod limits;
mod limits_of_nodes;
pub mod line;
mod on_postgres;
mod openapi;
mod packed;
mod pairing;
mod pay_tokens;
mod print_jobs;
mod rates;
mod restart;
mod revoked;
mod splits;
pub mod support;
mod sync;
mod webhooks;
