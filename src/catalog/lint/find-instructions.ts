import { foreignOrders } from './foreign-orders.js'
import { marks, orders } from './orders.js'
import { weighOrders } from './weigh-orders.js'
import { fromBase64, readAsModel } from './read-as-model.js'

export interface Instruction {
  readonly what: string
  readonly quote: string
}

/** An instruction needs at least this many characters: most texts of a schema are names of types. */
const SHORTEST_ORDER = 12

/** The first sign of an instruction in a text; undefined where there is none. */
export function findInstructions(text: string): Instruction | undefined {
  if (text.length < SHORTEST_ORDER) return undefined
  const plain = readAsModel(text)
  const hidden = fromBase64(text)[0]
  if (hidden !== undefined) return { what: 'hides a sentence in Base64', quote: hidden }
  for (const [pattern, what] of [...orders, ...marks, ...foreignOrders]) {
    const found = pattern.exec(plain)
    if (found) return { what, quote: found[0].replaceAll(/\s+/g, ' ').trim() }
  }
  const wanted = weighOrders(plain)
  return wanted === undefined ? undefined : { what: 'instructs the model beyond its tool', quote: wanted }
}
