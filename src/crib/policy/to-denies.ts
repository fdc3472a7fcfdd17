import { shortPath } from '../../platform/config/describe-problem.js'
import type { Policy } from '../../policy/policy.js'
import { nameRule } from '../../policy/name-rule.js'
import type { Rule } from '../../policy/rules/rule.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { remoteNames, toRuleTool } from '../../catalog/records/to-rule-tool.js'
import type { Denies } from '../../surfaces/build-surface.js'
import { UNREADABLE } from '../../policy/files/unreadable-rule.js'

/** The deny rule that hides a tool from a caller: tools that cannot be called are not shown. */
export function toDenies(policy: Policy, catalog: Pick<Catalog, 'find'>): Denies {
  return (tool, request) => {
    if (!mayHide(policy, tool)) return undefined
    const rule = policy.hidingRule(toRuleTool(tool, catalog.find), {
      mode: policy.modeFor(request.session, request.mode),
      actor: request.actor,
      role: request.role,
      session: request.session,
      surfaceId: '',
      tenant: request.tenant ?? 'default',
    })
    return rule && { message: sentenceOf(rule), rule, policyRef: `policy:${policy.revision}` }
  }
}

function sentenceOf(rule: Rule): string {
  const { behavior, text, source, file, line, problem } = rule
  const place = file === undefined ? source : `${shortPath(file)}${line === undefined ? '' : `:${line}`}`
  if (text === UNREADABLE) return `${place} cannot be read, so everything is denied until it is mended.`
  if (problem === undefined) return `The ${nameRule(rule)} denies it.`
  return `The rule ${behavior} ${text} (${place}) cannot be read, so every call that it may match is denied until it is mended.`
}

function mayHide(policy: Policy, { toolId, draft, providerName }: CatalogTool): boolean {
  const { namespace, name, aliases, externalMappings } = draft
  return (
    policy.mayHide(toolId) ||
    policy.mayHide(name) ||
    policy.mayHide(providerName) ||
    (draft.toolId !== undefined && policy.mayHide(`${namespace}.${name}`)) ||
    aliases.some((alias) => policy.mayHide(alias) || policy.mayHide(`${namespace}.${alias}`)) ||
    externalMappings.some((mapping) => remoteNames(mapping).some((each) => policy.mayHide(each)))
  )
}
