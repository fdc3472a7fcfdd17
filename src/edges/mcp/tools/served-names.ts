import { remember } from '../../../platform/json/remember.js'
import type { Surface } from '../../../crib/surfaces/surface.js'
import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { providerName } from '../../../catalog/provider-name.js'
import type { BuiltSurface } from '../../../surfaces/build-surface.js'
import type { NameStyle } from '../gateway-options.js'
import { toMcpTool } from './to-mcp-tool.js'

export interface ServedTool {
  readonly name: string
  readonly tool: CatalogTool
}

const SERVER_PREFIX = 'mcp.'

/** The names by which clients know the tools of one surface, and the way back. Kept until the list is another. */
export class ServedNames {
  readonly #surface: Surface
  readonly style: NameStyle
  #built: BuiltSurface | undefined = undefined
  #served: readonly ServedTool[] = []
  #byName = new Map<string, CatalogTool>()

  constructor(surface: Surface, style: NameStyle) {
    this.#surface = surface
    this.style = style
  }

  /** In the order of the surface, which only grows at its end. */
  list(): readonly ServedTool[] {
    this.#follow()
    return this.#served
  }

  find(name: string): CatalogTool | undefined {
    this.#follow()
    return this.#byName.get(name)
  }

  nameOf(toolId: string): string | undefined {
    return this.list().find(({ tool }) => tool.toolId === toolId)?.name
  }

  #follow(): void {
    const built = this.#surface.current()
    if (built === this.#built) return
    this.#built = built
    // A tool that takes no object cannot be said in the protocol.
    const tools = [...built.loaded, ...built.deferred].filter((tool) => toMcpTool(tool))
    // What is deferred is no part of the list, and has its name all the same.
    const named = nameTools(tools, this.style)
    const nameOf = new Map(named.map(({ name, tool }) => [tool, name]))
    this.#byName = new Map(named.map(({ name, tool }) => [name, tool]))
    this.#served = this.#surface.listed().flatMap(({ tool, isDeferred }) => {
      const name = nameOf.get(tool)
      return isDeferred || name === undefined ? [] : [{ name, tool }]
    })
  }
}

/** Each has one name that is no other's, and the same whatever the order. */
export function nameTools(tools: readonly CatalogTool[], style: NameStyle): ServedTool[] {
  const own = new Set(tools.filter((tool) => !isOfServer(tool)).map((tool) => tool.providerName))
  const withServer = (tool: CatalogTool): string => {
    if (!isOfServer(tool)) return tool.providerName
    const name = serverName(tool)
    return own.has(name) ? tool.providerName : name
  }
  if (style === 'server') return tools.map((tool) => ({ name: withServer(tool), tool }))
  const uses = new Map<string, number>()
  for (const tool of tools)
    for (const name of new Set([bareName(tool), withServer(tool)])) uses.set(name, (uses.get(name) ?? 0) + 1)
  return tools.map((tool) => {
    const bare = bareName(tool)
    return { name: uses.get(bare) === 1 ? bare : withServer(tool), tool }
  })
}

/** Each session names all tools whenever its list is another. */
const serverName = remember(({ toolId }: CatalogTool) => providerName(toolId.slice(SERVER_PREFIX.length)))

function isOfServer({ toolId, draft }: CatalogTool): boolean {
  return draft.native !== undefined && toolId.startsWith(SERVER_PREFIX)
}

/** What the server itself calls it: a name need not survive in an id. */
function bareName({ draft }: CatalogTool): string {
  const native = draft.native?.['name']
  return typeof native === 'string' ? native : draft.name
}
