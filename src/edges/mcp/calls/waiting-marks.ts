import { createHash } from 'node:crypto'
import { isJsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Store } from '../../../storage/store.js'

const KIND = 'mcp_waiting'

/** Which call waits for somebody's approval under a key, and by which approval. */
export interface WaitingMark {
  readonly invocationId: string
  readonly approvalId: string
}

/** Where waiting calls are found again by a later process. The key is kept as a digest: there is a token in it. */
export interface WaitingMarks {
  keep(tenant: string, key: string, mark: WaitingMark): Promise<void>
  read(tenant: string, key: string): Promise<WaitingMark | undefined>
  drop(tenant: string, key: string): Promise<void>
}

export function createWaitingMarks({ store, now }: { store: Store; now: () => number }): WaitingMarks {
  async function write(tenant: string, key: string, value: WaitingMark | undefined): Promise<void> {
    await store.write({ documents: [{ tenant, kind: KIND, id: digest(key), updatedAt: now(), value }] })
  }

  return {
    keep: write,
    async read(tenant, key) {
      const value = (await store.getDocument(tenant, KIND, digest(key)))?.value
      if (!isJsonObject(value)) return undefined
      const { invocationId, approvalId } = value
      return { invocationId: String(invocationId), approvalId: String(approvalId) }
    },
    drop: (tenant, key) => write(tenant, key, undefined),
  }
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
