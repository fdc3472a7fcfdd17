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

/** A call on its way through the phases. One object, with its own functions for the end: there is one for each call. */
export abstract class Walk implements StepListener {
  readonly call: CallState
  readonly run: PipelineRun

  constructor(call: CallState, run: PipelineRun) {
    this.call = call
    this.run = run
  }

  /** Stops just before the phase at this place in the order. Nearly all calls go to the end. */
  get until(): number {
    return order.length
  }

  abstract onEnd(): void
  /** The call was suspended while it waited; it has no result yet. */
  abstract onSuspend(): void
  /** The last phase itself threw: a bug, and there is no result. */
  abstract onBroken(error: unknown): void

  /** The tool has ended, which it says once. */
  resume(step: Step): void {
    goOn(EXECUTE, step, this)
  }
}

/** Runs the call from the phase that it has reached. */
export function beginCall(walk: Walk): void {
  walkCall(indexOf[walk.call.phase], walk)
}

/** Runs phases without awaiting as long as none returns a promise: each await would cost a microtask. */
function walkCall(from: number, walk: Walk): void {
  const { call, run } = walk
  let index = from
  try {
    while (index < walk.until) {
      const step = takePhase(index, call, run)
      if (step instanceof UsualStep) index = takeUsualStep(index, call, run, step)
      else if (!('kind' in step)) return waitFor(step, index, walk)
      else if (step.kind === 'suspend') return suspendCall(walk)
      else index = takeStep(index, call, run, step)
    }
    walk.onEnd()
  } catch (error) {
    failCall(error, walk)
  }
}

/** Takes the step that a phase has waited for, and walks on from there. */
function goOn(index: number, step: Step, walk: Walk): void {
  const { call, run } = walk
  run.at = run.ports.now()
  if (index < EXECUTE) run.wait = undefined
  try {
    if (step instanceof UsualStep) walkCall(takeUsualStep(index, call, run, step), walk)
    else if (step.kind === 'suspend') suspendCall(walk)
    else walkCall(takeStep(index, call, run, step), walk)
  } catch (error) {
    failCall(error, walk)
  }
}

function waitFor(step: Promise<Step> | Later, index: number, walk: Walk): void {
  if (index === EXECUTE && 'onStep' in step) return step.onStep(walk)
  const waiting = new WaitingWalk(index, walk)
  if (index < EXECUTE) waitToBegin(step, waiting)
  else if ('onStep' in step) step.onStep(waiting)
  else waiting.follow(step)
}

/** Before the tool runs, a cancellation ends the wait at once, and the phase's later step is ignored. */
function waitToBegin(step: Promise<Step> | Later, waiting: WaitingWalk): void {
  const { run } = waiting.walk
  // A cancellation comes from another async context; the call continues in its own.
  const scope = new AsyncResource('toolcrib.call', { requireManualDestroy: true })
  const resume = (next: Step): void => scope.runInAsyncScope(waiting.resume, waiting, next)
  run.wait = { cancel: () => resume(canceledStep(run, 'before')) }
  if ('onStep' in step) step.onStep({ resume })
  else waiting.follow(step)
}

/** A walk that goes on with the first step that comes: a wait may be ended, and its phase answer later. */
class WaitingWalk implements StepListener {
  readonly walk: Walk
  private isWaiting = true
  private readonly index: number
  private readonly unlimit: (() => void) | undefined

  constructor(index: number, walk: Walk) {
    this.walk = walk
    this.index = index
    this.unlimit = index < EXECUTE ? limitWait(walk.run) : undefined
  }

  follow(step: Promise<Step>): void {
    step.then(
      (settled) => this.resume(settled),
      (error) => this.resume(brokenPhase(this.walk.call, this.walk.run, error)),
    )
  }

  resume(settled: Step): void {
    if (!this.isWaiting) return
    this.isWaiting = false
    this.unlimit?.()
    goOn(this.index, settled, this.walk)
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
function failCall(error: unknown, walk: Walk): void {
  leaveTurn(walk.call, walk.run)
  walk.onBroken(error)
}

function suspendCall(walk: Walk): void {
  leaveTurn(walk.call, walk.run)
  walk.onSuspend()
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
