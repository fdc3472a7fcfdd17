import type { ToolResult } from '../../contract/objects/tool-result.js'
import { UNKNOWN_TOOL_ID } from '../../contract/status-table.js'
import type { CallRun, PipelinePorts } from '../../pipeline/call-run.js'
import type { CallState } from '../../pipeline/call-state.js'
import { cleanText } from '../../pipeline/secrets/clean.js'
import { walkCall, type Walk } from '../../pipeline/run-call.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import type { CallRow } from '../../storage/store.js'
import type { Approver } from '../../policy/decision.js'
import type { ClientLink } from '../../catalog/client-link.js'
import type { Retries } from '../../catalog/retries.js'
import type { BuiltSurface } from '../../surfaces/build-surface.js'
import { mayBeWrapped, unwrapCall, type Unwrapped } from '../discovery/unwrap-call.js'
import type { LiveCalls } from './live-calls.js'
import { stillWaiting } from './still-waiting.js'
import type { Surface } from '../surfaces/surface.js'

/** What a caller asks for. */
export interface CallOptions {
  name: string
  /** The arguments: a value, or the JSON text that a model's provider hands over. */
  input?: unknown
  /** What the client wrote, where `name` was looked up by it: records tell this one. */
  requestedName?: string
  /** The id that the model's provider or the protocol gave the call. */
  nativeCallId?: string
  requestedBy?: 'model' | 'runtime'
  /** For all of it: every attempt and the waits between them. */
  timeoutMs?: number
  /** Instead of what the tool or the crib says: how often a failed attempt is followed by another. */
  retries?: Retries
  /** Once the call runs in the background, this no longer ends it. */
  signal?: AbortSignal
  /** Gives a receipt at once, while the call goes on without its caller: `crib.task` finds it again. */
  runInBackground?: boolean
  /** The program at the other end: who answers what the tool asks of it, and hears what it says meanwhile. */
  client?: ClientLink
  /** Who is asked about this call, instead of the crib's own approver. */
  approver?: Approver
}

export interface NewCall {
  call: CallState
  run: CallRun
}

/** Takes a call down: from here on its input belongs to the record and nobody can change it. */
export function takeCall(
  ports: PipelinePorts,
  surface: Surface,
  {
    options: given,
    invocationId,
    ownerId,
    now,
  }: { options: CallOptions; invocationId: string; ownerId: string; now: number },
): NewCall {
  const built = surface.current()
  const options: Unwrapped<CallOptions> = mayBeWrapped(given.name) ? unwrapCall(ports, built, given) : given
  const { input, problem } = readInput(ports, built, options)
  const { tenant, actor, session } = surface.request
  return {
    call: {
      phase: 'resolve_tool',
      invocationId,
      surfaceId: surface.id,
      request: {
        name: String(options.name),
        requestedName: options.requestedName,
        nativeCallId: options.nativeCallId === undefined ? undefined : String(options.nativeCallId),
        requestedBy: options.requestedBy,
        timeoutMs: options.timeoutMs,
        retries: options.retries,
        runInBackground: options.runInBackground,
        requestedVia: options.requestedVia,
      },
      toolId: UNKNOWN_TOOL_ID,
      fingerprint: '',
      inputs: [input],
      inputProblem: problem,
      source: input,
      observable: 0,
      permission: 0,
      call: 0,
      mutations: NONE,
      facts: undefined,
      rounds: 0,
      hooksRan: false,
      hookHint: undefined,
      additionalContext: NONE,
      approvedInput: undefined,
      isApproved: false,
      isApprovalLasting: false,
      startedAt: undefined,
      output: undefined,
      error: undefined,
      abortReason: undefined,
      result: undefined,
      kept: undefined,
      streamed: undefined,
      resultSize: 0,
    },
    run: createRun(
      ports,
      {
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
      },
      built,
      now,
      options,
    ),
  }
}

// Parameters rather than an object of them: this runs in every call.
export function createRun(
  ports: PipelinePorts,
  row: CallRow,
  surface: BuiltSurface,
  now: number,
  asked?: Pick<CallOptions, 'client' | 'approver'>,
): CallRun {
  return {
    ports,
    row,
    events: [],
    handedOver: 0,
    queued: false,
    isLost: false,
    surface,
    at: now,
    tool: undefined,
    via: undefined,
    client: asked?.client,
    approver: asked?.approver ?? ports.approver,
    secrets: NONE,
    redactor: ports.redactorFor(surface.request),
    redacted: undefined,
    original: undefined,
    native: undefined,
    nativeStream: undefined,
    boundsItself: false,
    parsedValue: undefined,
    parsedFrom: undefined,
    refs: undefined,
    cancelReason: undefined,
    isInterrupted: false,
    controller: undefined,
    wait: undefined,
    approval: undefined,
    onAsk: undefined,
    recordedInput: undefined,
    decided: undefined,
    isOver: false,
    listeners: undefined,
    hookNotes: undefined,
    contentBlocks: undefined,
    slot: undefined,
    schedule: undefined,
    retrying: undefined,
    endBy: undefined,
  }
}

// Shared by all calls: whoever has something to add makes a list of its own.
const NONE: never[] = []
Object.freeze(NONE)

function readInput(
  ports: PipelinePorts,
  surface: BuiltSurface,
  options: CallOptions,
): { input: unknown; problem: string | undefined } {
  const given = options.input === undefined ? {} : options.input
  if (typeof given === 'string' && !takesText(ports, surface, options.name)) return readJson(given)
  const snapshot = snapshotJson(given)
  return 'notJson' in snapshot
    ? { input: null, problem: snapshot.notJson }
    : { input: snapshot.value, problem: undefined }
}

function readJson(text: string): { input: unknown; problem: string | undefined } {
  try {
    const snapshot = snapshotJson(JSON.parse(text === '' ? '{}' : text))
    if (!('notJson' in snapshot)) return { input: snapshot.value, problem: undefined }
    return { input: text, problem: snapshot.notJson }
  } catch (error) {
    // Only the place: the rest of the message quotes the text, which may hold a secret.
    const place = /position \d+/.exec(error instanceof SyntaxError ? error.message : '')?.[0]
    return { input: text, problem: `is not valid JSON${place ? ` (see ${place})` : ''}` }
  }
}

function takesText(ports: PipelinePorts, { visibilityOf }: BuiltSurface, name: string): boolean {
  const resolved = ports.catalog.resolve(name, (tool) => visibilityOf(tool).standing === 'loaded')
  return (
    resolved !== undefined &&
    'found' in resolved &&
    resolved.found.draft.input.modelSchema['type'] === 'string'
  )
}

/** Walks the call to its result. What changed the ports is on disk before the caller hears of it. */
export function finishCall({ call, run }: NewCall, live: LiveCalls): Promise<ToolResult> {
  const result = new Promise<ToolResult>((resolve, reject) =>
    walkCall(call, run, new Ending(run, live, resolve, reject)),
  )
  // A call that is put down is on record: that nobody here waited for it must not end the process.
  if (run.ports.approvals?.hasReviewers) result.catch(() => {})
  return result
}

// One object for all that happens at the end: closures for each of them would be made in every call.
class Ending implements Walk {
  readonly until = undefined
  readonly #run: CallRun
  readonly #live: LiveCalls
  readonly #place: number
  readonly #resolve: (result: ToolResult) => void
  readonly #reject: (error: unknown) => void

  constructor(
    run: CallRun,
    live: LiveCalls,
    resolve: (result: ToolResult) => void,
    reject: (error: unknown) => void,
  ) {
    this.#run = run
    this.#live = live
    this.#place = live.add(run)
    this.#resolve = resolve
    this.#reject = reject
  }

  onEnd(call: CallState): void {
    if (call.startedAt === undefined || call.facts?.is_read_only) {
      this.#live.remove(this.#place)
      this.#handOver(call.result!)
    } else {
      void this.#whenDurable(call.result!).then((result) => this.#handOver(result))
    }
  }

  #handOver(result: ToolResult): void {
    this.#resolve(result)
    this.#run.slot?.handOver(result)
  }

  async #whenDurable(result: ToolResult): Promise<ToolResult> {
    try {
      await this.#run.ports.journal.durable()
      if (!this.#run.isLost) return result
      const problem = 'Another process had taken the call over and closed it before it ended here.'
      return { ...result, toolcrib: { ...result.toolcrib, record: 'lost', record_problem: problem } }
    } catch (error) {
      // The tool has run and its result is true; that it is not on disk yet is a fact of its own.
      const problem = cleanText(error instanceof Error ? error.message : String(error), this.#run)
      return { ...result, toolcrib: { ...result.toolcrib, record: 'pending', record_problem: problem } }
    } finally {
      this.#live.remove(this.#place)
    }
  }

  onRest(): void {
    const run = this.#run
    this.#live.remove(this.#place)
    this.#refuse(stillWaiting(run.row.invocationId, run.approval?.approval.approval_id))
    // From here on it is another's: what this process still says of it is not heard.
    run.isLost = true
  }

  onBroken(error: unknown): void {
    this.#live.remove(this.#place)
    this.#refuse(error)
  }

  #refuse(error: unknown): void {
    this.#reject(error)
    this.#run.slot?.break(error)
  }
}
