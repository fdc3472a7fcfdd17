import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import { canonicalJson } from '../../platform/json/canonical-json.js'
import { isLooser, parseMode } from '../permission-mode.js'
import type { RuleConditions } from '../rules/rule.js'
import type { LoadedRules } from './loaded-rules.js'

/** Until a project's file is trusted, it may deny and ask, but it allows nothing. */
export function withoutLoosening(layer: LoadedRules, config: CribConfig | undefined): LoadedRules {
  const { set } = layer
  const allows = set.rules.filter(({ behavior, problem }) => behavior === 'allow' && problem === undefined)
  const waived = set.rules.filter(({ waiver }) => waiver !== undefined)
  const untrusted = [
    ...allows.map(({ text, when }) => `allow ${text}${describeConditions(when)}`),
    ...waived.map(({ behavior, text, when }) => `a waiver of ${behavior} ${text}${describeConditions(when)}`),
    ...(loosens(set.mode) ? [`the mode ${set.mode}`] : []),
    ...set.workingDirectories.map((folder) => `the working folder ${folder}`),
    ...(config ? looseningBesideRules(config) : []),
  ]
  const rules = set.rules
    .filter(({ behavior }) => behavior !== 'allow')
    .map((rule) => ({ ...rule, waiver: undefined }))
  return { ...layer, set: { ...set, rules }, isTrusted: false, untrusted }
}

/** Other parts of a config that can allow something: hooks, the engine, the classifier and the mode of the surface. */
export function looseningBesideRules({ surface, hooks = [], permission }: CribConfig): string[] {
  const speakers = hooks.map(({ id }) => `the hook "${id}"`)
  if (permission?.engine) speakers.push('the policy engine')
  if (permission?.classifier) speakers.push(`the classifier "${permission.classifier.id}"`)
  return [
    ...(loosens(surface?.mode) ? [`the mode ${surface!.mode} of its surface`] : []),
    ...speakers.map((who) => `what ${who} allows`),
  ]
}

/** Whether a mode allows more than the default would. */
export function loosens(mode: string | undefined): boolean {
  const known = mode === undefined ? undefined : parseMode(mode)
  return known !== undefined && isLooser(known, 'default')
}

/** A rule's conditions in the format of a rule file: `when actor: ann, read_only: true`. Empty if there are none. */
function describeConditions(when: RuleConditions | undefined): string {
  const said = Object.entries(when ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [`${WRITTEN[key] ?? key}: ${valueText(value)}`],
  )
  return said.length === 0 ? '' : ` when ${said.join(', ')}`
}

/** Where a file uses another name than the program. */
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
