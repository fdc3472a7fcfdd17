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
 * Works out what is needed of each entry of a list, with turns for others in between: whoever then takes the whole list
 * at once finds it done.
 */
export async function prepareList(list: Iterable<JsonObject>): Promise<void> {
  const turns = createTurns()
  for (const entry of list) {
    const tool = parseTool(entry)
    for (const schema of [tool?.inputSchema, tool?.outputSchema]) if (schema) await measureInTurns(schema)
    for (const step of tool && whyWild(entry) === undefined ? steps : []) {
      // A single entry may be as large as a hundred others: each step of it may be the last of a turn.
      await turns.due()
      step(entry)
    }
    await turns.due()
  }
}
