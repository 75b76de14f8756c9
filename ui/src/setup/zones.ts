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

const EURO_REGIONS = "AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK";
const OTHERS =
  "AE:AED AR:ARS AU:AUD BR:BRL CA:CAD CH:CHF CL:CLP CN:CNY CO:COP CZ:CZK DK:DKK EG:EGP GB:GBP HK:HKD HU:HUF " +
  "ID:IDR IL:ILS IN:INR JP:JPY KR:KRW MA:MAD MO:MOP MX:MXN MY:MYR NO:NOK NZ:NZD PE:PEN PH:PHP PL:PLN RO:RON " +
  "SA:SAR SE:SEK SG:SGD TH:THB TR:TRY TW:TWD UA:UAH US:USD VN:VND ZA:ZAR";

/** Currencies (ISO 4217) by region (ISO 3166-1), where tills are likely to stand. */
const CURRENCIES = new Map<string, string>([
  ...EURO_REGIONS.split(" ").map((region): [string, string] => [region, "EUR"]),
  ...OTHERS.split(" ").map((pair) => pair.split(":") as [string, string]),
]);

/** The currency of the computer's region, else of the language's. */
export function likelyCurrency(language: Language, computer: string = navigator.language): string {
  const region = new Intl.Locale(computer || language).region ?? new Intl.Locale(language).maximize().region;
  return CURRENCIES.get(region ?? "") ?? "USD";
}
