import type { JsonObject } from '../../../../foundation/mcp/json-rpc.js'
import { createTurns } from '../../../../foundation/turns/create-turns.js'
import { pinBytes } from './pins.js'
import { canonicalOf, parseTool, shownDefinition, toPin } from './tool-definition.js'
import { whyWild } from './without-wild-schemas.js'

/** Few of them are worked out when they are needed. */
const FEW = 50

/**
 * Works out what is needed of each entry of a list, with turns for others in between: whoever then takes the whole list
 * at once finds it done.
 */
export async function prepareList(list: Iterable<JsonObject>): Promise<void> {
  const entries = [...list]
  if (entries.length <= FEW) return
  const turns = createTurns()
  for (const entry of entries) {
    canonicalOf(entry)
    const tool = parseTool(entry)
    if (tool && whyWild(entry) === undefined) {
      canonicalOf(toPin(tool))
      pinBytes(toPin(tool))
      shownDefinition(entry)
    }
    await turns.due()
  }
}
