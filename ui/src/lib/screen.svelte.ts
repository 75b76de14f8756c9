// Which screen is shown.

export const SCREENS = ["now", "todo", "day", "printers", "settings"] as const;
export type Screen = (typeof SCREENS)[number];

class Shown {
  screen = $state<Screen>(fromAddress());
  help = $state(false);
  quit = $state(false);
  /** Counts the wishes to search, so that each moves the focus. */
  searches = $state(0);

  go(screen: Screen): void {
    this.screen = screen;
    history.replaceState(null, "", `#${screen}`);
  }

  search(): void {
    this.go("now");
    this.searches += 1;
  }
}

function fromAddress(): Screen {
  const asked = location.hash.slice(1);
  return SCREENS.find((screen) => screen === asked) ?? "now";
}

export const shown = new Shown();
