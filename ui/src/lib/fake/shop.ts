// Two made-up shops, one for each language of the window.

/** A dish and its price in minor units. */
export type Dish = readonly [name: string, minor: number];

export interface Shop {
  store: string;
  title: string;
  currency: string;
  zone: string;
  dishes: readonly Dish[];
  printers: { front: string; kitchen: string; bar: string };
  /** Why its drawer is opened without a sale. */
  drawerReason: string;
  words: {
    no: string;
    total: string;
    cash: string;
    change: string;
    thanks: string;
    copy: string;
    reprint: string;
  };
}

const NOODLES: Shop = {
  store: "S1",
  title: "老王面馆 一店",
  currency: "CNY",
  zone: "Asia/Shanghai",
  dishes: [
    ["红烧牛肉面(大碗)", 2800],
    ["凉拌木耳", 1200],
    ["番茄鸡蛋面", 2200],
    ["卤蛋", 300],
    ["酸梅汤", 800],
    ["小笼包(一笼)", 1800],
    ["拍黄瓜", 1000],
  ],
  printers: { front: "front", kitchen: "kitchen", bar: "bar" },
  drawerReason: "给客人换零钱",
  words: {
    no: "单号",
    total: "合计",
    cash: "现金",
    change: "找零",
    thanks: "谢谢光临",
    copy: "补打",
    reprint: "重打",
  },
};

const HARBOUR: Shop = {
  store: "S1",
  title: "Harbour Noodle Bar",
  currency: "GBP",
  zone: "Europe/London",
  dishes: [
    ["Beef noodle soup (L)", 1180],
    ["Sesame greens", 480],
    ["Tomato & egg noodles", 940],
    ["Soy egg", 150],
    ["Plum soda", 320],
    ["Soup dumplings (6)", 780],
    ["Smashed cucumber", 420],
  ],
  printers: { front: "front", kitchen: "kitchen", bar: "bar" },
  drawerReason: "coins for a customer",
  words: {
    no: "No.",
    total: "TOTAL",
    cash: "Cash",
    change: "Change",
    thanks: "Thank you",
    copy: "COPY",
    reprint: "REPRINT",
  },
};

export function shopFor(language: string): Shop {
  return language.startsWith("zh") ? NOODLES : HARBOUR;
}

/** One line of a receipt: what, how many, what it costs together. */
export interface Line {
  name: string;
  quantity: number;
  minor: number;
}

/** The same lines for the same flow number, every time. */
export function linesOf(shop: Shop, flowNo: number): Line[] {
  const count = 1 + (flowNo % 3);
  return Array.from({ length: count }, (_, index) => {
    const [name, price] = shop.dishes[(flowNo * 3 + index * 2) % shop.dishes.length] ?? ["", 0];
    const quantity = 1 + ((flowNo + index) % 2);
    return { name, quantity, minor: quantity * price };
  });
}

export function totalOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.minor, 0);
}
