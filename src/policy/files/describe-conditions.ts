import { canonicalJson } from '../../platform/json/canonical-json.js'
import type { RuleConditions } from '../rules/rule.js'

/** A rule's conditions in the words of a rule file: `when actor: ann, read_only: true`. Empty where there are none. */
export function describeConditions(when: RuleConditions | undefined): string {
  const said = Object.entries(when ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [`${WRITTEN[key] ?? key}: ${valueText(value)}`],
  )
  return said.length === 0 ? '' : ` when ${said.join(', ')}`
}

/** Where a file says it in another way than the program. */
const WRITTEN: Readonly<Record<string, string>> = {
  network: 'network_scope',
  tenantScope: 'tenant_scope',
  readOnly: 'read_only',
  openWorld: 'open_world',
}

function valueText(value: unknown): string {
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return isTexts ? value.join(' or ') : canonicalJson(value)
}
