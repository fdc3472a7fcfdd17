import { abortError, attemptOf, moveTo, record, signalOf, type CallRun } from '../call-run.js'
import type { ToolSearchResult } from '../../contract/objects/tool-search-result.js'
import { toJson } from '../../platform/json/to-json.js'
import type { CallState } from '../call-state.js'
import type {
  ExecuteContext,
  InputAnswer,
  InputRequest,
  ProgressUpdate,
} from '../../catalog/execute-context.js'
import type { ClientLink } from '../../catalog/client-link.js'
import { askByForm, canAskByForm } from './ask-by-form.js'
import { cleanValue } from '../secrets/clean.js'
import { partialRef } from '../../storage/journal/project-call.js'
import type { Page, ReadRequest } from '../../results/read-back/page.js'
import { refCallerOf } from '../refs/hold-refs.js'
import { hideSecret } from '../secrets/learn-secrets.js'
import { maskDeclared } from '../secrets/mask-declared.js'
import { mayKeepOutput, sizePolicyOf } from '../persist-result/size-policy.js'
import { ProgressReporter } from '../progress/progress-reporter.js'
import { progressOf } from '../progress/record-progress.js'

/** The executor's context, and what only the pipeline may do with it. */
export interface LiveContext extends ExecuteContext {
  /** For tools of our own: a page of what a ref stands for, as far as this call's caller may read it. */
  readRef(ref: string, request: ReadRequest): Promise<Page>
  /** For tools of our own: searches what this call's caller may find, and loads what was found. */
  findTools(query: string, options: { limit?: number | undefined }): Promise<ToolSearchResult>
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
  readonly #attempt: number
  /** Its own once it is aborted: the attempt that follows has another. */
  #signal: AbortSignal | undefined = undefined
  /** Questions that are not answered yet. */
  #questions = 0
  #isOver = false
  /** Made when the executor first says something: most never do. */
  #reporter: ProgressReporter | undefined = undefined

  constructor(call: CallState, run: CallRun, startedAt: number) {
    this.#call = call
    this.#run = run
    this.#startedAt = startedAt
    this.#attempt = attemptOf(run)
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
    return this.#run.row.actor
  }

  get session(): string | undefined {
    return this.#run.row.session
  }

  get tenant(): string {
    return this.#run.row.tenant
  }

  get client(): ClientLink | undefined {
    return this.#run.client
  }

  get inBackground(): boolean {
    return this.#call.request.runInBackground === true
  }

  get workspace(): string {
    return this.#run.surface.request.workspace ?? this.#run.ports.workspace
  }

  get attempt(): number {
    return this.#attempt
  }

  get idempotencyKey(): string {
    return this.#call.invocationId
  }

  // Made when it is asked for: most executors never look, and it is the dearest part of a call.
  get signal(): AbortSignal {
    return this.#signal ?? signalOf(this.#run)
  }

  // Bound when asked for: executors like to take it out of the context.
  get progress(): ExecuteContext['progress'] {
    return (update) => this.#progress(update)
  }

  #progress(update: ProgressUpdate | string): void {
    if (this.#isOver) return
    this.#reports.say(typeof update === 'string' ? { message: update } : update)
  }

  get #reports(): ProgressReporter {
    return (this.#reporter ??= new ProgressReporter(this.#call, this.#run, this.#startedAt))
  }

  get requestInput(): ExecuteContext['requestInput'] {
    return (request) => this.#requestInput(request)
  }

  /** Whoever the host brought, or else the person behind the client. */
  #responder(): ((request: InputRequest) => InputAnswer | Promise<InputAnswer>) | undefined {
    const { invocationId } = this.#call
    const { ports, client } = this.#run
    const { responder } = ports
    if (responder) return (request) => responder({ ...request, invocationId })
    return canAskByForm(client) ? (request) => askByForm(request, { client, signal: this.signal }) : undefined
  }

  async #requestInput(request: InputRequest): Promise<InputAnswer> {
    const run = this.#run
    const ask = this.#responder()
    if (this.#isOver || !ask) return { action: 'cancel' }
    const asked = cleanValue({ message: String(request.message), schema: toJson(request.schema) }, run)
    this.#reporter?.flush()
    if (run.row.status === 'running') moveTo(run, 'needs_input', 'toolcrib.invocation.needs_input', asked)
    else record(run, 'toolcrib.invocation.needs_input', asked)
    this.#questions++
    // Nobody else waits for a person to answer this one.
    if (this.#questions === 1) run.schedule?.letGo()
    let answer: InputAnswer
    try {
      answer = await ask(request)
    } catch {
      answer = { action: 'cancel' }
    }
    this.#questions--
    if (run.schedule && !this.#isOver)
      await (this.#questions === 0 ? run.schedule.takeBack() : run.schedule.whenBack())
    if (!this.#isOver && this.#questions === 0) this.#resume({ action: answer.action })
    return answer
  }

  /** Back to work, where something else than work was the status. */
  #resume(data?: object): void {
    if (this.#run.row.status === 'needs_input')
      moveTo(this.#run, 'running', 'toolcrib.invocation.resumed', data)
  }

  partial(value: unknown): void {
    if (this.#isOver) return
    this.#resume()
    const run = this.#run
    const shown = cleanValue(maskDeclared(toJson(value) ?? null, run), run)
    const reports = this.#reports
    reports.flush()
    const { invocationId } = this.#call
    const about = { invocationId, startedAt: this.#startedAt }
    const progress = progressOf(run, about, reports.known, 'partial_result')
    if (mayKeepOutput(run)) {
      progress.partial_result_refs = [partialRef(invocationId, progress.sequence)]
      moveTo(run, 'partial_result', 'tool.invocation.partial_result', { progress, value: shown })
    } else {
      const { notKept, redacted } = sizePolicyOf(run)
      const data = { progress, not_kept: (redacted ?? notKept)?.reason ?? 'declared_by_policy' }
      // Whoever gets the result may have its parts.
      const told = redacted ? undefined : { ...data, value: shown }
      moveTo(run, 'partial_result', 'tool.invocation.partial_result', data, undefined, told)
    }
    moveTo(run, 'running', 'toolcrib.invocation.resumed')
  }

  get hide(): ExecuteContext['hide'] {
    return (secret) => hideSecret(this.#run, secret)
  }

  async readRef(ref: string, request: ReadRequest): Promise<Page> {
    const run = this.#run
    const { signal } = this
    const who = refCallerOf(run)
    run.boundsItself = true
    const { fitPage } = await import('./fit-page.js')
    return fitPage(request, sizePolicyOf(run), (asked, maxChars) =>
      run.ports.refs.read(ref, asked, { who, maxChars, signal }),
    )
  }

  findTools(query: string, options: { limit?: number | undefined }): Promise<ToolSearchResult> {
    // A definition that were cut could not be called by, and the tool would be loaded all the same.
    this.#run.boundsItself = true
    return this.#run.ports.discovery.findTools(this.#run.surface, query, options)
  }

  abort(): void {
    const run = this.#run
    this.#signal = signalOf(run)
    run.controller!.abort(abortError(run.cancelReason ?? 'user_interruption'))
  }

  end(): void {
    // An executor that asked and did not wait for the answer has ended all the same.
    this.#resume()
    this.#reporter?.flush()
    this.#isOver = true
  }
}
