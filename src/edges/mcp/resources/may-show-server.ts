import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import { serverNamespace } from '../../../sources/mcp/tools/safe-name.js'
import type { SurfaceSettings } from '../gateway-options.js'
import { chooserOf } from './visible-servers.js'

/** No tool has this name: a pattern that matches it matches all tools of a server. */
const ANY_NAME = '\0'

/** Whether a surface may have tools of a server whose tools are not known yet. True if in doubt. */
export function mayShowServer({ include, exclude }: SurfaceSettings, server: McpServer): boolean {
  const namespace = serverNamespace(server.name)
  if (exclude && !chooserOf({ exclude })(namespace, ANY_NAME)) return false
  return include === undefined || include.some((pattern) => mayMeanToolOf(`${namespace}.`, pattern))
}

function mayMeanToolOf(prefix: string, pattern: string): boolean {
  const end = pattern.indexOf('*')
  // It may be a tool's own name or its provider name, unless it names another server.
  if (end === -1) return pattern.startsWith(prefix) || !pattern.startsWith(kindOf(prefix))
  if (!pattern.includes('.')) return true
  const head = pattern.slice(0, end)
  return head.startsWith(prefix) || prefix.startsWith(head)
}

/** The start that the namespaces of all servers share. */
function kindOf(prefix: string): string {
  return prefix.slice(0, prefix.indexOf('.') + 1)
}
