import type { JsonObject } from '../protocol/json-rpc.js'
import type { Listed } from './list-pages.js'

/** A list that is loaded on demand and cached until it is out of date. */
export interface ListKeeper {
  entries(): Promise<readonly JsonObject[]>
  forget(): void
}

export function createListKeeper(load: () => Promise<Listed>, now: () => number): ListKeeper {
  let kept: { listed: Promise<Listed>; goodUntil: number } | undefined

  return {
    async entries() {
      if (kept && now() < kept.goodUntil) return (await kept.listed).entries
      const mine = { listed: load(), goodUntil: Infinity }
      kept = mine
      try {
        const { entries, ttlMs } = await mine.listed
        mine.goodUntil = ttlMs === undefined ? Infinity : now() + ttlMs
        return entries
      } catch (error) {
        if (kept === mine) kept = undefined
        throw error
      }
    },
    forget() {
      kept = undefined
    },
  }
}
