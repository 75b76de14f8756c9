// The made-up splits of a day.
import type { CloudStatusView, ManualSplitView, SplitsView, SplitTotalsView } from "../views";

const NONE = { count: 0, amount_minor: 0 };

const NO_TOTALS: SplitTotalsView = { succeeded: NONE, pending: NONE, manual: NONE, canceled: NONE };

const NOT_SHARED: SplitsView = {
  shared: false,
  reached: false,
  told_at: null,
  sales: NO_TOTALS,
  refunds: NO_TOTALS,
  unsent: NONE,
  manual: [],
};

/** Splits that wait for a manager since `at`. */
export function manualAt(day: string, at: string): ManualSplitView[] {
  const split = { of: null, day, currency: "CNY", state: "manual", changed_at: at };
  return [
    {
      ...split,
      id: "S1:20261130-000143:receipt:v1",
      amount_minor: 8600,
      reason: "frozen",
      may_be_paid: false,
      tries: 1,
    },
    {
      ...split,
      id: "S1:20261130-000120:receipt:v1",
      amount_minor: 12_800,
      reason: "exhausted",
      may_be_paid: true,
      tries: 34,
    },
  ];
}

/** A day whose head office is asked, or told them when it was reached last. */
export function makeSplits(cloud: CloudStatusView, manual: ManualSplitView[]): SplitsView {
  const reached = cloud.state === "online";
  const left = manual.reduce((sum, split) => sum + split.amount_minor, 0);
  return {
    shared: true,
    reached,
    told_at: cloud.contact_at,
    sales: {
      ...NO_TOTALS,
      succeeded: { count: 198, amount_minor: 1_204_600 },
      pending: { count: 3, amount_minor: 15_400 },
      manual: { count: manual.length, amount_minor: left },
    },
    refunds: { ...NO_TOTALS, succeeded: { count: 2, amount_minor: 5600 } },
    unsent: reached ? NONE : { count: 14, amount_minor: 74_200 },
    manual: reached ? manual : [],
  };
}

/** The splits of a store, until a manager dealt with them. */
export class FakeSplits {
  #manual: ManualSplitView[];

  constructor(manual: ManualSplitView[]) {
    this.#manual = manual;
  }

  day(cloud: CloudStatusView): SplitsView {
    return cloud.state === "not_paired" ? NOT_SHARED : makeSplits(cloud, this.#manual);
  }

  answer(id: unknown): ManualSplitView | undefined {
    const split = this.#manual.find((known) => known.id === id);
    this.#manual = this.#manual.filter((known) => known !== split);
    return split;
  }
}
