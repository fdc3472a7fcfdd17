import { createTurns, type Turns } from './create-turns.js'

/**
 * Work that pauses after each small part: run at once by a caller that needs the result now, or in turns with other
 * work.
 */
export type Steps<Value> = Generator<undefined, Value, undefined>

export function atOnce<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

export async function inTurns<Value>(steps: Steps<Value>, turns: Turns = createTurns()): Promise<Value> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const wait = turns.due()
    if (wait) await wait
  }
}
