// What only a manager may do: tried, refused, unlocked with the PIN, tried again.
import { ipc } from "./ipc";
import { type Problem, problemOf } from "./problem";
import { register } from "./register.svelte";
import { toasts } from "./toasts.svelte";

class Manager {
  /** The PIN is being asked for. */
  asking = $state(false);
  problem = $state.raw<Problem | null>(null);
  #answered: ((unlocked: boolean) => void) | null = null;

  /** Does it, asking for the PIN where it is needed; whether it was done. */
  async attempt(act: () => Promise<unknown>, done?: () => string): Promise<boolean> {
    try {
      await act();
      if (done) toasts.say(done());
      return true;
    } catch (thrown) {
      const problem = problemOf(thrown);
      if (problem.code === "forbidden" || problem.code === "pin_unset") {
        return (await this.ask()) && toasts.attempt(act, done);
      }
      toasts.fail(problem);
      return false;
    }
  }

  /** Asks for the PIN; whether it was given. */
  ask(): Promise<boolean> {
    this.#answered?.(false);
    this.asking = true;
    this.problem = null;
    return new Promise((resolve) => (this.#answered = resolve));
  }

  /** Unlocks with the PIN; where there is none yet, this one becomes it. */
  async unlock(pin: string): Promise<void> {
    try {
      if (register.app?.has_pin === false) await ipc.setManagerPin(pin);
      await ipc.unlockManager(pin);
      await register.load();
      this.#end(true);
    } catch (thrown) {
      this.problem = problemOf(thrown);
    }
  }

  giveUp(): void {
    this.#end(false);
  }

  #end(unlocked: boolean): void {
    this.asking = false;
    this.#answered?.(unlocked);
    this.#answered = null;
  }
}

export const manager = new Manager();
