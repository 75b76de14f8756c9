// Amounts, dates and times by locale; amounts are integer minor units.

/** How the register writes numbers and times. */
export interface Conventions {
  locale: string;
  currency: string;
  zone: string;
}

const kept = new Map<string, unknown>();

/** Formatters are dear to make and few: each is kept. */
function once<T>(key: string, make: () => T): T {
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key) as T;
}

function moneyFormat({ locale, currency }: Conventions): Intl.NumberFormat {
  const style = { style: "currency", currency, currencyDisplay: "narrowSymbol" } as const;
  return once(`money ${locale} ${currency}`, () => new Intl.NumberFormat(locale, style));
}

/** Decimal digits of a currency. */
export function minorDigits(conventions: Conventions): number {
  return moneyFormat(conventions).resolvedOptions().maximumFractionDigits ?? 2;
}

export function money(minor: number, conventions: Conventions): string {
  return moneyFormat(conventions).format(minor / 10 ** minorDigits(conventions));
}

/** Minor units of a typed amount, `1,234.5`; nothing for what is no amount. */
export function minorOf(typed: string, conventions: Conventions): number | null {
  const digits = minorDigits(conventions);
  const plain = typed.trim().replaceAll(/[,\s￥¥$€£]/g, "");
  if (!/^\d{1,12}(\.\d*)?$/.test(plain)) return null;
  const [whole = "", fraction = ""] = plain.split(".");
  if (fraction.length > digits) return null;
  return Number(whole + fraction.padEnd(digits, "0"));
}

function timeFormat({ locale, zone }: Conventions, name: string, options: Intl.DateTimeFormatOptions) {
  const make = () => new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
  return once(`${name} ${locale} ${zone}`, make);
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

export function time(at: string, conventions: Conventions): string {
  return timeFormat(conventions, "time", { ...CLOCK, second: "2-digit" }).format(new Date(at));
}

export function clock(at: Date, conventions: Conventions): string {
  return timeFormat(conventions, "clock", CLOCK).format(at);
}

export function dateTime(at: string, conventions: Conventions): string {
  const options = { month: "short", day: "numeric", ...CLOCK } as const;
  return timeFormat(conventions, "date time", options).format(new Date(at));
}

/** A business day `2026-11-30`, which has no zone of its own. */
export function longDay(day: string, { locale }: Conventions): string {
  const options = { dateStyle: "full", timeZone: "UTC" } as const;
  return once(`day ${locale}`, () => new Intl.DateTimeFormat(locale, options)).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** The calendar day at an instant in the store's zone, `2026-11-30`. */
export function dayAt(at: Date, zone: string): string {
  const options = { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const parts = once(`iso ${zone}`, () => new Intl.DateTimeFormat("en", options)).formatToParts(at);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}`;
}

/** The day `count` days later. */
export function shiftDay(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

/** A span in its two largest units, `1 min 5 s`, `1分钟5秒`. */
export function span(ms: number, locale: string): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "day"],
    [Math.floor(seconds / 3600) % 24, "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  const shown = first < 0 ? parts.slice(3) : parts.slice(first, first + 2);
  return shown
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, unit]) => unitFormat(locale, unit).format(count))
    .join(locale.startsWith("zh") ? "" : " ");
}

function unitFormat(locale: string, unit: string): Intl.NumberFormat {
  const style = { style: "unit", unit, unitDisplay: "short" } as const;
  return once(`unit ${locale} ${unit}`, () => new Intl.NumberFormat(locale, style));
}

export function count(value: number, locale: string): string {
  return once(`count ${locale}`, () => new Intl.NumberFormat(locale)).format(value);
}
