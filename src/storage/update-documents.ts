import { storeError } from './store-error.js'
import type { DocumentWrite, EventChunk, Store, StoredDocument } from './store.js'

export interface DocumentKey {
  readonly tenant: string
  readonly kind: string
  readonly id: string
}

export interface DocumentsChange<Result> {
  /** The new values by the index of their key; documents of missing keys stay unchanged. Absent: nothing is written. */
  readonly values?: ReadonlyMap<number, unknown>
  /** Written together with them: all of it, or nothing. */
  readonly also?: readonly DocumentWrite[]
  /** Events that are written together with them. */
  readonly chunks?: readonly EventChunk[]
  readonly result: Result
}

export interface UpdateOptions<Result> {
  /** By default the store's time. */
  now?: (() => number) | undefined
  /** From 0 up to 1, as `Math.random`: spreads writers that conflict. */
  random?: (() => number) | undefined
  tries?: number | undefined
  /** Returned when all tries were lost; without it that is an error. */
  crowded?: (() => Result) | undefined
}

const TRIES = 200
const LONGEST_WAIT_MS = 32

/**
 * Reads documents, changes them and writes them if none of them was written meanwhile; otherwise all of it is repeated.
 * So `change` may be called several times, and each lost try is a success of another writer.
 */
export async function updateDocuments<Result>(
  store: Store,
  keys: readonly DocumentKey[],
  change: (
    found: readonly (StoredDocument | undefined)[],
  ) => DocumentsChange<Result> | Promise<DocumentsChange<Result>>,
  { now = () => store.now(), random = Math.random, tries = TRIES, crowded }: UpdateOptions<Result> = {},
): Promise<Result> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const found = await Promise.all(keys.map(({ tenant, kind, id }) => store.getDocument(tenant, kind, id)))
    const { values, also = [], chunks, result } = await change(found)
    if (!values) return result
    const updatedAt = now()
    const documents: DocumentWrite[] = []
    for (const [index, value] of values)
      documents.push({ ...keys[index]!, updatedAt, value, expectedRevision: found[index]?.revision ?? 0 })
    documents.push(...also)
    if (documents.length === 0) return result
    const { conflictingDocuments } = await store.write({
      documents,
      ...(chunks && { chunks }),
      allOrNothing: true,
    })
    if (conflictingDocuments.length === 0) return result
    await wait(random() * Math.min(LONGEST_WAIT_MS, 2 ** attempt))
  }
  if (crowded) return crowded()
  const [first] = keys
  throw storeError(
    'toolcrib.store_failed',
    `The ${first?.kind} ${first?.id} is written by too many at once; try again.`,
  )
}

/** Keeps the process alive: the caller waits for the write. */
function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
