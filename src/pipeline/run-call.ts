import { AsyncResource } from 'node:async_hooks'
import type { PipelinePhase } from '../contract/unions.js'
import { pipelinePhases } from '../contract/unions.js'
import type { PipelineRun } from './ports.js'
import type { CallState } from './call-state.js'
import { canceledStep } from './failures/canceled.js'
import { describeFailure } from './failures/describe-failure.js'
import { leaveTurn } from './schedule/leave-turn.js'
import { limitWait } from './schedule/limit-wait.js'
import { afterChangedInput, afterFailedAttempt, MAX_ROUNDS, order } from './order.js'
import { stop, UsualStep, type Later, type Step, type StepListener } from './step.js'
import { toolError } from './failures/tool-error.js'

const indexOf = Object.fromEntries(pipelinePhases.map((name, index) => [name, index])) as Record<
  PipelinePhase,
  number
>

const EXECUTE = indexOf['execute']

type WalkedStep = Exclude<Step, { kind: 'suspend' }>

/** Callbacks for the end of a call, and for a call that is suspended. */
export interface Walk {
  /** Stops just before this phase, by its place in the order. A number: it is compared at each phase of each call. */
  readonly until: number
  onEnd(call: CallState): void
  /** The call was suspended while it waited; it has no result yet. */
  onSuspend(call: CallState): void
  /** The last phase itself threw: a bug, and there is no result. */
  onBroken(error: unknown): void
}

/** Where a walk stops that stops nowhere. */
export const NOWHERE = order.length

export function runCall(call: CallState, run: PipelineRun, until?: PipelinePhase): Promise<CallState> {
  const place = until === undefined ? NOWHERE : indexOf[until]
  return new Promise((resolve, reject) => {
    beginCall(call, run, { until: place, onEnd: resolve, onSuspend: resolve, onBroken: reject })
  })
}

/** Runs the call from the phase that it has reached. */
export function beginCall(call: CallState, run: PipelineRun, walk: Walk): void {
  walkCall(indexOf[call.phase], call, run, walk)
}

/** Runs phases without awaiting as long as none returns a promise: each await would cost a microtask. */
// Four parameters rather than an object of them: this runs in every call.
function walkCall(from: number, call: CallState, run: PipelineRun, walk: Walk): void {
  let index = from
  try {
    while (index < order.length) {
      if (index === walk.until) break
      const step = takePhase(index, call, run)
      if (step instanceof UsualStep) index = takeUsualStep(index, call, run, step)
      else if (!('kind' in step)) return waitFor(step, index, call, run, walk)
      else if (step.kind === 'suspend') return suspendCall(call, run, walk)
      else index = takeStep(index, call, run, step)
    }
    walk.onEnd(call)
  } catch (error) {
    failCall(error, call, run, walk)
  }
}

function waitFor(
  step: Promise<Step> | Later,
  index: number,
  call: CallState,
  run: PipelineRun,
  walk: Walk,
): void {
  const waiting = new WaitingWalk(index, call, run, walk)
  if (index < EXECUTE) waitToBegin(step, waiting, run)
  else if ('onStep' in step) step.onStep(waiting)
  else waiting.follow(step)
}

/** Before the tool runs, a cancellation ends the wait at once, and the phase's later step is ignored. */
function waitToBegin(step: Promise<Step> | Later, waiting: WaitingWalk, run: PipelineRun): void {
  // A cancellation comes from another async context; the call continues in its own.
  const scope = new AsyncResource('toolcrib.call', { requireManualDestroy: true })
  const resume = (next: Step): void => scope.runInAsyncScope(waiting.resume, waiting, next)
  run.wait = { cancel: () => resume(canceledStep(run, 'before')) }
  if ('onStep' in step) step.onStep({ resume })
  else waiting.follow(step)
}

/** A walk that goes on with the step of a phase. */
class WaitingWalk implements StepListener {
  private isWaiting = true
  private readonly index: number
  private readonly call: CallState
  private readonly run: PipelineRun
  private readonly walk: Walk
  private readonly unlimit: (() => void) | undefined

  constructor(index: number, call: CallState, run: PipelineRun, walk: Walk) {
    this.index = index
    this.call = call
    this.run = run
    this.walk = walk
    this.unlimit = index < EXECUTE ? limitWait(run) : undefined
  }

  follow(step: Promise<Step>): void {
    step.then(
      (settled) => this.resume(settled),
      (error) => this.resume(brokenPhase(this.call, this.run, error)),
    )
  }

  resume(settled: Step): void {
    if (!this.isWaiting) return
    this.isWaiting = false
    this.unlimit?.()
    const { index, call, run, walk } = this
    run.at = run.ports.now()
    if (index < EXECUTE) run.wait = undefined
    try {
      if (settled instanceof UsualStep) walkCall(takeUsualStep(index, call, run, settled), call, run, walk)
      else if (settled.kind === 'suspend') suspendCall(call, run, walk)
      else walkCall(takeStep(index, call, run, settled), call, run, walk)
    } catch (error) {
      failCall(error, call, run, walk)
    }
  }
}

function takePhase(index: number, call: CallState, run: PipelineRun): Step | Promise<Step> | Later {
  try {
    if (run.cancelReason !== undefined && index > 0 && index <= EXECUTE) return canceledStep(run, 'before')
    return order[index]!.run(call, run)
  } catch (error) {
    // No later phase can handle an error of the last one.
    if (call.phase === 'emit_terminal') throw error
    return brokenPhase(call, run, error)
  }
}

/** Applies the phase's step and chooses the next phase. Past the last one, the call has ended. */
// Four parameters rather than an object of them: this runs in every phase.
function takeStep(index: number, call: CallState, run: PipelineRun, step: WalkedStep): number {
  if (step.patch !== undefined) Object.assign(call, step.patch)
  if (index === EXECUTE && run.schedule !== undefined) {
    // Before another attempt, the call keeps its slot but holds no locks while it waits.
    if (step.kind === 'retry') run.schedule.leave(run.retrying?.error)
    else leaveTurn(call, run)
  }
  return enterPhase(nextPhase(index, call, step), call)
}

/** The same with a step that leads to the next phase. */
function takeUsualStep(index: number, call: CallState, run: PipelineRun, step: UsualStep): number {
  step.applyTo(call)
  if (index === EXECUTE && run.schedule !== undefined) leaveTurn(call, run)
  return enterPhase(index + 1, call)
}

function enterPhase(index: number, call: CallState): number {
  if (index < order.length) call.phase = order[index]!.name
  return index
}

/** Releases what the call held, so that no other call waits for it. */
function failCall(error: unknown, call: CallState, run: PipelineRun, walk: Walk): void {
  leaveTurn(call, run)
  walk.onBroken(error)
}

function suspendCall(call: CallState, run: PipelineRun, walk: Walk): void {
  leaveTurn(call, run)
  walk.onSuspend(call)
}

function nextPhase(index: number, call: CallState, { kind }: WalkedStep): number {
  switch (kind) {
    case 'proceed':
      return index + 1
    case 'stop':
      return indexOf[order[index]!.onStop]
    case 'retry':
      return indexOf[afterFailedAttempt]
    case 'again':
      call.rounds++
      if (call.rounds <= MAX_ROUNDS) return indexOf[afterChangedInput]
      call.error = toolError('input_mutation_failed', {
        code: 'toolcrib.too_many_changes',
        message: `The input was changed more than ${MAX_ROUNDS} times; the call was given up.`,
      })
      return indexOf['emit_terminal']
  }
}

/** A bug in a phase or in its ports. The call still ends with a result that reports it. */
function brokenPhase(call: CallState, run: PipelineRun, error: unknown): Step {
  const { message, native_error_ref: nativeErrorRef } = describeFailure(error, run)
  return stop(
    toolError(call.startedAt === undefined ? 'dependency_unavailable' : 'execution_failed', {
      code: 'toolcrib.internal',
      message: `The runtime failed at ${call.phase}: ${message}`,
      nativeErrorRef,
    }),
    call.phase === 'post_hooks' ? { result: undefined } : undefined,
  )
}
