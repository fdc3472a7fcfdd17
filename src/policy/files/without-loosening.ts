import type { CribConfig } from '../../platform/config/config-schema.js'
import { isLooser, parseMode } from '../permission-mode.js'
import { describeConditions } from './describe-conditions.js'
import type { LoadedRules } from './loaded-rules.js'

/** Until a project's file is trusted, it may refuse and ask, but it lets nothing through. */
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

/** What else in a config can let something through: those whom it asks, and what its callers are given. */
export function looseningBesideRules({ surface, hooks = [], permission }: CribConfig): string[] {
  const speakers = hooks.map(({ id }) => `the hook "${id}"`)
  if (permission?.engine) speakers.push('the policy engine')
  if (permission?.classifier) speakers.push(`the classifier "${permission.classifier.id}"`)
  return [
    ...(loosens(surface?.mode) ? [`the mode ${surface!.mode} of its surface`] : []),
    ...speakers.map((who) => `what ${who} allows`),
  ]
}

/** Whether a mode lets more happen than there would without it. */
export function loosens(mode: string | undefined): boolean {
  const known = mode === undefined ? undefined : parseMode(mode)
  return known !== undefined && isLooser(known, 'default')
}
