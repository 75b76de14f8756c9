// Splits of the day, in words.
import { m } from "$text";

import { type Conventions, dateTime } from "../format";
import type { ManualSplitView, SplitsView } from "../views";
import type { Text, Tone } from "./jobs";

const REASON: Record<string, Text> = {
  frozen: m.split_frozen,
  no_balance: m.split_no_balance,
  rejected: m.split_rejected,
  exhausted: m.split_exhausted,
  amount_differs: m.split_amount_differs,
};

/** Why a split waits for a manager; a reason the window has no word for keeps its own. */
export function splitReason({ reason }: ManualSplitView): string {
  return REASON[reason ?? ""]?.() ?? reason ?? "";
}

/** The card in two words. */
export function splitsPill(splits: SplitsView): { tone: Tone; text: string } {
  const left = Math.max(splits.manual.length, splits.sales.manual.count + splits.refunds.manual.count);
  if (left > 0) return { tone: "ask", text: m.splits_left({ count: left }) };
  const open = splits.sales.pending.count + splits.refunds.pending.count + splits.unsent.count;
  return open > 0
    ? { tone: "wait", text: m.splits_open({ count: open }) }
    : { tone: "ok", text: m.splits_all() };
}

/** From when the numbers are, where the head office was not asked just now. */
export function splitsTold({ reached, told_at }: SplitsView, conventions: Conventions): string | null {
  if (reached) return null;
  return told_at ? m.splits_as_of({ time: dateTime(told_at, conventions) }) : m.splits_never_told();
}
