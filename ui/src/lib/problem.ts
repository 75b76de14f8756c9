// What a command answers in place of a result.
import type { Code, FaultView, JobState, ProblemView } from "./views";

/** A problem with its stable code; `reference` finds it in the log. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: Code;
  readonly faults: FaultView[];
  readonly state: JobState | null;
  /** When it may be tried again, where time cures it. */
  readonly retryAt: string | null;
  readonly reference: string;

  constructor(view: Pick<ProblemView, "code" | "detail"> & Partial<ProblemView>) {
    super(view.detail);
    this.code = view.code;
    this.faults = view.faults ?? [];
    this.state = view.state ?? null;
    this.retryAt = view.retry_at ?? null;
    this.reference = view.reference ?? "";
  }
}

function isProblemView(thrown: unknown): thrown is ProblemView {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && "detail" in thrown;
}

/** Whatever was thrown, as a problem: what has no code is a fault of the program. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (isProblemView(thrown)) return new Problem(thrown);
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new Problem({ code: "internal", detail });
}
