/** What a path of MCP leads to. */
export interface Route {
  readonly kind: 'mcp' | 'stream' | 'messages'
  /** As the path names it. */
  readonly surface?: string | undefined
}

const mcp: Route = { kind: 'mcp' }
const routes = new Map<string, Route>([
  ['/mcp', mcp],
  ['/mcp/', mcp],
  ['/sse', { kind: 'stream' }],
  ['/messages', { kind: 'messages' }],
])

export const mcpPaths = ['/mcp', '/sse', '/messages']

export function routeOf(path: string): Route | undefined {
  const known = routes.get(path)
  if (known !== undefined) return known
  const match = /^\/(mcp|sse|messages)\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/.exec(path)
  return match === null ? undefined : { ...routes.get(`/${match[1]}`)!, surface: match[2] }
}
