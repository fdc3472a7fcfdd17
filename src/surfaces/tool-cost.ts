import { loadTokenCounter } from '../platform/tokens/count-tokens.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { toWireTool } from './to-wire-tool.js'

/** The encoding for costs, as records name it. */
export const COST_ENCODING = 'o200k_base'

/** The number of tokens that a tool takes in a prompt. Counted once per tool. */
export type CostOf = (tool: CatalogTool) => number

const SLICE_MS = 10

let inUse: CostOf | undefined

/** Loads the vocabulary. Only called where there is a budget. */
export async function loadCostOf(): Promise<CostOf> {
  const count = await loadTokenCounter()
  inUse ??= (tool) => (tool.prepared.promptTokens ??= count(JSON.stringify(toWireTool(tool))))
  return inUse
}

/**
 * Counts new tools where any surface of this process has a budget: otherwise it would have to count them all at once.
 */
export async function countIfInUse(tools: Iterable<CatalogTool>): Promise<void> {
  if (inUse) await countAhead(tools, inUse)
}

/** Counts in advance, so that later callers do not wait, with yields in between for large catalogs. */
export async function countAhead(tools: Iterable<CatalogTool>, costOf: CostOf): Promise<void> {
  let sliceEnds = performance.now() + SLICE_MS
  for (const tool of tools) {
    if (tool.prepared.promptTokens !== undefined) continue
    costOf(tool)
    if (performance.now() < sliceEnds) continue
    await new Promise(setImmediate)
    sliceEnds = performance.now() + SLICE_MS
  }
}
