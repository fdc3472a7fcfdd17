import { useState } from 'react'
import { currentEntry } from '../shell/router.js'

/** What lists show, by the entry of the history and a name: Back leads to the same rows at the same place. */
const kept = new Map<string, unknown>()
const MOST_KEPT = 40

export interface KeptView {
  get<T>(name: string): T | undefined
  set(name: string, value: unknown): void
}

/** The views of the entry of the history in which the component was first shown. */
export function useKeptView(): KeptView {
  const [entry] = useState(currentEntry)
  return {
    get: <T>(name: string) => kept.get(`${entry} ${name}`) as T | undefined,
    set(name, value) {
      const key = `${entry} ${name}`
      kept.delete(key)
      kept.set(key, value)
      const [oldest] = kept.keys()
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    },
  }
}

/** Another person may see other records. */
export function forgetViews(): void {
  kept.clear()
}
