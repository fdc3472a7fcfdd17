import type {
  CallPage,
  CallQuery,
  CallRow,
  CallWrite,
  DocumentWrite,
  EventChunk,
  LoggedChunk,
  Store,
  StoredDocument,
  WriteGroup,
  WriteOutcome,
} from '../store.js'
import { matchesCallQuery } from '../matches-call-query.js'
import { storeError } from '../store-error.js'

const NO_CONFLICTS: WriteOutcome = { conflictingCalls: [], conflictingDocuments: [] }

interface KeptCall {
  row: CallRow
  chunks: LoggedChunk[]
}

/** Keeps everything in this process, for as long as it lives. */
export function memoryStore(): Store {
  const log: LoggedChunk[] = []
  const calls = new Map<string, KeptCall>()
  const streams = new Map<string, LoggedChunk[]>()
  const documents = new Map<string, StoredDocument>()
  const watchers = new Set<() => void>()
  let nextPosition = 1
  let closed = false

  function append(chunk: EventChunk): LoggedChunk {
    const logged = { position: nextPosition, chunk }
    nextPosition += chunk.events.length
    log.push(logged)
    return logged
  }

  function writeCall({ row, chunk }: CallWrite): boolean {
    const key = keyOf(row.tenant, row.invocationId)
    const kept = calls.get(key)
    if ((kept?.row.revision ?? 0) + 1 !== row.revision) return false
    const logged = append(chunk)
    if (kept) {
      kept.row = row
      kept.chunks.push(logged)
    } else {
      calls.set(key, { row, chunks: [logged] })
    }
    return true
  }

  function writeDocument(write: DocumentWrite): boolean {
    const key = keyOf(write.tenant, write.kind, write.id)
    const revision = documents.get(key)?.revision ?? 0
    if (write.expectedRevision !== undefined && write.expectedRevision !== revision) return false
    if (write.value === undefined) {
      documents.delete(key)
    } else {
      const { tenant, kind, id, updatedAt } = write
      // A copy, as a store on disk would give: whoever wrote it may go on changing it.
      documents.set(key, {
        tenant,
        kind,
        id,
        updatedAt,
        revision: revision + 1,
        value: structuredClone(write.value),
      })
    }
    return true
  }

  function write(group: WriteGroup): WriteOutcome {
    if (closed) throw storeError('toolcrib.store_closed', 'The store is closed; open a new crib to go on.')
    let outcome = NO_CONFLICTS
    for (const call of group.calls ?? []) {
      if (!writeCall(call)) {
        outcome = { ...outcome, conflictingCalls: [...outcome.conflictingCalls, call.row.invocationId] }
      }
    }
    for (const chunk of group.chunks ?? []) {
      const key = keyOf(chunk.tenant, chunk.stream)
      const logged = append(chunk)
      const stream = streams.get(key)
      if (stream) stream.push(logged)
      else streams.set(key, [logged])
    }
    group.documents?.forEach((document, index) => {
      if (!writeDocument(document)) {
        outcome = { ...outcome, conflictingDocuments: [...outcome.conflictingDocuments, index] }
      }
    })
    for (const changed of watchers) changed()
    return outcome
  }

  return {
    name: 'memory',
    location: 'memory',
    async open() {},
    write,
    writeNow: write,
    async sync() {},
    async readLog({ tenant, after, limit }) {
      const found: LoggedChunk[] = []
      for (let index = firstAfter(log, after); index < log.length && found.length < limit; index++) {
        const logged = log[index]!
        if (logged.chunk.tenant === tenant) found.push(logged)
      }
      return found
    },
    async lastPosition() {
      return nextPosition - 1
    },
    async readStream(tenant, stream) {
      const key = keyOf(tenant, stream)
      return [...(calls.get(key)?.chunks ?? streams.get(key) ?? [])]
    },
    async getCall(tenant, invocationId) {
      return calls.get(keyOf(tenant, invocationId))?.row
    },
    async listCalls(query) {
      return listCalls([...calls.values()], query)
    },
    async getDocument(tenant, kind, id) {
      return documents.get(keyOf(tenant, kind, id))
    },
    async listDocuments(tenant, kind) {
      return [...documents.values()]
        .filter((document) => document.tenant === tenant && document.kind === kind)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    },
    watch(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    async close() {
      closed = true
      watchers.clear()
    },
  }
}

/** Index of the first chunk that holds an event after the position. */
function firstAfter(log: LoggedChunk[], position: number): number {
  let low = 0
  let high = log.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const { position: first, chunk } = log[middle]!
    if (first + chunk.events.length - 1 > position) high = middle
    else low = middle + 1
  }
  return low
}

function listCalls(kept: KeptCall[], query: CallQuery): CallPage {
  const ordered = query.newestFirst ? kept.toReversed() : kept
  const start = query.cursor === undefined ? 0 : Number(query.cursor)
  // The cursor counts calls from the end that does not move: new ones are added at the other.
  const from = query.newestFirst && query.cursor !== undefined ? ordered.length - start : start
  const rows: CallRow[] = []
  for (let index = from; index < ordered.length; index++) {
    const { row } = ordered[index]!
    if (!matchesCallQuery(row, query)) continue
    if (rows.length === query.limit) {
      return { rows, cursor: String(query.newestFirst ? ordered.length - index : index) }
    }
    rows.push(row)
  }
  return { rows }
}

// Length-prefixed, so that no choice of names makes two keys equal.
function keyOf(...parts: string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join('')
}
