import { nextTurn } from './next-turn.js'

/** How long work runs before it yields to other work. */
const TURN_MS = 5

export interface Turns {
  /** A promise to wait for when the work should yield; undefined when it may go on at once. */
  due(): Promise<void> | undefined
}

/** For work that is done item by item: `const wait = turns.due(); if (wait) await wait`. */
export function createTurns(): Turns {
  let since = performance.now()
  return {
    due() {
      if (performance.now() - since < TURN_MS) return undefined
      return nextTurn().then(() => {
        since = performance.now()
      })
    },
  }
}
