import type { PipelinePhase } from '../../foundation/contract/unions.js'
import { pipelinePhases } from '../../foundation/contract/unions.js'
import type { CallRun } from './call-run.js'
import type { CallState } from './call-state.js'
import { describeFailure } from './describe-failure.js'
import { afterChangedInput, MAX_ROUNDS, order } from './order.js'
import { stop, type Step } from './step.js'
import { toolError } from './tool-error.js'

const indexOf = Object.fromEntries(pipelinePhases.map((name, index) => [name, index])) as Record<
  PipelinePhase,
  number
>

/** Who is told when a call has come to its end, or to the phase where it is to be put down. */
export interface Walk {
  /** Walk no further than to just before this phase. */
  until?: PipelinePhase
  onEnd(call: CallState): void
  /** The last phase itself broke: a bug, for which there is no result. */
  onBroken(error: unknown): void
}

export function runCall(call: CallState, run: CallRun, until?: PipelinePhase): Promise<CallState> {
  return new Promise((resolve, reject) => {
    walkCall(call, run, { ...(until && { until }), onEnd: resolve, onBroken: reject })
  })
}

/** Goes on without waiting for as long as the phases do: most of them need not, and each wait would cost its turn. */
export function walkCall(call: CallState, run: CallRun, walk: Walk): void {
  try {
    for (;;) {
      if (call.phase === walk.until) return walk.onEnd(call)
      const step = takePhase(call, run)
      if (step instanceof Promise) {
        step.then(
          (settled) => goOn(call, run, settled, walk),
          (error) => goOn(call, run, brokenPhase(call, run, error), walk),
        )
        return
      }
      if (takeStep(call, step)) return walk.onEnd(call)
    }
  } catch (error) {
    walk.onBroken(error)
  }
}

function takePhase(call: CallState, run: CallRun): Step | Promise<Step> {
  try {
    return order[indexOf[call.phase]]!.run(call, run)
  } catch (error) {
    // The last phase itself broke: there is no later one to turn to.
    if (call.phase === 'emit_terminal') throw error
    return brokenPhase(call, run, error)
  }
}

function goOn(call: CallState, run: CallRun, step: Step, walk: Walk): void {
  if (takeStep(call, step)) walk.onEnd(call)
  else walkCall(call, run, walk)
}

/** Takes over what the phase said and chooses the next. True when the call has ended. */
function takeStep(call: CallState, step: Step): boolean {
  const index = indexOf[call.phase]
  if (step.patch) Object.assign(call, step.patch)
  switch (step.kind) {
    case 'proceed':
      if (index === order.length - 1) return true
      call.phase = order[index + 1]!.name
      return false
    case 'stop':
      call.phase = order[index]!.onStop
      return false
    case 'again':
      call.rounds++
      call.phase = afterChangedInput
      if (call.rounds > MAX_ROUNDS) {
        call.error = toolError('input_mutation_failed', {
          code: 'toolcrib.too_many_changes',
          message: `The input was changed more than ${MAX_ROUNDS} times; the call was given up.`,
        })
        call.phase = 'emit_terminal'
      }
      return false
  }
}

/** A bug in a phase, or in what it was given. The call still ends, with a result that says so. */
function brokenPhase(call: CallState, run: CallRun, error: unknown): Step {
  const { message } = describeFailure(error, run)
  return stop(
    toolError(call.startedAt === undefined ? 'dependency_unavailable' : 'execution_failed', {
      code: 'toolcrib.internal',
      message: `The runtime failed at ${call.phase}: ${message}`,
    }),
    call.phase === 'post_hooks' ? { result: undefined } : undefined,
  )
}
