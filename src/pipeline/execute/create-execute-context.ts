import { setMaxListeners } from 'node:events'
import { abortError, signalOf } from '../cancel-state.js'
import { attemptOf } from './attempt-state.js'
import { callerView } from './caller-view.js'
import { moveTo, record } from '../record.js'
import type { ExecuteRun } from './execute-ports.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { EventClass } from '../../contract/unions.js'
import type { ToolSearchResult } from '../../contract/objects/tool-search-result.js'
import { createStopSignal, type StopController, type StopSignal } from '../../platform/async/stop-signal.js'
import { toJson } from '../../platform/json/to-json.js'
import type { CallState } from '../call-state.js'
import type {
  CallerView,
  ExecuteContext,
  InnerCall,
  InputAnswer,
  InputRequest,
  ProgressUpdate,
} from '../../catalog/execute-context.js'
import type { PersonAnswer } from '../../catalog/answered-by.js'
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

/** The executor's context, and members that only the pipeline may use. */
export interface LiveContext extends ExecuteContext {
  /** For tools that people answer. */
  readonly answer: PersonAnswer | undefined
  /** For built-in tools: a page of a ref's content, if this call's caller may read it. */
  readRef(ref: string, request: ReadRequest): Promise<Page>
  /** For built-in tools: searches the tools that this call's caller may find, and loads the matches. */
  findTools(query: string, options: { limit?: number | undefined }): Promise<ToolSearchResult>
  abort(): void
  partial(value: unknown): void
  /** From now on, everything the executor reports is ignored. */
  end(): void
}

/** A tool that calls itself must end. */
const MAX_DEPTH = 8

export function createExecuteContext(call: CallState, run: ExecuteRun, startedAt: number): LiveContext {
  return new CallContext(call, run, startedAt)
}

// A class, because there is one per call and most of its members are never used.
class CallContext implements LiveContext {
  readonly #call: CallState
  readonly #run: ExecuteRun
  readonly #startedAt: number
  readonly #attempt: number
  /** Set once this attempt is aborted: the next attempt gets another signal. */
  #signal: AbortSignal | undefined = undefined
  #stop: StopController | undefined = undefined
  /** Input requests without an answer yet. */
  #questions = 0
  #isOver = false
  /** Made at the first progress report: most executors never report. */
  #reporter: ProgressReporter | undefined = undefined

  constructor(call: CallState, run: ExecuteRun, startedAt: number) {
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

  get answer(): PersonAnswer | undefined {
    return this.#call.answer
  }

  get attempt(): number {
    return this.#attempt
  }

  get idempotencyKey(): string {
    return this.#call.invocationId
  }

  // Made at its first use: most executors never read it, and it is the most expensive part of a call.
  get signal(): AbortSignal {
    return this.#signal ?? signalOf(this.#run)
  }

  get stopSignal(): StopSignal {
    if (!this.#stop) {
      this.#stop = createStopSignal()
      if (this.#run.cancelReason !== undefined) this.#stop.stop(abortError(this.#run.cancelReason))
    }
    return this.#stop.signal
  }

  // Bound, because executors destructure the context.
  get progress(): ExecuteContext['progress'] {
    return (update) => this.#progress(update)
  }

  #progress(update: ProgressUpdate | string): void {
    if (this.#isOver) return
    this.#reports.report(typeof update === 'string' ? { message: update } : update)
  }

  get facts(): ExecuteContext['facts'] {
    return this.#call.facts!
  }

  get recordEnvironment(): ExecuteContext['recordEnvironment'] {
    return (environment) => this.#record('toolcrib.invocation.environment', environment)
  }

  get recordViolation(): ExecuteContext['recordViolation'] {
    return (violation) => this.#record('toolcrib.invocation.sandbox_violated', violation)
  }

  #record(type: EventClass, given: object): void {
    if (!this.#isOver) record(this.#run, type, toJson(given) as object)
  }

  get #reports(): ProgressReporter {
    return (this.#reporter ??= new ProgressReporter(this.#call, this.#run, this.#startedAt))
  }

  get requestInput(): ExecuteContext['requestInput'] {
    return (request) => this.#requestInput(request)
  }

  /** The host's responder, or else the person behind the client. */
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
    // Other calls do not wait while a person answers: release the locks.
    if (this.#questions === 1) run.schedule?.releaseLocks()
    let answer: InputAnswer
    try {
      answer = await ask(request)
    } catch {
      answer = { action: 'cancel' }
    }
    this.#questions--
    if (run.schedule && !this.#isOver)
      await (this.#questions === 0 ? run.schedule.reacquireLocks() : run.schedule.whenReacquired())
    if (!this.#isOver && this.#questions === 0) this.#resume({ action: answer.action })
    return answer
  }

  /** Back to `running`, if the call waited for input. */
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
      // A caller that may have the result may have its parts.
      const forListeners = redacted ? undefined : { ...data, value: shown }
      moveTo(run, 'partial_result', 'tool.invocation.partial_result', data, undefined, forListeners)
    }
    moveTo(run, 'running', 'toolcrib.invocation.resumed')
  }

  get hide(): ExecuteContext['hide'] {
    return (secret) => hideSecret(this.#run, secret)
  }

  get callTool(): ExecuteContext['callTool'] {
    return (request) => this.#callTool(request)
  }

  async #callTool(request: InnerCall): Promise<ToolResult> {
    const { invocationId: parentId, request: own, surfaceId } = this.#call
    if (this.#isOver) throw new Error('The call has ended: it can call no other tool.')
    const depth = (own.parent?.depth ?? 0) + 1
    if (depth > MAX_DEPTH)
      throw new Error(`Calls may be nested ${MAX_DEPTH} deep, and this one would be deeper.`)
    const run = this.#run
    // Each of its calls listens to the signal: that many listeners are no leak.
    setMaxListeners(0, this.signal)
    const signal = request.signal ? AbortSignal.any([request.signal, this.signal]) : this.signal
    const { surface, client, approver } = run
    const parent = { invocationId: parentId, depth }
    const { name, input, nativeCallId, timeoutMs } = request
    const asked = { name, input, nativeCallId, timeoutMs, signal }
    const { invocationId, result } = run.ports.startInnerCall({
      ...(withoutUndefined(asked) as InnerCall),
      parent,
      surfaceId,
      surface,
      client,
      approver,
    })
    record(run, 'toolcrib.invocation.called_tool', { invocation_id: invocationId })
    const ended = await result
    // An executor that was canceled must not continue with the result of a call that was canceled with it.
    if (this.signal.aborted) throw this.signal.reason
    return ended
  }

  get caller(): CallerView {
    return callerView(this.#call, this.#run, () => this.signal)
  }

  get judgedPath(): ExecuteContext['judgedPath'] {
    return (path) => this.#run.touched?.paths.find((each) => each.path === path)?.real
  }

  get mayTouch(): ExecuteContext['mayTouch'] {
    return (path, access, real) => {
      const { judged, ports } = this.#run
      if (!judged) return false
      return ports.policy.mayTouch(judged, {
        access,
        path,
        real: real ?? ports.followLinks(path),
        isGlob: false,
      })
    }
  }

  get resultLimits(): ExecuteContext['resultLimits'] {
    return () => {
      this.#run.boundsItself = true
      const { maxChars, maxLines, maxTokens } = sizePolicyOf(this.#run)
      return {
        maxChars,
        ...(maxLines !== undefined && { maxLines }),
        ...(maxTokens !== undefined && { maxTokens }),
      }
    }
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
    // A truncated definition would be useless, and the tool would be loaded all the same.
    this.#run.boundsItself = true
    return this.#run.ports.discovery.findTools(this.#run.surface, query, options)
  }

  abort(): void {
    const run = this.#run
    this.#signal = signalOf(run)
    run.controller!.abort(abortError(run.cancelReason ?? 'user_interruption'))
    this.#stop?.stop(this.#signal.reason)
  }

  end(): void {
    // The executor may have asked and ended without waiting for the answer.
    this.#resume()
    this.#reporter?.flush()
    this.#isOver = true
  }
}
