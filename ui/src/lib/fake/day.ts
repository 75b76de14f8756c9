// The made-up day: figures counted from its jobs, and what does not add up.
import type {
  CloudStatusView,
  CloudView,
  DayView,
  Difference,
  HourView,
  JobView,
  OpeningView,
  PaperView,
  TotalsView,
} from "../views";

function totals(jobs: JobView[]): TotalsView {
  const gross = jobs.reduce((sum, job) => sum + job.amount_minor, 0);
  const cash = Math.round((gross * 31) / 10_000) * 100;
  return {
    receipts: jobs.length,
    refunds: 2,
    gross_minor: gross,
    refunded_minor: 5600,
    tenders: {
      cash,
      card: Math.round((gross * 12) / 10_000) * 100,
      wechat: gross - cash - Math.round((gross * 12) / 10_000) * 100,
    },
  };
}

function paper(jobs: JobView[]): PaperView {
  const of = (test: (job: JobView) => boolean) => jobs.filter(test).length;
  return {
    recorded: jobs.length,
    printed: of((job) => job.state === "printed" && job.confirmation === "token"),
    assumed: of((job) => job.confirmation === "assumed"),
    confirmed_by_clerk: of((job) => job.confirmation === "clerk"),
    skipped: of((job) => job.state === "skipped"),
    unconfirmed: of((job) => job.state === "unconfirmed" || job.state === "sent"),
    failed: of((job) => job.state === "failed"),
    waiting: of((job) => ["pending", "held", "printing"].includes(job.state)),
    reprinted: of((job) => job.reprint),
    copies: of((job) => job.copy_of !== null),
  };
}

function differences(pos: TotalsView, register: TotalsView, counts: PaperView): Difference[] {
  const missing = pos.receipts - register.receipts;
  return [
    ...(missing
      ? [
          {
            code: "pos",
            figure: "receipts",
            pos: pos.receipts,
            register: register.receipts,
            cure: "compare_with_pos",
          } as const,
        ]
      : []),
    {
      code: "pos",
      figure: "gross_minor",
      pos: pos.gross_minor,
      register: register.gross_minor,
      cure: "compare_with_pos",
    },
    ...(counts.unconfirmed
      ? [{ code: "paper", figure: "unconfirmed", count: counts.unconfirmed, cure: "answer_todo" } as const]
      : []),
    ...(counts.failed
      ? [{ code: "paper", figure: "failed", count: counts.failed, cure: "answer_todo" } as const]
      : []),
    ...(counts.waiting
      ? [{ code: "paper", figure: "waiting", count: counts.waiting, cure: "look_at_printer" } as const]
      : []),
    { code: "flow_gap", after: 96, before: 98, alarm: false, cure: "find_flow_number" },
  ];
}

function cloudColumn(cloud: CloudStatusView, register: TotalsView, jobs: JobView[]): CloudView {
  const paired = cloud.state !== "not_paired";
  const behind = { ...register, receipts: register.receipts - cloud.unsent };
  return {
    paired,
    source: paired ? (cloud.state === "online" ? "head_office" : "acknowledged") : null,
    totals: paired ? behind : null,
    printed: null,
    unsent: paired ? cloud.unsent : jobs.length,
    oldest_unsent_at: cloud.oldest_unsent_at ?? jobs.at(-1)?.accepted_at ?? null,
    refused: cloud.refused_records,
  };
}

function cloudDifferences(cloud: CloudStatusView): Difference[] {
  const unsent = { code: "unsent", count: cloud.unsent, cure: "wait_for_network" } as const;
  const refused = { code: "refused", count: cloud.refused_records, cure: "answer_records" } as const;
  const drift = { code: "clock_drift", drift_ms: cloud.drift_ms ?? 0, cure: "set_clock" } as const;
  if (cloud.state === "not_paired") return [];
  return [unsent, refused, ...(cloud.clock_is_wrong ? [drift] : [])].filter(
    (found) => !("count" in found) || found.count > 0,
  );
}

export interface Drawer {
  closedAt: string | null;
  counted: number | null;
  /** Why what was counted differs. */
  reason: string | null;
  openings: OpeningView[];
  paidOut: number;
  declared: TotalsView | null;
}

/** A drawer something was taken out of, as the day finds it. */
export function newDrawer(): Drawer {
  return { closedAt: null, counted: null, reason: null, paidOut: 12_000, declared: null, openings: [] };
}

export function makeDayView(day: string, jobs: JobView[], drawer: Drawer, cloud: CloudStatusView): DayView {
  const register = totals(jobs);
  const pos = drawer.declared ?? {
    ...register,
    receipts: register.receipts + 1,
    gross_minor: register.gross_minor + 2800,
  };
  const counts = paper(jobs);
  const sales = register.tenders["cash"] ?? 0;
  const expected = 30_000 + sales - drawer.paidOut;
  return {
    day,
    pos,
    register,
    paper: counts,
    cloud: cloudColumn(cloud, register, jobs),
    differences: [...differences(pos, register, counts), ...cloudDifferences(cloud)],
    sessions: [
      {
        z_no: 41,
        opened_at: jobs.at(-1)?.accepted_at ?? new Date().toISOString(),
        closed_at: drawer.closedAt,
        ...(drawer.closedAt ? { closed_by: "manager" } : {}),
        totals: register,
        cash: {
          float_minor: 30_000,
          sales_minor: sales,
          paid_in_minor: 0,
          paid_out_minor: drawer.paidOut,
          expected_minor: expected,
          counted_minor: drawer.counted,
          difference_minor: drawer.counted === null ? null : drawer.counted - expected,
          ...(drawer.reason ? { reason: drawer.reason } : {}),
        },
        corrections: [],
      },
    ],
    openings: drawer.openings,
  };
}

export function makeHours(jobs: JobView[], zone: string): HourView[] {
  const hourOf = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", hourCycle: "h23" });
  const hours = new Map<number, HourView>();
  for (const job of jobs) {
    const hour = Number(hourOf.format(new Date(job.accepted_at)));
    const row = hours.get(hour) ?? { hour, receipts: 0, still_open: 0 };
    row.receipts += 1;
    if (!["printed", "skipped"].includes(job.state)) row.still_open += 1;
    hours.set(hour, row);
  }
  // Jobs are newest first; hours go in the order of the business day.
  return [...hours.values()].reverse();
}
