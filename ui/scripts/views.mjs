// Every view worth looking at: its name, its screen, and what is done to get there.

export const SCREENS = ["now", "todo", "day", "printers", "settings"];

const press = (key) => (page) => page.keyboard.press(key);

export const VIEWS = [
  ...SCREENS.map((screen) => ({ name: screen, screen, documented: true })),
  { name: "now-calm", screen: "now", query: "calm" },
  { name: "todo-calm", screen: "todo", query: "calm" },
  {
    name: "todo-chosen",
    screen: "todo",
    open: async (page) => {
      for (const key of [" ", "ArrowDown", " ", "ArrowDown", " "]) await page.keyboard.press(key);
    },
  },
  { name: "todo-skip", screen: "todo", open: press("Delete") },
  { name: "todo-reroute", screen: "todo", open: press("r") },
  {
    name: "todo-rejected",
    screen: "todo",
    open: async (page) => {
      await press("End")(page);
      await press("ArrowUp")(page);
    },
  },
  { name: "day-count", screen: "day", open: press("F6") },
  { name: "day-close", screen: "day", open: press("F9") },
  { name: "day-splits", screen: "day", query: "splits", open: press("Control+s") },
  {
    name: "day-split-settle",
    screen: "day",
    query: "splits",
    open: async (page) => {
      await press("Control+s")(page);
      await press("y")(page);
    },
  },
  { name: "help", screen: "now", documented: true, open: press("F1") },
  { name: "quit", screen: "now", open: press("Control+q") },
  {
    name: "printers-add",
    screen: "printers",
    open: async (page) => {
      await page.keyboard.press("Insert");
      await page.locator("dialog .find button").click();
      await page.waitForSelector("dialog li button");
    },
  },
  {
    name: "printers-probe",
    screen: "printers",
    open: async (page) => {
      await page.locator("main ul li:nth-child(3)").press("b");
      await page.waitForSelector("dialog fieldset");
    },
  },
  {
    name: "settings-pin",
    screen: "settings",
    open: (page) => page.locator("form button[type=submit]").click(),
  },
  { name: "settings-pair", screen: "settings", open: press("Control+h") },
  ...["now", "todo", "day", "settings"].map((screen) => ({
    name: `${screen}-cloud`,
    screen,
    query: "cloud",
    ...(screen === "todo" ? { open: press("End") } : {}),
  })),
  { name: "settings-pin-change", screen: "settings", open: press("Control+p") },
  {
    name: "settings-licences",
    screen: "settings",
    open: async (page) => {
      await page.locator("main section").last().locator(".buttons button").first().click();
      await page.waitForSelector("dialog [role=option]");
    },
  },
  ...SCREENS.map((screen) => ({ name: `${screen}-long`, screen, query: "long" })),
  { name: "now-paper", screen: "now", open: press("F7") },
  { name: "now-lost", screen: "now", query: "lost" },
  { name: "day-lost", screen: "day", query: "lost" },
  { name: "todo-loading", screen: "todo", query: "silent" },
  { name: "day-move", screen: "day", open: press("F7") },
  { name: "day-declare", screen: "day", open: press("F8") },
  { name: "day-table", screen: "day", open: press("Control+h") },
  { name: "setup", screen: "now", documented: true, query: "phase=setup" },
  {
    name: "setup-printer",
    screen: "now",
    query: "phase=setup",
    open: async (page) => {
      for (const field of await page.locator("input[type=password]").all()) await field.fill("1234");
      await page.locator("button[type=submit]").click();
      await page.waitForSelector(".virtual");
    },
  },
  { name: "locked", screen: "now", query: "phase=locked" },
];
