/** Handlers by path. Each handles its path and all paths below it; the one at `/` handles the rest. */
export interface Mounts<Handler> {
  add(path: string, handler: Handler): void
  find(path: string): Handler | undefined
  /** The path where that handler is mounted. */
  mountOf(path: string): string | undefined
  paths(): string[]
  handlers(): Handler[]
}

export function createMounts<Handler>(): Mounts<Handler> {
  const mounted = new Map<string, Handler>()

  function mountOf(path: string): string | undefined {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = end === path.length ? path : path.slice(0, end)
      if (mounted.has(above)) return above
    }
    return mounted.has('/') ? '/' : undefined
  }

  return {
    add(path, handler) {
      if (path !== '/' && !/^\/[^?#]*[^/?#]$/.test(path))
        throw new TypeError(`A handler is mounted at a path such as "/mcp", not at "${path}".`)
      if (mounted.has(path)) throw new TypeError(`There is a handler at ${path} already.`)
      mounted.set(path, handler)
    },
    find: (path) => mounted.get(mountOf(path) ?? ''),
    mountOf,
    paths: () => [...mounted.keys()],
    handlers: () => [...new Set(mounted.values())],
  }
}
