// Differences of the day, and what cures them.
import { m } from "$text";

import { type Conventions, count, money } from "../format";
import type { Cure, Difference } from "../views";
import type { Text } from "./jobs";

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

const DIFFERENCE = {
  pos: (found: Of<"pos">, conventions: Conventions) => {
    const shown = (value: number) =>
      isMoney(found.figure) ? money(value, conventions) : count(value, conventions.locale);
    const [pos, register] = [shown(found.pos), shown(found.register)];
    return m.difference_pos({ figure: figureText(found.figure), pos, register });
  },
  paper: (found: Of<"paper">) => m.difference_paper({ figure: figureText(found.figure), count: found.count }),
  unaccounted: (found: Of<"unaccounted">) => m.difference_unaccounted({ count: found.count }),
  flow_gap: (found: Of<"flow_gap">) => m.difference_flow_gap({ after: found.after, before: found.before }),
  cash_difference: (found: Of<"cash_difference">, conventions: Conventions) =>
    m.difference_cash({ amount: money(found.difference_minor, conventions) }),
} satisfies { [Name in Difference["code"]]: (found: Of<Name>, conventions: Conventions) => string };

export function differenceText(found: Difference, conventions: Conventions): string {
  const text = DIFFERENCE[found.code] as (found: Difference, conventions: Conventions) => string;
  return text(found, conventions);
}

export const CURE = {
  answer_todo: m.cure_answer_todo,
  look_at_printer: m.cure_look_at_printer,
  compare_with_pos: m.cure_compare_with_pos,
  find_flow_number: m.cure_find_flow_number,
  recount: m.cure_recount,
  set_clock: m.cure_set_clock,
} satisfies Record<Cure, Text>;
