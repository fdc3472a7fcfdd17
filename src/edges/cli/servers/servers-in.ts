import type { InspectedSource, InspectedSources } from '../../../host/sources/inspect-sources.js'
import { mcpKind } from '../../../sources/mcp/mcp-kind.js'
import type { SeenServer } from '../../../sources/mcp/servers/server-snapshot.js'

/** MCP servers, of which more is known, and the sources of all other kinds. */
export function serversIn({ sources, of }: Pick<InspectedSources, 'sources' | 'of'>): {
  servers: readonly SeenServer[]
  others: readonly InspectedSource[]
} {
  return {
    servers: of(mcpKind)?.seen ?? [],
    others: sources.filter(({ kind }) => kind !== mcpKind),
  }
}
