// A made-up register: it answers every command from memory, and keeps what it is told.
import { dayAt } from "../format";
import { Problem } from "../problem";
import type {
  AppState,
  CashBody,
  ClientBody,
  ClientView,
  CloudStatusView,
  Code,
  Hint,
  JobState,
  JobView,
  NoticeView,
  PairCloudBody,
  PrinterBody,
  PrinterView,
  RejectedView,
  Settings,
  TotalsView,
  Verb,
} from "../views";
import { type Drawer, makeDayView, makeHours, newDrawer } from "./day";
import { found, makeDay, makeJob, settle, storyOf } from "./jobs";
import { awayFrom, NOT_PAIRED, pairedWith, type Records, recordsAt, without } from "./cloud";
import { paperOf } from "./paper";
import { addedOf, FOUND, makePrinters, newPrinter, ON_NETWORK, probeOf, PROFILES } from "./printers";
import { type Shop, shopFor } from "./shop";
import { FakeSplits, manualAt } from "./splits";
import { stretch, STRETCHED } from "./stretch";

/** How the made-up register starts. */
export interface Start {
  phase: AppState["phase"];
  language: string;
  /** Jobs in its day. */
  jobs: number;
  /** Nothing is on the clerk's list and every printer is well. */
  calm: boolean;
  /** Names, numbers and amounts are as long as they may be. */
  long: boolean;
  /** A head office is there, away just now, and refused something. */
  cloud?: boolean;
  /** A head office is there, and splits wait for a manager. */
  splits?: boolean;
}

type Args = Record<string, unknown>;

export class FakeRegister {
  readonly shop: Shop;
  tell: (hints: Hint[]) => void = () => {};
  #app: AppState;
  #jobs: JobView[];
  #printers: PrinterView[];
  #rejected: RejectedView[];
  #notices: NoticeView[];
  #clients: ClientView[] = [
    { name: "owner", order_scope: "store", may_open_drawer: true, may_manage: true, revoked: false },
    { name: "pos-1", order_scope: "register_day", may_open_drawer: true, may_manage: false, revoked: false },
    { name: "old-till", order_scope: "store", may_open_drawer: false, may_manage: false, revoked: true },
  ];
  #settings: Settings = { attention_after_s: 60, stale_after_s: 1800, sounds: true };
  #drawer: Drawer = newDrawer();
  #routes: Record<string, string> = {
    receipt: "front",
    refund: "front",
    kitchen: "kitchen",
    prebill: "bar",
    report: "front",
  };
  #cloud: CloudStatusView = { ...NOT_PAIRED };
  #records: Records = { refused_records: [], cloud_only: [] };
  #splits = new FakeSplits([]);
  #pin = "1234";
  #unlocked = false;

  constructor({ phase, language, jobs, calm, long, cloud, splits }: Start) {
    const now = new Date();
    this.shop = shopFor(language);
    this.#app = {
      phase,
      store: this.shop.title,
      register: "R1",
      zone: this.shop.zone,
      currency: this.shop.currency,
      locale: language,
      today: dayAt(now, this.shop.zone),
      version: "0.1.0",
      training: true,
      folder: "/var/lib/tillroll",
      log_folder: "/var/lib/tillroll/logs",
      listening: "127.0.0.1:7474",
      has_pin: true,
      manager_until: null,
      problem:
        phase === "locked"
          ? {
              code: "unavailable",
              detail: "process 4711 holds it",
              faults: [],
              state: null,
              retry_at: null,
              reference: "7c1e-1",
            }
          : null,
    };
    this.#jobs = makeDay(this.shop, jobs, now);
    this.#printers = makePrinters(now);
    const at = new Date(now.getTime() - 5_400_000).toISOString();
    this.#rejected = [
      {
        id: 1,
        order_no: "20261130-000155",
        kind: "receipt",
        code: "invalid_receipt",
        detail: "total_minor: the lines add up to 5600, the receipt says 5400",
        rejected_at: at,
      },
    ];
    this.#notices = [{ id: 1, code: "restored", detail: "", noticed_at: at }];
    this.#open("front", this.shop.drawerReason, "pos-1", new Date(now.getTime() - 7_000_000));
    if (cloud) Object.assign(this.#cloud, awayFrom(this.shop.title, at));
    if (splits) Object.assign(this.#cloud, pairedWith("https://dispatch.example.com", this.shop.title));
    if (splits) this.#splits = new FakeSplits(manualAt(this.#app.today, at));
    if (cloud) Object.assign(this.#records, recordsAt(at));
    if (calm) this.#calm();
    if (long) {
      stretch(this.#jobs, this.#printers, this.#clients);
      this.#drawer.declared = STRETCHED;
    }
  }

  #calm(): void {
    for (const job of this.#jobs) if (job.state !== "printed") settle(job, "printed");
    for (const printer of this.#printers)
      Object.assign(printer, { state: "idle", reason: null, queued: 0, oldest_at: null, next_try_at: null });
    this.#rejected = [];
    this.#notices = [];
  }

  /** A receipt arrives. */
  arrive(): void {
    const job = makeJob(this.shop, this.#jobs.length + 1, new Date());
    settle(job, "printing");
    this.#jobs.unshift(job);
    this.tell([{ changed: "job", id: job.id }]);
    setTimeout(() => {
      settle(job, "printed");
      this.tell([{ changed: "job", id: job.id }]);
    }, 1_500);
  }

  call(command: string, args: Args): unknown {
    const answer = this.#commands[command];
    if (!answer) throw new Problem({ code: "not_found", detail: `no command ${command}` });
    return answer(args);
  }

  #refuse(code: Code, detail: string): never {
    throw new Problem({ code, detail, reference: "7c1e-42" });
  }

  #manages(): void {
    if (!this.#unlocked) this.#refuse("forbidden", "the manager's PIN is needed");
  }

  #job(id: unknown): JobView {
    return this.#jobs.find((job) => job.id === id) ?? this.#refuse("not_found", `no job ${String(id)}`);
  }

  #printer(name: unknown): PrinterView {
    const printer = this.#printers.find((known) => known.name === name);
    return printer ?? this.#refuse("not_found", `no printer ${String(name)}`);
  }

  #answer(id: unknown, verb: Verb, printer?: string): JobView {
    const job = this.#job(id);
    if (!job.allowed.includes(verb))
      this.#refuse("not_allowed", `a ${job.state} job cannot be asked to ${verb}`);
    if (verb === "copy") return this.#copy(job);
    const reprint = job.reprint || ["unconfirmed", "sent"].includes(job.state);
    if (verb === "reroute" && printer) job.printer = printer;
    if (verb === "skip") settle(job, "skipped");
    else if (verb === "on_paper") {
      settle(job, "printed");
      job.confirmation = "clerk";
    } else {
      settle(job, "printed");
      job.reprint = reprint;
    }
    this.tell([{ changed: "job", id: job.id }, { changed: "day" }]);
    return { ...job };
  }

  #copy(job: JobView): JobView {
    const copy = { ...job, id: `${job.id}:c1`, copy_of: job.id, accepted_at: new Date().toISOString() };
    this.#jobs.unshift(copy);
    this.tell([{ changed: "job", id: copy.id }]);
    return copy;
  }

  #todo() {
    const asks: JobState[] = ["pending", "held", "sent", "unconfirmed", "failed"];
    const jobs = this.#jobs.filter((job) => asks.includes(job.state)).map((job) => ({ ...job }));
    return { jobs, rejected: this.#rejected, ...this.#records, notices: this.#notices };
  }

  #open(printer: string, reason: string, client: string, at: Date): void {
    this.#drawer.openings.push({ printer, client, reason, asked_at: at.toISOString(), outcome: "opened" });
  }

  #paired(cloud: CloudStatusView): CloudStatusView {
    this.#cloud = cloud;
    this.tell([{ changed: "cloud" }]);
    return { ...cloud };
  }

  #change(name: unknown, change: Partial<PrinterView>): PrinterView {
    const printer = Object.assign(this.#printer(name), change);
    this.tell([{ changed: "printer", name: printer.name }]);
    return { ...printer };
  }

  readonly #commands: Record<string, (args: Args) => unknown> = {
    app_state: () => ({ ...this.#app }),
    set_up: ({ body }) => {
      const { store, register } = body as { store: string; register: string };
      this.#unlocked = true;
      this.#app = { ...this.#app, store, register, phase: "running" };
      this.#printers = [];
      return this.#app;
    },
    quit: ({ force }) => (force ? 0 : this.#todo().jobs.filter((job) => job.state === "pending").length),
    unlock_manager: ({ pin }) => {
      if (pin !== this.#pin) this.#refuse("wrong_pin", "4 tries left");
      this.#unlocked = true;
      this.#app.manager_until = new Date(Date.now() + 300_000).toISOString();
      return { until: this.#app.manager_until };
    },
    set_manager_pin: ({ pin }) => {
      this.#manages();
      this.#pin = String(pin);
      return null;
    },
    lock_manager: () => {
      this.#unlocked = false;
      this.#app.manager_until = null;
      return null;
    },
    printers: () => this.#printers.map((printer) => ({ ...printer })),
    add_printer: ({ name, body }) => {
      this.#manages();
      if (this.#printers.some((printer) => printer.name === name))
        this.#refuse("taken", `there is a printer ${String(name)}`);
      this.#printers.push({ ...newPrinter(String(name)), ...(body as PrinterBody) } as PrinterView);
      return addedOf(this.#change(name, {}));
    },
    change_printer: ({ name, body }) => {
      this.#manages();
      return this.#change(name, body as Partial<PrinterView>);
    },
    remove_printer: ({ name }) => {
      this.#manages();
      this.#printers = this.#printers.filter((printer) => printer.name !== name);
      this.tell([{ changed: "printer", name: String(name) }]);
      return null;
    },
    probe_printer: ({ name }) => probeOf(this.#printer(name)),
    test_printer: ({ name }) => {
      this.#printer(name);
      this.arrive();
      return { ...this.#jobs[0] };
    },
    pause_printer: ({ name, paused }) =>
      this.#change(name, { state: paused ? "paused" : "idle", reason: null }),
    open_drawer: ({ name, reason }) => {
      this.#manages();
      this.#open(String(name), String(reason), "manager", new Date());
      this.tell([{ changed: "day" }]);
      return null;
    },
    discover_printers: ({ network }) => (network ? [...FOUND, ...ON_NETWORK] : FOUND),
    profiles: () => PROFILES,
    routes: () => ({ ...this.#routes }),
    set_routes: ({ routes }) => {
      this.#manages();
      Object.assign(this.#routes, routes);
      return { ...this.#routes };
    },
    jobs: ({ state, most, search }) =>
      found(this.#jobs, state as JobState | undefined, Number(most), String(search ?? "")),
    job: ({ id }) => storyOf(this.#job(id)),
    job_paper: ({ id }) => paperOf(this.shop, this.#job(id)),
    todo: () => this.#todo(),
    answer_job: ({ id, verb, printer }) => this.#answer(id, verb as Verb, printer as string | undefined),
    answer_jobs: ({ ids, verb, printer }) => ({
      answered: (ids as string[]).map((id) => ({
        id,
        job: this.#answer(id, verb as Verb, printer as string | undefined),
        code: null,
        detail: null,
      })),
    }),
    answer_rejected: ({ id }) => {
      this.#rejected = this.#rejected.filter((rejected) => rejected.id !== id);
      this.tell([{ changed: "rejected" }]);
      return null;
    },
    read_notice: ({ id }) => {
      this.#notices = this.#notices.filter((notice) => notice.id !== id);
      this.tell([{ changed: "rejected" }]);
      return null;
    },
    day: ({ date }) =>
      makeDayView(
        String(date),
        date === this.#app.today ? this.#jobs : this.#jobs.slice(40),
        this.#drawer,
        this.#cloud,
      ),
    hours: () => makeHours(this.#jobs, this.#app.zone),
    declare_pos_totals: ({ totals }) => {
      this.#drawer.declared = totals as TotalsView;
      this.tell([{ changed: "day" }]);
      return null;
    },
    move_cash: ({ body }) => {
      const { kind, amount_minor, reason } = body as CashBody;
      if (kind === "count") Object.assign(this.#drawer, { counted: amount_minor, reason: reason ?? null });
      if (kind === "paid_out") this.#drawer.paidOut += amount_minor;
      this.tell([{ changed: "day" }]);
      return null;
    },
    close_day: ({ date, pin, counted_minor, reason }) => {
      if (pin !== this.#pin) this.#refuse("wrong_pin", "4 tries left");
      this.#drawer = {
        ...this.#drawer,
        closedAt: new Date().toISOString(),
        counted: (counted_minor as number | undefined) ?? null,
        reason: (reason as string | undefined) ?? null,
      };
      this.tell([{ changed: "day" }]);
      const view = makeDayView(String(date), this.#jobs, this.#drawer, this.#cloud);
      return {
        z_no: 41,
        totals: view.register,
        recorded: view.paper.recorded,
        settled: view.paper.printed,
        differences: view.differences.length,
      };
    },
    splits: () => this.#splits.day(this.#cloud),
    answer_split: ({ id }) => {
      this.#manages();
      this.tell([{ changed: "cloud" }]);
      return this.#splits.answer(id) ?? this.#refuse("not_found", "there is no such split");
    },
    export_day: ({ date, format }) => `${this.#app.folder}/export/${String(date)}.${String(format)}`,
    cloud: () => ({ ...this.#cloud }),
    pair_cloud: ({ body }) => {
      this.#manages();
      return this.#paired(pairedWith((body as PairCloudBody).url, this.shop.title));
    },
    unpair_cloud: () => {
      this.#manages();
      this.#paired(NOT_PAIRED);
      return null;
    },
    retry_cloud: () => ({ ...this.#cloud }),
    answer_records: ({ body }) => {
      this.#manages();
      const { ids } = body as { ids: number[] };
      this.#records = without(this.#records, ids);
      this.tell([{ changed: "rejected" }]);
      return { answered: ids.length };
    },
    clients: () => this.#clients.map((client) => ({ ...client })),
    make_client: ({ body }) => {
      this.#manages();
      const client = body as ClientBody;
      this.#clients = [
        ...this.#clients.filter((known) => known.name !== client.name),
        { ...client, revoked: false },
      ];
      return { name: client.name, token: "qW3vY8m1c0x9Jr5tL2nB7kZ4hD6sF0aGpUeRiTyOoXc" };
    },
    revoke_client: ({ name }) => {
      this.#manages();
      for (const client of this.#clients) if (client.name === name) client.revoked = true;
      return null;
    },
    settings: () => ({ ...this.#settings }),
    change_settings: ({ settings }) => {
      this.#manages();
      Object.assign(this.#settings, settings);
      return { ...this.#settings };
    },
  };
}
