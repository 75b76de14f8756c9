// Hints that something changed. A lost hint costs nothing: the focus and a slow tick ask again too.
import { open } from "./transport";
import type { Hint } from "./views";

/** How often everything is asked again, in milliseconds. */
const TICK_MS = 30_000;

type Hear = (hints: Hint[]) => void;

const hearers = new Set<Hear>();

function tell(hints: Hint[]): void {
  for (const hear of hearers) hear(hints);
}

/** Hears hints until the answer is called. */
export function hearHints(hear: Hear): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

/** Opens the sources of hints; called once. */
export async function startHints(): Promise<void> {
  const everything: Hint[] = [{ changed: "everything" }];
  window.addEventListener("focus", () => tell(everything));
  setInterval(() => tell(everything), TICK_MS);
  const transport = await open();
  await transport.onChanged(tell);
}
