import { checkSurface } from '../../crib/calls/check-call.js'
import type { Surface } from '../../crib/surfaces/surface.js'
import { DISCOVERY_TOOL_ID } from '../../surfaces/discovery-tool.js'
import type { ListedTool } from '../../surfaces/list-tools.js'
import { formatOf, type ToolFormat, type ToolListOf } from './formats.js'

/** The tools of a surface in the format of a provider: always in the same order; tools that are loaded later come last. */
export function toolList<Format extends ToolFormat>(surface: Surface, format: Format): ToolListOf<Format> {
  checkSurface('toolList', surface)
  const adapter = formatOf('toolList', format)
  const isNative = surface.request.deferral?.way === 'native'
  if (isNative && !adapter.defersNatively) {
    throw new TypeError(
      `toolList: the format "${format}" has no loading of its own, so the surface's deferral cannot have the way "native"; use "load" or "pair".`,
    )
  }
  const listed = surface.listed()
  if (isNative && listed.some(({ isDeferred }) => isDeferred) && !listed.some(isSearch)) {
    throw new TypeError(
      `toolList: with the way "native" deferred tools are found by ${DISCOVERY_TOOL_ID}, which is not on this surface; do not deny or exclude it, or make the surface without "deferral" and leave out tools with "exclude".`,
    )
  }
  return adapter.toList(listed, { isNative }) as ToolListOf<Format>
}

function isSearch({ tool, isDeferred }: ListedTool): boolean {
  return tool.toolId === DISCOVERY_TOOL_ID && !isDeferred
}
