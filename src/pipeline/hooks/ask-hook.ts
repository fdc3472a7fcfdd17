import { toJson } from '../../platform/json/to-json.js'
import { cleanOutcome } from '../../hooks/clean-outcome.js'
import type { HookDefinition } from '../../hooks/hook.js'
import { runHook, type HookOutcome, type HookRun } from '../../hooks/run-hook.js'
import type { HookedRun } from './hook-ports.js'
import { signalOf } from '../cancel-state.js'
import type { CallState } from '../call-state.js'
import { modeOf } from '../permission/judge-call.js'
import { cleanText, cleanValue } from '../secrets/clean.js'
import { learnSecrets, hideSecret } from '../secrets/learn-secrets.js'
import { shownName } from './hooks-for.js'

/** Runs one hook and redacts its answer. */
export async function askHook(
  hook: HookDefinition,
  { call, run }: { call: CallState; run: HookedRun },
  shown: Pick<HookRun, 'input' | 'output' | 'error' | 'decision'>,
): Promise<HookOutcome> {
  const outcome = await runHook(hook, hookCallOf(hook, call, run, shown))
  // The hook's texts may repeat secrets that it puts into the input.
  if (outcome.ok && outcome.answer.updatedInput !== undefined)
    learnSecrets(run, toJson(outcome.answer.updatedInput))
  return cleanOutcome(outcome, {
    text: (text) => cleanText(text, run),
    value: (value) => cleanValue(value, run),
  })
}

/** What a hook sees at every event; `shown` has what only its own event has. */
function hookCallOf(
  hook: HookDefinition,
  call: CallState,
  run: HookedRun,
  shown: Pick<HookRun, 'input' | 'output' | 'error' | 'decision'>,
): HookRun {
  return {
    event: hook.event,
    invocationId: call.invocationId,
    nativeCallId: call.request.nativeCallId,
    toolId: call.toolId,
    toolName: shownName(hook, run.tool!),
    ...shown,
    actor: run.row.actor,
    session: run.row.session,
    workspace: run.surface.request.workspace ?? run.ports.workspace,
    permissionMode: modeOf(run),
    callSignal: signalFor(call, run),
    hide: (secret) => hideSecret(run, secret),
  }
}

/** Once the tool has run, hooks must still be notified: an earlier cancellation does not end them. */
function signalFor(call: CallState, run: HookedRun): AbortSignal {
  const signal = signalOf(run)
  return call.startedAt !== undefined && signal.aborted ? run.ports.closing : signal
}
