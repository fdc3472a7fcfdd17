import type { HookDefinition } from '../../hooks/hook.js'
import type { HookRun } from '../../hooks/run-hook.js'
import { signalOf, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { hideSecret } from '../secrets/learn-secrets.js'
import { modeOf } from '../permission/judge-call.js'
import { shownName } from './hooks-for.js'

/** What a hook is shown at every event; `shown` is what only its own event has. */
export function hookCallOf(
  hook: HookDefinition,
  call: CallState,
  run: CallRun,
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

/** Once the tool has run, hooks must still hear of it: a cancellation from before is no reason to end them. */
function signalFor(call: CallState, run: CallRun): AbortSignal {
  const signal = signalOf(run)
  return call.startedAt !== undefined && signal.aborted ? run.ports.closing : signal
}
