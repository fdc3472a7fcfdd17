import { abortReasons, type AbortReason } from '../../contract/unions.js'
import { SYSTEM_TENANT, type CallRow, type DocumentWrite, type Store } from '../../storage/store.js'
import type { WatchTopic } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'

const KIND = 'cancel_request'

/** For whoever wants to hear of requests. */
export const CANCEL_REQUESTS: WatchTopic = { of: 'documents', tenant: SYSTEM_TENANT, kind: KIND }

/** What a process that does not run a call wants of the one that does. It stands in the store until that has heard it. */
export interface CancelRequest {
  tenant: string
  invocationId: string
  reason: AbortReason
}

/** In one place for all tenants, so that whoever runs calls reads one list; the ids of calls are their own everywhere. */
export function cancelRequestWrite(
  { tenant, invocationId }: Pick<CallRow, 'tenant' | 'invocationId'>,
  { reason, now }: { reason: AbortReason; now: number },
): DocumentWrite {
  return { tenant: SYSTEM_TENANT, kind: KIND, id: invocationId, updatedAt: now, value: { tenant, reason } }
}

export function removedRequest({ invocationId, now }: { invocationId: string; now: number }): DocumentWrite {
  return { tenant: SYSTEM_TENANT, kind: KIND, id: invocationId, updatedAt: now, value: undefined }
}

export async function* walkCancelRequests(store: Store): AsyncGenerator<CancelRequest, void, void> {
  for await (const { id, value } of walkDocuments(store, { tenant: SYSTEM_TENANT, kind: KIND }))
    yield toRequest(id, value)
}

/** Anybody may have written it. */
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

/** A request may come just as its call ends, and whoever made it may end before taking it back. */
export async function forgetOldRequests(store: Store, now: number): Promise<void> {
  const old: DocumentWrite[] = []
  for await (const { tenant, invocationId } of walkCancelRequests(store)) {
    const row = await store.getCall(tenant, invocationId)
    if (row?.owner === undefined) old.push(removedRequest({ invocationId, now }))
  }
  if (old.length > 0) await store.write({ documents: old })
}
