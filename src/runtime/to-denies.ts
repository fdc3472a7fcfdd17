import type { Policy } from '../judgement/policy/policy.js'
import type { Catalog } from '../supply/catalog/catalog.js'
import type { CatalogTool } from '../supply/catalog/catalog-tool.js'
import { toRuleTool } from '../supply/catalog/to-rule-tool.js'
import type { Denies } from '../supply/surface/build-surface.js'

/** The deny that hides a tool from a caller: what cannot be called is not shown either. */
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
    return rule && `${rule.behavior} ${rule.text} (${rule.source})`
  }
}

function mayHide(policy: Policy, { toolId, draft, providerName }: CatalogTool): boolean {
  const { namespace, name, aliases, externalMappings } = draft
  return (
    policy.mayHide(toolId) ||
    policy.mayHide(name) ||
    policy.mayHide(providerName) ||
    (draft.toolId !== undefined && policy.mayHide(`${namespace}.${name}`)) ||
    aliases.some((alias) => policy.mayHide(alias) || policy.mayHide(`${namespace}.${alias}`)) ||
    externalMappings.some(
      ({ source, server_id, server_name, tool_name }) =>
        source === 'mcp' &&
        [server_id, server_name].some((server) => policy.mayHide(`mcp__${server}__${tool_name}`)),
    )
  )
}
