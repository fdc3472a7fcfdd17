import type { ToolError } from '../../contract/objects/tool-error.js'
import { inputRef } from '../../storage/journal/project-call.js'
import { sameJson } from '../../platform/json/same-json.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import type { HookDefinition } from '../../hooks/hook.js'
import type { CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { changeInput } from './change-input.js'
import type { Taken } from '../hooks/hook-record.js'
import { hookRef } from '../hooks/hook-record.js'
import { learnSecrets } from '../secrets/learn-secrets.js'
import { mayChangeInput } from './may-change-input.js'
import { deepFreeze } from '../../platform/json/deep-freeze.js'
import { restoreInput } from './restore-input.js'
import { rebaseInput } from './rebase-input.js'
import type { Patch } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/** The outcome of a hook's replacement input. Nothing has changed until `apply` is called. */
export type Rewrite =
  | { kind: 'refused'; error: ToolError; taken: Taken }
  | { kind: 'same'; taken: Taken }
  | { kind: 'change'; taken: Taken; apply(): Patch }

export function rewriteInput(
  hook: HookDefinition,
  call: CallState,
  run: CallRun,
  { to, rewrittenBy }: { to: unknown; rewrittenBy: HookDefinition | undefined },
): Rewrite {
  const snapshot = snapshotJson(to)
  if ('notJson' in snapshot)
    return refused(
      toolError('input_mutation_failed', {
        message: `The input from the hook "${hook.id}" ${snapshot.notJson}.`,
      }),
    )
  const before = inputOf(call, 'call')
  const restored = restoreInput({ present: before, wanted: snapshot.value, by: `the hook "${hook.id}"` }, run)
  if ('error' in restored) return refused(restored.error)
  const input = deepFreeze(restored.value)
  // Before this answer is recorded: its texts may repeat secrets that it put in.
  learnSecrets(run, input)
  if (sameJson(before, input)) return { kind: 'same', taken: { ref: inputRef(call.invocationId, call.call) } }
  if (rewrittenBy && !areOrdered(rewrittenBy, hook)) return refused(twoRewrites(rewrittenBy, hook))
  const forbidden = mayChangeInput(run.tool!, 'hook')
  if (forbidden) return refused(forbidden)
  return {
    kind: 'change',
    taken: { ref: inputRef(call.invocationId, call.inputs.length) },
    apply: () =>
      changeInput(call, run, {
        input,
        sourceType: 'hook',
        sourceRef: hookRef(hook),
        reason: 'A hook replaced the input.',
        source: rebaseInput(call.source, before, input),
      }),
  }
}

function refused(error: ToolError): Rewrite {
  return { kind: 'refused', error, taken: { refused: error.error_code ?? error.error_class } }
}

/** Which of two rewrites counts must not depend on the order in which they happen to be configured. */
function areOrdered(a: HookDefinition, b: HookDefinition): boolean {
  return a.order !== undefined && b.order !== undefined && a.order !== b.order
}

function twoRewrites(first: HookDefinition, second: HookDefinition): ToolError {
  return toolError('input_mutation_failed', {
    code: 'toolcrib.two_rewrites',
    message: `The hooks "${first.id}" and "${second.id}" both rewrite this call; let only one of them, or give each its "order".`,
  })
}
