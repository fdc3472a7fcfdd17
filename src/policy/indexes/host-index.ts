import { ALLOW, addTo, firstSoft, insert, pick, type Entry } from '../rules/entry.js'
import type { JudgedCall } from '../judged-call.js'
import type { HostPattern } from '../patterns/host-pattern.js'

/** Domain patterns by name: a host matches its own and those of the domains above it. */
export class HostIndex {
  readonly #exact = new Map<string, Entry[]>()
  readonly #below = new Map<string, Entry[]>()
  readonly #any: Entry[] = []
  readonly #tight: Entry[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** A deny or ask that may match an unknown host. */
  mayMean(call: JudgedCall): Entry | undefined {
    return firstSoft(this.#tight, call)
  }

  add(pattern: HostPattern, entry: Entry): void {
    if (entry.rank > ALLOW) this.#tight.push(entry)
    this.#size++
    switch (pattern.kind) {
      case 'exact':
        return addTo(this.#exact, pattern.host, entry)
      case 'below':
        return addTo(this.#below, pattern.host, entry)
      case 'any':
        insert(this.#any, entry)
    }
  }

  find(host: string, call: JudgedCall): Entry | undefined {
    let best = this.#any.length > 0 ? pick(undefined, this.#any, call) : undefined
    best = pick(best, this.#exact.get(host), call)
    if (this.#below.size === 0) return best
    for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
      best = pick(best, this.#below.get(host.slice(dot + 1)), call)
    }
    return best
  }
}
