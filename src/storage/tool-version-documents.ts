import { SYSTEM_TENANT, type DocumentWrite, type Store } from './store.js'
import { walkDocuments } from './walk-documents.js'

const KIND = 'tool_version'

/** A version of a tool that is no longer the listed one. */
export interface PastToolVersion {
  readonly toolId: string
  readonly fingerprint: string
  /** When it was last put into the catalog. */
  readonly listedAt: number
  /** When it was replaced or removed. */
  readonly lastSeenAt: number
}

export function toolVersionWrite(version: PastToolVersion): DocumentWrite {
  const { toolId, fingerprint, lastSeenAt } = version
  return {
    tenant: SYSTEM_TENANT,
    kind: KIND,
    id: `${toolId}@${fingerprint}`,
    updatedAt: lastSeenAt,
    value: version,
  }
}

/** In no particular order. */
export async function readToolVersions(store: Store, toolId: string): Promise<PastToolVersion[]> {
  const found: PastToolVersion[] = []
  for await (const { value } of walkDocuments(store, {
    tenant: SYSTEM_TENANT,
    kind: KIND,
    prefix: `${toolId}@`,
  })) {
    const version = value as PastToolVersion
    // The id of another tool may begin like this.
    if (version.toolId === toolId) found.push(version)
  }
  return found
}
