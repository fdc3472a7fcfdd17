import { remoteNames } from '../../../catalog/records/to-rule-tool.js'
import { nameRule } from '../../../policy/name-rule.js'
import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { MCP } from '../../../sources/mcp/protocol/native.js'
import { serverReach } from '../../../sources/mcp/servers/server-reach.js'
import { serverNamespace } from '../../../sources/mcp/tools/safe-name.js'
import type { Connection } from '../connection.js'

/**
 * Throws where a deny or ask names a host that the server talks to. No approval exists for resources, prompts and
 * completions, so an ask refuses them as well.
 */
export function checkHosts({ name, settings }: McpServer, { gateway, caller, surface }: Connection): void {
  const { hosts } = serverReach(settings)
  if (hosts === undefined) return
  const { role, session, tenant, mode } = surface.request
  const rule = gateway.crib.policy.hostRule(
    { names: [`${serverNamespace(name)}.${RESOURCES}`, ...remoteNames(mappingOf(name))], hosts },
    { actor: caller.actor, role, session, tenant, mode, surfaceId: surface.id },
  )
  if (rule === undefined) return
  const message = `The server talks to ${hosts.join(', ')}: the ${nameRule(rule)} applies.`
  throw new McpError(mcpErrorCodes.invalidParams, message)
}

/** Rules about the server by name see its resources and prompts under this name. */
const RESOURCES = 'resources'

const mappingOf = (name: string) => ({ source: MCP, server_id: name, tool_name: RESOURCES })
