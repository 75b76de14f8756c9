//! Who vouches for servers in a test: certificates as one likes them, good and bad.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
pub use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tempfile::TempDir;

/// An authority of its own, and the file by which a program trusts it (`SSL_CERT_FILE`).
pub struct Authority {
    folder: TempDir,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// Makes one of that name, which nobody trusts yet.
    ///
    /// # Errors
    /// When its certificate cannot be made or written.
    pub fn new(name: &str) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut params = CertificateParams::new(Vec::new())?;
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate()?;
        fs::write(folder.path().join("ca.pem"), params.self_signed(&key)?.pem())?;
        Ok(Self { folder, issuer: Issuer::new(params, key) })
    }

    /// Its own certificate.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A server's side of TLS, with a certificate for a name that is valid between the first days of two years.
    ///
    /// # Errors
    /// When the certificate cannot be made.
    pub fn vouch(&self, name: &str, from: i32, until: i32) -> Result<Arc<ServerConfig>> {
        let mut params = CertificateParams::new(vec![name.to_owned()])?;
        params.not_before = date_time_ymd(from, 1, 1);
        params.not_after = date_time_ymd(until, 1, 1);
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, &self.issuer)?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)?;
        Ok(Arc::new(config))
    }
}
