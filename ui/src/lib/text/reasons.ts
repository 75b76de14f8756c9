// Why a printer stands or a job is where it is: a few words for a pill, a sentence for what to do.
import { m } from "$text";

import type { HoldReason, JobCause, JobReason, StopReason } from "../views";
import type { Text } from "./jobs";

interface Reason {
  short: Text;
  advice: Text;
}

export const STOP = {
  paper_end: { short: m.stop_paper_end, advice: m.advice_paper_end },
  cover_open: { short: m.stop_cover_open, advice: m.advice_cover_open },
  cutter_error: { short: m.stop_cutter_error, advice: m.advice_cutter_error },
  unrecoverable_error: { short: m.stop_unrecoverable_error, advice: m.advice_unrecoverable_error },
  recoverable_error: { short: m.stop_recoverable_error, advice: m.advice_recoverable_error },
  head_hot: { short: m.stop_head_hot, advice: m.advice_head_hot },
  offline: { short: m.stop_offline, advice: m.advice_offline },
  refused: { short: m.stop_refused, advice: m.advice_refused },
  unreachable: { short: m.stop_unreachable, advice: m.advice_unreachable },
  unknown_host: { short: m.stop_unknown_host, advice: m.advice_unknown_host },
  busy: { short: m.stop_busy, advice: m.advice_busy },
  permission: { short: m.stop_permission, advice: m.advice_permission },
  timed_out: { short: m.stop_timed_out, advice: m.advice_timed_out },
  not_found: { short: m.stop_not_found, advice: m.advice_not_found },
  ambiguous: { short: m.stop_ambiguous, advice: m.advice_ambiguous },
  link_lost: { short: m.stop_link_lost, advice: m.advice_link_lost },
  device_error: { short: m.stop_device_error, advice: m.advice_device_error },
} satisfies Record<StopReason, Reason>;

export const HELD = {
  stale: { short: m.held_stale, advice: m.advice_stale },
  expired: { short: m.held_expired, advice: m.advice_expired },
  restored: { short: m.held_restored, advice: m.advice_restored },
  paused_order: { short: m.held_paused_order, advice: m.advice_paused_order },
} satisfies Record<HoldReason, Reason>;

export const CAUSE = {
  interrupted: { short: m.cause_interrupted, advice: m.advice_interrupted },
  no_answer: { short: m.cause_no_answer, advice: m.advice_no_answer },
  stalled: { short: m.cause_stalled, advice: m.advice_stalled },
  cannot_confirm: { short: m.cause_cannot_confirm, advice: m.advice_cannot_confirm },
  cannot_render: { short: m.cause_cannot_render, advice: m.advice_cannot_render },
  printer_removed: { short: m.cause_printer_removed, advice: m.advice_printer_removed },
  panicked: { short: m.cause_panicked, advice: m.advice_panicked },
} satisfies Record<JobCause, Reason>;

export const REASON: Record<JobReason, Reason> = { ...STOP, ...HELD, ...CAUSE };
