import { abortReasons, type AbortReason } from '../../contract/unions.js'
import { SYSTEM_TENANT, type CallRow, type DocumentWrite, type Store } from '../../storage/store.js'
import { commonPrefix } from '../../storage/common-prefix.js'
import type { WatchTopic } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'

const KIND = 'cancel_request'

/** Watched by processes that run calls. */
export const CANCEL_REQUESTS: WatchTopic = { of: 'documents', tenant: SYSTEM_TENANT, kind: KIND }

/** A request to the owner of a call, written by another process. It is stored until the owner has read it. */
export interface CancelRequest {
  tenant: string
  invocationId: string
  reason: AbortReason
}

/** One list for all tenants, which owners read; ids of calls are unique across tenants. */
export function cancelRequestWrite(
  { tenant, invocationId }: Pick<CallRow, 'tenant' | 'invocationId'>,
  { reason, now }: { reason: AbortReason; now: number },
): DocumentWrite {
  return { tenant: SYSTEM_TENANT, kind: KIND, id: invocationId, updatedAt: now, value: { tenant, reason } }
}

export function removedRequest({ invocationId, now }: { invocationId: string; now: number }): DocumentWrite {
  return { tenant: SYSTEM_TENANT, kind: KIND, id: invocationId, updatedAt: now, value: undefined }
}

/** More requests than this are removed unseen: removing what is not there costs less than reading more. */
const PAGE = 200

/** The writes that remove the requests for these calls. Few calls have one, and one look tells. */
export async function removedRequests(
  store: Store,
  { ids, now }: { ids: readonly string[]; now: number },
): Promise<DocumentWrite[]> {
  const query = { tenant: SYSTEM_TENANT, kind: KIND, prefix: commonPrefix(ids), limit: PAGE }
  const { documents, cursor } = await store.listDocuments(query)
  const known = cursor === undefined ? new Set(documents.map(({ id }) => id)) : undefined
  return ids
    .filter((id) => known?.has(id) ?? true)
    .map((invocationId) => removedRequest({ invocationId, now }))
}

export async function* walkCancelRequests(store: Store): AsyncGenerator<CancelRequest, void, void> {
  for await (const { id, value } of walkDocuments(store, { tenant: SYSTEM_TENANT, kind: KIND }))
    yield toRequest(id, value)
}

/** The document is untrusted. */
function toRequest(invocationId: string, value: unknown): CancelRequest {
  const { tenant, reason } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Partial<CancelRequest>
  return {
    tenant: String(tenant),
    invocationId,
    reason: abortReasons.find((known) => known === reason) ?? 'user_interruption',
  }
}

/**
 * Removes old requests: a call may end just as a request comes, and the requesting process may end before removing it.
 */
export async function forgetOldRequests(store: Store, now: number): Promise<void> {
  const old: DocumentWrite[] = []
  for await (const { tenant, invocationId } of walkCancelRequests(store)) {
    const row = await store.getCall(tenant, invocationId)
    if (row?.owner === undefined) old.push(removedRequest({ invocationId, now }))
  }
  if (old.length > 0) await store.write({ documents: old })
}
