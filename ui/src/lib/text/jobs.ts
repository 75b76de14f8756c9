// A job's words: each table covers its whole type, or the build breaks.
import { m } from "$text";

import type { Confirmation, JobKind, JobState, JobView, Verb } from "../views";
import { REASON } from "./reasons";

export type Text = () => string;

/** How something is shown: its colour and its sign, so that colour is never the only difference. */
export type Tone = "ok" | "wait" | "ask" | "bad" | "calm";

export const STATE = {
  pending: m.state_pending,
  held: m.state_held,
  printing: m.state_printing,
  printed: m.state_printed,
  sent: m.state_sent,
  unconfirmed: m.state_unconfirmed,
  failed: m.state_failed,
  skipped: m.state_skipped,
} satisfies Record<JobState, Text>;

export const TONE = {
  pending: "wait",
  held: "wait",
  printing: "calm",
  printed: "ok",
  sent: "ask",
  unconfirmed: "ask",
  failed: "bad",
  skipped: "calm",
} satisfies Record<JobState, Tone>;

/** What proves a printed job. */
export const CONFIRMATION = {
  token: m.confirmation_token,
  counter: m.confirmation_counter,
  in_order: m.confirmation_in_order,
  clerk: m.confirmation_clerk,
  assumed: m.confirmation_assumed,
} satisfies Record<Confirmation, Text>;

export const KIND = {
  receipt: m.kind_receipt,
  refund: m.kind_refund,
  prebill: m.kind_prebill,
  kitchen: m.kind_kitchen,
  report: m.kind_report,
} satisfies Record<JobKind, Text>;

/** The order number in the id of a job; an id of something else stays whole. */
export function orderOf(id: string): string {
  const [, order, kind] = id.split(":");
  return order && kind && kind in KIND ? order : id;
}

/** On the button that asks for it. */
export const VERB = {
  retry: m.verb_retry,
  on_paper: m.verb_on_paper,
  not_on_paper: m.verb_not_on_paper,
  print: m.verb_print,
  skip: m.verb_skip,
  reroute: m.verb_reroute,
  copy: m.verb_copy,
} satisfies Record<Verb, Text>;

/** When it was done. */
export const DONE = {
  retry: m.done_retry,
  on_paper: m.done_on_paper,
  not_on_paper: m.done_not_on_paper,
  print: m.done_print,
  skip: m.done_skip,
  reroute: m.done_reroute,
  copy: m.done_copy,
} satisfies Record<Verb, Text>;

/** What is safe to know about a job that asks, in this state. */
export const SAFE = {
  pending: m.safe_pending,
  held: m.safe_held,
  printing: m.safe_printing,
  printed: m.safe_printed,
  sent: m.safe_sent,
  unconfirmed: m.safe_unconfirmed,
  failed: m.safe_failed,
  skipped: m.safe_skipped,
} satisfies Record<JobState, Text>;

/** The pill of a job: what is trusted only, marked or a copy looks different from what is proved. */
export function jobPill(job: JobView): { tone: Tone; text: string } {
  const tone = job.confirmation === "assumed" ? "calm" : TONE[job.state];
  const text = job.confirmation === "assumed" ? m.pill_assumed() : STATE[job.state]();
  const mark = job.copy_of ? m.pill_copy() : job.reprint ? m.pill_reprint() : null;
  const reason = job.cause ?? (job.state === "held" ? job.reason : null);
  const why = reason ? REASON[reason].short() : null;
  return { tone, text: [text, why, mark].filter(Boolean).join(" · ") };
}
