// Every key of the window: the one table behind the handlers, the buttons and the help sheet.

/**
 * A key, and where it counts. Letters count only while a list or a printer's card has the focus, so typing is
 * never an answer.
 */
export interface Key {
  key: string;
  ctrl?: boolean;
  /** What stands on the button. */
  shown: string;
  where: "everywhere" | "list" | "todo" | "now" | "day" | "splits" | "printers" | "settings";
}

export const KEYS = {
  help: { key: "F1", shown: "F1", where: "everywhere" },
  now: { key: "F2", shown: "F2", where: "everywhere" },
  todo: { key: "F3", shown: "F3", where: "everywhere" },
  day: { key: "F4", shown: "F4", where: "everywhere" },
  printers: { key: "F5", shown: "F5", where: "everywhere" },
  settings: { key: "F10", shown: "F10", where: "everywhere" },
  search: { key: "k", ctrl: true, shown: "Ctrl K", where: "everywhere" },
  quit: { key: "q", ctrl: true, shown: "Ctrl Q", where: "everywhere" },
  move: { key: "ArrowDown", shown: "↑ ↓", where: "list" },
  ends: { key: "Home", shown: "Home End", where: "list" },
  main: { key: "Enter", shown: "Enter", where: "list" },
  on_paper: { key: "y", shown: "Y", where: "todo" },
  not_on_paper: { key: "n", shown: "N", where: "todo" },
  reroute: { key: "r", shown: "R", where: "list" },
  skip: { key: "Delete", shown: "Del", where: "list" },
  paper: { key: "F7", shown: "F7", where: "list" },
  choose: { key: " ", shown: "Space", where: "todo" },
  choose_all: { key: "a", ctrl: true, shown: "Ctrl A", where: "todo" },
  print_all: { key: "p", shown: "P", where: "todo" },
  copy: { key: "F8", shown: "F8", where: "now" },
  count: { key: "F6", shown: "F6", where: "day" },
  move_cash: { key: "F7", shown: "F7", where: "day" },
  declare: { key: "F8", shown: "F8", where: "day" },
  close: { key: "F9", shown: "F9", where: "day" },
  export_csv: { key: "e", ctrl: true, shown: "Ctrl E", where: "day" },
  export_pdf: { key: "p", ctrl: true, shown: "Ctrl P", where: "day" },
  previous_day: { key: "ArrowLeft", ctrl: true, shown: "Ctrl ←", where: "day" },
  next_day: { key: "ArrowRight", ctrl: true, shown: "Ctrl →", where: "day" },
  hours_table: { key: "h", ctrl: true, shown: "Ctrl H", where: "day" },
  splits: { key: "s", ctrl: true, shown: "Ctrl S", where: "day" },
  split_retry: { key: "r", shown: "R", where: "splits" },
  split_settle: { key: "y", shown: "Y", where: "splits" },
  split_cancel: { key: "Delete", shown: "Del", where: "splits" },
  add_printer: { key: "Insert", shown: "Ins", where: "printers" },
  move_queue: { key: "m", shown: "M", where: "printers" },
  pause: { key: "p", shown: "P", where: "printers" },
  test: { key: "t", shown: "T", where: "printers" },
  probe: { key: "b", shown: "B", where: "printers" },
  drawer: { key: "o", shown: "O", where: "printers" },
  edit: { key: "e", shown: "E", where: "printers" },
  remove: { key: "Delete", shown: "Del", where: "printers" },
  add_client: { key: "Insert", shown: "Ins", where: "settings" },
  pair: { key: "h", ctrl: true, shown: "Ctrl H", where: "settings" },
  change_pin: { key: "p", ctrl: true, shown: "Ctrl P", where: "settings" },
  lock: { key: "l", ctrl: true, shown: "Ctrl L", where: "settings" },
} as const satisfies Record<string, Key>;

export type KeyName = keyof typeof KEYS;

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** Whether a pressed key is the named one; letters in either case. */
export function pressed(event: Pressed, name: KeyName): boolean {
  const wanted: Key = KEYS[name];
  const ctrl = event.ctrlKey || event.metaKey;
  if (event.altKey || ctrl !== (wanted.ctrl ?? false)) return false;
  return event.key.length === 1 ? event.key.toLowerCase() === wanted.key : event.key === wanted.key;
}

/** How a screen reader is told of it, as `aria-keyshortcuts`. */
export function shortcut(name: KeyName): string {
  const { key, ctrl }: Key = KEYS[name];
  const named = key === " " ? "Space" : key.length === 1 ? key.toUpperCase() : key;
  return ctrl ? `Control+${named}` : named;
}

/** The first of the names that was pressed. */
export function pressedOf<Name extends KeyName>(event: Pressed, names: readonly Name[]): Name | null {
  return names.find((name) => pressed(event, name)) ?? null;
}

/** Where the selection goes by a key that moves; nothing for other keys. */
export function moved(key: string, at: number, count: number, page: number): number | null {
  const last = count - 1;
  const to: Record<string, number> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - page,
    PageDown: at + page,
    Home: 0,
    End: last,
  };
  const wanted = to[key];
  return wanted === undefined ? null : Math.max(0, Math.min(last, wanted));
}
