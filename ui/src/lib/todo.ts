// What waits for a person, as rows: pure, so that it can be tested without a screen.
import type {
  CloudOnlyView,
  JobState,
  JobView,
  NoticeView,
  RefusedRecordView,
  RejectedView,
  TodoView,
  Verb,
} from "./views";

export const GROUPS = ["unconfirmed", "failed", "held", "waiting", "rejected", "record", "notice"] as const;
export type Group = (typeof GROUPS)[number];

/** A record at the head office that a manager decides about. */
export type RecordRow =
  | { key: string; group: Group; kind: "refused_record"; record: RefusedRecordView }
  | { key: string; group: Group; kind: "cloud_only"; record: CloudOnlyView };

export type Row =
  | RecordRow
  | { key: string; group: Group; kind: "job"; job: JobView }
  | { key: string; group: Group; kind: "rejected"; rejected: RejectedView }
  | { key: string; group: Group; kind: "notice"; notice: NoticeView };

const GROUP_OF = {
  unconfirmed: "unconfirmed",
  sent: "unconfirmed",
  failed: "failed",
  held: "held",
  pending: "waiting",
  printing: "waiting",
  printed: "waiting",
  skipped: "waiting",
} satisfies Record<JobState, Group>;

/** The rows, most urgent group first; within a group as the register lists them. */
export function rowsOf(todo: TodoView): Row[] {
  const rows: Row[] = [
    ...todo.jobs.map((job) => ({ key: job.id, group: GROUP_OF[job.state], kind: "job", job }) as const),
    ...todo.rejected.map(
      (rejected) =>
        ({ key: `rejected ${rejected.id}`, group: "rejected", kind: "rejected", rejected }) as const,
    ),
    ...leading(todo.refused_records).map(
      (record) => ({ key: `record ${record.id}`, group: "record", kind: "refused_record", record }) as const,
    ),
    ...todo.cloud_only.map(
      (record) => ({ key: `cloud ${record.id}`, group: "record", kind: "cloud_only", record }) as const,
    ),
    ...todo.notices.map(
      (notice) => ({ key: `notice ${notice.id}`, group: "notice", kind: "notice", notice }) as const,
    ),
  ];
  return rows.sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
}

/** Without those that wait behind the refused receipt they belong to: its answer is theirs. */
function leading(records: readonly RefusedRecordView[]): RefusedRecordView[] {
  const refused = new Set(records.filter(({ code }) => code !== "parked_behind").map(({ job_id }) => job_id));
  return records.filter(({ code, job_id }) => code !== "parked_behind" || !refused.has(job_id));
}

/** The one thing to press for a job that asks no yes or no. */
export function mainVerb(job: JobView): Verb | null {
  const wanted: Partial<Record<JobState, Verb>> = { failed: "retry", held: "print", pending: "retry" };
  const verb = wanted[job.state];
  return verb && job.allowed.includes(verb) ? verb : null;
}

/** What may be asked of every one of several jobs. */
export function allowedForAll(jobs: readonly JobView[]): Verb[] {
  const [first, ...others] = jobs;
  if (!first) return [];
  return first.allowed.filter((verb) => others.every((job) => job.allowed.includes(verb)));
}

/** Whether another stream of this job is marked REPRINT. */
export function mayBeOnPaper(job: JobView): boolean {
  return job.state === "unconfirmed" || job.state === "sent" || job.reprint;
}

/** Whether something is on the list that was not there before, and all that is there now. */
export function newcomers(
  todo: TodoView,
  known: ReadonlySet<string> | null,
): { news: boolean; keys: ReadonlySet<string> } {
  const keys = new Set(rowsOf(todo).map((row) => `${row.key} ${row.kind === "job" ? row.job.state : ""}`));
  const news = known !== null && [...keys].some((key) => !known.has(key));
  return { news, keys };
}
