import type { SurfaceReason } from '../../contract/unions.js'
import { createTurns } from '../../platform/async/create-turns.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { BuiltSurface } from '../build-surface.js'
import { isDiscoveryTool } from '../discovery-tool.js'
import { DEFERRED, UNLISTED } from '../filters.js'
import { mayDefer } from '../may-defer.js'
import { compileNamePatterns } from '../name-pattern.js'
import { surfaceCosts } from './surface-costs.js'
import type { CostOf } from '../tool-cost.js'

/**
 * `unlisted`: it can be called by callers that know it. `hidden`: the tool, the caller or the surface is the reason.
 * `denied`: a rule denies every call of it.
 */
export const previewVisibilities = ['loaded', 'unlisted', 'deferred', 'hidden', 'denied'] as const
export type PreviewVisibility = (typeof previewVisibilities)[number]

export interface PreviewedTool {
  readonly tool_id: string
  /** Qualified. */
  readonly name: string
  /** In a prompt. Absent for tools whose cost nobody needed. */
  readonly tokens?: number | undefined
  readonly visibility: PreviewVisibility
  /** Absent where it is listed. */
  readonly reason?: SurfaceReason | undefined
  readonly reason_message: string
}

/** What a caller would see of the catalog before its first call, with the reason for every tool. */
export interface SurfacePreview {
  readonly budget_tokens?: number | undefined
  /** All available tools, if none were deferred. */
  readonly total_tokens: number
  /** The listed tools, with the tools that find the others. */
  readonly loaded_tokens: number
  readonly saved_tokens: number
  readonly items: readonly PreviewedTool[]
}

/** Every tool with its reason, in the order of the catalog. */
export async function toSurfacePreview(
  built: BuiltSurface,
  { tools, costOf }: { tools: readonly CatalogTool[]; costOf: CostOf },
): Promise<SurfacePreview> {
  const listed = built.loaded.filter((tool) => built.isOnList(tool))
  const costs = surfaceCosts({ loaded: listed, deferred: built.deferred }, costOf)
  const budget = built.request.deferral?.budgetTokens
  const why = reasonsOf(built)
  const items: PreviewedTool[] = []
  const turns = createTurns()
  for (const tool of tools) {
    const { toolId: tool_id, qualifiedName: name } = tool
    items.push({ tool_id, name, tokens: tool.prepared.promptTokens, ...why(tool) })
    const wait = turns.due()
    if (wait) await wait
  }
  return {
    ...(budget !== undefined && { budget_tokens: budget }),
    total_tokens: costs.totalTokens,
    loaded_tokens: costs.loadedTokens,
    saved_tokens: costs.savedTokens,
    items,
  }
}

type Why = Pick<PreviewedTool, 'visibility' | 'reason' | 'reason_message'>

function reasonsOf(built: BuiltSurface): (tool: CatalogTool) => Why {
  const { deferral: asked } = built.request
  const isNever = compileNamePatterns(asked?.never ?? [])
  return (tool) => {
    const visibility = built.visibilityOf(tool)
    if (visibility.state === 'loaded') {
      if (!built.isOnList(tool))
        return { visibility: 'unlisted', reason: UNLISTED.reason, reason_message: UNLISTED.message }
      return {
        visibility: 'loaded',
        reason_message: isDiscoveryTool(tool)
          ? 'It is listed, because it finds deferred tools.'
          : 'It is listed up front.',
      }
    }
    const { reason, message, denial } = visibility
    if (visibility.state !== 'deferred')
      return { visibility: denial ? 'denied' : 'hidden', reason, reason_message: message }
    // Otherwise the tool, the config or a server that is still connecting defers it.
    const isByBudget =
      visibility === DEFERRED && built.deferral?.decision === 'deferred' && !mayDefer(tool) && !isNever(tool)
    return {
      visibility: 'deferred',
      reason,
      reason_message: isByBudget
        ? `The budget of ${asked?.budgetTokens} tokens leaves no space for it: the model finds it by a search.`
        : message,
    }
  }
}
