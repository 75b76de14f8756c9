// Every command of the register, typed. The only place that names them.
import { problemOf } from "./problem";
import { open } from "./transport";
import type {
  AddedPrinter,
  AppState,
  ClientBody,
  ClientMade,
  ClientView,
  ClosingView,
  CloudStatusView,
  DayView,
  DeviceView,
  HourView,
  JobState,
  JobView,
  ManualSplitView,
  ManyAnswered,
  MovementKind,
  PairCloudBody,
  PaperPicture,
  PrinterBody,
  PrinterView,
  ProbeView,
  ProfileView,
  RecordsAnswered,
  RecordVerb,
  Settings,
  SetUpBody,
  SplitsView,
  SplitVerb,
  StoryView,
  TodoView,
  TotalsView,
  Unlocked,
  Verb,
} from "./views";

async function call<Answer>(command: string, args: Record<string, unknown> = {}): Promise<Answer> {
  try {
    const transport = await open();
    return (await transport.call(command, args)) as Answer;
  } catch (thrown) {
    throw problemOf(thrown);
  }
}

/** What goes with an answer to a job. */
export interface AnswerArgs {
  verb: Verb;
  reason?: string;
  printer?: string;
}

export const ipc = {
  appState: () => call<AppState>("app_state"),
  setUp: (body: SetUpBody) => call<AppState>("set_up", { body }),
  quit: (force: boolean) => call<number>("quit", { force }),
  unlockManager: (pin: string) => call<Unlocked>("unlock_manager", { pin }),
  lockManager: () => call<null>("lock_manager"),
  setManagerPin: (pin: string) => call<null>("set_manager_pin", { pin }),

  printers: () => call<PrinterView[]>("printers"),
  addPrinter: (name: string, body: PrinterBody) => call<AddedPrinter>("add_printer", { name, body }),
  changePrinter: (name: string, body: PrinterBody) => call<PrinterView>("change_printer", { name, body }),
  removePrinter: (name: string) => call<null>("remove_printer", { name }),
  probePrinter: (name: string) => call<ProbeView>("probe_printer", { name }),
  testPrinter: (name: string) => call<JobView>("test_printer", { name }),
  pausePrinter: (name: string, paused: boolean) => call<PrinterView>("pause_printer", { name, paused }),
  openDrawer: (name: string, reason: string) => call<null>("open_drawer", { name, reason }),
  discoverPrinters: (network: boolean) => call<DeviceView[]>("discover_printers", { network }),
  profiles: () => call<ProfileView[]>("profiles"),
  routes: () => call<Record<string, string>>("routes"),
  setRoutes: (routes: Record<string, string>) => call<Record<string, string>>("set_routes", { routes }),

  jobs: (wanted: { state?: JobState; most: number; search?: string }) => call<JobView[]>("jobs", wanted),
  job: (id: string) => call<StoryView>("job", { id }),
  jobPaper: (id: string) => call<PaperPicture>("job_paper", { id }),
  todo: () => call<TodoView>("todo"),
  answerJob: (id: string, answer: AnswerArgs) => call<JobView>("answer_job", { id, ...answer }),
  answerJobs: (ids: string[], answer: AnswerArgs) => call<ManyAnswered>("answer_jobs", { ids, ...answer }),
  answerRejected: (id: number, answer: string) => call<null>("answer_rejected", { id, answer }),
  readNotice: (id: number) => call<null>("read_notice", { id }),

  day: (date: string) => call<DayView>("day", { date }),
  hours: (date: string) => call<HourView[]>("hours", { date }),
  declarePosTotals: (date: string, totals: TotalsView) => call<null>("declare_pos_totals", { date, totals }),
  moveCash: (date: string, movement: { kind: MovementKind; amount_minor: number; reason?: string }) =>
    call<null>("move_cash", { date, body: movement }),
  closeDay: (
    date: string,
    closing: { z_no?: number; counted_minor?: number; reason?: string; pin: string },
  ) => call<ClosingView>("close_day", { date, ...closing }),
  splits: (date: string) => call<SplitsView>("splits", { date }),
  answerSplit: (id: string, verb: SplitVerb, note?: string) =>
    call<ManualSplitView>("answer_split", { id, verb, body: note ? { note } : {} }),
  exportDay: (date: string, format: "csv" | "pdf") => call<string>("export_day", { date, format }),

  cloud: () => call<CloudStatusView>("cloud"),
  pairCloud: (body: PairCloudBody) => call<CloudStatusView>("pair_cloud", { body }),
  unpairCloud: () => call<null>("unpair_cloud"),
  retryCloud: () => call<CloudStatusView>("retry_cloud"),
  answerRecords: (verb: RecordVerb, ids: number[], reason?: string) =>
    call<RecordsAnswered>("answer_records", { verb, body: { ids, ...(reason ? { reason } : {}) } }),

  clients: () => call<ClientView[]>("clients"),
  makeClient: (body: ClientBody) => call<ClientMade>("make_client", { body }),
  revokeClient: (name: string) => call<null>("revoke_client", { name }),
  settings: () => call<Settings>("settings"),
  changeSettings: (settings: Settings) => call<Settings>("change_settings", { settings }),
};
