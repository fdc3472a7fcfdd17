import type { JsonObject } from '../protocol/json-rpc.js'
import { createRateBound } from './create-rate-bound.js'

/** What a server says by itself while it works: each is passed on to a client, recorded, and worth little among thousands. */
const RATE = { burst: 1_000, perSecond: 500 }
/** How long after the first that was left out it is told how many there were. */
const TELL_MS = 1_000

type Tell = (method: string, params: JsonObject) => void

export interface Chatter {
  /** Whether it is passed on. `tell` hears later how many messages of the log were not. */
  isPassedOn(method: string, tell: Tell): boolean
  stop(): void
}

/** Bounds how much of what one connection says by itself is passed on. */
export function boundChatter(server: string): Chatter {
  const progress = createRateBound(RATE)
  const log = createRateBound(RATE)
  let timer: NodeJS.Timeout | undefined

  const sayLeftOut = (tell: Tell): void => {
    timer = undefined
    const data = `${log.takeLeftOut()} more messages were left out: there are too many of them.`
    tell('notifications/message', { level: 'warning', logger: server, data })
  }

  return {
    isPassedOn(method, tell) {
      // The next one says how far it has come; those in between are not missed.
      if (method === 'notifications/progress') return progress.take()
      if (method !== 'notifications/message' || log.take()) return true
      timer ??= setTimeout(() => sayLeftOut(tell), TELL_MS).unref()
      return false
    },
    stop: () => clearTimeout(timer),
  }
}
