/** What a path leads to. */
export interface Route {
  readonly kind: 'mcp' | 'stream' | 'messages' | 'metadata'
  /** As the path names it. */
  readonly surface?: string | undefined
  /** Whose metadata. */
  readonly resource?: string | undefined
}

const METADATA = '/.well-known/oauth-protected-resource'
const mcp: Route = { kind: 'mcp' }
const routes = new Map<string, Route>([
  ['/mcp', mcp],
  ['/mcp/', mcp],
  ['/sse', { kind: 'stream' }],
  ['/messages', { kind: 'messages' }],
])

export function routeOf(url: string): Route | undefined {
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  const known = routes.get(path)
  if (known !== undefined) return known
  if (path === METADATA || path.startsWith(`${METADATA}/`))
    return { kind: 'metadata', resource: path.slice(METADATA.length) }
  const match = /^\/(mcp|sse|messages)\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/.exec(path)
  return match === null ? undefined : { ...routes.get(`/${match[1]}`)!, surface: match[2] }
}
