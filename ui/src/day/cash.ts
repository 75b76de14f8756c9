// Coins and notes that are counted, in minor units, largest first.
const DENOMINATIONS: Record<string, readonly number[]> = {
  CNY: [10_000, 5_000, 2_000, 1_000, 500, 100, 50, 10],
  USD: [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 25, 10, 5, 1],
  EUR: [20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  GBP: [5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  HKD: [100_000, 50_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10],
  JPY: [10_000, 5_000, 1_000, 500, 100, 50, 10, 5, 1],
};

/** What lies in a drawer of that currency; none known: the sum is typed. */
export function denominationsOf(currency: string): readonly number[] {
  return DENOMINATIONS[currency] ?? [];
}

/** The sum of counted pieces; an empty field counts nothing, anything but digits is no count. */
export function sumOf(pieces: ReadonlyMap<number, string>): number | null {
  let sum = 0;
  for (const [minor, typed] of pieces) {
    if (!/^\d{0,6}$/.test(typed.trim())) return null;
    sum += minor * Number(typed);
  }
  return sum;
}
