import type { AbortReason, ApprovalScope, EventClass, InvocationStatus } from '../contract/unions.js'
import type { ToolError } from '../contract/objects/tool-error.js'
import { isLegalTransition } from '../contract/status-table.js'
import type { CallEntry, Journal } from '../storage/journal/journal.js'
import type { LiveSecrets } from '../redaction/live-secrets.js'
import type { RedactionWay } from '../platform/config/redaction-modes.js'
import type { Redactor } from '../redaction/redactor.js'
import type { JudgedInput } from '../storage/journal/judged-input.js'
import { eventCount, type EventDraft } from '../storage/event-list.js'
import { LazyData } from '../storage/lazy-data.js'
import type { HookDefinition } from '../hooks/hook.js'
import type { Approver, Decider, Verdict } from '../policy/decision.js'
import type { GatherContext } from '../policy/commands/gather-place.js'
import type { Policy } from '../policy/policy.js'
import type { FolderFacts } from '../shell/folder-facts.js'
import type { Catalog } from '../catalog/catalog.js'
import type { ClientLink } from '../catalog/client-link.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import type { Retries } from '../catalog/retries.js'
import type { InputAnswer, InputRequest } from '../catalog/execute-context.js'
import type { ContentBlock } from '../contract/objects/tool-result.js'
import type { Artifacts } from '../results/artifacts/artifacts.js'
import type { OutputText } from '../results/payload-of.js'
import type { DrainedStream } from '../results/payloads/drain-stream.js'
import type { Payloads } from '../results/payloads/payloads.js'
import type { Approvals, OpenApproval } from './permission/approvals.js'
import { cleanValue } from './secrets/clean.js'
import type { Deadlines } from './execute/deadlines.js'
import type { Discovery } from './discovery.js'
import type { HeldRefs } from './refs/hold-refs.js'
import type { HookNotes } from './hooks/hook-notes.js'
import type { RefReader } from './refs/ref-reader.js'
import type { ScheduledCall, CallSlot, Scheduling } from './schedule/scheduling.js'
import type { BuiltSurface } from '../surfaces/build-surface.js'
import type { ResultPolicy } from '../surfaces/result-policy.js'
import type { SurfaceRequest } from '../surfaces/surface-request.js'

/** What all calls of a crib share. Passed in, so that a test can hold every part of it. */
export interface PipelinePorts {
  readonly catalog: Catalog
  readonly journal: Journal
  readonly decider: Decider
  readonly approver: Approver | undefined
  readonly responder: ((request: InputRequest & { invocationId: string }) => Promise<InputAnswer>) | undefined
  readonly hooks: readonly HookDefinition[]
  /** The rules in force. */
  readonly policy: Policy
  /** Names what the judge judges by, and is another when that changes. */
  policyRevision(): string
  /** Takes over a change of rules that a reviewer accepted. Absent where no rules can be changed. */
  readonly acceptUpdate?: AcceptUpdate | undefined
  /** Absent where nobody can be asked. */
  readonly approvals?: Approvals | undefined
  /** Whether a tool's own code has to be known for what it is, because it must not approve anything. */
  readonly marksCalls?: boolean | undefined
  /** Told before a tool's own code runs: what that code starts belongs to the tool, wherever calls are recorded. */
  readonly onToolCode?: (() => void) | undefined
  /** Keeps what a ref in a record stands for, with the record. */
  keepDefinition(ref: string, read: () => object): void
  /** Told when a tool is called for the first time. */
  onFirstCall?(tool: CatalogTool): void
  now(): number
  /** From 0 up to 1: waits are spread by it. */
  random(): number
  readonly workspace: string
  readonly home: string
  /** The path with all links in it followed. */
  followLinks(path: string): string
  /** What lies in a folder, for wildcards that may meet a link. */
  listFolder: NonNullable<GatherContext['listFolder']>
  /** Looks at the folders in which a command would run. Where it is absent, what obeys them is not proven. */
  readonly folders?: FolderFacts | undefined
  /** Whether something lies there, also a link that leads nowhere. */
  exists(path: string): boolean
  readonly scheduling: Scheduling
  /** Takes out secrets, as the crib says. */
  readonly redactor: Redactor
  /** Takes out secrets, as a surface wants it done. */
  redactorFor(request: SurfaceRequest): Redactor
  /** Takes out only what is known word for word. */
  readonly exactRedactor: Redactor
  /** The same secret leaves the same mark, in every process that has the key. */
  readonly keyedRedactor: Redactor
  readonly redactionWay: RedactionWay
  /** The secrets of this process. */
  readonly liveSecrets: LiveSecrets
  /** A keyed digest, the same in every process that has the key. */
  hideSecret(secret: string): string
  readonly deadlines: Deadlines
  readonly defaultTimeoutMs: number
  /** For tools and calls that say nothing of it. */
  readonly defaultRetries: Retries | undefined
  /** For tools and surfaces that say nothing of it. */
  readonly results: CribResultPolicy
  readonly payloads: Payloads
  readonly artifacts: Artifacts
  readonly refs: RefReader
  readonly discovery: Discovery
  /** The tool that reads results, as rules judge it: whoever gives a ref to a tool reads what it stands for. */
  resultReader(): CatalogTool
  /** Whether the rules let such a caller read results at all. */
  mayReadResults(request: SurfaceRequest): boolean
  /** Who may open what is kept sealed. */
  readonly protectedReaders: readonly string[]
  /** Of one call; what is said more often is put together. */
  readonly maxProgressPerSecond: number
  /** How long a canceled executor may take to stop before it is let go. */
  readonly cancelGraceMs: number
  isClosing(): boolean
  /** Aborted when the crib is about to close. */
  readonly closing: AbortSignal
}

/** The policy with everything said. */
export type CribResultPolicy = Required<
  Pick<ResultPolicy, 'maxInlineChars' | 'previewChars' | 'persistence'>
> &
  Pick<ResultPolicy, 'maxInlineLines' | 'maxInlineTokens'>

export type AcceptUpdate = (
  update: Readonly<Record<string, unknown>>,
  about: {
    by: string
    scope: Exclude<ApprovalScope, 'once'>
    tenant: string
    session?: string | undefined
    toolId: string
  },
) => unknown

/** The living side of one call: everything about it that cannot be stored. */
export interface CallRun extends CallEntry {
  readonly ports: PipelinePorts
  surface: BuiltSurface
  /** When the call last went on: everything until its next wait happens in one go and shares this time. */
  at: number
  /** Known once the tool is resolved. */
  tool: CatalogTool | undefined
  /** The tool through which it was asked for, where that is another: what is said of it holds too. */
  via: CatalogTool | undefined
  /** The program at the other end, where it can be asked. Never recorded. */
  readonly client: ClientLink | undefined
  /** Who is asked about it in this process. */
  readonly approver: Approver | undefined
  /** Texts of sensitive fields: they are removed from whatever the call says. */
  secrets: readonly string[]
  /** As the surface says what becomes of secrets. */
  readonly redactor: Redactor
  /** How often each rule took something out of what the call says. */
  redacted: Record<string, number> | undefined
  /** The output as it was before secrets were taken out, where named actors may have that. */
  original: OutputText | undefined
  /** What the executor gave, where a hook has put another output in its place. */
  native: OutputText | undefined
  /** The same where it was a stream that is too much to be held. */
  nativeStream: DrainedStream | undefined
  /** Its output was made to fit, or would mean nothing if it were cut: it stays as it is. */
  boundsItself: boolean
  /** What the schema made of `parsedFrom`. It may be more than JSON: dates, classes. */
  parsedValue: unknown
  parsedFrom: unknown
  /** The schema of somebody else could not be asked, or not in time. */
  isInputUnchecked?: boolean
  /** What the refs of its input stand for, while it is judged and run. Never recorded. */
  refs: HeldRefs | 'none' | undefined
  cancelReason: AbortReason | undefined
  /** Somebody has interrupted it once. */
  isInterrupted: boolean
  /** Behind the signal that hooks, approvers and executors get; made when the first of them asks. */
  controller: AbortController | undefined
  /** Set while something waits that a cancellation can end; `cancelReason` is set by then. */
  wait:
    { cancel(): void; /** Does not wait for an executor that does not stop. */ force?(): void } | undefined
  /** The question that it waits for, or whose answer it goes on with. */
  approval: OpenApproval | undefined
  /** Those who want to know when it asks. */
  onAsk: Set<() => void> | undefined
  /** The present version of its input, as records have it. Set before anything is decided. */
  recordedInput: JudgedInput | undefined
  /** What was last decided about it. */
  decided: Verdict | undefined
  /** What deciders add for the model. */
  contentBlocks: readonly ContentBlock[] | undefined
  /** It has its terminal result. */
  isOver: boolean
  /** Those who read the call as a stream. */
  listeners: Set<(draft: EventDraft) => void> | undefined
  hookNotes: HookNotes | undefined
  /** Its place in a batch. */
  slot: CallSlot | undefined
  /** What it holds while it runs, or waits for. */
  schedule: ScheduledCall | undefined
  /** Absent in nearly all calls: those that end with their first attempt. */
  retrying: Retrying | undefined
  /** When the time that the caller gave for all attempts runs out, by `performance.now()`. */
  endBy: number | undefined
}

/** A call of which an attempt failed and another follows. */
export interface Retrying {
  /** How many have begun. */
  attempts: number
  /** What the last of them failed of. */
  error: ToolError
  /** The wait before the next one; none once it is over. */
  waitMs: number | undefined
}

/** The attempt that is under way: 1, 2, … */
export function attemptOf({ retrying }: CallRun): number {
  return retrying?.attempts ?? 1
}

/** Aborted when the call is canceled or out of time. */
export function signalOf(run: CallRun): AbortSignal {
  if (!run.controller) {
    run.controller = new AbortController()
    if (run.cancelReason !== undefined) run.controller.abort(abortError(run.cancelReason))
  }
  return run.controller.signal
}

export function abortError(reason: AbortReason): Error {
  const error = new Error(`The call was canceled (${reason}).`)
  error.name = 'AbortError'
  return error
}

/** What every call says is cleaned where it is made: walking it here again would cost more than making it did. */
const CLEAN_ALREADY: ReadonlySet<EventClass> = new Set<EventClass>([
  'tool.invocation.planned',
  'tool.invocation.selected',
  'tool.invocation.arguments_ready',
  'tool.permission.decided',
  'tool.invocation.started',
  'tool.invocation.succeeded',
  'tool.result.created',
])

/**
 * Keeps a fact about the call. Facts of one moment share its time: asking the clock costs as much as writing it down.
 * Those who listen may be told more of it than is kept.
 */
export function record(
  run: CallRun,
  type: EventClass,
  said?: object,
  at = run.ports.now(),
  told?: object,
): void {
  // Whoever was left behind by a cancellation may still speak; the call has its result and hears no more.
  if (run.isOver && type !== 'toolcrib.result.late_discarded' && type !== 'toolcrib.invocation.yielded')
    return
  if (at > run.at) run.at = at
  // Whoever makes a fact cleans it; this is for the one who forgets.
  const data = said === undefined || CLEAN_ALREADY.has(type) ? said : cleanValue(said, run)
  // A later fact may be told the time of the go that it belongs to; it still did not happen before the one before it.
  run.ports.journal.record(run, type, run.at, data)
  if (!run.listeners) return
  const heard = told === undefined ? wholeOf(data) : cleanValue(told, run)
  for (const listen of run.listeners) listen({ type, at: run.at, data: heard })
}

function wholeOf(data: object | undefined): object | undefined {
  return data instanceof LazyData ? data.whole() : data
}

/** The place in the call's log of what was recorded last. */
export function lastSequence({ handedOver, events }: CallRun): number {
  return handedOver + eventCount(events)
}

/** Keeps the fact that the call's status changed. */
export function moveTo(
  run: CallRun,
  status: InvocationStatus,
  type: EventClass,
  data?: object,
  at?: number,
  told?: object,
): void {
  const { row } = run
  if (run.isOver) return
  if (!isLegalTransition(row.status, status)) {
    throw new Error(`A call cannot go from ${row.status} to ${status}.`)
  }
  row.status = status
  record(run, type, data, at, told)
}
