// What a printer can prove, and how it stands.
import { m } from "$text";

import type { ConfirmationLevel, PrinterView, Unproven } from "../views";
import { STOP } from "./reasons";
import type { Text, Tone } from "./jobs";

/** A few words, and what it means for the receipts. */
export const LEVEL = {
  token: { short: m.level_token, meaning: m.meaning_token },
  counter: { short: m.level_counter, meaning: m.meaning_counter },
  in_order: { short: m.level_in_order, meaning: m.meaning_in_order },
  realtime: { short: m.level_realtime, meaning: m.meaning_realtime },
  silent: { short: m.level_silent, meaning: m.meaning_silent },
} satisfies Record<ConfirmationLevel, { short: Text; meaning: Text }>;

/** Whether a job on such a printer is proved by the device. */
export const PROVES = {
  token: true,
  counter: true,
  in_order: true,
  realtime: false,
  silent: false,
} satisfies Record<ConfirmationLevel, boolean>;

export const UNPROVEN = {
  trust: m.unproven_trust,
  ask: m.unproven_ask,
} satisfies Record<Unproven, Text>;

/** The pill of a printer. */
export function printerPill(printer: PrinterView): { tone: Tone; text: string } {
  const cause = printer.reason ?? printer.mid_job_cause;
  if (cause) return { tone: "wait", text: STOP[cause].short() };
  if (printer.state === "paused") return { tone: "calm", text: m.printer_paused() };
  if (printer.state === "printing") return { tone: "ok", text: m.printer_printing() };
  if (printer.paper_near_end) return { tone: "wait", text: m.printer_near_end() };
  return { tone: "ok", text: m.printer_ready() };
}

/** What it can prove, and what was chosen where it cannot. */
export function proofLine(printer: PrinterView): string {
  const proof = LEVEL[printer.level].short();
  return PROVES[printer.level] ? proof : `${proof}\u00a0· ${UNPROVEN[printer.unproven]()}`;
}

/** One line: what to do, or what it can prove. */
export function printerLine(printer: PrinterView): string {
  const cause = printer.reason ?? printer.mid_job_cause;
  if (cause) return STOP[cause].advice();
  if (printer.state === "paused") return m.printer_paused_line();
  return proofLine(printer);
}
