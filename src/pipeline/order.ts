import type { PipelinePhase } from '../contract/unions.js'
import type { PipelineRun } from './ports.js'
import type { CallState } from './call-state.js'
import { emitTerminal } from './emit-terminal/emit-terminal.js'
import { execute } from './execute/execute.js'
import { mapResult } from './map-result/map-result.js'
import { parseSchema } from './check-input/parse-schema.js'
import { permission } from './permission/permission.js'
import { persistResult } from './persist-result/persist-result.js'
import { postHooks } from './hooks/post-hooks.js'
import { preHooks } from './hooks/pre-hooks.js'
import { prepareObservableInput } from './check-input/prepare-observable-input.js'
import { resolveTool } from './resolve-tool/resolve-tool.js'
import { schedule } from './schedule/schedule.js'
import { validateValues } from './check-input/validate-values.js'
import type { Later, Step } from './step.js'

export type Phase = (call: CallState, run: PipelineRun) => Step | Promise<Step> | Later

interface PhaseEntry {
  readonly name: PipelinePhase
  readonly run: Phase
  /** Where a phase that stops the call sends it. */
  readonly onStop: PipelinePhase
}

const phase = (name: PipelinePhase, run: Phase, onStop: PipelinePhase = 'emit_terminal'): PhaseEntry => ({
  name,
  run,
  onStop,
})

/** One call, from its name to its result. */
export const order: readonly PhaseEntry[] = [
  phase('resolve_tool', resolveTool), // the other phases need the tool
  phase('parse_schema', parseSchema), // hooks and rules may then rely on the shape
  phase('validate_values', validateValues), // refuse before any side effect
  phase('prepare_observable_input', prepareObservableInput), // a copy: the model's input stays unchanged
  phase('pre_hooks', preHooks), // may rewrite the input, so it comes before permission
  phase('permission', permission), // judges exactly the input that would run
  phase('schedule', schedule, 'post_hooks'), // the last phase before anything happens, unless it is a retry
  phase('execute', execute, 'post_hooks'), // the only phase that runs the tool
  phase('map_result', mapResult, 'post_hooks'), // once, before anything else reads the output
  phase('post_hooks', postHooks), // may enrich or withhold the output, and sees failures too
  phase('persist_result', persistResult), // decides what is stored, after the last change to it
  phase('emit_terminal', emitTerminal), // always reached: every call has one result
]

/**
 * The phase that a call returns to when its input was changed. Schema, values and permission are checked again, so that
 * the input that was judged is the one that runs. Hooks run once; `MAX_ROUNDS` ends an endless exchange of rewrites.
 */
export const afterChangedInput: PipelinePhase = 'parse_schema'
export const MAX_ROUNDS = 8

/** The phase that a call returns to for another attempt: it waits for its turn like any other call. */
export const afterFailedAttempt: PipelinePhase = 'schedule'
