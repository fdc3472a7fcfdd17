import type { Journal } from '../../storage/journal/journal.js'
import type { Redactor } from '../../redaction/redactor.js'
import { ComputedData } from '../../storage/computed-data.js'
import { definitionWrites } from '../../storage/definition-documents.js'

/** Stores the object that a ref in a record refers to. It reaches the store in the group of the record. */
export type KeepDefinition = (ref: string, read: () => object) => void

/**
 * Each version is passed on once per crib, and written once per store. A definition that can be made at any time is made
 * when it is read, where the store ends with this process.
 */
export function keepDefinitions(
  journal: Journal,
  { redactor, now }: { redactor: Redactor; now: () => number },
): KeepDefinition {
  const kept = new Set<string>()
  return (ref, read) => {
    if (kept.has(ref)) return
    kept.add(ref)
    const definition = read()
    const clean =
      journal.store.isEphemeral && definition instanceof ComputedData
        ? new CleanDefinition(definition, redactor)
        : redactor.value(definition instanceof ComputedData ? definition.whole() : definition)
    for (const document of definitionWrites(ref, clean, now())) journal.accompany(document)
  }
}

class CleanDefinition extends ComputedData {
  readonly #definition: ComputedData
  readonly #redactor: Redactor

  constructor(definition: ComputedData, redactor: Redactor) {
    super()
    this.#definition = definition
    this.#redactor = redactor
  }

  whole(): object {
    return this.#redactor.value(this.#definition.whole())
  }
}
