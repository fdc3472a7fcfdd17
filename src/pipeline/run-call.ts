import { AsyncResource } from 'node:async_hooks'
import type { PipelinePhase } from '../contract/unions.js'
import { pipelinePhases } from '../contract/unions.js'
import type { CallRun } from './call-run.js'
import type { CallState } from './call-state.js'
import { canceledStep } from './failures/canceled.js'
import { describeFailure } from './failures/describe-failure.js'
import { leaveTurn } from './schedule/leave-turn.js'
import { limitWait } from './schedule/limit-wait.js'
import { afterChangedInput, afterFailedAttempt, MAX_ROUNDS, order } from './order.js'
import { stop, type Later, type Step } from './step.js'
import { toolError } from './failures/tool-error.js'

const indexOf = Object.fromEntries(pipelinePhases.map((name, index) => [name, index])) as Record<
  PipelinePhase,
  number
>

const EXECUTE = indexOf['execute']

type WalkedStep = Exclude<Step, { kind: 'rest' }>

/** Who is told when a call has come to its end, or to the phase where it is to be put down. */
export interface Walk {
  /** Walk no further than to just before this phase. */
  until?: PipelinePhase | undefined
  onEnd(call: CallState): void
  /** The call was put down while it waited; it has no result yet. */
  onRest(call: CallState): void
  /** The last phase itself broke: a bug, for which there is no result. */
  onBroken(error: unknown): void
}

export function runCall(call: CallState, run: CallRun, until?: PipelinePhase): Promise<CallState> {
  return new Promise((resolve, reject) => {
    walkCall(call, run, { ...(until && { until }), onEnd: resolve, onRest: resolve, onBroken: reject })
  })
}

/** Goes on without waiting for as long as the phases do: most of them need not, and each wait would cost its turn. */
export function walkCall(call: CallState, run: CallRun, walk: Walk): void {
  let index = indexOf[call.phase]
  try {
    while (index < order.length) {
      if (call.phase === walk.until) break
      const step = takePhase(index, call, run)
      if (!('kind' in step)) return waitFor(step, index, call, run, walk)
      if (step.kind === 'rest') return suspend(call, run, walk)
      index = takeStep(index, call, run, step)
    }
    walk.onEnd(call)
  } catch (error) {
    breakOff(error, call, run, walk)
  }
}

/** Before the tool runs, a cancellation ends the wait at once: whatever the phase still says is not heard. */
function waitFor(
  step: Promise<Step> | Later,
  index: number,
  call: CallState,
  run: CallRun,
  walk: Walk,
): void {
  let isWaiting = true
  const unlimit = index < EXECUTE ? limitWait(run) : undefined
  const goOn = (settled: Step): void => {
    if (!isWaiting) return
    isWaiting = false
    unlimit?.()
    run.at = run.ports.now()
    if (index < EXECUTE) run.wait = undefined
    try {
      if (settled.kind === 'rest') suspend(call, run, walk)
      else if (takeStep(index, call, run, settled) < order.length) walkCall(call, run, walk)
      else walk.onEnd(call)
    } catch (error) {
      breakOff(error, call, run, walk)
    }
  }
  if (index < EXECUTE) {
    // Whoever cancels stands in another async context; the call goes on in its own.
    const scope = new AsyncResource('toolcrib.call', { requireManualDestroy: true })
    run.wait = { cancel: () => scope.runInAsyncScope(goOn, undefined, canceledStep(run, 'before')) }
    if ('tell' in step) return step.tell((told) => scope.runInAsyncScope(goOn, undefined, told))
  }
  if ('tell' in step) step.tell(goOn)
  else step.then(goOn, (error) => goOn(brokenPhase(call, run, error)))
}

function takePhase(index: number, call: CallState, run: CallRun): Step | Promise<Step> | Later {
  try {
    if (run.cancelReason !== undefined && index > 0 && index <= EXECUTE) return canceledStep(run, 'before')
    return order[index]!.run(call, run)
  } catch (error) {
    // The last phase itself broke: there is no later one to turn to.
    if (call.phase === 'emit_terminal') throw error
    return brokenPhase(call, run, error)
  }
}

/** Takes over what the phase said and chooses the next; past the last one, the call has ended. */
// Four parameters rather than an object of them: this runs in every phase.
function takeStep(index: number, call: CallState, run: CallRun, step: WalkedStep): number {
  if (step.patch) Object.assign(call, step.patch)
  if (index === EXECUTE && run.schedule !== undefined) {
    // A further attempt keeps its turn, but holds nothing while it waits.
    if (step.kind === 'retry') run.schedule.leave(run.retrying?.error)
    else leaveTurn(call, run)
  }
  const next = nextPhase(index, call, step)
  if (next < order.length) call.phase = order[next]!.name
  return next
}

/** Whatever broke, nobody waits for what this call held. */
function breakOff(error: unknown, call: CallState, run: CallRun, walk: Walk): void {
  leaveTurn(call, run)
  walk.onBroken(error)
}

function suspend(call: CallState, run: CallRun, walk: Walk): void {
  leaveTurn(call, run)
  walk.onRest(call)
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

/** A bug in a phase, or in what it was given. The call still ends, with a result that says so. */
function brokenPhase(call: CallState, run: CallRun, error: unknown): Step {
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
