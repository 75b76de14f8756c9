//! An open connection to a printer, the same for every kind of device.

use std::fmt;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::{Instant, timeout_at};

use super::port::{PortReader, PortWriter};
use super::usb::{UsbReader, UsbWriter};
use super::{Limits, tcp};

/// An open connection to a printer.
///
/// [`finish`](Link::finish) ends a link whose job is settled, [`abort`](Link::abort) one whose job
/// is not. A link that is merely dropped is closed without waiting, and bytes that were not sent are
/// thrown away.
pub struct Link {
    reader: LinkReader,
    writer: LinkWriter,
    limits: Limits,
}

/// The reading half of a [`Link`].
pub struct LinkReader(Source);

/// The writing half of a [`Link`].
pub struct LinkWriter {
    sink: Sink,
    stall: Duration,
    /// When the wait for the next accepted byte began; lives through cancelled writes, so that
    /// replies that interrupt the writer do not hide a stall.
    waiting_since: Option<Instant>,
}

enum Source {
    Tcp(OwnedReadHalf),
    InProcess(ReadHalf<DuplexStream>),
    Port(PortReader),
    Usb(UsbReader),
    /// A device without a reply path.
    Mute,
}

enum Sink {
    Tcp(OwnedWriteHalf),
    InProcess(WriteHalf<DuplexStream>),
    Port(PortWriter),
    Usb(UsbWriter),
}

impl Link {
    fn new(source: Source, sink: Sink, limits: &Limits) -> Self {
        let writer = LinkWriter { sink, stall: limits.write_stall, waiting_since: None };
        Self { reader: LinkReader(source), writer, limits: *limits }
    }

    pub(super) fn tcp((reader, writer): (OwnedReadHalf, OwnedWriteHalf), limits: &Limits) -> Self {
        Self::new(Source::Tcp(reader), Sink::Tcp(writer), limits)
    }

    pub(super) fn in_process(stream: DuplexStream, limits: &Limits) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self::new(Source::InProcess(reader), Sink::InProcess(writer), limits)
    }

    pub(super) fn port(
        (reader, writer): (Option<PortReader>, PortWriter),
        limits: &Limits,
    ) -> Self {
        let source = reader.map_or(Source::Mute, Source::Port);
        Self::new(source, Sink::Port(writer), limits)
    }

    pub(super) fn usb((reader, writer): (Option<UsbReader>, UsbWriter), limits: &Limits) -> Self {
        let source = reader.map_or(Source::Mute, Source::Usb);
        Self::new(source, Sink::Usb(writer), limits)
    }

    /// Whether the device has a way to answer. Files and USB printers of protocol 1 have none.
    pub fn can_reply(&self) -> bool {
        !matches!(self.reader.0, Source::Mute)
    }

    /// Both halves, for reading while writing.
    pub fn split(&mut self) -> (&mut LinkReader, &mut LinkWriter) {
        (&mut self.reader, &mut self.writer)
    }

    /// See [`LinkReader::read`].
    ///
    /// # Errors
    /// As there.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer).await
    }

    /// See [`LinkWriter::write_some`].
    ///
    /// # Errors
    /// As there.
    pub async fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write_some(bytes).await
    }

    /// Closes in order: sends what was written, half-closes, drops unread input and waits for the
    /// other side's close, so that no reset destroys the end of the job and the next connection
    /// never overlaps this one. A network printer that keeps its side open for [`Limits::close`] is left
    /// so once it has acknowledged everything. A file is synced. Waits `limit`.
    ///
    /// # Errors
    /// The end of the job may be lost; `TimedOut` when it did not leave or arrive in time, and the rest is
    /// thrown away then.
    pub async fn finish(self, limit: Duration) -> io::Result<()> {
        let deadline = Instant::now() + limit;
        match self.writer.sink {
            Sink::Tcp(stream) => tcp::finish(self.reader, stream, self.limits.close, limit).await,
            Sink::InProcess(stream) => half_close(self.reader, stream, deadline).await,
            Sink::Port(port) => port.finish(deadline).await,
            Sink::Usb(endpoint) => endpoint.finish(deadline).await,
        }
    }

    /// Closes at once. Bytes that have not left this computer are thrown away, so that a job given
    /// up cannot go on printing behind the next one. What the printer has is not touched.
    pub fn abort(self) {
        match self.writer.sink {
            Sink::Tcp(stream) => tcp::abort(stream),
            // These throw unsent bytes away when their halves are dropped.
            Sink::InProcess(_) | Sink::Port(_) | Sink::Usb(_) => {}
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("can_reply", &self.can_reply()).finish_non_exhaustive()
    }
}

/// Half-closes, then reads until the printer has closed its side. A socket closed with replies
/// unread would be reset, and a reset destroys the end of the job (RFC 1122, 4.2.2.13).
async fn half_close(
    mut reader: LinkReader,
    mut writer: impl AsyncWrite + Unpin,
    deadline: Instant,
) -> io::Result<()> {
    timeout_at(deadline, async {
        writer.shutdown().await?;
        reader.read_out().await
    })
    .await?
}

impl LinkReader {
    /// Reads what the printer has sent; 0 when the other side has closed. Waits without a limit,
    /// for ever on a device that cannot reply; safe to cancel. `buffer` must not be empty.
    ///
    /// # Errors
    /// The link is broken.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Source::Tcp(stream) => stream.read(buffer).await,
            Source::InProcess(stream) => stream.read(buffer).await,
            Source::Port(port) => port.read(buffer).await,
            Source::Usb(endpoint) => endpoint.read(buffer).await,
            Source::Mute => std::future::pending().await,
        }
    }

    /// Drops input until the other side has closed. Safe to cancel.
    ///
    /// # Errors
    /// The link is broken.
    pub(super) async fn read_out(&mut self) -> io::Result<()> {
        let mut unread = [0; 1024];
        while self.read(&mut unread).await? > 0 {}
        Ok(())
    }
}

impl LinkWriter {
    /// Writes a first part of `bytes` and returns its length, at least 1. An accepted byte is on
    /// its way, not on paper. Safe to cancel, and may be repeated after `TimedOut`, with the same
    /// bytes: a write that was under way goes on, it does not start again.
    ///
    /// # Errors
    /// `TimedOut` when no byte was accepted for [`Limits::write_stall`]; `WriteZero` when the other
    /// side takes no more; anything else means that the link is broken.
    pub async fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let since = *self.waiting_since.get_or_insert_with(Instant::now);
        let written = timeout_at(since + self.stall, self.sink.write(bytes)).await;
        self.waiting_since = None;
        match written? {
            Ok(0) if !bytes.is_empty() => Err(io::ErrorKind::WriteZero.into()),
            // A peer that no longer answers, which is not a stall.
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                Err(io::Error::new(io::ErrorKind::BrokenPipe, error))
            }
            result => result,
        }
    }
}

impl Sink {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes).await,
            Self::InProcess(stream) => stream.write(bytes).await,
            Self::Port(port) => port.write_some(bytes).await,
            Self::Usb(endpoint) => endpoint.write_some(bytes).await,
        }
    }
}
