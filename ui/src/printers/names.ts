// Names of printers: plain enough for an address and an id.

const NAME = /^[A-Za-z0-9._~-]{1,80}$/;

export function isName(text: string): boolean {
  return NAME.test(text);
}

/** A free name: `front` for the first printer, then one made of what the device calls itself. */
export function suggestedName(device: string | null, taken: readonly string[]): string {
  const made = (device ?? "printer")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const wanted = taken.length === 0 ? "front" : made || "printer";
  if (!taken.includes(wanted)) return wanted;
  let number = 2;
  while (taken.includes(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}
