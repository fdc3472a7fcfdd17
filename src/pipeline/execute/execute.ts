import { AsyncResource } from 'node:async_hooks'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { attemptOf, type Retrying } from './attempt-state.js'
import { moveTo, record } from '../record.js'
import type { ExecuteRun } from './execute-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { callValue } from '../check-input/call-value.js'
import { canceledStep } from '../failures/canceled.js'
import { describeFailure } from '../failures/describe-failure.js'
import { createExecuteContext, type LiveContext } from './create-execute-context.js'
import type { Deadline, DeadlineList } from './deadlines.js'
import { driveGenerator, isAsyncGenerator } from './drive-generator.js'
import { failAttempt } from './fail-attempt.js'
import { Interrupted } from './in-time.js'
import { insideCall } from './inside-call.js'
import { leftMs } from './left-ms.js'
import { readStop } from './read-stop.js'
import { hasRef } from '../refs/ref-locations.js'
import { RefError } from '../refs/ref-reader.js'
import { resolveRefs, type ResolvedInput } from '../refs/resolve-refs.js'
import {
  proceed,
  settled,
  stop,
  UsualStep,
  type Later,
  type Patch,
  type Step,
  type StepListener,
  type Stop,
} from '../step.js'
import { dismissOutput, drainOutput, streamIn, type OutputStreams } from './stream-output.js'
import { thrownStep } from './thrown-step.js'
import { timeoutOf, usable } from './timeout-of.js'
import { toolError } from '../failures/tool-error.js'
import { unrecordable } from './unrecordable.js'

/** Runs the tool, until its timeout or a cancellation. */
export function execute(call: CallState, run: ExecuteRun): Step | Promise<Step> | Later {
  const { retrying, at } = run
  if (retrying && leftMs(run) <= 0) return outOfTime(run)
  moveTo(run, 'running', 'tool.invocation.started', retrying && nextAttempt(retrying), at)
  const startedAt = call.startedAt ?? at
  // A call with side effects is on disk as started before its executor runs.
  return call.facts!.is_read_only ? start(call, run, startedAt) : startDurably(call, run, startedAt)
}

function nextAttempt(retrying: Retrying): object {
  return { attempt: ++retrying.attempts }
}

/** The wait for its turn used up the caller's time. */
function outOfTime(run: ExecuteRun): Step {
  run.cancelReason = 'timeout'
  return canceledStep(run, 'before')
}

async function startDurably(call: CallState, run: ExecuteRun, startedAt: number): Promise<Step> {
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

function start(call: CallState, run: ExecuteRun, startedAt: number): Step | Promise<Step> | Later {
  const value = callValue(call, run)
  if (run.refs !== 'none' && (run.refs || hasRef(inputOf(call, 'call'))))
    return startWithRefs(call, run, { value, startedAt })
  return value instanceof Promise
    ? runParsed(call, run, value, startedAt)
    : runTool(call, run, value, startedAt)
}

async function runParsed(
  call: CallState,
  run: ExecuteRun,
  value: Promise<unknown>,
  startedAt: number,
): Promise<Step> {
  const parsed = await value
  return run.cancelReason === undefined
    ? settled(runTool(call, run, parsed, startedAt))
    : canceledStep(run, 'before')
}

/** Replaces the refs of the executor's input by their content. An unreadable ref ends the call. */
async function startWithRefs(
  call: CallState,
  run: ExecuteRun,
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

/** A ref's content disappeared after the call was judged: the arguments were right, so this is no argument error. */
function unresolved(error: unknown): ToolError {
  return toolError('dependency_unavailable', {
    code: error instanceof RefError ? error.code : 'toolcrib.ref_unreadable',
    message: `The tool did not run: ${errorMessage(error)}`,
    retrySafe: true,
  })
}

// Four parameters rather than an object of them: this runs in every call.
function runTool(call: CallState, run: ExecuteRun, value: unknown, startedAt: number): Step | Later {
  limitTime(call, run)
  const context = createExecuteContext(call, run, startedAt)
  run.ports.onToolCode?.()
  try {
    const running = marks(run) ? launchInside(call, run, value, context) : launch(run, value, context)
    // Reading the returned value may throw as well: it is the executor's own.
    if (running instanceof Promise || isThenable(running))
      return new Wait(call, run, context, startedAt).on(running)
    const stream = streamIn(running, run)
    if (stream) return new Wait(call, run, context, startedAt).on(drainOutput(running, stream, run))
    context.end()
    run.at = run.ports.now()
    return proceed(new Returned(running, startedAt))
  } catch (error) {
    context.end()
    run.at = run.ports.now()
    return thrownStep({ call, run }, error, startedAt)
  }
}

class Returned extends UsualStep {
  readonly output: unknown
  readonly startedAt: number

  constructor(output: unknown, startedAt: number) {
    super()
    this.output = output
    this.startedAt = startedAt
  }

  applyTo(call: CallState): void {
    call.output = this.output
    call.startedAt = this.startedAt
  }
}

/** Code in another process is never inside this call: marking it would slow every promise for nothing. */
function marks({ ports, tool }: ExecuteRun): boolean {
  return ports.marksCalls === true && tool!.draft.runsInProcess !== false
}

/** The caller's time starts when the tool is about to run. */
function limitTime(call: CallState, run: ExecuteRun): void {
  const ofCallMs = usable(call.request.timeoutMs)
  if (ofCallMs !== undefined) run.endBy ??= performance.now() + ofCallMs
}

function launch(run: ExecuteRun, value: unknown, context: LiveContext): unknown {
  const returned = (run.tool!.draft.execute as (input: unknown, context: unknown) => unknown)(value, context)
  if (returned instanceof Promise) return returned
  return isAsyncGenerator(returned) ? driveGenerator(returned, context) : returned
}

function launchInside(call: CallState, run: ExecuteRun, value: unknown, context: LiveContext): unknown {
  return insideCall(call.invocationId, () => launch(run, value, context))
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}

/** Nothing watches the end of a scope; registering it with the garbage collector would cost more than the scope. */
const SCOPE = { requireManualDestroy: true }

/**
 * Waits for whichever comes first: the tool's end, its timeout, or the end of the grace time after a cancellation. It
 * is the caller's own async context, too: timers are shared, and a cancellation comes from another context.
 */
// Without private names: V8 sets up each of them twice, in a function of its own, and this is in every call.
class Wait extends AsyncResource implements Later, Deadline {
  readonly timeoutMs: number
  due: number | undefined = undefined
  list: DeadlineList | undefined = undefined
  before: Deadline | undefined = undefined
  after: Deadline | undefined = undefined
  private readonly call: CallState
  private readonly run: ExecuteRun
  private readonly context: LiveContext
  private readonly startedAt: number
  private listener: StepListener | undefined = undefined
  private ended: Step | undefined = undefined
  private grace: NodeJS.Timeout | undefined = undefined
  /** Set once the attempt timed out: its later output is discarded. The start of the error message. */
  private timedOut: string | undefined = undefined

  constructor(call: CallState, run: ExecuteRun, context: LiveContext, startedAt: number) {
    super('toolcrib.call', SCOPE)
    this.timeoutMs = timeoutOf(call, run)
    this.call = call
    this.run = run
    this.context = context
    this.startedAt = startedAt
    run.ports.deadlines.set(this)
    run.wait = this
  }

  on(running: PromiseLike<unknown>): this {
    // A foreign promise is wrapped: its `then` may be faulty.
    this.follow(running instanceof Promise ? running : Promise.resolve(running))
    // The call may have been canceled while it was being started.
    if (this.run.cancelReason !== undefined) this.cancel()
    return this
  }

  private follow(running: Promise<unknown>): void {
    // Bound: two functions of its own for each call would be half as large again.
    running.then(this.onOutput.bind(this), this.onError.bind(this))
  }

  onStep(listener: StepListener): void {
    if (this.ended) listener.resume(this.ended)
    else this.listener = listener
  }

  private onOutput(output: unknown): void {
    // A result that is already there wins over a late cancellation.
    if (this.ended) {
      dismissOutput(output)
      return this.discardLate('succeeded')
    }
    let stream: OutputStreams | undefined
    try {
      stream = streamIn(output, this.run)
    } catch (error) {
      return this.onError(error)
    }
    if (stream) return this.follow(drainOutput(output, stream, this.run))
    if (!this.timedOut) return this.end(proceed(new Returned(output, this.startedAt)))
    this.discardLate('succeeded')
    this.endInTimeout('ended only after that; its result was discarded.')
  }

  private onError(error: unknown): void {
    const run = this.run
    const startedAt = this.startedAt
    if (this.ended) return this.discardLate('failed')
    if (run.cancelReason === undefined) {
      this.release()
      return this.settle(thrownStep({ call: this.call, run }, error, startedAt))
    }
    const reading = readStop(error, this.context.signal)
    if (reading === 'failed') return this.failToStop(describeFailure(error, run))
    if (reading === 'unconfirmed') return this.leave('unconfirmed', { unconfirmed: true })
    record(run, 'toolcrib.invocation.cancel_acknowledged')
    if (this.timedOut) return this.endInTimeout('was stopped; what it had done by then may remain.')
    this.end(withStart(canceledStep(run, 'during'), startedAt))
  }

  /** The tool ended with an error of its own, possibly because it could not stop its work. */
  private failToStop(failure: ToolError): void {
    const { error_class, error_code, message } = failure
    this.leave('failed', { error: { error_class, error_code, message } }, failure)
  }

  onTime(): void {
    this.runInAsyncScope(this.timeOut, this)
  }

  private timeOut(): void {
    const run = this.run
    run.cancelReason = 'timeout'
    this.context.abort()
    const isWhole = leftMs(run) <= 0
    const timeoutMs = isWhole ? this.call.request.timeoutMs : this.timeoutMs
    const who = isWhole && run.retrying ? `The call with its ${attemptOf(run)} attempts` : 'The tool'
    // The call keeps its locks until the tool has stopped or the grace time is over.
    this.timedOut = `${who} did not finish within ${timeoutMs} ms and`
    this.waitForEnd()
  }

  private endInTimeout(outcome: string, nativeErrorRef?: string): void {
    const error = toolError('timeout', { message: `${this.timedOut} ${outcome}`, nativeErrorRef })
    this.fail(error, { startedAt: this.startedAt, abortReason: 'timeout' })
  }

  cancel(): void {
    this.run.ports.deadlines.clear(this)
    this.context.abort()
    this.waitForEnd()
  }

  /** An aborted tool gets the grace time to stop. */
  private waitForEnd(): void {
    const { cancelGraceMs } = this.run.ports
    const waited = { grace_ms: cancelGraceMs }
    this.grace = setTimeout(() => this.runInAsyncScope(this.giveUp, this, waited), cancelGraceMs)
  }

  /** Stops waiting for the executor at once. */
  force(): void {
    if (this.grace && !this.ended) this.runInAsyncScope(this.giveUp, this, { forced: true })
  }

  private giveUp(after: { grace_ms: number } | { forced: true }): void {
    this.leave('detached', after)
  }

  /** Ends the call without confirmation that its tool has stopped. */
  private leave(how: 'detached' | 'unconfirmed' | 'failed', after: object, failure?: ToolError): void {
    const run = this.run
    record(run, 'toolcrib.invocation.cancel_failed', after)
    if (this.timedOut) {
      const itsError = failure ? ` Its error: ${failure.message}` : ''
      const outcome = `was given up; it may still have an effect.${itsError}`
      return this.endInTimeout(outcome, failure?.native_error_ref)
    }
    this.end(withStart(canceledStep(run, how, failure), this.startedAt))
  }

  private fail(error: ToolError, patch: Patch): void {
    // The attempt's input requests and timers end before anything else begins.
    this.release()
    this.settle(failAttempt(this.call, this.run, { error, patch }))
  }

  private end(step: Step): void {
    this.release()
    this.settle(step)
  }

  private release(): void {
    const run = this.run
    run.ports.deadlines.clear(this)
    if (this.grace) clearTimeout(this.grace)
    run.wait = undefined
    this.context.end()
  }

  private settle(step: Step): void {
    this.ended = step
    this.listener?.resume(step)
  }

  /** Records that the tool ended after the call had continued or ended without it. */
  private discardLate(outcome: 'succeeded' | 'failed'): void {
    const run = this.run
    if (run.ports.isClosing()) return
    const { attempt } = this.context
    record(run, 'toolcrib.result.late_discarded', run.retrying ? { outcome, attempt } : { outcome })
  }
}

function withStart(step: Stop, startedAt: number): Stop {
  return { ...step, patch: { ...step.patch, startedAt } }
}
