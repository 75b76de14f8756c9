// Differences of the day, and what cures them.
import { m } from "$text";

import { type Conventions, count, money, span } from "../format";
import type { Cure, Difference } from "../views";
import type { Text, Tone } from "./jobs";

type Of<Name extends Difference["code"]> = Extract<Difference, { code: Name }>;

const FIGURE: Record<string, Text> = {
  receipts: m.figure_receipts,
  refunds: m.figure_refunds,
  gross_minor: m.figure_gross,
  refunded_minor: m.figure_refunded,
  unconfirmed: m.figure_unconfirmed,
  failed: m.figure_failed,
  waiting: m.figure_waiting,
};

const TENDER: Record<string, Text> = {
  cash: m.tender_cash,
  card: m.tender_card,
  wechat: m.tender_wechat,
  alipay: m.tender_alipay,
};

/** A tender by its name; one the window has no word for keeps its own. */
export function tenderText(type: string): string {
  return TENDER[type]?.() ?? type;
}

function figureText(figure: string): string {
  if (figure.startsWith("tenders.")) return tenderText(figure.slice("tenders.".length));
  return FIGURE[figure]?.() ?? figure;
}

function isMoney(figure: string): boolean {
  return figure.endsWith("_minor") || figure.startsWith("tenders.");
}

function figureOf(figure: string, conventions: Conventions): (value: number) => string {
  if (isMoney(figure)) return (value) => money(value, conventions);
  return (value) => count(value, conventions.locale);
}

const DIFFERENCE = {
  pos: (found: Of<"pos">, conventions: Conventions) => {
    const shown = figureOf(found.figure, conventions);
    const [pos, register] = [shown(found.pos), shown(found.register)];
    return m.difference_pos({ figure: figureText(found.figure), pos, register });
  },
  paper: (found: Of<"paper">) => m.difference_paper({ figure: figureText(found.figure), count: found.count }),
  unaccounted: (found: Of<"unaccounted">) => m.difference_unaccounted({ count: found.count }),
  flow_gap: (found: Of<"flow_gap">) => m.difference_flow_gap({ after: found.after, before: found.before }),
  cash_difference: (found: Of<"cash_difference">, conventions: Conventions) =>
    m.difference_cash({ amount: money(found.difference_minor, conventions) }),
  unsent: (found: Of<"unsent">) => m.difference_unsent({ count: found.count }),
  refused: (found: Of<"refused">) => m.difference_refused({ count: found.count }),
  cloud: (found: Of<"cloud">, conventions: Conventions) => {
    const shown = figureOf(found.figure, conventions);
    const [register, cloud] = [shown(found.register), shown(found.cloud)];
    return m.difference_cloud({ figure: figureText(found.figure), register, cloud });
  },
  clock_drift: (found: Of<"clock_drift">, { locale }: Conventions) =>
    m.difference_clock_drift({ drift: span(Math.abs(found.drift_ms), locale) }),
} satisfies { [Name in Difference["code"]]: (found: Of<Name>, conventions: Conventions) => string };

export function differenceText(found: Difference, conventions: Conventions): string {
  const text = DIFFERENCE[found.code] as (found: Difference, conventions: Conventions) => string;
  return text(found, conventions);
}

const OPENING: Record<string, { tone: Tone; text: Text }> = {
  due: { tone: "wait", text: m.opening_due },
  opened: { tone: "ok", text: m.opening_opened },
  dropped: { tone: "calm", text: m.opening_dropped },
  unconfirmed: { tone: "ask", text: m.opening_unconfirmed },
};

/** The pill of an opening of the drawer; an outcome the window has no word for keeps its own. */
export function openingPill(outcome: string): { tone: Tone; text: string } {
  const known = OPENING[outcome];
  return { tone: known?.tone ?? "wait", text: known?.text() ?? outcome };
}

export const CURE = {
  answer_todo: m.cure_answer_todo,
  look_at_printer: m.cure_look_at_printer,
  compare_with_pos: m.cure_compare_with_pos,
  find_flow_number: m.cure_find_flow_number,
  recount: m.cure_recount,
  set_clock: m.cure_set_clock,
  wait_for_network: m.cure_wait_for_network,
  answer_records: m.cure_answer_records,
  compare_with_cloud: m.cure_compare_with_cloud,
} satisfies Record<Cure, Text>;
