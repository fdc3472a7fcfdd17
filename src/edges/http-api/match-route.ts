import type { AnyRoute } from './route.js'

export interface RouteMatcher {
  /** The routes of a path by their method; nothing for an unknown path. */
  find(
    path: string,
  ): { readonly byMethod: ReadonlyMap<string, AnyRoute>; readonly params: Record<string, string> } | undefined
}

interface PathEntry {
  readonly segments: readonly string[]
  readonly byMethod: Map<string, AnyRoute>
}

/** Finds routes by their path below the prefix. A path with fixed words wins over one with parameters. */
export function createRouteMatcher(routes: readonly AnyRoute[]): RouteMatcher {
  const entries = new Map<string, PathEntry>()
  for (const route of routes) {
    const shape = route.path.replaceAll(/\{[^}]+\}/g, '{}')
    const entry = entries.get(shape) ?? { segments: route.path.slice(1).split('/'), byMethod: new Map() }
    entries.set(shape, entry)
    if (entry.byMethod.has(route.method))
      throw new Error(`There are two routes ${route.method} ${route.path}.`)
    entry.byMethod.set(route.method, route)
  }
  const ordered = [...entries.values()].sort((a, b) => parametersIn(a) - parametersIn(b))
  return {
    find(path) {
      const given = path.slice(1).split('/')
      for (const { segments, byMethod } of ordered) {
        const params = match(segments, given)
        if (params) return { byMethod, params }
      }
      return undefined
    },
  }
}

function parametersIn({ segments }: PathEntry): number {
  return segments.filter((segment) => segment.startsWith('{')).length
}

function match(segments: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    if (!segment.startsWith('{')) {
      if (segment !== given[at]) return undefined
      continue
    }
    const value = decode(given[at]!)
    if (value === undefined || value === '' || value.length > 1000) return undefined
    params[segment.slice(1, -1)] = value
  }
  return params
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
