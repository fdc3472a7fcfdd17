import { moveTo, record, type CallRun } from './call-run.js'
import type { CallState } from './call-state.js'
import type {
  ExecuteContext,
  InputAnswer,
  InputRequest,
  ProgressUpdate,
} from '../../supply/catalog/execute-context.js'
import { scrubText, scrubValue } from '../../foundation/redaction/scrub.js'
import { progressOf } from './record-progress.js'
import { snapshotJson } from '../../foundation/json/snapshot-json.js'

/** The executor's context, and what only the pipeline may do with it. */
export interface LiveContext extends ExecuteContext {
  abort(): void
  partial(value: unknown): void
  /** From now on, whatever the executor still says is not heard. */
  end(): void
}

export function createExecuteContext(call: CallState, run: CallRun, startedAt: number): LiveContext {
  return new CallContext(call, run, startedAt)
}

// A class: one per call, and most of its members are never used.
class CallContext implements LiveContext {
  readonly #call: CallState
  readonly #run: CallRun
  readonly #startedAt: number
  #controller: AbortController | undefined = undefined
  #isOver = false

  constructor(call: CallState, run: CallRun, startedAt: number) {
    this.#call = call
    this.#run = run
    this.#startedAt = startedAt
  }

  get invocationId(): string {
    return this.#call.invocationId
  }

  get toolId(): string {
    return this.#call.toolId
  }

  get nativeCallId(): string | undefined {
    return this.#call.request.nativeCallId
  }

  get surfaceId(): string {
    return this.#call.surfaceId
  }

  get actor(): string | undefined {
    return this.#run.entry.row.actor
  }

  get session(): string | undefined {
    return this.#run.entry.row.session
  }

  get tenant(): string {
    return this.#run.entry.row.tenant
  }

  get workspace(): string {
    return this.#run.surface.request.workspace ?? this.#run.world.workspace
  }

  get idempotencyKey(): string {
    return this.#call.invocationId
  }

  // Made when it is asked for: most executors never look, and it is the dearest part of a call.
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#run.cancelReason !== undefined) this.#controller.abort(abortError(this.#run))
    }
    return this.#controller.signal
  }

  // Bound when asked for: executors like to take it out of the context.
  get progress(): ExecuteContext['progress'] {
    return (update) => this.#progress(update)
  }

  #progress(update: ProgressUpdate | string): void {
    if (this.#isOver) return
    const said = typeof update === 'string' ? { message: update } : update
    record(this.#run, 'tool.invocation.progress', {
      progress: progressOf(this.#run, this.#started, said, 'running'),
    })
  }

  get #started(): CallState {
    return { ...this.#call, startedAt: this.#startedAt }
  }

  get requestInput(): ExecuteContext['requestInput'] {
    return (request) => this.#requestInput(request)
  }

  async #requestInput(request: InputRequest): Promise<InputAnswer> {
    const { responder } = this.#run.world
    if (this.#isOver || !responder) return { action: 'cancel' }
    const message = scrubText(request.message, this.#run.secrets)
    moveTo(this.#run, 'needs_input', 'toolcrib.invocation.needs_input', { message, schema: request.schema })
    let answer: InputAnswer
    try {
      answer = await responder({ ...request, invocationId: this.#call.invocationId })
    } catch {
      answer = { action: 'cancel' }
    }
    if (!this.#isOver) moveTo(this.#run, 'running', 'toolcrib.invocation.resumed', { action: answer.action })
    return answer
  }

  partial(value: unknown): void {
    if (this.#isOver) return
    const snapshot = snapshotJson(value)
    const shown = 'notJson' in snapshot ? null : scrubValue(snapshot.value, this.#run.secrets)
    const progress = progressOf(this.#run, this.#started, {}, 'partial_result')
    moveTo(this.#run, 'partial_result', 'tool.invocation.partial_result', { progress, value: shown })
    moveTo(this.#run, 'running', 'toolcrib.invocation.resumed')
  }

  abort(): void {
    this.#controller?.abort(abortError(this.#run))
  }

  end(): void {
    this.#isOver = true
  }
}

function abortError(run: CallRun): Error {
  const error = new Error(`The call was cancelled (${run.cancelReason}).`)
  error.name = 'AbortError'
  return error
}
