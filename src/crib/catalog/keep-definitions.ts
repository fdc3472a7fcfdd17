import type { Journal } from '../../storage/journal/journal.js'
import type { Redactor } from '../../redaction/redactor.js'
import { definitionWrites } from '../../storage/definition-documents.js'

/** Stores the object that a ref in a record refers to. It reaches the store in the group of the record. */
export type KeepDefinition = (ref: string, read: () => object) => void

/** Each version is passed on once per crib, and written once per store. */
export function keepDefinitions(
  journal: Journal,
  { redactor, now }: { redactor: Redactor; now: () => number },
): KeepDefinition {
  const kept = new Set<string>()
  return (ref, read) => {
    if (kept.has(ref)) return
    kept.add(ref)
    for (const document of definitionWrites(ref, redactor.value(read()), now())) journal.accompany(document)
  }
}
