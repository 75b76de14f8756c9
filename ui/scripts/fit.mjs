// What axe does not see: whether a finger hits it, and whether it has room.

/** In the page: what is smaller than a finger, and what is cut or runs out sideways. */
function misfits(touch) {
  const named = (element) =>
    `${element.tagName.toLowerCase()}.${[...element.classList].filter((name) => !name.startsWith("svelte-")).join(".")} "${(element.getAttribute("aria-label") ?? element.textContent ?? "").replaceAll(/\s+/g, " ").trim().slice(0, 40)}"`;
  const dialog = document.querySelector("dialog[open]");
  const all = (selector) =>
    [...(dialog ?? document).querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const targets = all("button, select, input, [role=option], label:has(input)").filter(
    (element) =>
      !element.matches("input:is([type=checkbox], [type=radio])") && !element.closest("label input"),
  );
  const small = targets.filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    const inLabel = element.matches("input") && element.closest("label");
    return height < touch - (inLabel ? 6 : 0.5) || width < touch - 0.5;
  });
  const cut = all("button, button > span:not(.hidden), label, h1, th, td").filter(
    (element) =>
      element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline",
  );
  const wide = [document.documentElement, ...all("main, .body, .box, .list")].filter(
    (element) => element.scrollWidth > element.clientWidth + 1,
  );
  return [
    ...small.map((element) => `too small to touch: ${named(element)}`),
    ...cut.map((element) => `cut: ${named(element)}`),
    ...wide.map((element) => `runs out sideways: ${named(element)}`),
  ];
}

/** The smallest touch target, in pixels. */
const TOUCH = 44;

/** What does not fit on an open page, at the smallest size of the window and in the largest text. */
export async function misfitsOn(page) {
  const found = await page.evaluate(misfits, TOUCH);
  await page.setViewportSize({ width: 1024, height: 768 });
  const narrow = await page.evaluate(misfits, TOUCH);
  await page.evaluate(() => (document.documentElement.dataset.size = "largest"));
  const large = await page.evaluate(misfits, TOUCH);
  return [
    ...found,
    ...narrow.map((finding) => `1024: ${finding}`),
    ...large.map((finding) => `1024, largest text: ${finding}`),
  ];
}
