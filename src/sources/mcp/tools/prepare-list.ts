import type { JsonObject } from '../protocol/json-rpc.js'
import { createTurns } from '../../../platform/async/create-turns.js'
import { measureInTurns } from '../../../platform/validation/measure-schema.js'
import { pinBytes } from './pins.js'
import { canonicalOf, digestOf, parseTool, shownDefinition, toPin } from './tool-definition.js'
import { whyWild } from './without-wild-schemas.js'

const steps: readonly ((entry: JsonObject) => unknown)[] = [
  canonicalOf,
  digestOf,
  shownDefinition,
  (entry) => digestOf(toPin(parseTool(entry)!)),
  (entry) => pinBytes(toPin(parseTool(entry)!)),
]

/**
 * Computes and caches what is needed for each entry of a list, and yields in between: taking over the whole list is
 * then fast.
 */
export async function prepareList(list: Iterable<JsonObject>): Promise<void> {
  const turns = createTurns()
  for (const entry of list) {
    const tool = parseTool(entry)
    for (const schema of [tool?.inputSchema, tool?.outputSchema]) if (schema) await measureInTurns(schema)
    for (const step of tool && whyWild(entry) === undefined ? steps : []) {
      // A single entry may be as large as a hundred others: the turn may end after each step.
      await turns.due()
      step(entry)
    }
    await turns.due()
  }
}
