import type { CallRun } from './call-run.js'
import type { CallState, HookHint } from './call-state.js'
import { consultHooks, type Consulted } from './consult-hooks.js'
import { hintOf, stricterHint } from './hook-hint.js'
import { noteHookProblem } from './hook-notes.js'

/** What the hooks that may answer in the approver's place say together: the strictest of them. */
export async function requestHint(call: CallState, run: CallRun): Promise<HookHint | undefined> {
  const hints = (await consultHooks('permission_request', call, run)).map((each) => hintFrom(each, run))
  const hint = hints.reduce(stricterHint, undefined)
  // Among hooks the strictest wins, also over the events: what one before the call asked about, none here allows.
  return hint && { ...hint, isAuthoritative: hint.isAuthoritative && call.hookHint?.behavior !== 'ask' }
}

function hintFrom({ hook, outcome }: Consulted, run: CallRun): HookHint | undefined {
  const hint = hintOf(hook, outcome)
  if (!outcome.ok) return hint
  const { stop, updatedInput } = outcome.answer
  if (stop) return { behavior: 'deny', hookId: hook.id, message: stop.reason, isAuthoritative: false }
  if (updatedInput === undefined || hint?.behavior === 'deny') return hint
  // Its allow was meant for another input than the one that would run.
  const message = `The hook "${hook.id}" wants another input, which only a pre_tool_use hook may give.`
  noteHookProblem(run, message)
  return { behavior: 'ask', hookId: hook.id, message, isAuthoritative: false }
}
