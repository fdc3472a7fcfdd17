import { AsyncResource } from 'node:async_hooks'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { attemptOf, moveTo, record, type CallRun, type Retrying } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { callValue } from '../check-input/call-value.js'
import { canceledStep } from '../failures/canceled.js'
import { describeFailure } from '../failures/describe-failure.js'
import { createExecuteContext, type LiveContext } from './create-execute-context.js'
import type { Deadline } from './deadlines.js'
import { driveGenerator, isAsyncGenerator } from './drive-generator.js'
import { failAttempt } from './fail-attempt.js'
import { Interrupted } from './in-time.js'
import { insideCall } from './inside-call.js'
import { leftMs } from './left-ms.js'
import { readStop } from './read-stop.js'
import { hasRef } from '../refs/ref-places.js'
import { RefError } from '../refs/ref-reader.js'
import { resolveRefs, type ResolvedInput } from '../refs/resolve-refs.js'
import { proceed, settled, stop, type Later, type Patch, type Step, type Stop } from '../step.js'
import { dismissOutput, drainOutput, streamIn, type OutputStreams } from './stream-output.js'
import { thrownStep } from './thrown-step.js'
import { timeoutOf, usable } from './timeout-of.js'
import { toolError } from '../failures/tool-error.js'
import { unrecordable } from './unrecordable.js'

/** Runs the tool, within its time and only as long as it is wanted. */
export function execute(call: CallState, run: CallRun): Step | Promise<Step> | Later {
  const { retrying, at } = run
  if (retrying && leftMs(run) <= 0) return outOfTime(run)
  moveTo(run, 'running', 'tool.invocation.started', retrying && nextAttempt(retrying), at)
  const startedAt = call.startedAt ?? at
  // What may change the ports is on disk as started before it can do so.
  return call.facts!.is_read_only ? start(call, run, startedAt) : startDurably(call, run, startedAt)
}

function nextAttempt(retrying: Retrying): object {
  return { attempt: ++retrying.attempts }
}

/** The wait for its turn took all that was left of the caller's time. */
function outOfTime(run: CallRun): Step {
  run.cancelReason = 'timeout'
  return canceledStep(run, 'before')
}

async function startDurably(call: CallState, run: CallRun, startedAt: number): Promise<Step> {
  try {
    await run.ports.journal.durable()
  } catch (error) {
    return unrecordable(error, run)
  }
  if (run.isLost) return stop(lostToAnother())
  if (run.cancelReason !== undefined) return canceledStep(run, 'before')
  return settled(start(call, run, startedAt))
}

function lostToAnother(): ToolError {
  return toolError('dependency_unavailable', {
    code: 'toolcrib.owner_changed',
    message: 'The call did not run: another process has taken it over and closed it.',
    retrySafe: true,
  })
}

function start(call: CallState, run: CallRun, startedAt: number): Step | Promise<Step> | Later {
  const value = callValue(call, run)
  if (run.refs !== 'none' && (run.refs || hasRef(inputOf(call, 'call'))))
    return startWithRefs(call, run, { value, startedAt })
  return value instanceof Promise
    ? value.then((parsed) =>
        run.cancelReason === undefined
          ? settled(runTool(call, run, parsed, startedAt))
          : canceledStep(run, 'before'),
      )
    : runTool(call, run, value, startedAt)
}

/** The executor gets what its refs stand for. What cannot be had any more keeps it from running. */
async function startWithRefs(
  call: CallState,
  run: CallRun,
  { value, startedAt }: { value: unknown; startedAt: number },
): Promise<Step> {
  limitTime(call, run)
  let resolved: ResolvedInput
  try {
    resolved = await resolveRefs(await value, call, run)
  } catch (error) {
    return error instanceof Interrupted ? canceledStep(run, 'before') : stop(unresolved(error))
  }
  let isOver = true
  try {
    if (run.cancelReason !== undefined) return canceledStep(run, 'before')
    const step = await settled(runTool(call, run, resolved.input, startedAt))
    isOver = step.kind !== 'retry'
    return step
  } finally {
    if (isOver) run.refs = undefined
    await resolved.release()
  }
}

/** What a ref stood for when the call was judged is gone now that it runs: the arguments were right, the code says what is not. */
function unresolved(error: unknown): ToolError {
  return toolError('dependency_unavailable', {
    code: error instanceof RefError ? error.code : 'toolcrib.ref_unreadable',
    message: `The tool did not run: ${error instanceof Error ? error.message : String(error)}`,
    retrySafe: true,
  })
}

// Four parameters rather than an object of them: this runs in every call.
function runTool(call: CallState, run: CallRun, value: unknown, startedAt: number): Step | Later {
  limitTime(call, run)
  const context = createExecuteContext(call, run, startedAt)
  run.ports.onToolCode?.()
  try {
    const running = marks(run)
      ? insideCall(call.invocationId, () => launch(run, value, context))
      : launch(run, value, context)
    // Looking at what came back may throw as well: it is the executor's own.
    if (running instanceof Promise || isThenable(running))
      return new Wait(call, run, context, startedAt).on(running)
    const stream = streamIn(running, run)
    if (stream) return new Wait(call, run, context, startedAt).on(drainOutput(running, stream, run))
    context.end()
    run.at = run.ports.now()
    return proceed({ output: running, startedAt })
  } catch (error) {
    context.end()
    run.at = run.ports.now()
    return thrownStep({ call, run }, error, startedAt)
  }
}

/** What another process runs is never inside of this one: marking it would slow every promise and tell nobody anything. */
function marks({ ports, tool }: CallRun): boolean {
  return ports.marksCalls === true && tool!.draft.runsInProcess !== false
}

/** The caller's time begins when the tool is about to run. */
function limitTime(call: CallState, run: CallRun): void {
  const ofCallMs = usable(call.request.timeoutMs)
  if (ofCallMs !== undefined) run.endBy ??= performance.now() + ofCallMs
}

function launch(run: CallRun, value: unknown, context: LiveContext): unknown {
  const returned = (run.tool!.draft.execute as (input: unknown, context: unknown) => unknown)(value, context)
  if (returned instanceof Promise) return returned
  return isAsyncGenerator(returned) ? driveGenerator(returned, context) : returned
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}

/** Nobody watches the end of a scope; registering it with the garbage collector would cost more than the scope. */
const SCOPE = { requireManualDestroy: true }

/** Whichever comes first: the tool's end, its time-out, or the end of patience after a cancellation. */
class Wait implements Later {
  readonly #call: CallState
  readonly #run: CallRun
  readonly #context: LiveContext
  readonly #startedAt: number
  readonly #timeoutMs: number
  readonly #deadline: Deadline
  /** The caller's own async context: timers are shared, and whoever cancels stands in another. */
  readonly #scope = new AsyncResource('toolcrib.call', SCOPE)
  #goOn: ((step: Step) => void) | undefined = undefined
  #ended: Step | undefined = undefined
  #grace: NodeJS.Timeout | undefined = undefined
  /** Its time is over: whatever comes of it now is too late. Says how long it was. */
  #timedOut: string | undefined = undefined

  constructor(call: CallState, run: CallRun, context: LiveContext, startedAt: number) {
    this.#call = call
    this.#run = run
    this.#context = context
    this.#startedAt = startedAt
    this.#timeoutMs = timeoutOf(call, run)
    this.#deadline = run.ports.deadlines.set(this.#timeoutMs, this)
    run.wait = this
  }

  on(running: PromiseLike<unknown>): this {
    // A promise of our kind is taken as it is; of another kind, by a promise that survives its faults.
    this.#follow(running instanceof Promise ? running : Promise.resolve(running))
    // It may have been canceled while it was being started.
    if (this.#run.cancelReason !== undefined) this.cancel()
    return this
  }

  #follow(running: Promise<unknown>): void {
    running.then(
      (output) => this.#onOutput(output),
      (error) => this.#onError(error),
    )
  }

  tell(goOn: (step: Step) => void): void {
    if (this.#ended) goOn(this.#ended)
    else this.#goOn = goOn
  }

  #onOutput(output: unknown): void {
    // A result that is there beats a cancellation that came too late.
    if (this.#ended) {
      dismissOutput(output)
      return this.#discardLate('succeeded')
    }
    let stream: OutputStreams | undefined
    try {
      stream = streamIn(output, this.#run)
    } catch (error) {
      return this.#onError(error)
    }
    if (stream) return this.#follow(drainOutput(output, stream, this.#run))
    if (!this.#timedOut) return this.#end(proceed({ output, startedAt: this.#startedAt }))
    this.#discardLate('succeeded')
    this.#endInTimeout('ended only after that; its result was discarded.')
  }

  #onError(error: unknown): void {
    const run = this.#run
    const startedAt = this.#startedAt
    if (this.#ended) return this.#discardLate('failed')
    if (run.cancelReason === undefined) {
      this.#release()
      return this.#tell(thrownStep({ call: this.#call, run }, error, startedAt))
    }
    const reading = readStop(error, this.#context.signal)
    if (reading === 'failed') return this.#failToStop(describeFailure(error, run))
    if (reading === 'unconfirmed') return this.#leave('unconfirmed', { unconfirmed: true })
    record(run, 'toolcrib.invocation.cancel_acknowledged')
    if (this.#timedOut) return this.#endInTimeout('was stopped; what it had done by then may remain.')
    this.#end(withStart(canceledStep(run, 'during'), startedAt))
  }

  /** It ended with an error of its own, which may be that it could not stop what it had begun. */
  #failToStop(failure: ToolError): void {
    const { error_class, error_code, message } = failure
    this.#leave('failed', { error: { error_class, error_code, message } }, failure)
  }

  onTime(): void {
    this.#scope.runInAsyncScope(this.#onTime, this)
  }

  #onTime(): void {
    const run = this.#run
    run.cancelReason = 'timeout'
    this.#context.abort()
    const isWhole = leftMs(run) <= 0
    const timeoutMs = isWhole ? this.#call.request.timeoutMs : this.#timeoutMs
    const who = isWhole && run.retrying ? `The call with its ${attemptOf(run)} attempts` : 'The tool'
    // What it holds stays its own until it has stopped, or is known not to.
    this.#timedOut = `${who} did not finish within ${timeoutMs} ms and`
    this.#waitForEnd()
  }

  #endInTimeout(outcome: string, nativeErrorRef?: string): void {
    const error = toolError('timeout', { message: `${this.#timedOut} ${outcome}`, nativeErrorRef })
    this.#fail(error, { startedAt: this.#startedAt, abortReason: 'timeout' })
  }

  cancel(): void {
    this.#run.ports.deadlines.clear(this.#deadline)
    this.#context.abort()
    this.#waitForEnd()
  }

  /** A tool that was told to stop has its time to do so. */
  #waitForEnd(): void {
    const { cancelGraceMs } = this.#run.ports
    const waited = { grace_ms: cancelGraceMs }
    this.#grace = setTimeout(() => this.#scope.runInAsyncScope(this.#giveUp, this, waited), cancelGraceMs)
  }

  /** Somebody would not wait for the executor any longer. */
  force(): void {
    if (this.#grace && !this.#ended) this.#scope.runInAsyncScope(this.#giveUp, this, { forced: true })
  }

  #giveUp(after: { grace_ms: number } | { forced: true }): void {
    this.#leave('detached', after)
  }

  /** The call ends, and nothing says that its tool has stopped. */
  #leave(how: 'detached' | 'unconfirmed' | 'failed', after: object, failure?: ToolError): void {
    const run = this.#run
    record(run, 'toolcrib.invocation.cancel_failed', after)
    if (this.#timedOut) {
      const said = failure ? ` Its error: ${failure.message}` : ''
      const outcome = `was given up; it may still have an effect.${said}`
      return this.#endInTimeout(outcome, failure?.native_error_ref)
    }
    this.#end(withStart(canceledStep(run, how, failure), this.#startedAt))
  }

  #fail(error: ToolError, patch: Patch): void {
    // Its questions and timers end before anything else begins.
    this.#release()
    this.#tell(failAttempt(this.#call, this.#run, { error, patch }))
  }

  #end(step: Step): void {
    this.#release()
    this.#tell(step)
  }

  #release(): void {
    const run = this.#run
    run.ports.deadlines.clear(this.#deadline)
    if (this.#grace) clearTimeout(this.#grace)
    run.wait = undefined
    this.#context.end()
  }

  #tell(step: Step): void {
    this.#ended = step
    this.#goOn?.(step)
  }

  /** The call goes on or has ended without it; that the tool came to an end after all is still a fact. */
  #discardLate(outcome: 'succeeded' | 'failed'): void {
    const run = this.#run
    if (run.ports.isClosing()) return
    const { attempt } = this.#context
    record(run, 'toolcrib.result.late_discarded', run.retrying ? { outcome, attempt } : { outcome })
  }
}

function withStart(step: Stop, startedAt: number): Stop {
  return { ...step, patch: { ...step.patch, startedAt } }
}
