import { addTo, pick, type Entry } from '../rules/entry.js'
import type { JudgedCall } from '../judged-call.js'
import { toTextTest } from '../patterns/glob-text.js'

/** Patterns with `*` over one text: those with a fixed start or end are found by that. */
export class TextIndex {
  readonly #exact = new Map<string, Entry[]>()
  readonly #starts = new Map<string, Entry[]>()
  readonly #ends = new Map<string, Entry[]>()
  readonly #startLengths: number[] = []
  readonly #endLengths: number[] = []
  readonly #others: { test: (text: string) => boolean; entries: Entry[] }[] = []

  /** `test` if the pattern alone would match too much. */
  add(pattern: string, entry: Entry, test?: (text: string) => boolean): void {
    if (test) {
      this.#others.push({ test, entries: [entry] })
      return
    }
    if (!pattern.includes('*')) return addTo(this.#exact, pattern, entry)
    const start = /^([^*]+)\*+$/.exec(pattern)?.[1]
    if (start !== undefined) return this.#addPart(this.#starts, this.#startLengths, start, entry)
    const end = /^\*+([^*]+)$/.exec(pattern)?.[1]
    if (end !== undefined) return this.#addPart(this.#ends, this.#endLengths, end, entry)
    this.#others.push({ test: toTextTest(pattern), entries: [entry] })
  }

  #addPart(map: Map<string, Entry[]>, lengths: number[], part: string, entry: Entry): void {
    if (!lengths.includes(part.length)) lengths.push(part.length)
    addTo(map, part, entry)
  }

  find(text: string, best: Entry | undefined, call: JudgedCall): Entry | undefined {
    let now = this.#exact.size > 0 ? pick(best, this.#exact.get(text), call) : best
    for (const length of this.#startLengths) {
      if (length <= text.length) now = pick(now, this.#starts.get(text.slice(0, length)), call)
    }
    for (const length of this.#endLengths) {
      if (length <= text.length) now = pick(now, this.#ends.get(text.slice(text.length - length)), call)
    }
    for (const { test, entries } of this.#others) if (test(text)) now = pick(now, entries, call)
    return now
  }
}
