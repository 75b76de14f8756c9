// The made-up day's jobs: most are on paper, a few ask.
import type { AttemptView, Confirmation, JobReason, JobState, JobView, StoryView, Verb } from "../views";
import { linesOf, type Shop, totalOf } from "./shop";

const ALLOWED: Record<JobState, Verb[]> = {
  pending: ["retry", "skip", "reroute"],
  held: ["print", "skip", "reroute"],
  printing: ["skip"],
  printed: ["copy"],
  sent: ["on_paper", "not_on_paper", "skip", "reroute"],
  unconfirmed: ["on_paper", "not_on_paper", "skip", "reroute"],
  failed: ["retry", "skip", "reroute"],
  skipped: [],
};

/** Puts a job in a state, as the register would. */
export function settle(job: JobView, state: JobState, reason: JobReason | null = null): void {
  job.state = state;
  job.reason = reason;
  job.cause = state === "pending" && reason === "paper_end" ? reason : null;
  job.allowed = ALLOWED[state];
  job.confirmation = state === "printed" ? confirmationOf(job.printer) : null;
  job.changed_at = new Date().toISOString();
}

function confirmationOf(printer: string): Confirmation {
  return printer === "bar" ? "assumed" : "token";
}

export function makeJob(shop: Shop, flowNo: number, acceptedAt: Date, printer = "front"): JobView {
  const day = acceptedAt.toISOString().slice(0, 10).replaceAll("-", "");
  const order = `${day}-${String(flowNo).padStart(6, "0")}`;
  const at = acceptedAt.toISOString();
  const kind = printer === "kitchen" ? "kitchen" : "receipt";
  const job: JobView = {
    id: `${shop.store}:${order}:${kind}:v1`,
    order,
    kind,
    copy_of: null,
    state: "pending",
    reason: null,
    cause: null,
    advice: null,
    confirmation: null,
    printer,
    flow_no: flowNo,
    amount_minor: kind === "receipt" ? totalOf(linesOf(shop, flowNo)) : 0,
    attempts: 1,
    reprint: false,
    drawer: "none",
    due_at: null,
    accepted_at: at,
    changed_at: at,
    allowed: [],
  };
  settle(job, "printed");
  return job;
}

type Trouble = readonly [ago: number, state: JobState, reason: JobReason | null, printer: string];

/** Jobs that ask, by their distance from the newest one. */
const TROUBLES: readonly Trouble[] = [
  [2, "pending", "paper_end", "kitchen"],
  [4, "unconfirmed", "link_lost", "front"],
  [5, "pending", "paper_end", "kitchen"],
  [9, "sent", "cannot_confirm", "bar"],
  [13, "sent", "cannot_confirm", "bar"],
  [21, "failed", "cutter_error", "front"],
  [30, "unconfirmed", "no_answer", "front"],
  [41, "held", "stale", "kitchen"],
  [42, "held", "stale", "kitchen"],
  [43, "held", "stale", "kitchen"],
];

/** `count` jobs, newest first. */
export function makeDay(shop: Shop, count: number, now: Date): JobView[] {
  const jobs = Array.from({ length: count }, (_, ago) => {
    const acceptedAt = new Date(now.getTime() - 12_000 - ago * 67_000);
    return makeJob(shop, count - ago, acceptedAt, ago % 11 === 10 ? "bar" : "front");
  });
  for (const [ago, state, reason, printer] of TROUBLES) {
    const calm = jobs[ago];
    if (!calm) continue;
    const job = makeJob(shop, calm.flow_no, new Date(calm.accepted_at), printer);
    settle(job, state, reason);
    job.changed_at = new Date(Date.parse(job.accepted_at) + 2_000).toISOString();
    job.attempts = state === "failed" ? 5 : state === "pending" || state === "held" ? 0 : 1;
    jobs[ago] = job;
  }
  return jobs;
}

function attemptsOf(job: JobView): AttemptView[] {
  return Array.from({ length: job.attempts }, (_, index) => {
    const startedAt = Date.parse(job.accepted_at) + index * 4_000 + 300;
    const last = index === job.attempts - 1;
    const outcome = { printed: "printed", sent: "sent", unconfirmed: "unconfirmed" }[job.state as string];
    return {
      number: index + 1,
      printer: job.printer,
      started_at: new Date(startedAt).toISOString(),
      ended_at: job.state === "printing" ? null : new Date(startedAt + 1_600).toISOString(),
      outcome: job.state === "printing" ? null : last && outcome ? outcome : "left_nothing",
      cause: job.reason,
      byte_count: 870,
    };
  });
}

export function storyOf(job: JobView): StoryView {
  return {
    ...job,
    day: job.accepted_at.slice(0, 10),
    issued_at: job.accepted_at,
    recorded_at: job.accepted_at,
    story: attemptsOf(job),
    answers: [],
    copies: [],
    records: [],
  };
}

/** The jobs of a state whose number or amount begins as it was typed. */
export function found(jobs: JobView[], state: JobState | undefined, most: number, search: string): JobView[] {
  const typed = search.trim();
  const amount = (job: JobView) => (job.amount_minor / 100).toFixed(2);
  return jobs
    .filter(
      (job) =>
        (!state || job.state === state) && (job.order.includes(typed) || amount(job).startsWith(typed)),
    )
    .slice(0, most)
    .map((job) => ({ ...job }));
}
