import type { Journal } from '../../storage/journal/journal.js'
import type { Redactor } from '../../redaction/redactor.js'
import { SYSTEM_TENANT } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import type { KeptAnalyses } from '../../search/kept-analyses.js'

const KIND = 'tool_analysis'

/** Keeps what tool search worked out of tools in the store; nowhere where the store itself does not last. */
export function storedAnalyses({
  journal,
  redactor,
  now,
}: {
  journal: Journal
  redactor: Redactor
  now: () => number
}): KeptAnalyses | undefined {
  const { store } = journal
  if (store.isEphemeral) return undefined
  return {
    async readAll() {
      const found = new Map<string, unknown>()
      for await (const { id, value } of walkDocuments(store, { tenant: SYSTEM_TENANT, kind: KIND }))
        found.set(id, value)
      return found
    },
    read: async (id) => (await store.getDocument(SYSTEM_TENANT, KIND, id))?.value,
    async write(id, value) {
      await journal.put({ tenant: SYSTEM_TENANT, kind: KIND, id, updatedAt: now(), value })
    },
    // The words of a text no longer look like the secret that was in it: what has one is not kept at all.
    mayKeep: (texts) => texts.every((text) => redactor.text(text) === text),
  }
}
