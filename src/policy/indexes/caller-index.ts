import { addTo, insert, pick, type Entry } from '../rules/entry.js'
import type { JudgedCall } from '../judged-call.js'
import type { RuleConditions } from '../rules/rule.js'

const callerFields = ['actor', 'session', 'role', 'surface', 'tenant'] as const

/** Rules without a specifier: those about one caller are found by the caller. */
export class CallerIndex {
  readonly #always: Entry[] = []
  readonly #by = new Map<(typeof callerFields)[number], Map<string, Entry[]>>()

  add(when: RuleConditions | undefined, entry: Entry): void {
    for (const field of callerFields) {
      const names = when?.[field]
      if (names === undefined || names.some((name) => name.includes('*'))) continue
      let map = this.#by.get(field)
      if (!map) this.#by.set(field, (map = new Map()))
      for (const name of names) addTo(map, name, entry)
      return
    }
    insert(this.#always, entry)
  }

  find(call: JudgedCall): Entry | undefined {
    let best = pick(undefined, this.#always, call)
    if (this.#by.size === 0) return best
    for (const [field, map] of this.#by) {
      const name = field === 'surface' ? call.surfaceId : call[field]
      if (name !== undefined) best = pick(best, map.get(name), call)
    }
    return best
  }
}
