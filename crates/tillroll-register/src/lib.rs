//! The register: use cases, local HTTP API, boot and stop, and the command line tillctl.
