// Names, numbers and amounts as long as they may be, to see whether the screens have room for them.
import type { ClientView, JobView, PrinterView, TotalsView } from "../views";

/** As long as the name of a printer is likely to be. */
const PRINTER = "second-floor-kitchen-hot-dishes-and-noodles";
const ORDER = "~20261130~MEITUAN-TAKEAWAY-0000000000000000123456789-second-part";

/** Makes every third job, one printer and one client long. */
export function stretch(jobs: JobView[], printers: PrinterView[], clients: ClientView[]): void {
  const [, kitchen] = printers;
  for (const [index, job] of jobs.entries()) {
    if (job.printer === kitchen?.name) job.printer = PRINTER;
    if (index % 3 !== 0) continue;
    job.order += ORDER;
    if (job.amount_minor !== 0) job.amount_minor += 1_234_567_800;
  }
  if (kitchen) {
    Object.assign(kitchen, { name: PRINTER, queued: 4_711, detail: "DLE EOT 4 = 0x7e ".repeat(6) });
    kitchen.uri = "serial:///dev/serial/by-id/usb-1a86_USB2.0-Serial-if00-port0?baud=115200&parity=even";
  }
  const last = clients.at(-2);
  if (last) last.name = "pos-of-the-second-floor-with-a-name-of-up-to-eighty-letters-as-is-allowed-here";
}

/** What a POS with long names of tenders declares. */
export const STRETCHED: TotalsView = {
  receipts: 12_345,
  refunds: 678,
  gross_minor: 123_456_789_000,
  refunded_minor: 98_765_400,
  tenders: { 美团外卖平台代收含平台优惠券与配送费: 123_456_700, "gift-card-of-the-mall": 4_700 },
};
