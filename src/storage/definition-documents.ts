import { nameOfRef } from '../platform/json/versioned-ref.js'
import { SYSTEM_TENANT, type DocumentWrite, type Store } from './store.js'

/**
 * Definitions that records refer to and no call contains: tools, hooks, rules, policies. The id is a ref that names the
 * version.
 */
const KIND = 'definition'
/** The version of a name that was used last. */
const LATEST_KIND = 'definition_latest'

/** Stores a definition permanently. A version is written once, however often it is used. */
export function definitionWrites(ref: string, value: object, at: number): DocumentWrite[] {
  const written: DocumentWrite = {
    tenant: SYSTEM_TENANT,
    kind: KIND,
    id: ref,
    updatedAt: at,
    value,
    expectedRevision: 0,
  }
  const name = nameOfRef(ref)
  if (name === ref) return [written]
  return [written, { tenant: SYSTEM_TENANT, kind: LATEST_KIND, id: name, updatedAt: at, value: { ref } }]
}

/** The version that the ref names; of a name alone, the last one. */
export async function readDefinition(store: Store, ref: string): Promise<unknown> {
  const found = await store.getDocument(SYSTEM_TENANT, KIND, ref)
  if (found) return found.value
  const latest = await store.getDocument(SYSTEM_TENANT, LATEST_KIND, ref)
  if (!latest) return undefined
  return (await store.getDocument(SYSTEM_TENANT, KIND, (latest.value as { ref: string }).ref))?.value
}

/** One version and when it was first used, in milliseconds. */
export async function readVersion(
  store: Store,
  ref: string,
): Promise<{ value: unknown; at: number } | undefined> {
  const found = await store.getDocument(SYSTEM_TENANT, KIND, ref)
  return found && { value: found.value, at: found.updatedAt }
}
