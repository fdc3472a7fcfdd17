import type { ToolInvocation } from '../../contract/objects/tool-invocation.js'
import { SYSTEM_TENANT, type DocumentWrite, type Store, type StoredDocument } from '../../storage/store.js'
import type { DocumentKey } from '../../storage/update-documents.js'
import type { WatchTopic } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { approvalRef, projectCall } from '../../storage/journal/project-call.js'
import type { LoggedChunk } from '../../storage/store.js'
import type { KeptApproval } from '../../approvals/kept-approval.js'

const KIND = 'approval'

/** An approval out of the store, and the revision that an answer has to replace. */
export interface FoundApproval {
  kept: KeptApproval
  revision: number
}

export async function readApproval(
  store: Store,
  tenant: string,
  id: string,
): Promise<FoundApproval | undefined> {
  return toFound(await store.getDocument(tenant, KIND, id))
}

export function approvalKey({ tenant, id }: { tenant: string; id: string }): DocumentKey {
  return { tenant, kind: KIND, id }
}

export function toFound(document: StoredDocument | undefined): FoundApproval | undefined {
  return document && { kept: toKept(document.value), revision: document.revision }
}

export async function* walkApprovals(store: Store, tenant: string): AsyncGenerator<KeptApproval, void, void> {
  for await (const { value } of walkDocuments(store, { tenant, kind: KIND })) yield toKept(value)
}

/** Anybody may have written it: whether it is one is found out by its proofs. */
function toKept(value: unknown): KeptApproval {
  return (typeof value === 'object' && value !== null ? value : {}) as KeptApproval
}

/** `id` and `tenant` are taken from the caller: what stands in a kept approval may be anybody's work. */
export function approvalWrite(
  { tenant, id }: { tenant: string; id: string },
  kept: KeptApproval,
  { now, expectedRevision }: { now: number; expectedRevision?: number | undefined },
): DocumentWrite {
  return { tenant, kind: KIND, id, updatedAt: now, value: kept, expectedRevision }
}

const NEWS_KIND = 'approval_news'

/** For whoever wants to hear that a question was asked, answered or settled. */
export const APPROVAL_NEWS: WatchTopic = { of: 'documents', tenant: SYSTEM_TENANT, kind: NEWS_KIND }

/** Two numbers that go up, so that whoever waits need not read every question after every write. */
export type ApprovalChange = 'changed' | 'answered'

export function changeWrite(news: ApprovalChange, now: number): DocumentWrite {
  return { tenant: SYSTEM_TENANT, kind: NEWS_KIND, id: news, updatedAt: now, value: {} }
}

export async function readChanges(store: Store, news: ApprovalChange): Promise<number> {
  return (await store.getDocument(SYSTEM_TENANT, NEWS_KIND, news))?.revision ?? 0
}

const REF = approvalRef('')

/** What a call waits for, as its events say; nothing when they do not say that it waits. */
export function waitingFor(chunks: readonly LoggedChunk[]): { approvalId: string | undefined } | undefined {
  const invocation = projectCall(chunks)?.invocation
  return invocation?.status === 'awaiting_approval' ? { approvalId: lastAsked(invocation) } : undefined
}

/** The question that was last asked about a call. */
export function lastAsked({ approval_request_ref: ref }: ToolInvocation): string | undefined {
  return ref?.startsWith(REF) ? ref.slice(REF.length) : undefined
}
