// What this computer knows of zones and currencies.
import type { Language } from "$lib/look.svelte";

/** Every zone of the webview, this computer's own first. */
export function zones(): { value: string; text: string }[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const others = Intl.supportedValuesOf("timeZone").filter((zone) => zone !== own);
  return [own, ...others].map((zone) => ({ value: zone, text: zone }));
}

/** Every currency of the webview by its name, the likely one first. */
export function currencies(language: Language): { value: string; text: string }[] {
  const names = new Intl.DisplayNames(language, { type: "currency" });
  const all = Intl.supportedValuesOf("currency");
  const first = likelyCurrency(language);
  const ordered = [first, ...all.filter((code) => code !== first)];
  return ordered.map((code) => ({ value: code, text: `${code} · ${names.of(code) ?? code}` }));
}

/** Times of day at which the next business day may begin: each half hour up to noon. */
export function cutoffs(): { value: string; text: string }[] {
  return Array.from({ length: 25 }, (_, half) => {
    const time = `${String(Math.floor(half / 2)).padStart(2, "0")}:${half % 2 ? "30" : "00"}`;
    return { value: time, text: time };
  });
}

export function likelyCurrency(language: Language): string {
  return language === "zh-CN" ? "CNY" : "USD";
}
