// Paper of a made-up receipt, drawn in the dots of an 80 mm printer.
import type { JobView, PaperPicture } from "../views";
import { linesOf, type Shop, totalOf } from "./shop";

const [WIDTH, EDGE, LEFT, CELL] = [640, 24, 56, 12];
const COLUMNS = (WIDTH - 2 * LEFT) / CELL;

interface Row {
  left?: string;
  right?: string;
  middle?: string;
  size?: number;
  rule?: boolean;
}

function rowsOf(shop: Shop, job: JobView): Row[] {
  const { words } = shop;
  const lines = linesOf(shop, job.flow_no);
  const amount = (minor: number) => (minor / 100).toFixed(2);
  const total = totalOf(lines);
  const paid = Math.ceil(total / 1000) * 1000;
  const mark = job.copy_of ? words.copy : job.reprint ? words.reprint : null;
  return [
    { middle: shop.title, size: 2 },
    ...(mark ? [{ middle: `[${mark}]`, size: 2 }] : []),
    { middle: `${words.no} ${job.order}` },
    { rule: true },
    ...lines.map((line) => ({ left: `${line.name} ×${line.quantity}`, right: amount(line.minor) })),
    { rule: true },
    { left: words.total, right: amount(total), size: 2 },
    { left: words.cash, right: amount(paid) },
    { left: words.change, right: amount(paid - total) },
    { rule: true },
    { middle: words.thanks },
    { middle: job.id },
  ];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function text(row: Row, y: number): string {
  const size = 20 * (row.size === 2 ? 1.7 : 1);
  const at = (x: number, anchor: string, content: string) =>
    `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}"${row.size ? ' font-weight="bold"' : ""}>${escaped(content)}</text>`;
  if (row.rule)
    return `<path d="M${LEFT} ${y - 8}H${WIDTH - LEFT}" stroke="#1c1c1c" stroke-dasharray="8 6"/>`;
  return [
    row.middle ? at(WIDTH / 2, "middle", row.middle) : "",
    row.left ? at(LEFT, "start", row.left) : "",
    row.right ? at(WIDTH - LEFT, "end", row.right) : "",
  ].join("");
}

function plain(row: Row): string {
  if (row.rule) return "-".repeat(COLUMNS);
  if (row.middle) return row.middle.padStart((COLUMNS + row.middle.length) / 2);
  return `${row.left ?? ""}${(row.right ?? "").padStart(COLUMNS - (row.left ?? "").length)}`;
}

export function paperOf(shop: Shop, job: JobView): PaperPicture {
  const rows = rowsOf(shop, job);
  let y = EDGE + 40;
  const drawn = rows.map((row) => {
    y += row.size === 2 ? 48 : 32;
    return text(row, y);
  });
  const height = y + 60;
  const paper = `<path d="M${EDGE} ${EDGE}H${WIDTH - EDGE}V${height - EDGE}H${EDGE}Z" fill="#fffefb" stroke="#d8d4cc" stroke-width="2"/>`;
  const font = "'DejaVu Sans Mono','Noto Sans Mono CJK SC','Noto Sans CJK SC',monospace";
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH / 8}mm" height="${height / 8}mm" font-family="${font}" fill="#1c1c1c">${paper}${drawn.join("")}</svg>`;
  return { svg, text: rows.map(plain).join("\n") };
}
