import type { ToolError } from '../../../foundation/contract/objects/tool-error.js'
import { moveTo, record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { callValue } from '../call-value.js'
import { canceledStep } from '../canceled.js'
import { createExecuteContext, type LiveContext } from '../create-execute-context.js'
import type { Deadline } from '../deadlines.js'
import { describeFailure } from '../describe-failure.js'
import { driveGenerator, isAsyncGenerator } from '../drive-generator.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../tool-error.js'
import { unrecordable } from './schedule.js'

/** Runs the tool, within its time and only as long as it is wanted. */
export function execute(call: CallState, run: CallRun): Step | Promise<Step> {
  const startedAt = run.world.now()
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
  if (run.entry.isLost) return stop(lostToAnother())
  if (run.cancelReason !== undefined) return canceledStep(run, 'before')
  return start(call, run, startedAt)
}

function lostToAnother(): ToolError {
  return toolError('dependency_unavailable', {
    code: 'toolcrib.owner_changed',
    message: 'The call did not run: another process has taken it over and closed it.',
    retrySafe: true,
  })
}

function start(call: CallState, run: CallRun, startedAt: number): Step | Promise<Step> {
  const value = callValue(call, run)
  return value instanceof Promise
    ? value.then((settled) => runTool(call, run, { value: settled, startedAt }))
    : runTool(call, run, { value, startedAt })
}

function runTool(
  call: CallState,
  run: CallRun,
  { value, startedAt }: { value: unknown; startedAt: number },
): Step | Promise<Step> {
  const context = createExecuteContext(call, run, startedAt)
  try {
    const returned = (run.tool!.draft.execute as (input: unknown, context: unknown) => unknown)(
      value,
      context,
    )
    // Looking at what came back may throw as well: it is the executor's own.
    const running = isAsyncGenerator(returned) ? driveGenerator(returned, context) : returned
    if (isThenable(running)) return waitFor(running, { call, run, context, startedAt })
    context.end()
    return proceed({ output: returned, startedAt })
  } catch (error) {
    context.end()
    return stop(describeFailure(error, run), { startedAt })
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}

interface Running {
  call: CallState
  run: CallRun
  context: LiveContext
  startedAt: number
}

function waitFor(running: PromiseLike<unknown>, of: Running): Promise<Step> {
  return new Promise((resolve) => {
    const wait = new Wait(of, resolve)
    // A promise of our kind is taken as it is; of another kind, by a promise that survives its faults.
    const known = running instanceof Promise ? running : Promise.resolve(running)
    known.then(
      (output) => wait.onOutput(output),
      (error) => wait.onError(error),
    )
  })
}

/** Whichever comes first: the tool's end, its time-out, or the end of patience after a cancellation. */
class Wait {
  readonly #of: Running
  readonly #resolve: (step: Step) => void
  readonly #timeoutMs: number
  readonly #deadline: Deadline
  #grace: NodeJS.Timeout | undefined = undefined
  #isOver = false

  constructor(of: Running, resolve: (step: Step) => void) {
    const { call, run } = of
    this.#of = of
    this.#resolve = resolve
    this.#timeoutMs =
      call.request.timeoutMs ?? run.tool!.draft.execution.timeoutMs ?? run.world.defaultTimeoutMs
    this.#deadline = run.world.deadlines.set(this.#timeoutMs, this)
    run.wait = this
  }

  onOutput(output: unknown): void {
    // A result that is there beats a cancellation that came too late.
    if (this.#isOver) discardLate(this.#of.run, 'succeeded')
    else this.#end(proceed({ output, startedAt: this.#of.startedAt }))
  }

  onError(error: unknown): void {
    const { run, startedAt } = this.#of
    if (this.#isOver) return discardLate(run, 'failed')
    if (run.cancelReason === undefined) return this.#end(stop(describeFailure(error, run), { startedAt }))
    record(run, 'toolcrib.invocation.cancel_acknowledged')
    this.#end(withStart(canceledStep(run, 'during'), startedAt))
  }

  onTime(): void {
    const { run, context, startedAt } = this.#of
    run.cancelReason = 'timeout'
    context.abort()
    const message = `The tool did not finish within ${this.#timeoutMs} ms and was given up; it may still have an effect.`
    this.#end(stop(toolError('timeout', { message }), { startedAt, abortReason: 'timeout' }))
  }

  cancel(): void {
    const { run, context, startedAt } = this.#of
    const { cancelGraceMs } = run.world
    run.world.deadlines.clear(this.#timeoutMs, this.#deadline)
    context.abort()
    this.#grace = setTimeout(() => {
      record(run, 'toolcrib.invocation.cancel_failed', { grace_ms: cancelGraceMs })
      this.#end(withStart(canceledStep(run, 'detached'), startedAt))
    }, cancelGraceMs)
  }

  #end(step: Step): void {
    const { run, context } = this.#of
    this.#isOver = true
    run.world.deadlines.clear(this.#timeoutMs, this.#deadline)
    if (this.#grace) clearTimeout(this.#grace)
    run.wait = undefined
    context.end()
    this.#resolve(step)
  }
}

function withStart(step: Step, startedAt: number): Step {
  return { ...step, patch: { ...step.patch, startedAt } }
}

/** The call has its one result already; that the tool came to an end after all is still a fact. */
function discardLate(run: CallRun, outcome: 'succeeded' | 'failed'): void {
  if (!run.world.isClosing()) record(run, 'toolcrib.result.late_discarded', { outcome })
}
