// What a row of the to-do list says: what happened, and what is safe.
import type { IconName } from "$parts/Icon.svelte";
import { m } from "$text";

import { type Conventions, money, time } from "../format";
import type { RecordRow, Row } from "../todo";
import type { JobKind, JobState, JobView, NoticeView, RejectedView } from "../views";
import { KIND, orderOf, SAFE, TONE, type Tone } from "./jobs";
import { problemText } from "./problems";
import { REASON } from "./reasons";

export interface RowText {
  tone: Tone;
  icon: IconName;
  title: string;
  /** How much, where, why, when. */
  facts: string;
  /** What is safe. */
  safe: string;
}

const QUESTION = {
  unconfirmed: m.todo_question_unconfirmed,
  sent: m.todo_question_sent,
  failed: m.todo_question_failed,
  held: m.todo_question_held,
  pending: m.todo_question_pending,
  printing: m.todo_question_printing,
  printed: m.todo_question_printing,
  skipped: m.todo_question_printing,
} satisfies Record<JobState, (inputs: { order: string }) => string>;

const ICON = {
  unconfirmed: "question",
  sent: "question",
  failed: "cross",
  held: "pause",
  pending: "clock",
  printing: "printer",
  printed: "check",
  skipped: "check",
} satisfies Record<JobState, IconName>;

/** The question a job puts. */
export function jobQuestion(job: JobView): string {
  return QUESTION[job.state]({ order: job.order });
}

function jobText(job: JobView, conventions: Conventions): RowText {
  const worth = job.amount_minor === 0 ? KIND[job.kind]() : money(job.amount_minor, conventions);
  const reason = job.cause ?? job.reason;
  const cause = reason ? REASON[reason].short() : null;
  const facts = [worth, job.printer, cause, time(job.accepted_at, conventions)].filter(Boolean).join(" · ");
  return {
    tone: TONE[job.state],
    icon: ICON[job.state],
    title: jobQuestion(job),
    facts,
    safe: SAFE[job.state](),
  };
}

/** A refused receipt by its number, as far as it had one. */
export function rejectedTitle(rejected: RejectedView): string {
  return m.todo_question_rejected({ order: rejected.order_no ?? m.todo_rejected_unnamed() });
}

const NOTICE: Record<string, { title: () => string; hint: () => string }> = {
  rescued: { title: m.notice_rescued_title, hint: m.notice_rescued },
  restored: { title: m.notice_restored_title, hint: m.notice_restored },
  unreadable_job: { title: m.notice_unreadable_job_title, hint: m.notice_unreadable_job },
  fonts_missing: { title: m.notice_fonts_missing_title, hint: m.problem_fonts_missing },
  cloud_differences: { title: m.notice_cloud_differences_title, hint: m.notice_cloud_differences },
  clock_drift: { title: m.notice_clock_drift_title, hint: m.notice_clock_drift },
};

export function noticeText(notice: NoticeView): { title: string; hint: string } {
  const known = NOTICE[notice.code];
  return { title: known?.title() ?? notice.code, hint: known?.hint() ?? notice.detail };
}

/** What a record of the head office is about: its order, or its own id when it is of no job. */
export function recordText(row: RecordRow): { title: string; what: string; safe: string } {
  if (row.kind === "refused_record") {
    const subject = orderOf(row.record.job_id ?? row.record.request_id);
    return {
      title: m.record_refused_title({ subject }),
      what: row.record.detail ?? row.record.code,
      safe: m.record_refused_safe(),
    };
  }
  const what = row.record.otherwise ? m.record_otherwise() : m.record_only();
  return {
    title: m.record_only_title({ subject: orderOf(row.record.request_id) }),
    what,
    safe: m.record_only_safe(),
  };
}

export function rowText(row: Row, conventions: Conventions): RowText {
  if (row.kind === "job") return jobText(row.job, conventions);
  if (row.kind === "notice") {
    const { title, hint } = noticeText(row.notice);
    return {
      tone: "wait",
      icon: "notice",
      title,
      facts: time(row.notice.noticed_at, conventions),
      safe: hint,
    };
  }
  if (row.kind === "refused_record" || row.kind === "cloud_only") {
    const { title, what, safe } = recordText(row);
    const at = row.kind === "refused_record" ? row.record.recorded_at : row.record.seen_at;
    const facts = [time(at, conventions), what].join(" · ");
    return { tone: "bad", icon: "cloud", title, facts, safe };
  }
  const title = rejectedTitle(row.rejected);
  const kind = KIND[row.rejected.kind as JobKind]?.();
  const facts = [kind, time(row.rejected.rejected_at, conventions)].filter(Boolean).join(" · ");
  return { tone: "bad", icon: "refused", title, facts, safe: problemText(row.rejected.code) };
}
