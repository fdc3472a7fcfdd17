import { outputRef, PAYLOAD_KIND } from '../../results/payloads/payload-record.js'
import type { CallRow, Store, StoredDocument } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { commonPrefix } from '../../storage/common-prefix.js'
import { approvalIdPrefix } from '../../approvals/approval-id.js'
import { APPROVAL_KIND } from '../approvals/approval-documents.js'
import { DELIVERY_KIND } from '../approvals/deliveries/delivery-documents.js'

/** Documents that belong to one call: questions and what was sent for them, and the records of stored bytes. */
const PREFIX_OF: Readonly<Record<string, (invocationId: string) => string>> = {
  [APPROVAL_KIND]: approvalIdPrefix,
  [DELIVERY_KIND]: approvalIdPrefix,
  [PAYLOAD_KIND]: (invocationId) => outputRef(invocationId).replace(/output$/, ''),
}

/** The documents that are deleted with a call. */
export async function* documentsOfCall(
  store: Store,
  { tenant, invocationId }: Pick<CallRow, 'tenant' | 'invocationId'>,
): AsyncGenerator<StoredDocument, void, void> {
  for (const [kind, prefixOf] of Object.entries(PREFIX_OF))
    yield* walkDocuments(store, { tenant, kind, prefix: prefixOf(invocationId) })
}

/** More documents than this are read call by call: between those of the calls may be those of many others. */
const PAGE = 200

/** The same for calls of one tenant, by the ids of the calls that have some. Most have none, and one look tells. */
export async function documentsOfCalls(
  store: Store,
  { tenant, ids }: { tenant: string; ids: readonly string[] },
): Promise<Map<string, StoredDocument[]>> {
  const found = new Map<string, StoredDocument[]>(ids.map((id) => [id, []]))
  for (const [kind, prefixOf] of Object.entries(PREFIX_OF)) {
    const prefix = commonPrefix(ids.map(prefixOf))
    const page = await store.listDocuments({ tenant, kind, prefix, limit: PAGE })
    if (page.cursor === undefined)
      for (const document of page.documents) found.get(callOfDocument(document) ?? '')?.push(document)
    else
      for (const [id, documents] of found)
        for await (const document of walkDocuments(store, { tenant, kind, prefix: prefixOf(id) }))
          documents.push(document)
  }
  return found
}

/** The call that a document belongs to, if it belongs to one. */
export function callOfDocument({ kind, id }: Pick<StoredDocument, 'kind' | 'id'>): string | undefined {
  const prefixOf = Object.hasOwn(PREFIX_OF, kind) ? PREFIX_OF[kind] : undefined
  const found = prefixOf && /inv_[0-9a-z]+/.exec(id)?.[0]
  return found !== undefined && id.startsWith(prefixOf!(found)) ? found : undefined
}
