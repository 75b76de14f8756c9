// The made-up shop's printers.
import type { AddedPrinter, DeviceView, PrinterView, ProbeView, ProfileView } from "../views";

const BASE: PrinterView = {
  name: "front",
  uri: "tcp://192.168.1.60:9100",
  profile: "tm-t88",
  columns: null,
  level: "token",
  unproven: "ask",
  drawer_pin: 0,
  state: "idle",
  reason: null,
  advice: null,
  since: null,
  next_try_at: null,
  job_id: null,
  mid_job_cause: null,
  paper_near_end: false,
  detail: null,
  queued: 0,
  oldest_at: null,
};

export function makePrinters(now: Date): PrinterView[] {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString();
  return [
    { ...BASE, since: ago(7_200) },
    {
      ...BASE,
      name: "kitchen",
      uri: "usb://0483:5743",
      profile: "generic-80",
      level: "in_order",
      state: "stopped",
      reason: "paper_end",
      since: ago(160),
      next_try_at: new Date(now.getTime() + 8_000).toISOString(),
      queued: 2,
      oldest_at: ago(346),
      detail: "DLE EOT 4 = 0x7e",
    },
    {
      ...BASE,
      name: "bar",
      uri: "serial:///dev/ttyUSB0?baud=19200",
      profile: "generic-58",
      level: "silent",
      unproven: "trust",
      since: ago(7_200),
    },
  ];
}

export function newPrinter(name: string): PrinterView {
  return { ...BASE, name, since: new Date().toISOString() };
}

/** A printer that was added: one at another address than the found ones is not reached. */
export function addedOf(printer: PrinterView): AddedPrinter {
  const known =
    printer.uri.startsWith("virtual:") || [...FOUND, ...ON_NETWORK].some(({ uri }) => uri === printer.uri);
  return {
    ...printer,
    probe: known ? probeOf(printer) : null,
    not_reached: known ? null : `connect ${printer.uri}: No route to host`,
  };
}

export const PROFILES: ProfileView[] = [
  { name: "tm-t88", vendor: "Epson", columns: 42, dots: 512, notes: "" },
  { name: "generic-80", vendor: "Generic", columns: 48, dots: 576, notes: "" },
  { name: "generic-58", vendor: "Generic", columns: 32, dots: 384, notes: "" },
];

export const FOUND: DeviceView[] = [
  { uri: "usb://04b8:0e15", name: "EPSON TM-T20III" },
  { uri: "serial:///dev/ttyUSB0?baud=19200", name: "USB-Serial CH340" },
];

export const ON_NETWORK: DeviceView[] = [
  { uri: "tcp://192.168.1.60:9100", name: "EPSON TM-T88VI" },
  { uri: "tcp://192.168.1.64:9100", name: null },
];

export function probeOf(printer: PrinterView): ProbeView {
  return {
    level: printer.level,
    meaning: "",
    maker: printer.level === "silent" ? null : "EPSON",
    model: printer.level === "silent" ? null : "TM-T88VI",
    realtime: printer.level !== "silent",
    counts: printer.level === "token",
    answers_too_soon: false,
    blocked: printer.reason,
  };
}
