import { outputRef, PAYLOAD_KIND } from '../../results/payloads/payload-record.js'
import type { CallRow, Store, StoredDocument } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
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

/** The call that a document belongs to, if it belongs to one. */
export function callOfDocument({ kind, id }: Pick<StoredDocument, 'kind' | 'id'>): string | undefined {
  const prefixOf = Object.hasOwn(PREFIX_OF, kind) ? PREFIX_OF[kind] : undefined
  const found = prefixOf && /inv_[0-9a-z]+/.exec(id)?.[0]
  return found !== undefined && id.startsWith(prefixOf!(found)) ? found : undefined
}
