import type { AcceptUpdate } from '../../pipeline/call-run.js'
import { updateInScope } from '../../approvals/choose-update.js'
import type { RuleUpdate } from '../../policy/rules/rule-update.js'
import type { PolicyControl } from './policy-control.js'

/** Makes a change of rules that came with an answer: for the session, or for good in the file that it names. */
export function acceptUpdate(control: PolicyControl, home: string): AcceptUpdate {
  return (update, { by, scope, tenant, session }) => {
    if (scope === 'session' && (session === undefined || tenant !== home)) {
      throw new Error('the call belongs to no session here; approve it once or for always')
    }
    // It was offered by us and kept under a seal, so it has the shape of an update.
    const accepted = updateInScope(update, scope) as unknown as RuleUpdate
    return control.update(accepted, { by, session })
  }
}
