import type { AcceptUpdate } from '../calls/pipeline/call-run.js'
import type { RuleUpdate } from '../judgement/policy/rule-update.js'
import type { PolicyDesk } from './policy-desk.js'

/** Makes a change of rules that came with an answer: for the session, or for good in the file that it names. */
export function acceptUpdate(desk: PolicyDesk): AcceptUpdate {
  return (update, { by, scope, session }) => {
    // It was offered by us and kept under a seal, so it has the shape of an update.
    const offered = update as unknown as RuleUpdate
    const lasting = offered.destination === 'session' ? 'local_settings' : offered.destination
    const destination = scope === 'session' ? 'session' : lasting
    return desk.update({ ...offered, destination }, { by, session })
  }
}
