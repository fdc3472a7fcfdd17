import { loadTokenCounter } from '../platform/tokens/count-tokens.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { toWireTool } from './to-wire-tool.js'

/** The encoding by which costs are counted, as records name it. */
export const COST_ENCODING = 'o200k_base'

/** How many tokens a tool takes in a prompt. Counted once per tool. */
export type CostOf = (tool: CatalogTool) => number

const SLICE_MS = 10

let inUse: CostOf | undefined

/** Loads the vocabulary. Nothing that has no budget comes here. */
export async function loadCostOf(): Promise<CostOf> {
  const count = await loadTokenCounter()
  inUse ??= (tool) => (tool.prepared.promptTokens ??= count(JSON.stringify(toWireTool(tool))))
  return inUse
}

/** New tools, where any surface of this process has a budget: it would have to count them all at once otherwise. */
export async function countIfInUse(tools: Iterable<CatalogTool>): Promise<void> {
  if (inUse) await countAhead(tools, inUse)
}

/** Counts ahead, so that whoever asks later does not wait. A large catalog must not hold up everything else. */
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
