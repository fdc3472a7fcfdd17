import { homedir } from 'node:os'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { spellingsOf } from '../../../policy/arguments/path-spellings.js'
import { serverReach } from '../../../sources/mcp/servers/server-reach.js'
import type { Connection } from '../connection.js'
import { checkHosts } from './check-hosts.js'
import type { ServedResource } from './served-resource.js'

/** Subscribes a client to a resource that it may read. */
export async function subscribeTo(
  found: ServedResource,
  connection: Connection,
): Promise<() => Promise<void>> {
  checkHosts(found.server, connection)
  checkResource(found, connection)
  return found.server.subscribe(found.ownUri)
}

/** Throws where a resource is a file of this machine that the rules or the built-in protection deny. */
export function checkResource(
  { server, ownUri }: ServedResource,
  { gateway, caller }: Pick<Connection, 'gateway' | 'caller'>,
): void {
  if (serverReach(server.settings).runs === 'elsewhere') return
  for (const path of spellingsOf(ownUri, homedir())) {
    if (!path.startsWith('/')) continue
    const { actor } = caller
    const { behavior, reason } = gateway.crib.explain({ tool: 'Read', input: { file_path: path }, actor })
    // There are no approvals for resources, so a file that a rule asks about is denied as well.
    const isKept = behavior === 'deny' || (behavior === 'ask' && reason.type !== 'working_dir')
    if (isKept) throw new McpError(mcpErrorCodes.invalidParams, `The resource is not read: ${reason.message}`)
  }
}
