// Which rows of a long list are drawn: those in view and a few around them, never all.

/** Rows `from` up to `to` (not included), with the heights of what is left out above and below. */
export interface Drawn {
  from: number;
  to: number;
  above: number;
  below: number;
}

const AROUND = 6;

/** The rows in view of `count` equal rows. */
export function drawn(count: number, height: number, top: number, view: number): Drawn {
  const from = Math.max(0, Math.min(count, Math.floor(top / height)) - AROUND);
  const to = Math.min(count, Math.ceil((top + view) / height) + AROUND);
  return { from, to, above: from * height, below: Math.max(0, count - to) * height };
}

/** How far to scroll so that a row is wholly in view. */
export function scrolled(row: number, height: number, top: number, view: number): number {
  if (row * height < top) return row * height;
  return Math.max(top, (row + 1) * height - view);
}
