import { remember } from '../../../platform/json/remember.js'
import type { Surface } from '../../../crib/surfaces/surface.js'
import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { providerName } from '../../../catalog/provider-name.js'
import { mcpDefinition } from '../../../sources/mcp/protocol/native.js'
import type { BuiltSurface } from '../../../surfaces/build-surface.js'
import type { NameStyle } from '../gateway-options.js'
import { toMcpTool } from './to-mcp-tool.js'

export interface ServedTool {
  readonly name: string
  readonly tool: CatalogTool
}

/** The names by which clients know the tools of one surface, in both directions. Cached until the surface changes. */
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

  /** In the order of the surface, to which tools are only appended. */
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
    // The protocol has no tools whose input is not an object.
    const tools = [...built.loaded, ...built.deferred].filter((tool) => toMcpTool(tool))
    // Deferred tools are not on the list, but have a name.
    const named = nameTools(tools, this.style)
    const nameOf = new Map(named.map(({ name, tool }) => [tool, name]))
    this.#byName = new Map(named.map(({ name, tool }) => [name, tool]))
    this.#served = this.#surface.listed().flatMap(({ tool, isDeferred }) => {
      const name = nameOf.get(tool)
      return isDeferred || name === undefined ? [] : [{ name, tool }]
    })
  }
}

/** Each tool has a unique name, which does not depend on the order. */
export function nameTools(tools: readonly CatalogTool[], style: NameStyle): ServedTool[] {
  // Providers of two kinds may have the same name, and a tool of the gateway may have the name of one of theirs.
  const all = countNames(tools, (tool) => new Set([shortName(tool) ?? tool.providerName, tool.providerName]))
  const withServer = (tool: CatalogTool): string => {
    const name = shortName(tool)
    return name !== undefined && all.get(name) === 1 ? name : tool.providerName
  }
  if (style === 'server') return tools.map((tool) => ({ name: withServer(tool), tool }))
  const uses = countNames(tools, (tool) => new Set([bareName(tool), withServer(tool)]))
  return tools.map((tool) => {
    const bare = bareName(tool)
    return { name: uses.get(bare) === 1 ? bare : withServer(tool), tool }
  })
}

function countNames(
  tools: readonly CatalogTool[],
  namesOf: (tool: CatalogTool) => Iterable<string>,
): Map<string, number> {
  const uses = new Map<string, number>()
  for (const tool of tools) for (const name of namesOf(tool)) uses.set(name, (uses.get(name) ?? 0) + 1)
  return uses
}

/** Provider and tool, without the kind of source. Remembered: each session names all tools whenever its list changes. */
const shortName = remember(({ draft: { provider, name } }: CatalogTool) =>
  provider ? providerName(`${provider.key}.${name}`) : undefined,
)

/** The server's own name for the tool, which can differ from the one in the id. */
function bareName({ draft }: CatalogTool): string {
  const native = mcpDefinition(draft)?.['name']
  return typeof native === 'string' ? native : draft.name
}
