import { nextTurn } from './next-turn.js'

/** How long work goes on before others have a turn. */
const TURN_MS = 5

export interface Turns {
  /** A turn for the others where one is due; nothing where the work may go on at once. */
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
