// Made from the Rust types by `make bindings`; changes here are lost.

/**
 * Where a print job stands.
 */
export type JobState = "pending" | "held" | "printing" | "printed" | "sent" | "unconfirmed" | "failed" | "skipped";

/**
 * What makes a job `printed`.
 */
export type Confirmation = "token" | "counter" | "in_order" | "clerk" | "assumed";

/**
 * What the device can prove, strongest first. Probed at set-up and stored.
 */
export type ConfirmationLevel = "token" | "counter" | "in_order" | "realtime" | "silent";

/**
 * What the owner chose for a printer that cannot confirm.
 */
export type Unproven = "trust" | "ask";

/**
 * Why a printer cannot print now.
 */
export type StopReason = "paper_end" | "cover_open" | "cutter_error" | "unrecoverable_error" | "recoverable_error" | "head_hot" | "offline" | "refused" | "unreachable" | "unknown_host" | "busy" | "permission" | "timed_out" | "not_found" | "ambiguous" | "link_lost" | "device_error";

/**
 * Why a job waits for an answer before it may print.
 */
export type HoldReason = "stale" | "expired" | "restored" | "paused_order";

/**
 * A cause that is not the printer's state.
 */
export type JobCause = "interrupted" | "no_answer" | "stalled" | "cannot_confirm" | "cannot_render" | "printer_removed" | "panicked";

/**
 * Why a job is held, failed, unconfirmed, sent or skipped, and why an attempt ended.
 */
export type JobReason = StopReason | HoldReason | JobCause;

/**
 * What a person may ask for.
 */
export type Verb = "retry" | "on_paper" | "not_on_paper" | "print" | "skip" | "reroute" | "copy";

/**
 * What a print job is for.
 */
export type JobKind = "receipt" | "refund" | "prebill" | "kitchen" | "report";

/**
 * How far an order number of a POS client is unique. Many POS restart at 0001.
 */
export type OrderScope = "store" | "register" | "register_day";

/**
 * What a movement is.
 */
export type MovementKind = "float" | "paid_in" | "paid_out" | "count";

/**
 * What a person can do about a difference.
 */
export type Cure = "answer_todo" | "look_at_printer" | "compare_with_pos" | "find_flow_number" | "recount" | "set_clock" | "wait_for_network" | "answer_records" | "compare_with_cloud";

/**
 * One difference.
 */
export type Difference = { "code": "pos", 
/**
 * Which figure: `receipts`, `gross_minor`, `tenders.cash`, ...
 */
figure: string, 
/**
 * What the POS says.
 */
pos: number, 
/**
 * What the register recorded.
 */
register: number, 
/**
 * What cures it.
 */
cure: Cure, } | { "code": "paper", 
/**
 * `unconfirmed`, `failed` or `waiting`.
 */
figure: string, 
/**
 * How many.
 */
count: number, 
/**
 * What cures it.
 */
cure: Cure, } | { "code": "unaccounted", 
/**
 * Recorded less everything that was counted.
 */
count: number, 
/**
 * What cures it.
 */
cure: Cure, } | { "code": "flow_gap", 
/**
 * The last number before the gap.
 */
after: number, 
/**
 * The first number after it.
 */
before: number, 
/**
 * More than ten are missing.
 */
alarm: boolean, 
/**
 * What cures it.
 */
cure: Cure, } | { "code": "cash_difference", 
/**
 * Counted less expected.
 */
difference_minor: number, 
/**
 * Why, as the manager said.
 */
reason: string | null, 
/**
 * What cures it.
 */
cure: Cure, } | { "code": "unsent", 
/**
 * How many.
 */
count: number, 
/**
 * What cures it.
 */
cure: Cure, } | { "code": "refused", 
/**
 * How many.
 */
count: number, 
/**
 * What cures it.
 */
cure: Cure, } | { "code": "cloud", 
/**
 * Which figure, as for the POS.
 */
figure: string, 
/**
 * What the register recorded.
 */
register: number, 
/**
 * What the head office has.
 */
cloud: number, 
/**
 * What cures it.
 */
cure: Cure, } | { "code": "clock_drift", 
/**
 * The head office's clock less this one's, in milliseconds.
 */
drift_ms: number, 
/**
 * What cures it.
 */
cure: Cure, };

/**
 * Stable codes of problems.
 */
export type Code = "invalid_body" | "invalid_receipt" | "invalid_value" | "conflict" | "not_found" | "taken" | "not_allowed" | "body_gone" | "no_printer" | "printer_unusable" | "unauthorized" | "forbidden" | "wrong_pin" | "pin_locked" | "pin_unset" | "too_large" | "cloud_unreachable" | "cloud_refused" | "timed_out" | "fonts_missing" | "unsupported" | "method_not_allowed" | "misdirected" | "outcome_unknown" | "disk_full" | "unavailable" | "stopping" | "internal";

/**
 * One thing wrong with a body.
 */
export type FaultView = { 
/**
 * Path of the field.
 */
field: string, 
/**
 * What is wrong with it.
 */
message: string, 
/**
 * What the parts add up to, for a sum.
 */
computed_minor?: number, 
/**
 * What the field says, for a sum.
 */
stated_minor?: number, };

/**
 * What a command answers in place of a result.
 */
export type ProblemView = { 
/**
 * The stable code.
 */
code: Code, 
/**
 * What happened, in English, for support.
 */
detail: string, 
/**
 * Everything wrong with the arguments.
 */
faults: Array<FaultView>, 
/**
 * The state that forbids it.
 */
state: JobState | null, 
/**
 * When it may be tried again, where time cures it.
 */
retry_at: string | null, 
/**
 * Finds it in the log.
 */
reference: string, };

/**
 * How far the program is.
 */
export type Phase = "setup" | "locked" | "running";

/**
 * The register this window stands for. Before set-up the texts about it are empty.
 */
export type AppState = { 
/**
 * How far the program is.
 */
phase: Phase, 
/**
 * The store's name.
 */
store: string, 
/**
 * The register's name.
 */
register: string, 
/**
 * The store's time zone.
 */
zone: string, 
/**
 * Its currency, three letters.
 */
currency: string, 
/**
 * The language of the paper.
 */
locale: string, 
/**
 * The business day that runs.
 */
today: string, 
/**
 * The program's version.
 */
version: string, 
/**
 * This is a training store in a temporary folder.
 */
training: boolean, 
/**
 * The data folder.
 */
folder: string, 
/**
 * Where the logs lie.
 */
log_folder: string, 
/**
 * Where the local API listens, for POS programs.
 */
listening: string | null, 
/**
 * A manager PIN was set.
 */
has_pin: boolean, 
/**
 * Until when the manager's rights hold here.
 */
manager_until: string | null, 
/**
 * Why the register cannot be run here.
 */
problem: ProblemView | null, };

/**
 * The answers of the first start.
 */
export type SetUpBody = { 
/**
 * The store's name, first part of every job id, of `A-Z a-z 0-9 . _ ~ -`.
 */
store: string, 
/**
 * This register's name, of the same letters.
 */
register: string, 
/**
 * Time zone of the store, a name of the zone database.
 */
zone: string, 
/**
 * When the business day begins, `04:00`.
 */
cutoff: string, 
/**
 * The store's currency, three letters.
 */
currency: string, 
/**
 * Language of the paper: `zh-CN`, `en`, `fr`, `de`.
 */
locale: string, 
/**
 * The manager's PIN, 4 to 12 digits.
 */
manager_pin: string, };

/**
 * A manager's rights were unlocked.
 */
export type Unlocked = { 
/**
 * Until when they hold.
 */
until: string, };

/**
 * What the owner may change while the register runs.
 */
export type Settings = { 
/**
 * A waiting job is on the to-do list after so many seconds.
 */
attention_after_s: number, 
/**
 * Jobs that waited for their printer longer than so many seconds are held when it returns.
 */
stale_after_s: number, 
/**
 * A sound tells of something new on the to-do list.
 */
sounds: boolean, };

/**
 * Something may have changed; never what it changed to.
 */
export type Hint = { "changed": "job", 
/**
 * Its id.
 */
id: string, } | { "changed": "printer", 
/**
 * Its name.
 */
name: string, } | { "changed": "day" } | { "changed": "rejected" } | { "changed": "cloud" } | { "changed": "everything" };

/**
 * A print job.
 */
export type JobView = { 
/**
 * Its id.
 */
id: string, 
/**
 * The order number within its scope.
 */
order: string, 
/**
 * What it is for.
 */
kind: JobKind, 
/**
 * The original's id, for a copy.
 */
copy_of: string | null, 
/**
 * Where it stands.
 */
state: JobState, 
/**
 * Why, as a stable code.
 */
reason: JobReason | null, 
/**
 * Why its printer does not print it now, while it waits or is at the device.
 */
cause: StopReason | null, 
/**
 * What happened, what is safe, what to do.
 */
advice: string | null, 
/**
 * What proves it.
 */
confirmation: Confirmation | null, 
/**
 * Its printer.
 */
printer: string, 
/**
 * Its flow number.
 */
flow_no: number, 
/**
 * What it adds to the takings, in minor units.
 */
amount_minor: number, 
/**
 * Attempts so far.
 */
attempts: number, 
/**
 * Its next paper carries the REPRINT mark.
 */
reprint: boolean, 
/**
 * What became of its drawer pulse: `none`, `due`, `opened` or `dropped`.
 */
drawer: string, 
/**
 * When it is tried next.
 */
due_at: string | null, 
/**
 * When it was accepted.
 */
accepted_at: string, 
/**
 * When it changed last.
 */
changed_at: string, 
/**
 * What a person may do with it.
 */
allowed: Array<Verb>, };

/**
 * An attempt.
 */
export type AttemptView = { 
/**
 * First, second, ...
 */
number: number, 
/**
 * Where it went.
 */
printer: string, 
/**
 * When it began.
 */
started_at: string, 
/**
 * When it ended.
 */
ended_at: string | null, 
/**
 * `printed`, `sent`, `left_nothing` or `unconfirmed`; absent while it is open.
 */
outcome: string | null, 
/**
 * Why it ended so, as a stable code.
 */
cause: JobReason | null, 
/**
 * Bytes of the job.
 */
byte_count: number, };

/**
 * An answer of a person.
 */
export type AnswerView = { 
/**
 * What was asked for.
 */
verb: Verb, 
/**
 * The state then.
 */
was: JobState, 
/**
 * Who asked.
 */
client: string | null, 
/**
 * Why, or where to.
 */
note: string | null, 
/**
 * When.
 */
answered_at: string, };

/**
 * A record for the head office.
 */
export type RecordView = { 
/**
 * Its request id.
 */
request_id: string, 
/**
 * `waiting`, `acknowledged` or `parked`.
 */
state: string, 
/**
 * The head office's verdict.
 */
verdict: string | null, };

/**
 * A job with its whole story.
 */
export type StoryView = { 
/**
 * Business day of its receipt.
 */
day: string, 
/**
 * The POS's own time.
 */
issued_at: string | null, 
/**
 * When the register recorded it.
 */
recorded_at: string, 
/**
 * Every attempt, first to last.
 */
story: Array<AttemptView>, 
/**
 * Every answer of a person, first to last.
 */
answers: Array<AnswerView>, 
/**
 * The original and its other copies.
 */
copies: Array<string>, 
/**
 * Its records for the head office.
 */
records: Array<RecordView>, 
/**
 * Its id.
 */
id: string, 
/**
 * The order number within its scope.
 */
order: string, 
/**
 * What it is for.
 */
kind: JobKind, 
/**
 * The original's id, for a copy.
 */
copy_of: string | null, 
/**
 * Where it stands.
 */
state: JobState, 
/**
 * Why, as a stable code.
 */
reason: JobReason | null, 
/**
 * Why its printer does not print it now, while it waits or is at the device.
 */
cause: StopReason | null, 
/**
 * What happened, what is safe, what to do.
 */
advice: string | null, 
/**
 * What proves it.
 */
confirmation: Confirmation | null, 
/**
 * Its printer.
 */
printer: string, 
/**
 * Its flow number.
 */
flow_no: number, 
/**
 * What it adds to the takings, in minor units.
 */
amount_minor: number, 
/**
 * Attempts so far.
 */
attempts: number, 
/**
 * Its next paper carries the REPRINT mark.
 */
reprint: boolean, 
/**
 * What became of its drawer pulse: `none`, `due`, `opened` or `dropped`.
 */
drawer: string, 
/**
 * When it is tried next.
 */
due_at: string | null, 
/**
 * When it was accepted.
 */
accepted_at: string, 
/**
 * When it changed last.
 */
changed_at: string, 
/**
 * What a person may do with it.
 */
allowed: Array<Verb>, };

/**
 * A job's paper as it would print now, drawn from the very bytes its printer would get.
 */
export type PaperPicture = { 
/**
 * As a picture.
 */
svg: string, 
/**
 * As monospace text.
 */
text: string, };

/**
 * What became of one of many.
 */
export type OneAnswered = { 
/**
 * The id asked for.
 */
id: string, 
/**
 * The job as it stands, when it was done.
 */
job: JobView | null, 
/**
 * The code of the problem, when it was not.
 */
code: string | null, 
/**
 * The reason, when it was not.
 */
detail: string | null, };

/**
 * What became of each.
 */
export type ManyAnswered = { 
/**
 * In the order of the request.
 */
answered: Array<OneAnswered>, };

/**
 * A refused receipt.
 */
export type RejectedView = { 
/**
 * Its number on the list.
 */
id: number, 
/**
 * The POS's order number, as far as it was readable.
 */
order_no: string | null, 
/**
 * Its kind.
 */
kind: string | null, 
/**
 * The stable code of the problem.
 */
code: string, 
/**
 * What was wrong.
 */
detail: string, 
/**
 * When it was refused.
 */
rejected_at: string, };

/**
 * Something the register itself has to tell.
 */
export type NoticeView = { 
/**
 * Its number.
 */
id: number, 
/**
 * `rescued`, `restored`, `unreadable_job`, `fonts_missing`, `cloud_differences` or `clock_drift`.
 */
code: string, 
/**
 * What happened.
 */
detail: string, 
/**
 * When it was noticed.
 */
noticed_at: string, };

/**
 * A record the head office refused, or that waits behind one.
 */
export type RefusedRecordView = { 
/**
 * Its number on the list.
 */
id: number, 
/**
 * Its id at the head office.
 */
request_id: string, 
/**
 * `receipt`, `print`, `close`, `correction` or `split`.
 */
kind: string, 
/**
 * The job it is about.
 */
job_id: string | null, 
/**
 * The stable code it was refused with; `parked_behind` for one that waits with its receipt.
 */
code: string, 
/**
 * Why, for people.
 */
detail: string | null, 
/**
 * When the fact was recorded.
 */
recorded_at: string, 
/**
 * When it was refused.
 */
parked_at: string, };

/**
 * A record that went here with an older copy of the database, or reads otherwise here.
 */
export type CloudOnlyView = { 
/**
 * Its number on the list.
 */
id: number, 
/**
 * Its id at the head office; it names the job.
 */
request_id: string, 
/**
 * The epoch that made it.
 */
epoch: number, 
/**
 * It stands here too, with another content.
 */
otherwise: boolean, 
/**
 * When it was found.
 */
seen_at: string, };

/**
 * Everything that waits for a person.
 */
export type TodoView = { 
/**
 * Jobs that ask, or wait too long.
 */
jobs: Array<JobView>, 
/**
 * Receipts that were refused.
 */
rejected: Array<RejectedView>, 
/**
 * Records the head office refused.
 */
refused_records: Array<RefusedRecordView>, 
/**
 * Records the head office has that went here with an older copy of the database.
 */
cloud_only: Array<CloudOnlyView>, 
/**
 * What the register itself has to tell.
 */
notices: Array<NoticeView>, };

/**
 * Settings of a printer; absent fields stay as they are, or take their default.
 */
export type PrinterBody = { 
/**
 * Where it is: `tcp://host:9100`, `serial:///dev/ttyUSB0?baud=19200&flow=rtscts`,
 * `usb://04b8:0e15?serial=AB12`, `lp:///dev/usb/lp0`, `file:///path`, `virtual:NAME`.
 */
uri?: string, 
/**
 * Its profile.
 */
profile?: string, 
/**
 * Columns, where they differ from the profile's.
 */
columns?: number, 
/**
 * What it can prove; without it a new printer is probed.
 */
level?: ConfirmationLevel, 
/**
 * What its owner chose for jobs without proof: `trust` or `ask`.
 */
unproven?: Unproven, 
/**
 * Drawer connector: 0 is pin 2, 1 is pin 5.
 */
drawer_pin?: number, };

/**
 * A printer.
 */
export type PrinterView = { 
/**
 * Its name.
 */
name: string, 
/**
 * Where it is.
 */
uri: string, 
/**
 * Its profile.
 */
profile: string, 
/**
 * Columns, where they differ from the profile's.
 */
columns: number | null, 
/**
 * What it can prove.
 */
level: ConfirmationLevel, 
/**
 * What its owner chose for jobs without proof.
 */
unproven: Unproven, 
/**
 * Drawer connector.
 */
drawer_pin: number, 
/**
 * `idle`, `printing`, `stopped` or `paused`.
 */
state: string, 
/**
 * Why it is stopped: a stable code.
 */
reason: StopReason | null, 
/**
 * What happened and what to do.
 */
advice: string | null, 
/**
 * Since when.
 */
since: string | null, 
/**
 * When it is tried again.
 */
next_try_at: string | null, 
/**
 * The job at the device.
 */
job_id: string | null, 
/**
 * A cause the device shows in the middle of that job.
 */
mid_job_cause: StopReason | null, 
/**
 * Its paper is near the end.
 */
paper_near_end: boolean, 
/**
 * What the device or its port said last, for support.
 */
detail: string | null, 
/**
 * Jobs waiting, counted to 1000.
 */
queued: number, 
/**
 * When the oldest of them was accepted.
 */
oldest_at: string | null, };

/**
 * What a printer answered when it was probed.
 */
export type ProbeView = { 
/**
 * What it can prove.
 */
level: ConfirmationLevel, 
/**
 * What that means for its receipts.
 */
meaning: string, 
/**
 * Its maker, where it tells.
 */
maker: string | null, 
/**
 * Its model, where it tells.
 */
model: string | null, 
/**
 * It answers real-time status.
 */
realtime: boolean, 
/**
 * It counts lines and cuts.
 */
counts: boolean, 
/**
 * It answers `GS r` before it can have printed.
 */
answers_too_soon: boolean, 
/**
 * Why it cannot print now: the probe is incomplete and nothing was stored.
 */
blocked: StopReason | null, };

/**
 * A printer that was added, and what was found when it was probed first.
 */
export type AddedPrinter = { 
/**
 * What it answered; absent where its level was given, and where it was not reached.
 */
probe: ProbeView | null, 
/**
 * Why it was not reached. It is added all the same, and tried again until it answers.
 */
not_reached: string | null, 
/**
 * Its name.
 */
name: string, 
/**
 * Where it is.
 */
uri: string, 
/**
 * Its profile.
 */
profile: string, 
/**
 * Columns, where they differ from the profile's.
 */
columns: number | null, 
/**
 * What it can prove.
 */
level: ConfirmationLevel, 
/**
 * What its owner chose for jobs without proof.
 */
unproven: Unproven, 
/**
 * Drawer connector.
 */
drawer_pin: number, 
/**
 * `idle`, `printing`, `stopped` or `paused`.
 */
state: string, 
/**
 * Why it is stopped: a stable code.
 */
reason: StopReason | null, 
/**
 * What happened and what to do.
 */
advice: string | null, 
/**
 * Since when.
 */
since: string | null, 
/**
 * When it is tried again.
 */
next_try_at: string | null, 
/**
 * The job at the device.
 */
job_id: string | null, 
/**
 * A cause the device shows in the middle of that job.
 */
mid_job_cause: StopReason | null, 
/**
 * Its paper is near the end.
 */
paper_near_end: boolean, 
/**
 * What the device or its port said last, for support.
 */
detail: string | null, 
/**
 * Jobs waiting, counted to 1000.
 */
queued: number, 
/**
 * When the oldest of them was accepted.
 */
oldest_at: string | null, };

/**
 * A printer profile.
 */
export type ProfileView = { 
/**
 * Its name.
 */
name: string, 
/**
 * Who makes such printers.
 */
vendor: string, 
/**
 * Columns of the usual font.
 */
columns: number, 
/**
 * Printable dots across.
 */
dots: number, 
/**
 * What to know about it.
 */
notes: string, };

/**
 * A device that may be a printer.
 */
export type DeviceView = { 
/**
 * Its address, as a printer is added with. The line settings of a serial port are a guess.
 */
uri: string, 
/**
 * What it calls itself, where it does.
 */
name: string | null, };

/**
 * Printer name by kind.
 */
export type RoutesBody = { [key in string]: string };

/**
 * Counts and sums of one column; gross and refunded are both positive.
 */
export type TotalsView = { 
/**
 * Receipts of sales.
 */
receipts: number, 
/**
 * Refunds.
 */
refunds: number, 
/**
 * Sum of the sales.
 */
gross_minor: number, 
/**
 * Sum given back.
 */
refunded_minor: number, 
/**
 * Net takings by tender type.
 */
tenders: { [key in string]: number }, };

/**
 * What became of the day's receipts and refunds on paper.
 */
export type PaperView = { 
/**
 * Recorded.
 */
recorded: number, 
/**
 * Printed with proof by the device.
 */
printed: number, 
/**
 * Printed on the owner's trust.
 */
assumed: number, 
/**
 * A clerk saw it on paper.
 */
confirmed_by_clerk: number, 
/**
 * Skipped with a reason.
 */
skipped: number, 
/**
 * May be on paper.
 */
unconfirmed: number, 
/**
 * Not on paper.
 */
failed: number, 
/**
 * Waiting, printing or held.
 */
waiting: number, 
/**
 * Of the printed ones, those marked REPRINT.
 */
reprinted: number, 
/**
 * Copies printed.
 */
copies: number, };

/**
 * Where the head office's figures come from.
 */
export type CloudSource = "head_office" | "acknowledged";

/**
 * What the head office knows.
 */
export type CloudView = { 
/**
 * A head office is set up.
 */
paired: boolean, 
/**
 * Where its figures come from.
 */
source: CloudSource | null, 
/**
 * Its counts and sums of the day.
 */
totals: TotalsView | null, 
/**
 * Receipts it knows to be on paper.
 */
printed: number | null, 
/**
 * Records not yet acknowledged, of every day.
 */
unsent: number, 
/**
 * When the oldest of them was recorded.
 */
oldest_unsent_at: string | null, 
/**
 * Records it refused and nobody has dealt with, of every day.
 */
refused: number, };

/**
 * Cash of a session.
 */
export type CashView = { 
/**
 * In the drawer at the start.
 */
float_minor: number, 
/**
 * Net cash of sales and refunds.
 */
sales_minor: number, 
/**
 * Put in without a sale.
 */
paid_in_minor: number, 
/**
 * Taken out without a refund.
 */
paid_out_minor: number, 
/**
 * What must lie in the drawer.
 */
expected_minor: number, 
/**
 * What was counted.
 */
counted_minor: number | null, 
/**
 * Counted less expected.
 */
difference_minor: number | null, 
/**
 * Why it differs.
 */
reason?: string, };

/**
 * A movement of cash.
 */
export type CashBody = { 
/**
 * `float`, `paid_in`, `paid_out` or `count`.
 */
kind: MovementKind, 
/**
 * How much, never negative.
 */
amount_minor: number, 
/**
 * Why; required for paid in and out.
 */
reason?: string, };

/**
 * An answer or proof that came after the close.
 */
export type CorrectionView = { 
/**
 * The job.
 */
id: string, 
/**
 * Its state in the closed books.
 */
was: JobState, 
/**
 * What it became.
 */
became: JobState, 
/**
 * When.
 */
corrected_at: string, };

/**
 * A numbered session.
 */
export type SessionFigures = { 
/**
 * Its number.
 */
z_no: number, 
/**
 * When it began.
 */
opened_at: string, 
/**
 * When it was closed.
 */
closed_at: string | null, 
/**
 * Who closed it; sessions closed before this was kept have nobody.
 */
closed_by?: string, 
/**
 * What was recorded in it.
 */
totals: TotalsView, 
/**
 * Its cash.
 */
cash: CashView, 
/**
 * What changed after it was closed.
 */
corrections: Array<CorrectionView>, };

/**
 * An opening of the drawer without a sale.
 */
export type OpeningView = { 
/**
 * The printer its drawer hangs on.
 */
printer: string, 
/**
 * Who asked for it.
 */
client: string | null, 
/**
 * Why.
 */
reason: string, 
/**
 * When.
 */
asked_at: string, 
/**
 * `due`; `opened`; `dropped`, as the printer could not take the pulse in time; `unconfirmed`, as its
 * link broke at the pulse.
 */
outcome: string, };

/**
 * A day.
 */
export type DayView = { 
/**
 * The business day.
 */
day: string, 
/**
 * What the POS declared.
 */
pos: TotalsView | null, 
/**
 * What the register recorded.
 */
register: TotalsView, 
/**
 * What became of it on paper.
 */
paper: PaperView, 
/**
 * What the head office knows.
 */
cloud: CloudView, 
/**
 * Every difference, with its cure.
 */
differences: Array<Difference>, 
/**
 * The day's sessions, first to last.
 */
sessions: Array<SessionFigures>, 
/**
 * Openings of the drawer without a sale, first to last.
 */
openings: Array<OpeningView>, };

/**
 * One hour of a day.
 */
export type HourView = { 
/**
 * The hour on the store's clock, 0 to 23.
 */
hour: number, 
/**
 * Receipts and refunds recorded in it.
 */
receipts: number, 
/**
 * Of them not settled on paper by now.
 */
still_open: number, };

/**
 * What a person may ask for.
 */
export type SplitVerb = "retry" | "settle" | "cancel";

/**
 * How many, and their amounts together.
 */
export type SplitSumView = { 
/**
 * How many.
 */
count: number, 
/**
 * Their amounts together.
 */
amount_minor: number, };

/**
 * A day's splits by where they stand.
 */
export type SplitTotalsView = { 
/**
 * Paid.
 */
succeeded: SplitSumView, 
/**
 * Not paid yet.
 */
pending: SplitSumView, 
/**
 * With a person.
 */
manual: SplitSumView, 
/**
 * Taken back: never paid.
 */
canceled: SplitSumView, };

/**
 * A split that waits for a manager.
 */
export type ManualSplitView = { 
/**
 * Its id: as a rule the job id of its receipt.
 */
id: string, 
/**
 * The split it takes back from, if it is a refund.
 */
of: string | null, 
/**
 * Its business day.
 */
day: string, 
/**
 * The amount.
 */
amount_minor: number, 
/**
 * Its currency.
 */
currency: string, 
/**
 * `manual`, or what became of it by an action.
 */
state: string, 
/**
 * Why, as a stable code: `frozen`, `no_balance`, `rejected`, `exhausted`, `amount_differs`.
 */
reason: string | null, 
/**
 * It may be paid: it cannot be canceled before the channel was asked.
 */
may_be_paid: boolean, 
/**
 * Tries that were made.
 */
tries: number, 
/**
 * Since when.
 */
changed_at: string, };

/**
 * A day's splits of the store, every register's.
 */
export type SplitsView = { 
/**
 * The store shares its orders, or has splits on that day.
 */
shared: boolean, 
/**
 * The head office was asked just now.
 */
reached: boolean, 
/**
 * When it told these numbers; none when it never did.
 */
told_at: string | null, 
/**
 * Sales.
 */
sales: SplitTotalsView, 
/**
 * Refunds, as positive amounts.
 */
refunds: SplitTotalsView, 
/**
 * Sales and refunds of this register that the head office was not told of yet.
 */
unsent: SplitSumView, 
/**
 * What waits for a manager, of every day, newest first; at most 100, none while the head office is not reached.
 */
manual: Array<ManualSplitView>, };

/**
 * The figures a session was closed with; they stand for good.
 */
export type ClosingView = { 
/**
 * The session's number: the Z number.
 */
z_no: number, 
/**
 * What was recorded in it.
 */
totals: TotalsView, 
/**
 * Receipts and refunds recorded in it.
 */
recorded: number, 
/**
 * Of them settled on paper.
 */
settled: number, 
/**
 * What must lie in the drawer.
 */
cash_expected_minor: number, 
/**
 * What was counted.
 */
cash_counted_minor: number | null, 
/**
 * Counted less expected.
 */
cash_difference_minor: number | null, 
/**
 * Why it differs.
 */
cash_reason: string | null, 
/**
 * Differences of the day when it was closed.
 */
differences: number, 
/**
 * Who closed it.
 */
closed_by?: string, };

/**
 * How to pair with a head office.
 */
export type PairCloudBody = { 
/**
 * Address of the dispatcher: `https://...`; `http://` only on this machine.
 */
url: string, 
/**
 * The one-time code the head office shows.
 */
code: string, };

/**
 * The connection to the head office.
 */
export type CloudState = "not_paired" | "connecting" | "online" | "offline" | "refused";

/**
 * How the register stands with the head office.
 */
export type CloudStatusView = { 
/**
 * The connection.
 */
state: CloudState, 
/**
 * Since when.
 */
since: string | null, 
/**
 * Why it is refused, as a stable code: `unauthorized`, `replaced`, `unknown_protocol`, or
 * `credential_missing`.
 */
code: string | null, 
/**
 * Why there is no connection, for people.
 */
cause: string | null, 
/**
 * Address of the dispatcher.
 */
url: string | null, 
/**
 * The store's name there.
 */
store_name: string | null, 
/**
 * The store's uid there.
 */
store_uid: string | null, 
/**
 * When they were paired.
 */
paired_at: string | null, 
/**
 * When they last spoke.
 */
contact_at: string | null, 
/**
 * The head office's clock less this one's, in milliseconds, when they last spoke.
 */
drift_ms: number | null, 
/**
 * That is more than two minutes: the clock must be set.
 */
clock_is_wrong: boolean, 
/**
 * Records not yet acknowledged.
 */
unsent: number, 
/**
 * When the oldest of them was recorded.
 */
oldest_unsent_at: string | null, 
/**
 * Records that were refused and that nobody has dealt with.
 */
refused_records: number, 
/**
 * Why the last upload failed.
 */
upload_error: string | null, 
/**
 * Printers whose name belongs to another register of the store: no job comes for them.
 */
names_taken: Array<string>, };

/**
 * What a manager may ask of records.
 */
export type RecordVerb = "send_again" | "give_up" | "compared";

/**
 * What became of them.
 */
export type RecordsAnswered = { 
/**
 * How many records, those that go with the same receipts included.
 */
answered: number, };

/**
 * A client program to make.
 */
export type ClientBody = { 
/**
 * Its name, of `A-Z a-z 0-9 . _ ~ -`.
 */
name: string, 
/**
 * How far its order numbers are unique: `store`, `register` or `register_day`.
 */
order_scope: OrderScope, 
/**
 * It may open the drawer without a sale.
 */
may_open_drawer: boolean, 
/**
 * It may change printers, routes and clients, and close the day.
 */
may_manage: boolean, };

/**
 * A client program that was made.
 */
export type ClientMade = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its token; it is shown this once.
 */
token: string, };

/**
 * A client program.
 */
export type ClientView = { 
/**
 * Its name.
 */
name: string, 
/**
 * How far its order numbers are unique.
 */
order_scope: OrderScope, 
/**
 * It may open the drawer without a sale.
 */
may_open_drawer: boolean, 
/**
 * It may change printers, routes and clients, and close the day.
 */
may_manage: boolean, 
/**
 * Its token no longer counts.
 */
revoked: boolean, };
