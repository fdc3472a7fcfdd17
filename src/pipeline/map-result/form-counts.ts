import type { Tally } from '../../redaction/redactor.js'
import type { RedactionCounts } from '../secrets/clean.js'

/**
 * Counts what is found in one output. Its text, its structure and what the model gets are forms of the same: what stands
 * in each of them is one finding, so that of all forms the one with the most counts.
 */
export class FormCounts implements Tally {
  #most: Record<string, number> | undefined = undefined
  #form: Record<string, number> | undefined = undefined

  add(rule: string): void {
    const form = (this.#form ??= {})
    form[rule] = (form[rule] ?? 0) + 1
  }

  /** What is counted from here on stands in another form. */
  nextForm(): void {
    if (!this.#form) return
    const most = (this.#most ??= {})
    for (const [rule, count] of Object.entries(this.#form)) most[rule] = Math.max(most[rule] ?? 0, count)
    this.#form = undefined
  }

  /** All of it; the next output is counted anew. */
  take(): RedactionCounts | undefined {
    this.nextForm()
    const most = this.#most
    this.#most = undefined
    return most
  }
}
