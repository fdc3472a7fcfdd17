import type { BuiltSurface } from './build-surface.js'
import { listTools } from './list-tools.js'
import type { Shown } from './shown.js'

/** What a conversation has been shown after it was sent this surface. */
export function shownAfter(built: BuiltSurface): Shown {
  const { shown, request } = built
  const loaded = built.loaded.filter(built.isOnList)
  const isNative = request.deferral?.way === 'native'
  const order = (isNative ? listTools(built).map(({ tool }) => tool) : loaded).map(({ toolId }) => toolId)
  // Without a budget there is no further distinction.
  if (!built.deferral) return { ...shown, order }
  const upFront = loaded.filter(({ toolId }) => !shown.loaded.has(toolId))
  return { ...shown, order, kept: new Set([...shown.kept, ...upFront.map(({ toolId }) => toolId)]) }
}
