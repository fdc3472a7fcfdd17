import { grammarOf, type Grammar } from './grammar.js'
import type { Act, Effect } from './usage.js'

/** The known effects of commands, by name. Most are never needed in one run: each is prepared on first use. */
export class ReadyEffects {
  readonly size: number
  readonly #known: ReadonlyMap<string, Effect>
  readonly #ready = new Map<string, Grammar | Act>()

  constructor(known: Iterable<readonly [string, Effect]>) {
    this.#known = new Map(known)
    this.size = this.#known.size
  }

  has(name: string): boolean {
    return this.#known.has(name)
  }

  get(name: string): Grammar | Act | undefined {
    return this.#ready.get(name) ?? this.#prepare(name)
  }

  #prepare(name: string): Grammar | Act | undefined {
    const effect = this.#known.get(name)
    if (effect === undefined) return undefined
    const prepared = typeof effect === 'function' ? effect : grammarOf(effect)
    this.#ready.set(name, prepared)
    return prepared
  }
}
