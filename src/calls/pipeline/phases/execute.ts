import { AsyncResource } from 'node:async_hooks'
import type { ToolError } from '../../../foundation/contract/objects/tool-error.js'
import { moveTo, record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { callValue } from '../call-value.js'
import { canceledStep } from '../canceled.js'
import { createExecuteContext, type LiveContext } from '../create-execute-context.js'
import type { Deadline } from '../deadlines.js'
import { describeFailure } from '../describe-failure.js'
import { driveGenerator, isAsyncGenerator } from '../drive-generator.js'
import { insideCall } from '../inside-call.js'
import { proceed, stop, type Later, type Step, type Stop } from '../step.js'
import { toolError } from '../tool-error.js'
import { unrecordable } from './schedule.js'

/** Runs the tool, within its time and only as long as it is wanted. */
export function execute(call: CallState, run: CallRun): Step | Promise<Step> | Later {
  const startedAt = run.at
  moveTo(run, 'running', 'tool.invocation.started', undefined, startedAt)
  // What may change the world is on disk as started before it can do so.
  return call.facts!.is_read_only ? start(call, run, startedAt) : startDurably(call, run, startedAt)
}

async function startDurably(call: CallState, run: CallRun, startedAt: number): Promise<Step> {
  try {
    await run.world.journal.durable()
  } catch (error) {
    return unrecordable(error)
  }
  if (run.isLost) return stop(lostToAnother())
  if (run.cancelReason !== undefined) return canceledStep(run, 'before')
  return settled(start(call, run, startedAt))
}

function settled(step: Step | Promise<Step> | Later): Step | Promise<Step> {
  return 'tell' in step ? new Promise((resolve) => step.tell(resolve)) : step
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
  return value instanceof Promise
    ? value.then((parsed) =>
        run.cancelReason === undefined
          ? settled(runTool(call, run, parsed, startedAt))
          : canceledStep(run, 'before'),
      )
    : runTool(call, run, value, startedAt)
}

// Four parameters rather than an object of them: this runs in every call.
function runTool(call: CallState, run: CallRun, value: unknown, startedAt: number): Step | Later {
  const context = createExecuteContext(call, run, startedAt)
  try {
    const running = run.world.marksCalls
      ? insideCall(call.invocationId, () => launch(run, value, context))
      : launch(run, value, context)
    // Looking at what came back may throw as well: it is the executor's own.
    if (running instanceof Promise || isThenable(running))
      return new Wait(call, run, context, startedAt).on(running)
    context.end()
    run.at = run.world.now()
    return proceed({ output: running, startedAt })
  } catch (error) {
    context.end()
    run.at = run.world.now()
    return stop(describeFailure(error, run), { startedAt })
  }
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

/** A time that is none, or not above nothing, is as good as not given. */
function usable(timeoutMs: number | undefined): number | undefined {
  return timeoutMs !== undefined && timeoutMs > 0 ? timeoutMs : undefined
}

/** Whichever comes first: the tool's end, its time-out, or the end of patience after a cancellation. */
class Wait implements Later {
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

  constructor(call: CallState, run: CallRun, context: LiveContext, startedAt: number) {
    this.#run = run
    this.#context = context
    this.#startedAt = startedAt
    this.#timeoutMs =
      usable(call.request.timeoutMs) ??
      usable(run.tool!.draft.execution.timeoutMs) ??
      run.world.defaultTimeoutMs
    this.#deadline = run.world.deadlines.set(this.#timeoutMs, this)
    run.wait = this
  }

  on(running: PromiseLike<unknown>): this {
    // A promise of our kind is taken as it is; of another kind, by a promise that survives its faults.
    const known = running instanceof Promise ? running : Promise.resolve(running)
    known.then(
      (output) => this.#onOutput(output),
      (error) => this.#onError(error),
    )
    // It may have been cancelled while it was being started.
    if (this.#run.cancelReason !== undefined) this.cancel()
    return this
  }

  tell(goOn: (step: Step) => void): void {
    if (this.#ended) goOn(this.#ended)
    else this.#goOn = goOn
  }

  #onOutput(output: unknown): void {
    // A result that is there beats a cancellation that came too late.
    if (this.#ended) discardLate(this.#run, 'succeeded')
    else this.#end(proceed({ output, startedAt: this.#startedAt }))
  }

  #onError(error: unknown): void {
    const run = this.#run
    const startedAt = this.#startedAt
    if (this.#ended) return discardLate(run, 'failed')
    if (run.cancelReason === undefined) return this.#end(stop(describeFailure(error, run), { startedAt }))
    record(run, 'toolcrib.invocation.cancel_acknowledged')
    this.#end(withStart(canceledStep(run, 'during'), startedAt))
  }

  onTime(): void {
    this.#scope.runInAsyncScope(this.#onTime, this)
  }

  #onTime(): void {
    this.#run.cancelReason = 'timeout'
    this.#context.abort()
    const message = `The tool did not finish within ${this.#timeoutMs} ms and was given up; it may still have an effect.`
    this.#end(stop(toolError('timeout', { message }), { startedAt: this.#startedAt, abortReason: 'timeout' }))
  }

  cancel(): void {
    const run = this.#run
    const { cancelGraceMs, deadlines } = run.world
    deadlines.clear(this.#deadline)
    this.#context.abort()
    this.#grace = setTimeout(() => this.#scope.runInAsyncScope(this.#letGo, this), cancelGraceMs)
  }

  #letGo(): void {
    const run = this.#run
    record(run, 'toolcrib.invocation.cancel_failed', { grace_ms: run.world.cancelGraceMs })
    this.#end(withStart(canceledStep(run, 'detached'), this.#startedAt))
  }

  #end(step: Step): void {
    const run = this.#run
    run.world.deadlines.clear(this.#deadline)
    if (this.#grace) clearTimeout(this.#grace)
    run.wait = undefined
    this.#context.end()
    this.#ended = step
    this.#goOn?.(step)
  }
}

function withStart(step: Stop, startedAt: number): Stop {
  return { ...step, patch: { ...step.patch, startedAt } }
}

/** The call has its one result already; that the tool came to an end after all is still a fact. */
function discardLate(run: CallRun, outcome: 'succeeded' | 'failed'): void {
  if (!run.world.isClosing()) record(run, 'toolcrib.result.late_discarded', { outcome })
}
