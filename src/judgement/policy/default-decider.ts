import type { PermissionRequest, Verdict } from './decision.js'
import { constantVerdict } from './read-verdict.js'

const ALLOW: Verdict = constantVerdict({
  behavior: 'allow',
  source: 'toolcrib.default',
  reason: Object.freeze({
    type: 'safety_check',
    message: 'The tool declares that it only reads and stays in its own world.',
  }),
})

const ask = (message: string, isDefault: boolean): Verdict =>
  constantVerdict({
    behavior: 'ask',
    isDefault,
    source: 'toolcrib.default',
    reason: Object.freeze({ type: 'safety_check', message }),
  })

const ASK_APPROVAL = ask('The tool’s permission profile requires approval.', false)
const ASK_PERSON = ask('The tool needs a person.', false)
const ASK_WRITES = ask('The tool may write: it does not declare that it only reads.', true)
const ASK_OPEN = ask('The tool may reach beyond its own world: it does not declare otherwise.', true)

/** Allows what declares itself read-only and closed-world; asks about everything else. */
export function defaultDecider({ facts, permission }: PermissionRequest): Verdict {
  if (permission['approval_required'] === true) return ASK_APPROVAL
  if (facts.requires_user_interaction) return ASK_PERSON
  // A default is no declaration: only what somebody said, or worked out from the input, counts as safe.
  if (!facts.is_read_only || facts.origins['is_read_only'] === 'default') return ASK_WRITES
  if (facts.is_open_world || facts.origins['is_open_world'] === 'default') return ASK_OPEN
  return ALLOW
}
