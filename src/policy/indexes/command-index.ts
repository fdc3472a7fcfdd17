import { ALLOW, addTo, firstSoft, pick, type Entry } from '../rules/entry.js'
import type { JudgedCall } from '../judged-call.js'
import type { CommandPattern } from '../patterns/command-pattern.js'

/** Command patterns by the start of a command: a thousand of them cost a few look-ups. */
export class CommandIndex {
  readonly #exact = new Map<string, Entry[]>()
  readonly #prefix = new Map<string, Entry[]>()
  readonly #globs: { lead: string; test: (text: string) => boolean; entries: Entry[] }[] = []
  readonly #tight: { lead: string; isOpen: boolean; entry: Entry }[] = []
  #longest = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How the commands start that a deny or ask is about. */
  get tightLeads(): readonly { readonly lead: string; readonly entry: Entry }[] {
    return this.#tight
  }

  /** A deny or ask that may match a command of which only the start is known. */
  mayMean(start: string, call: JudgedCall): Entry | undefined {
    if (this.#tight.length === 0) return undefined
    const meant = this.#tight.filter(
      ({ lead, isOpen }) => lead.startsWith(start) || (isOpen && start.startsWith(lead)),
    )
    return firstSoft(
      meant.map(({ entry }) => entry),
      call,
    )
  }

  add(pattern: CommandPattern, entry: Entry): void {
    if (entry.rank > ALLOW) this.#tight.push({ ...leadOf(pattern), entry })
    this.#size++
    switch (pattern.kind) {
      case 'exact':
        return addTo(this.#exact, pattern.text, entry)
      case 'prefix':
        this.#longest = Math.max(this.#longest, pattern.text.length)
        return addTo(this.#prefix, pattern.text, entry)
      case 'glob':
        this.#globs.push({ lead: pattern.lead, test: pattern.test, entries: [entry] })
    }
  }

  /** The strictest rule about this command, which is written with single blanks. */
  find(text: string, call: JudgedCall): Entry | undefined {
    let best = pick(undefined, this.#exact.get(text), call)
    if (this.#prefix.size > 0) {
      const end = Math.min(text.length, this.#longest)
      // A prefix ends where a word or the part of a word before a colon does: `npm run test` and `npm run test:unit`.
      for (let at = 1; at <= end; at++) {
        if (at < text.length && text.charCodeAt(at) !== 32 && text.charCodeAt(at) !== 58) continue
        best = pick(best, this.#prefix.get(text.slice(0, at)), call)
      }
    }
    for (const { lead, test, entries } of this.#globs) {
      if (text.startsWith(lead) && test(text)) best = pick(best, entries, call)
    }
    return best
  }
}

/** How every command that it matches starts, and whether the rest must be compared as a whole. */
function leadOf(pattern: CommandPattern): { lead: string; isOpen: boolean } {
  return pattern.kind === 'glob'
    ? { lead: pattern.lead, isOpen: true }
    : { lead: pattern.text, isOpen: false }
}
