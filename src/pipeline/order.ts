import type { PipelinePhase } from '../contract/unions.js'
import type { CallRun } from './call-run.js'
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

export type Phase = (call: CallState, run: CallRun) => Step | Promise<Step> | Later

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
  phase('resolve_tool', resolveTool), // nothing can be judged until the tool is known
  phase('parse_schema', parseSchema), // hooks and rules may then trust the shape
  phase('validate_values', validateValues), // refuse before any side effect
  phase('prepare_observable_input', prepareObservableInput), // a copy: the model's words stay as they were
  phase('pre_hooks', preHooks), // may rewrite, so it comes before anyone judges
  phase('permission', permission), // judges exactly what would run
  phase('schedule', schedule, 'post_hooks'), // the last moment at which nothing has happened yet, unless it is a retry
  phase('execute', execute, 'post_hooks'), // the only phase that touches the ports
  phase('map_result', mapResult, 'post_hooks'), // once, before anyone else sees the output
  phase('post_hooks', postHooks), // may enrich or withhold what came out, and sees failures too
  phase('persist_result', persistResult), // decides what is kept, after the last change to it
  phase('emit_terminal', emitTerminal), // always reached: every call has one result
]

/**
 * Where a call goes back to when its input was changed: schema, values and permission are gone through again, so that
 * what was judged is what runs. Hooks run once; `MAX_ROUNDS` ends a quarrel between those who rewrite.
 */
export const afterChangedInput: PipelinePhase = 'parse_schema'
export const MAX_ROUNDS = 8

/** Where a call goes back to when its tool is to run once more: it waits for its turn like any other. */
export const afterFailedAttempt: PipelinePhase = 'schedule'
