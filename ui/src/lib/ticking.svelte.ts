// The time of day, for ages and the clock on the screen.

class Ticking {
  now = $state.raw(new Date());

  /** Ticks each second until the answer is called. */
  start(): () => void {
    const timer = setInterval(() => (this.now = new Date()), 1_000);
    return () => clearInterval(timer);
  }
}

export const ticking = new Ticking();
