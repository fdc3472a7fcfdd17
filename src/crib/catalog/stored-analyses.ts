import type { Journal } from '../../storage/journal/journal.js'
import type { Redactor } from '../../redaction/redactor.js'
import { SYSTEM_TENANT } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import type { KeptAnalyses } from '../../search/kept-analyses.js'

const KIND = 'tool_analysis'

/** Stores the analyses of tool search, unless the store is ephemeral. */
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
    // The extracted words no longer look like the secret in the text: a text with a secret is not stored.
    mayKeep: (texts) => texts.every((text) => redactor.text(text) === text),
  }
}
