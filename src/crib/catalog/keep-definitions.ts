import type { Journal } from '../../storage/journal/journal.js'
import type { Redactor } from '../../redaction/redactor.js'
import { definitionWrites } from '../../storage/definition-documents.js'

/** Keeps what a ref in a record stands for. It reaches the store in the group of the record. */
export type KeepDefinition = (ref: string, read: () => object) => void

/** Each version is handed over once in the life of a crib, and written once in the life of a store. */
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
