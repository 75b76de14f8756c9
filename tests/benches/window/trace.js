// What a person at the window would notice, noted from within the page until `end_ms` have gone by: gaps
// between frames, the time from a click to its answer, calls to the register, rows drawn. Nobody touches
// the page for the first `untouched_ms`, so that what it asks meanwhile it asks by itself.
const [untouched_ms, end_ms] = arguments;
const begun = performance.now();
const trace = { gaps: [], calls: [], rows: 0, nodes: 0, receipts: [], papers: [], screens: [], missed: 0 };
window.tillrollTrace = trace;

const going = () => performance.now() - begun < end_ms;
const main = () => document.querySelector("main");
const rows = () => [...document.querySelectorAll("[role=option]")];
const nextFrame = () => new Promise(requestAnimationFrame);

/** A longer wait counts as no answer. */
const PATIENCE_MS = 5_000;

async function noteFrames() {
  let last = performance.now();
  await nextFrame();
  while (going()) {
    const now = performance.now();
    trace.gaps.push(now - last);
    last = now;
    trace.rows = Math.max(trace.rows, rows().length);
    trace.nodes = Math.max(trace.nodes, document.getElementsByTagName("*").length);
    await nextFrame();
  }
  trace.ended = true;
}

function noteCalls() {
  const fetched = window.fetch;
  window.fetch = (...request) => {
    const url = new URL(request[0]?.url ?? request[0]);
    if (url.protocol === "ipc:" && going()) {
      trace.calls.push([performance.now() - begun, decodeURIComponent(url.pathname.slice(1))]);
    }
    return fetched.apply(window, request);
  };
}

/**
 * Waits for a moment, then clicks, and notes the time to the frame that shows the answer. It counts from the
 * moment a person would have clicked, not from when a busy page got round to it.
 */
async function click(pauseMs, element, answered) {
  const moment = performance.now() + pauseMs;
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  const clicked = element();
  if (!clicked) return;
  const checks = answered(clicked);
  clicked.click();
  for (const [kind, shown] of checks) {
    do await nextFrame();
    while (!shown() && performance.now() - moment < PATIENCE_MS);
    if (shown()) trace[kind].push(performance.now() - moment);
    else trace.missed += 1;
  }
}

/** The order beside the list is the one of the row, then its paper. */
function receiptShown(row) {
  const order = row.querySelector(".order").textContent.trim();
  return [
    ["receipts", () => main().querySelector("aside h2")?.textContent.includes(order)],
    ["papers", () => main().querySelector("aside pre")?.textContent.includes(order)],
  ];
}

/** Another title, and on the first screen its receipts. */
function screenShown(key) {
  const title = main().querySelector("h1");
  const isFirst = key.matches("nav button:first-child");
  const shown = () => {
    const now = main().querySelector("h1");
    return now && now !== title && (!isFirst || rows().length > 0);
  };
  return [["screens", shown]];
}

async function clickAbout() {
  const keys = [...document.querySelectorAll("nav button")];
  const [now, ...others] = keys;
  const pause = () => 100 + Math.random() * 300;
  for (let turn = 0; going(); turn += 1) {
    for (let pick = 0; pick < 4 && going(); pick += 1) {
      await click(pause(), () => rows()[1 + ((turn + pick * 2) % 7)], receiptShown);
    }
    await click(pause(), () => others[turn % others.length], screenShown);
    await click(pause(), () => now, screenShown);
  }
}

noteCalls();
void noteFrames();
setTimeout(() => void clickAbout(), untouched_ms);
