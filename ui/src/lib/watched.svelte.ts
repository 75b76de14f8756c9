// Something on the screen that is fetched again when a hint touches it.
import { hearHints } from "./hints";
import { type Problem, problemOf } from "./problem";
import { turns } from "./turns";
import type { Hint } from "./views";

/** Between two fetches, in milliseconds: what one screen watches stays below ten a second, however many hints come. */
const GAP_MS = 500;
/** Between two fetches of what is dear to gather, as a day and the to-do list are. */
export const DEAR_GAP_MS = 1_000;
/** After a fetch that failed, in milliseconds. */
const AGAIN_MS = 3_000;

/**
 * One fetch at a time; hints that come meanwhile lead to exactly one more. An answer that was overtaken by a
 * change of what is asked for is dropped. What failed is asked again by itself while it is followed.
 */
export class Watched<T> {
  value = $state.raw<T | null>(null);
  problem = $state.raw<Problem | null>(null);
  #fetch: () => Promise<T>;
  #touches: (hint: Hint) => boolean;
  #gapMs: number;
  #running = false;
  #again = false;
  #asked = 0;
  #followed = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(fetch: () => Promise<T>, touches: (hint: Hint) => boolean, gapMs = GAP_MS) {
    this.#fetch = fetch;
    this.#touches = touches;
    this.#gapMs = gapMs;
  }

  /** Follows the hints until the answer is called. */
  start(): () => void {
    this.#followed = true;
    void this.refetch();
    const stop = hearHints((hints) => {
      if (hints.some((hint) => hint.changed === "everything" || this.#touches(hint))) {
        void this.refetch();
      }
    });
    return () => {
      this.#followed = false;
      clearTimeout(this.#retry);
      stop();
    };
  }

  /** Another thing is asked for: what is under way no longer counts. */
  async ask(fetch: () => Promise<T>): Promise<void> {
    this.#fetch = fetch;
    this.#asked += 1;
    turns.note();
    await this.#run();
  }

  async refetch(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    // A person waits for what a screen shows first.
    if (this.value === null) turns.note();
    else await turns.take();
    await this.#run();
    await new Promise((resolve) => setTimeout(resolve, this.#gapMs));
    this.#running = false;
    if (!this.#again) return;
    this.#again = false;
    await this.refetch();
  }

  async #run(): Promise<void> {
    const asked = this.#asked;
    clearTimeout(this.#retry);
    try {
      const value = await this.#fetch();
      if (asked !== this.#asked) return;
      this.value = value;
      this.problem = null;
    } catch (thrown) {
      if (asked !== this.#asked) return;
      this.problem = problemOf(thrown);
      if (this.#followed) this.#retry = setTimeout(() => void this.refetch(), AGAIN_MS);
    }
  }
}
