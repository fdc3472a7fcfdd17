import type { PipelinePhase } from '../../foundation/contract/unions.js'
import { pipelinePhases } from '../../foundation/contract/unions.js'
import type { ToolResult } from '../../foundation/contract/objects/tool-result.js'
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

/** Walks a call to its end, or to just before the phase where it is to be put down. */
export function runCall(
  call: CallState,
  run: CallRun,
  until?: PipelinePhase,
): CallState | Promise<CallState> {
  while (indexOf[call.phase] < order.length) {
    if (call.phase === until) return call
    const entry = order[indexOf[call.phase]]!
    let step: Step | Promise<Step>
    try {
      step = entry.run(call, run)
    } catch (error) {
      step = brokenPhase(call, run, error)
    }
    if (step instanceof Promise) {
      return step.then(
        (settled) => goOn(call, run, settled, until),
        (error) => goOn(call, run, brokenPhase(call, run, error), until),
      )
    }
    if (takeStep(call, step)) return call
  }
  return call
}

function goOn(
  call: CallState,
  run: CallRun,
  step: Step,
  until: PipelinePhase | undefined,
): CallState | Promise<CallState> {
  return takeStep(call, step) ? call : runCall(call, run, until)
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
  // The last phase itself broke: there is no later one to turn to.
  if (call.phase === 'emit_terminal') throw error
  const { message } = describeFailure(error, run)
  return stop(
    toolError(call.startedAt === undefined ? 'dependency_unavailable' : 'execution_failed', {
      code: 'toolcrib.internal',
      message: `The runtime failed at ${call.phase}: ${message}`,
    }),
    call.phase === 'post_hooks' ? { result: undefined } : undefined,
  )
}

/** The one result of a call that has come to its end. */
export function resultOf(call: CallState): ToolResult {
  return call.result!
}
