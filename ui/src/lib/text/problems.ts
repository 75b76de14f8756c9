// What a problem means to a person: what happened, what is safe, what to do.
import { m } from "$text";

import type { Code } from "../views";
import type { Text } from "./jobs";

export const PROBLEM = {
  invalid_body: m.problem_invalid_body,
  invalid_receipt: m.problem_invalid_receipt,
  invalid_value: m.problem_invalid_value,
  conflict: m.problem_conflict,
  not_found: m.problem_not_found,
  taken: m.problem_taken,
  not_allowed: m.problem_not_allowed,
  body_gone: m.problem_body_gone,
  no_printer: m.problem_no_printer,
  printer_unusable: m.problem_printer_unusable,
  unauthorized: m.problem_unauthorized,
  forbidden: m.problem_forbidden,
  wrong_pin: m.problem_wrong_pin,
  pin_locked: m.problem_pin_locked,
  pin_unset: m.problem_pin_unset,
  too_large: m.problem_too_large,
  cloud_unreachable: m.problem_cloud_unreachable,
  cloud_refused: m.problem_cloud_refused,
  timed_out: m.problem_timed_out,
  fonts_missing: m.problem_fonts_missing,
  unsupported: m.problem_unsupported,
  method_not_allowed: m.problem_method_not_allowed,
  misdirected: m.problem_misdirected,
  outcome_unknown: m.problem_outcome_unknown,
  disk_full: m.problem_disk_full,
  unavailable: m.problem_unavailable,
  stopping: m.problem_stopping,
  internal: m.problem_internal,
} satisfies Record<Code, Text>;

/** Of a code that came as plain text; one this window does not know is a fault of the program. */
export function problemText(code: string): string {
  return (PROBLEM[code as Code] ?? PROBLEM.internal)();
}
