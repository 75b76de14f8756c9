//! Serial ports, 8 data bits and 1 stop bit, raw, opened for this process alone.
//!
//! XON and XOFF bytes may still reach the reader; the reply parser drops them. Modem lines are
//! never asked: pseudo terminals and some USB adapters have none.

use std::io::{self, Read, Write};
use std::time::Duration;

use serialport::{ClearBuffer, ErrorKind, FlowControl, SerialPort, TTYPort};

use super::port::{self, Port, PortReader, PortWriter, SLICE};
use super::uri::{Flow, Parity, SerialLine};
use super::{Limits, OpenError, driver_call};

/// Opens the port and starts its threads.
pub(super) async fn open(
    line: &SerialLine,
    limits: &Limits,
) -> Result<(Option<PortReader>, PortWriter), OpenError> {
    driver_call::admit(&line.path, limits.stuck_calls)?;
    let (settings, limit) = (line.clone(), limits.connect);
    let opened = driver_call::call(&line.path, limit, move || open_twice(&settings)).await;
    let (output, input) = opened
        .map_err(|error| OpenError::from_io(error, limit))?
        .map_err(|error| open_error(error, limit))?;
    port::start(&line.path, SerialHalf(output), Some(SerialHalf(input)))
        .map_err(|error| OpenError::from_io(error, limit))
}

fn open_twice(line: &SerialLine) -> serialport::Result<(TTYPort, TTYPort)> {
    let flow = match line.flow {
        Flow::None => FlowControl::None,
        Flow::RtsCts => FlowControl::Hardware,
        Flow::XonXoff => FlowControl::Software,
    };
    let parity = match line.parity {
        Parity::None => serialport::Parity::None,
        Parity::Even => serialport::Parity::Even,
        Parity::Odd => serialport::Parity::Odd,
    };
    let port = serialport::new(&line.path, line.baud)
        .flow_control(flow)
        .parity(parity)
        .timeout(SLICE)
        .open_native()?;
    let second = port.try_clone_native()?;
    Ok((port, second))
}

fn open_error(error: serialport::Error, limit: Duration) -> OpenError {
    match error.kind {
        // Named so by the library for a port that another process holds or has locked.
        ErrorKind::NoDevice => OpenError::Busy(error.into()),
        ErrorKind::Io(_) => OpenError::from_io(error.into(), limit),
        ErrorKind::InvalidInput | ErrorKind::Unknown => OpenError::Io(error.into()),
    }
}

/// One of the two handles on an open port.
struct SerialHalf(TTYPort);

impl Read for SerialHalf {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for SerialHalf {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Port for SerialHalf {
    fn drain(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn discard(&mut self) {
        // A port that is gone has nothing to discard.
        let _ = self.0.clear(ClearBuffer::Output);
    }
}
