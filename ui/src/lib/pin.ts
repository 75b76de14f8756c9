// The manager's PIN, as the register takes it.

export function isPin(typed: string): boolean {
  return /^\d{4,12}$/.test(typed);
}
