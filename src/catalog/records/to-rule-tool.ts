import { reachByName, type ArgumentReach } from '../../policy/arguments/argument-reach.js'
import { readSchemaNames } from '../../policy/arguments/schema-names.js'
import { toHost } from '../../policy/patterns/host-pattern.js'
import type { RuleTool } from '../../policy/rules/rule-tool.js'
import type { CatalogTool } from '../catalog-tool.js'
import { OWN_SOURCE } from '../name-index.js'
import type { ToolDraft } from '../tool-draft.js'

/** The tool as rules see it. `resolvesTo` resolves names: a name that does not resolve to this tool is not its own. */
export function toRuleTool(
  tool: CatalogTool,
  resolvesTo: (name: string) => CatalogTool | undefined,
): RuleTool {
  const { draft, toolId, qualifiedName, providerName } = tool
  const { namespace, name, aliases, kind, permission, input, externalMappings } = draft
  // The names of the crib's own tools are complete: a rule for "Read" is not about result.read.
  const bare = tool.source === OWN_SOURCE && draft.reach?.declaresPaths ? [] : [name]
  const shared = [...bare, ...aliases, ...aliases.map((alias) => `${namespace}.${alias}`)]
  const isOwn = (each: string): boolean => resolvesTo(each) === tool
  const ids = [...[toolId, qualifiedName].filter(isOwn), ...externalMappings.flatMap(ownRemoteNames)]
  return {
    toolId,
    kind,
    names: unique([toolId, qualifiedName, providerName, ...externalMappings.flatMap(remoteNames), ...shared]),
    ownNames: unique([...ids, ...[providerName, ...shared].filter(isOwn)]),
    ids: unique(ids),
    nativeIds: unique(externalMappings.flatMap(nativeIdsOf)),
    fields: {
      paths: input.pathFields,
      urls: input.urlFields,
      command: input.commandField,
      sandboxOverride: input.sandboxOverrideField,
    },
    hosts: draft.reach?.hosts?.length ? draft.reach.hosts.map(toHost) : undefined,
    urlOf: draft.reach?.urlOf as RuleTool['urlOf'],
    arguments: draft.reach?.declaresPaths ? undefined : (tool.prepared.reach ??= reachOf(draft)),
    // As declared: an estimated risk is not a statement.
    profile: permission,
    readsByOwnWord: typeof draft.facts.is_read_only === 'function',
  }
}

/** Computed once: a schema does not change between calls. */
function reachOf({ name, reach, input, facts, externalMappings }: ToolDraft): ArgumentReach {
  const names = readSchemaNames(input.modelSchema, input.runtimeSchema)
  return {
    runs: reach?.runs ?? 'here',
    folders: reach?.folders ?? [],
    names,
    hasPaths: names.hasPaths || input.pathFields.length > 0,
    onlyReads: facts.is_read_only === true,
    ...reachByName([name, ...externalMappings.flatMap(nativeIdsOf)]),
  }
}

type Mapping = CatalogTool['draft']['externalMappings'][number]

/** The names of a server's tool in rules, as its source mapped it: `mcp__github__create_issue`. */
export function remoteNames({ source, server_id, server_name, tool_name }: Mapping): string[] {
  if (tool_name === undefined) return []
  return [server_id, server_name].flatMap((server) => (server ? [`${source}__${server}__${tool_name}`] : []))
}

/** The config assigns a server's id; its name is self-declared, and counts only where it has no id. */
function ownRemoteNames(mapping: Mapping): string[] {
  return remoteNames(mapping).slice(0, 1)
}

/** An operation without an id has its method and path: `DELETE /orders/{id}`. */
function nativeIdsOf({
  operation_id,
  tool_name,
  function_name,
  command_id,
  agent_skill_id,
  method,
  path,
}: Mapping): string[] {
  const operation = method !== undefined && path !== undefined ? `${method} ${path}` : undefined
  const ids = [operation_id, tool_name, function_name, command_id, agent_skill_id, operation]
  return ids.filter((id) => id !== undefined)
}

const unique = (names: readonly string[]): string[] => [...new Set(names)]
