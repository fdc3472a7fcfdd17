import { homedir } from 'node:os'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { spellingsOf } from '../../../policy/arguments/path-spellings.js'
import { serverReach } from '../../../sources/mcp/servers/server-reach.js'
import type { Connection } from '../connection.js'
import type { ServedResource } from './served-resources.js'

/** Throws where a resource of this machine is a file that rules, or we ourselves, keep from being read. */
export function checkResource({ server, ownUri }: ServedResource, { gateway, caller }: Connection): void {
  if (serverReach(server.settings).runs === 'elsewhere') return
  for (const path of spellingsOf(ownUri, homedir())) {
    if (!path.startsWith('/')) continue
    const { actor } = caller
    const { behavior, reason } = gateway.crib.explain({ tool: 'Read', input: { file_path: path }, actor })
    // Nobody can be asked about a resource, so that what would be asked about is refused as well.
    const isKept = behavior === 'deny' || (behavior === 'ask' && reason.type !== 'working_dir')
    if (isKept) throw new McpError(mcpErrorCodes.invalidParams, `The resource is not read: ${reason.message}`)
  }
}
