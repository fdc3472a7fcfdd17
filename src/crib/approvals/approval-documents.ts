import type { ToolInvocation } from '../../contract/objects/tool-invocation.js'
import { SYSTEM_TENANT, type DocumentWrite, type Store, type StoredDocument } from '../../storage/store.js'
import type { DocumentKey } from '../../storage/update-documents.js'
import type { WatchTopic } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { approvalRef, projectCall } from '../../storage/journal/project-call.js'
import type { LoggedChunk } from '../../storage/store.js'
import type { KeptApproval } from '../../approvals/kept-approval.js'

export const APPROVAL_KIND = 'approval'

/** An approval from the store, and the revision that an answer must replace. */
export interface FoundApproval {
  kept: KeptApproval
  revision: number
}

export async function readApproval(
  store: Store,
  tenant: string,
  id: string,
): Promise<FoundApproval | undefined> {
  return toFound(await store.getDocument(tenant, APPROVAL_KIND, id))
}

export function approvalKey({ tenant, id }: { tenant: string; id: string }): DocumentKey {
  return { tenant, kind: APPROVAL_KIND, id }
}

export function toFound(document: StoredDocument | undefined): FoundApproval | undefined {
  return document && { kept: toKept(document.value), revision: document.revision }
}

export async function* walkApprovals(store: Store, tenant: string): AsyncGenerator<KeptApproval, void, void> {
  for await (const { value } of walkDocuments(store, { tenant, kind: APPROVAL_KIND })) yield toKept(value)
}

/** The document is untrusted: its proofs show whether it is genuine. */
function toKept(value: unknown): KeptApproval {
  return (typeof value === 'object' && value !== null ? value : {}) as KeptApproval
}

/** `id` and `tenant` come from the caller, because the content of a stored approval is untrusted. */
export function approvalWrite(
  { tenant, id }: { tenant: string; id: string },
  kept: KeptApproval,
  { now, expectedRevision }: { now: number; expectedRevision?: number | undefined },
): DocumentWrite {
  return { tenant, kind: APPROVAL_KIND, id, updatedAt: now, value: kept, expectedRevision }
}

const CHANGES_KIND = 'approval_news'

/** Watched by processes that want to know about new, answered and settled approvals. */
export const APPROVAL_CHANGES: WatchTopic = { of: 'documents', tenant: SYSTEM_TENANT, kind: CHANGES_KIND }

/** Two revision counters, so that waiting processes need not read every approval after every write. */
export type ApprovalChange = 'changed' | 'answered'

export function changeWrite(change: ApprovalChange, now: number): DocumentWrite {
  return { tenant: SYSTEM_TENANT, kind: CHANGES_KIND, id: change, updatedAt: now, value: {} }
}

export async function readChanges(store: Store, change: ApprovalChange): Promise<number> {
  return (await store.getDocument(SYSTEM_TENANT, CHANGES_KIND, change))?.revision ?? 0
}

const REF = approvalRef('')

/** The approval that a call waits for according to its events; `undefined` if it does not wait. */
export function waitingFor(chunks: readonly LoggedChunk[]): { approvalId: string | undefined } | undefined {
  const invocation = projectCall(chunks)?.invocation
  return invocation?.status === 'awaiting_approval' ? { approvalId: lastAsked(invocation) } : undefined
}

/** The last approval that was requested for a call. */
export function lastAsked({ approval_request_ref: ref }: ToolInvocation): string | undefined {
  return ref?.startsWith(REF) ? ref.slice(REF.length) : undefined
}
