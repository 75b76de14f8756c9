use super::*;

fn parse(text: &str) -> Result<DeviceUri, UriError> {
    text.parse()
}

#[test]
fn every_kind_of_uri_survives_a_round_trip() {
    for text in [
        "tcp://192.168.1.50:9100",
        "tcp://kitchen-printer.local:9101",
        "tcp://[fe80::1]:9100",
        "serial:///dev/ttyUSB0?baud=19200",
        "serial:///dev/ttyUSB0?baud=19200&flow=rtscts",
        "serial:///dev/ttyS0?baud=38400&flow=xonxoff&parity=even",
        "serial://COM3?baud=9600&parity=odd",
        "usb://04b8:0e15",
        "usb://04b8:0e15?serial=AB12",
        "usb://0416:5011?port=1-1.4",
        "usb://0416:5011?serial=A%26B%3D1&port=2-3",
        "lp:///dev/usb/lp0",
        "file:///var/spool/till%20one.bin",
        "virtual:front",
    ] {
        let uri = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(uri.to_string(), text);
        assert_eq!(parse(&uri.to_string()), Ok(uri));
    }
}

#[test]
fn short_forms_get_their_defaults() {
    let tcp = DeviceUri::Tcp { host: "printer".into(), port: RAW_PORT };
    assert_eq!(parse("tcp://printer"), Ok(tcp));
    let v6 = DeviceUri::Tcp { host: "::1".into(), port: RAW_PORT };
    assert_eq!(parse("tcp://[::1]/"), Ok(v6));
    assert_eq!(parse("/dev/usb/lp1"), Ok(DeviceUri::Lp { path: "/dev/usb/lp1".into() }));
    let line = SerialLine {
        path: "/dev/ttyS0".into(),
        baud: DEFAULT_BAUD,
        flow: Flow::None,
        parity: Parity::None,
    };
    assert_eq!(parse("serial:///dev/ttyS0"), Ok(DeviceUri::Serial(line)));
}

#[test]
fn refusal_names_the_part_that_is_wrong() {
    for (text, part) in [
        ("", "no kind of printer"),
        ("printer", "no kind of printer"),
        ("http://printer", "begins with \"http://\""),
        ("tcp://", "no host"),
        ("tcp://:9100", "no host"),
        ("tcp://a b:9100", "host \"a b\""),
        ("tcp://printer:0", "port \"0\""),
        ("tcp://printer:99999", "port \"99999\""),
        ("tcp://::1", "no host"),
        ("tcp://[::1", "host"),
        ("tcp://[::1]x", "host"),
        ("serial://?baud=9600", "no path"),
        ("serial:///dev/ttyS0?baud=fast", "baud \"fast\""),
        ("serial:///dev/ttyS0?flow=dtr", "flow \"dtr\""),
        ("serial:///dev/ttyS0?parity=mark", "parity \"mark\""),
        ("serial:///dev/ttyS0?speed=9600", "option \"speed\""),
        ("serial:///dev/ttyS0?baud=9600&baud=19200", "option \"baud\" twice"),
        ("usb://", "no vendor:product"),
        ("usb://04b8", "vendor:product \"04b8\""),
        ("usb://04b8:+e15", "vendor:product"),
        ("usb://04b8:0e15?serial=", "serial \"\""),
        ("usb://04b8:0e15?serial=%GG", "serial \"%GG\""),
        ("lp://dev/usb/lp0", "path \"dev/usb/lp0\""),
        ("file://", "no path"),
        ("file:///tmp/a?sync=1", "option \"sync=1\""),
        ("virtual:", "no name"),
        ("virtual:a/b", "name \"a/b\""),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error} should name {part}");
    }
}

#[test]
fn overlong_text_is_refused() {
    assert_eq!(parse(&format!("tcp://{}", "a".repeat(2000))), Err(UriError::TooLong));
}
