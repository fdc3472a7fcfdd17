import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { DeferralWay } from '../../surfaces/deferral-request.js'
import { toWireTool } from '../../surfaces/to-wire-tool.js'

/**
 * How many characters of definitions one search may bring into a prompt. Of an answer that is words, the model can be
 * told what was left for another search; a provider that loads by itself takes definitions only, so it gets more at once.
 */
const MAX_CHARS: Readonly<Record<DeferralWay, number>> = { pair: 20_000, load: 200_000, native: 200_000 }

/** Of what was found, best first, that of which the definitions fit; the first always does. */
export function fitDefinitions(found: readonly CatalogTool[], way: DeferralWay): readonly CatalogTool[] {
  let chars = 0
  const end = found.findIndex((tool, place) => {
    chars += JSON.stringify(toWireTool(tool)).length
    return place > 0 && chars > MAX_CHARS[way]
  })
  return end === -1 ? found : found.slice(0, end)
}
