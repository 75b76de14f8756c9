// Short messages at the edge of the window; what went wrong stays until it is put away.
import { type Problem, problemOf } from "./problem";

export interface Toast {
  id: number;
  text: string;
  problem: Problem | null;
}

/** Shown at once at most; older ones give way. */
const MOST = 4;
const SHOWN_MS = 5_000;

class Toasts {
  shown = $state<Toast[]>([]);
  #next = 1;

  #add(text: string, problem: Problem | null): number {
    const id = this.#next++;
    this.shown = [...this.shown, { id, text, problem }].slice(-MOST);
    return id;
  }

  say(text: string): void {
    const id = this.#add(text, null);
    setTimeout(() => this.close(id), SHOWN_MS);
  }

  fail(thrown: unknown): void {
    this.#add("", problemOf(thrown));
  }

  close(id: number): void {
    this.shown = this.shown.filter((toast) => toast.id !== id);
  }

  /** Does something and shows what goes wrong; whether it was done. */
  async attempt(act: () => Promise<unknown>, done?: () => string): Promise<boolean> {
    try {
      await act();
      if (done) this.say(done());
      return true;
    } catch (thrown) {
      this.fail(thrown);
      return false;
    }
  }
}

export const toasts = new Toasts();
