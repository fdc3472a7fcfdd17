import type { ToolResult } from '../../contract/objects/tool-result.js'
import { UNKNOWN_TOOL_ID } from '../../contract/status-table.js'
import type { PipelineRun } from '../../pipeline/ports.js'
import type { PipelinePorts } from '../../pipeline/ports.js'
import type { CallRequest, CallState, ParentCall } from '../../pipeline/call-state.js'
import { cleanText } from '../../pipeline/secrets/clean.js'
import { beginCall, Walk } from '../../pipeline/run-call.js'
import { frozenCopy, whyNotJson } from '../../platform/json/snapshot-json.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { parseTraceParent } from '../../platform/text/parse-trace-parent.js'
import type { CallRow } from '../../storage/store.js'
import type { Approver } from '../../policy/decision.js'
import { argumentAt } from '../../policy/patterns/argument-condition.js'
import type { ClientLink } from '../../catalog/client-link.js'
import type { Retries } from '../../catalog/retries.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import { mayBeWrapped, unwrapCall, type Unwrapped } from '../discovery/unwrap-call.js'
import type { LiveCalls } from './live-calls.js'
import { stillWaiting } from './still-waiting.js'
import type { Surface } from '../surfaces/surface.js'

/** The request of a caller. */
export interface CallOptions {
  name: string
  /** The arguments: a value, or the JSON text from a model provider. */
  input?: unknown
  /** The name that the client used, if `name` was resolved from it: records show this one. */
  requestedName?: string
  /** The id that the model's provider or the protocol gave the call. */
  nativeCallId?: string
  /** From `crib.reserveCallId()`, for callers that have to know it before the call is made. */
  invocationId?: string
  /** The caller's position in a trace: a `traceparent` of W3C Trace Context. An invalid one is ignored. */
  traceParent?: string
  requestedBy?: 'model' | 'runtime'
  /** For the whole call: every attempt and the waits between them. */
  timeoutMs?: number
  /** How often a failed attempt is retried; overrides the tool and the crib. */
  retries?: Retries
  /** Has no effect once the call runs in the background. */
  signal?: AbortSignal
  /** Returns a receipt immediately and runs the call in the background: `crib.task` finds it again. */
  runInBackground?: boolean
  /** The connected client: it answers requests of the tool and receives its notifications. */
  client?: ClientLink
  /** Answers approvals of this call, instead of the crib's own approver. */
  approver?: Approver
}

/** Where a call comes from: the same for most calls of a crib. */
export interface CallOrigin {
  readonly ownerId: string
  /** The call whose executor makes this one. */
  readonly parent: ParentCall | undefined
}

/** What a call needs of its surface. */
export type CallingSurface = Pick<Surface, 'id' | 'request' | 'current'>

/** Creates the record of a call: from here on its input is recorded and immutable. */
// Parameters instead of an object of them, because this runs in every call.
export function takeCall(
  ports: PipelinePorts,
  surface: CallingSurface,
  given: CallOptions,
  invocationId: string,
  now: number,
  { ownerId, parent }: CallOrigin,
): StartedCall {
  const built = surface.current()
  const options: Unwrapped<CallOptions> = mayBeWrapped(given.name) ? unwrapCall(ports, built, given) : given
  const read = readInput(ports, built, options)
  const unreadable = read instanceof Unreadable ? read : undefined
  const input = unreadable ? unreadable.shown : read
  const { tenant, actor, session } = built.request
  const runInBackground = options.runInBackground ?? asksForBackground(ports, built, options.name, input)
  // Without the fields that few calls have: each of them would be written for every call.
  const call: CallState = {
    phase: 'resolve_tool',
    invocationId,
    surfaceId: surface.id,
    request: requestOf(options, runInBackground, parent),
    toolId: UNKNOWN_TOOL_ID,
    fingerprint: '',
    inputs: [input],
    source: input,
    observable: 0,
    permission: 0,
    call: 0,
    mutations: NONE,
    facts: undefined,
    rounds: 0,
    hooksRan: false,
    additionalContext: NONE,
    isApproved: false,
    isApprovalLasting: false,
    startedAt: undefined,
    output: undefined,
    result: undefined,
    plainResult: undefined,
    resultSize: 0,
  }
  if (unreadable) call.inputProblem = unreadable.problem
  const row: CallRow = {
    tenant: tenant!,
    invocationId,
    toolId: UNKNOWN_TOOL_ID,
    surfaceId: surface.id,
    status: 'planned',
    resultStatus: undefined,
    actor,
    session,
    createdAt: now,
    owner: ownerId,
    revision: 0,
  }
  return new StartedCall(call, createRun(ports, row, built, now, options))
}

function requestOf(
  options: Unwrapped<CallOptions>,
  runInBackground: boolean | undefined,
  parent: ParentCall | undefined,
): CallRequest {
  const name = String(options.name)
  const { requestedName, nativeCallId, traceParent, requestedBy, timeoutMs, retries, requestedVia } = options
  const isPlain =
    requestedName === undefined &&
    nativeCallId === undefined &&
    traceParent === undefined &&
    requestedBy === undefined &&
    timeoutMs === undefined &&
    retries === undefined &&
    requestedVia === undefined &&
    runInBackground === undefined &&
    parent === undefined
  if (isPlain) return plainRequest.name === name ? plainRequest : (plainRequest = Object.freeze({ name }))
  return {
    name,
    requestedName,
    nativeCallId: nativeCallId === undefined ? undefined : String(nativeCallId),
    trace: traceParent === undefined ? undefined : parseTraceParent(traceParent),
    requestedBy,
    timeoutMs,
    retries,
    runInBackground,
    requestedVia,
    parent,
  }
}

/** The last one: calls of one tool often follow each other, and say the same. */
let plainRequest: CallRequest = Object.freeze({ name: '' })

// Positional parameters instead of an object, because this runs in every call. Without the fields that few calls have.
export function createRun(
  ports: PipelinePorts,
  row: CallRow,
  surface: BuiltSurface,
  now: number,
  asked?: Pick<CallOptions, 'client' | 'approver'>,
): PipelineRun {
  return {
    ports,
    row,
    events: NONE,
    handedOver: 0,
    queued: false,
    isLost: false,
    surface,
    at: now,
    tool: undefined,
    client: asked?.client,
    approver: asked?.approver ?? ports.approver,
    secrets: NONE,
    redactor: ports.redactorFor(surface.request),
    original: undefined,
    native: undefined,
    boundsItself: false,
    parsedValue: undefined,
    parsedFrom: undefined,
    isInputUnchecked: false,
    refs: undefined,
    isInterrupted: false,
    wait: undefined,
    recordedInput: undefined,
    decided: undefined,
    touched: undefined,
    judged: undefined,
    isOver: false,
    schedule: undefined,
  }
}

// Shared by all calls; code that adds an element creates a list of its own.
const NONE: never[] = []
Object.freeze(NONE)

/** Whether the input itself asks for the background, by the field that the tool has for it. */
// Four parameters rather than an object of them: this runs in every call.
function asksForBackground(
  { catalog }: PipelinePorts,
  surface: BuiltSurface,
  name: string,
  input: unknown,
): true | undefined {
  const tool = surface.loadedBy(name) ?? catalog.find(String(name))
  const field = tool?.draft.input.backgroundField
  return field !== undefined && argumentAt(input, field) === true ? true : undefined
}

/** An input that is not JSON. */
class Unreadable {
  /** What is recorded in its place. */
  readonly shown: unknown
  readonly problem: string

  constructor(shown: unknown, problem: string) {
    this.shown = shown
    this.problem = problem
  }
}

/** A frozen copy of the input. */
function readInput(ports: PipelinePorts, surface: BuiltSurface, options: CallOptions): unknown {
  const given = options.input === undefined ? {} : options.input
  if (typeof given === 'string' && !takesText(ports, surface, options.name)) return readJson(given)
  return copyInput(given, null)
}

function copyInput(given: unknown, shown: unknown): unknown {
  try {
    return frozenCopy(given)
  } catch (error) {
    return new Unreadable(shown, whyNotJson(error))
  }
}

function readJson(text: string): unknown {
  let given: unknown
  try {
    given = JSON.parse(text === '' ? '{}' : text)
  } catch (error) {
    // Only the position: the rest of the message quotes the text, which may contain a secret.
    const place = /position \d+/.exec(error instanceof SyntaxError ? error.message : '')?.[0]
    return new Unreadable(text, `is not valid JSON${place ? ` (see ${place})` : ''}`)
  }
  return copyInput(given, text)
}

function takesText(ports: PipelinePorts, { visibilityOf }: BuiltSurface, name: string): boolean {
  const resolved = ports.catalog.resolve(name, (tool) => visibilityOf(tool).state === 'loaded')
  return (
    resolved !== undefined &&
    'found' in resolved &&
    resolved.found.draft.input.modelSchema['type'] === 'string'
  )
}

let resolveTaken: (result: ToolResult) => void
let rejectTaken: (error: unknown) => void

/** Hands out the functions of a promise that is being made. One for all calls: each would make a closure of its own. */
function takeFunctions(resolve: typeof resolveTaken, reject: typeof rejectTaken): void {
  resolveTaken = resolve
  rejectTaken = reject
}

/** Runs the call to its result. A call with side effects is on disk before its caller gets the result. */
export function finishCall(started: StartedCall, live: LiveCalls): Promise<ToolResult> {
  const result = new Promise<ToolResult>(takeFunctions)
  started.begin(live, resolveTaken, rejectTaken)
  // A suspended call is recorded: without a caller that waits, its rejection must not end the process.
  if (started.run.ports.approvals?.hasReviewers) result.catch(() => {})
  return result
}

/** A call that was taken, and then its way to the promise of its result. */
// One object instead of several closures, and without private names, which V8 sets up twice: this is in every call.
export class StartedCall extends Walk {
  private live: LiveCalls | undefined = undefined
  private slot = 0
  private resolve: typeof resolveTaken | undefined = undefined
  private reject: typeof rejectTaken | undefined = undefined

  begin(live: LiveCalls, resolve: typeof resolveTaken, reject: typeof rejectTaken): void {
    this.live = live
    this.slot = live.add(this.run)
    this.resolve = resolve
    this.reject = reject
    beginCall(this)
  }

  onEnd(): void {
    const { call } = this
    if (call.startedAt === undefined || call.facts?.is_read_only) {
      this.live!.remove(this.slot)
      this.handOver(call.result!)
    } else {
      void this.handOverDurably(call.result!)
    }
  }

  private async handOverDurably(result: ToolResult): Promise<void> {
    this.handOver(await this.whenDurable(result))
  }

  private handOver(result: ToolResult): void {
    this.resolve!(result)
    this.run.slot?.handOver(result)
  }

  private async whenDurable(result: ToolResult): Promise<ToolResult> {
    try {
      await this.run.ports.journal.durable()
      if (!this.run.isLost) return result
      const problem = 'Another process had taken the call over and closed it before it ended here.'
      return { ...result, toolcrib: { ...result.toolcrib, record: 'lost', record_problem: problem } }
    } catch (error) {
      // The tool has run and its result is valid; that it is not on disk yet is reported separately.
      const problem = cleanText(errorMessage(error), this.run)
      return { ...result, toolcrib: { ...result.toolcrib, record: 'pending', record_problem: problem } }
    } finally {
      this.live!.remove(this.slot)
    }
  }

  onSuspend(): void {
    const run = this.run
    this.live!.remove(this.slot)
    this.refuse(stillWaiting(run.row.invocationId, run.approval?.approval.approval_id))
    // Another process may own the call from now on: facts of this process are dropped.
    run.isLost = true
  }

  onBroken(error: unknown): void {
    this.live!.remove(this.slot)
    this.refuse(error)
  }

  private refuse(error: unknown): void {
    this.reject!(error)
    this.run.slot?.break(error)
  }
}
