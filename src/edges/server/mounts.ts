/** Handlers by path. Each handles its path and all paths below it. */
export interface Mounts<Handler> {
  add(path: string, handler: Handler): void
  find(path: string): Handler | undefined
  paths(): string[]
  handlers(): Handler[]
}

export function createMounts<Handler>(): Mounts<Handler> {
  const mounted = new Map<string, Handler>()
  return {
    add(path, handler) {
      if (!/^\/[^?#]*[^/?#]$/.test(path))
        throw new TypeError(`A handler is mounted at a path such as "/mcp", not at "${path}".`)
      if (mounted.has(path)) throw new TypeError(`There is a handler at ${path} already.`)
      mounted.set(path, handler)
    },
    find(path) {
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
        const handler = mounted.get(end === path.length ? path : path.slice(0, end))
        if (handler !== undefined) return handler
      }
      return undefined
    },
    paths: () => [...mounted.keys()],
    handlers: () => [...new Set(mounted.values())],
  }
}
