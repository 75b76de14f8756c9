// Turns at fetching again: however much is watched, the register is asked at most ten times in any second.

/** Two more are left for what does not wait: the story and the paper of the receipt that is shown. */
const MOST = 8;
const WITHIN_MS = 1_000;

/** Hands out turns in the order they are asked for. */
export class Turns {
  #taken: number[] = [];
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is this one's turn: at once, unless the last second was full. */
  take(): Promise<void> {
    this.#last = this.#last.then(() => this.#next());
    return this.#last;
  }

  /** Somebody asks without a turn. */
  note(): void {
    this.#taken = [...this.#taken, performance.now()].slice(-MOST);
  }

  async #next(): Promise<void> {
    for (let wait = this.#wait(); wait > 0; wait = this.#wait()) {
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(wait)));
    }
    this.note();
  }

  /** Until the oldest of the last ones is a second ago. */
  #wait(): number {
    const [oldest = -Infinity] = this.#taken;
    return this.#taken.length < MOST ? 0 : oldest + WITHIN_MS - performance.now();
  }
}

/** The turns of this window. */
export const turns = new Turns();
