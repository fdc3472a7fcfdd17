import { createHash, randomBytes } from 'node:crypto'
import { createIdSource } from '../../contract/ids.js'
import { isoTime } from '../../contract/iso-time.js'
import type { EventClass } from '../../contract/unions.js'
import { newToken } from '../../credentials/gateway-token.js'
import { createSerialQueue } from '../../platform/async/create-serial-queue.js'
import type { SealKeys } from '../../platform/sealing/derive-keys.js'
import { toEventList } from '../../storage/event-list.js'
import { SYSTEM_TENANT, type EventChunk, type Store, type StoredDocument } from '../../storage/store.js'
import { updateDocuments, type DocumentKey, type DocumentsChange } from '../../storage/update-documents.js'
import { checkTokenDraft } from './check-token-draft.js'
import {
  loadTokens,
  loadTokenUses,
  parseToken,
  signToken,
  TOKEN_KIND,
  TOKEN_NAME_KIND,
  TOKEN_USE_KIND,
  type NamedToken,
  type TokenDraft,
} from './token-documents.js'

export type TokenOutcome<More extends object = object> =
  | ({ readonly ok: true; readonly record: NamedToken } & More)
  | { readonly ok: false; readonly problem: 'invalid' | 'exists' | 'unknown'; readonly message: string }

/** A token that was just made. It is shown once: the store has its digest only. */
export interface NewToken {
  readonly token: string
}

/** Who changes a token. */
export interface TokenAuthor {
  /** The name in the records. */
  readonly by: string
  /** The actors that the author calls tools as: whoever sees the token could answer for their calls with it. */
  readonly actors: readonly string[]
}

/** The named tokens of a store, as they are now in every process that shares it. */
export interface NamedTokens {
  /** All of them, the newest last; also those that have ended. */
  list(): readonly NamedToken[]
  get(tokenId: string): NamedToken | undefined
  /** Those with this name that are not revoked: each tenant may have one. */
  named(name: string): readonly NamedToken[]
  /** The valid token with this digest; `ended` for one that was valid once. */
  find(digest: string): NamedToken | 'ended' | undefined
  lastUsedAt(tokenId: string): number | undefined
  create(draft: TokenDraft, author: TokenAuthor): Promise<TokenOutcome<NewToken>>
  /** Replaces the token. The old one ends at once. */
  rotate(tokenId: string, author: TokenAuthor): Promise<TokenOutcome<NewToken>>
  revoke(tokenId: string, author: TokenAuthor): Promise<TokenOutcome>
  /** Calls back with the digests of tokens that have ended, whichever process ended them. */
  watch(changed: (ended: readonly string[]) => void): () => void
  /** Stores when a token was used, at most once a minute and not before the caller goes on. */
  noteUse(tokenId: string): void
  close(): Promise<void>
}

export interface NamedTokensOptions {
  readonly store: Store
  keys(): SealKeys
  /** The tenant of tokens that name none, where the events about them are. */
  readonly tenant: string
  /** The actor of the user's own calls, which no token may use. */
  readonly owner: string
  /** What is wrong with a surface that a token names. */
  surfaceProblem(draft: { name: string; surface: string }): string | undefined
}

const USES_EVERY_MS = 60_000
const RETRY_MS = 1000

export async function openNamedTokens(options: NamedTokensOptions): Promise<NamedTokens> {
  const { store, keys } = options
  const ids = createIdSource(randomBytes)
  const loads = createSerialQueue()
  const events = createTokenEvents(options, ids.next('tokens', store.now()))
  const listeners = new Set<(ended: readonly string[]) => void>()
  /** The last use of each token in any process that shares the store. */
  const usedAt = new Map<string, number>()
  const unsavedUses = new Set<string>()
  let table = tableOf([])
  let isClosed = false

  async function load(): Promise<void> {
    const before = table
    table = tableOf(await loadTokens(store, keys()))
    const ended = [...before.live.keys()].filter((digest) => !table.live.has(digest))
    for (const listener of listeners) listener(ended)
  }

  async function loadUses(): Promise<void> {
    for (const [tokenId, at] of await loadTokenUses(store)) noteUse(tokenId, at)
  }

  function noteUse(tokenId: string, at: number): void {
    usedAt.set(tokenId, Math.max(at, usedAt.get(tokenId) ?? 0))
  }

  function reload(part: () => Promise<void>): void {
    loads.run(part).catch(() => {
      // A store that cannot be read for a moment is read again: a token may have been revoked.
      if (!isClosed) setTimeout(reload, RETRY_MS, part).unref()
    })
  }

  /** One change at a time, because the events of this process are counted. */
  function write(
    documents: readonly DocumentKey[],
    make: (found: readonly (StoredDocument | undefined)[]) => DocumentsChange<TokenOutcome>,
  ): Promise<TokenOutcome> {
    return loads.run(async () => {
      const outcome = await updateDocuments(store, documents, make)
      if (outcome.ok) {
        events.written(outcome.record)
        await store.sync()
      }
      await load()
      return outcome
    })
  }

  async function change(
    tokenId: string,
    make: (found: NamedToken, now: number) => { next: NamedToken; event: EventClass },
    by: string,
  ): Promise<TokenOutcome> {
    return write([keyOf(tokenId)], ([document]) => {
      const found = document && parseToken(keys(), document)
      if (!found || found.revokedAt !== undefined) return { result: unknownToken(tokenId) }
      const { next, event } = make(found, store.now())
      return written(options, { record: next, chunk: events.chunkOf(next, { event, by }) })
    })
  }

  async function writeUses(): Promise<void> {
    const noted = [...unsavedUses]
    unsavedUses.clear()
    if (noted.length === 0) return
    const documents = noted.map((id) => {
      const at = usedAt.get(id)!
      return { tenant: SYSTEM_TENANT, kind: TOKEN_USE_KIND, id, updatedAt: at, value: { usedAt: at } }
    })
    try {
      await store.write({ documents })
    } catch {
      // The next use is stored.
    }
  }

  // Watched before they are read: a change in between is not missed.
  const watch = (kind: string, part: () => Promise<void>) =>
    store.watch([{ of: 'documents', tenant: SYSTEM_TENANT, kind }], () => reload(part), { unref: true })
  const stops = [watch(TOKEN_KIND, load), watch(TOKEN_USE_KIND, loadUses)]
  await loads.run(load)
  await loads.run(loadUses)
  const uses = setInterval(() => void writeUses(), USES_EVERY_MS).unref()

  return {
    list: () => table.all,
    get: (tokenId) => table.byId.get(tokenId),
    named: (name) => [...table.live.values()].filter((token) => token.name === name),
    find(digest) {
      const token = table.live.get(digest)
      if (token === undefined) return table.ended.has(digest) ? 'ended' : undefined
      return token.expiresAt !== undefined && token.expiresAt <= store.now() ? 'ended' : token
    },
    lastUsedAt: (tokenId) => usedAt.get(tokenId),
    async create(draft, { by, actors }) {
      const problem = checkTokenDraft(draft, { ...options, now: store.now() })
      if (problem !== undefined) return { ok: false, problem: 'invalid', message: problem }
      const token = newToken()
      const tokenId = ids.next('tok', store.now())
      const outcome = await write([keyOf(tokenId), nameKey(options, draft)], ([, taken]) => {
        if (taken) return { result: takenName(draft.name) }
        const record = recordOf(draft, { tokenId, token, by, actors, now: store.now() })
        const chunk = events.chunkOf(record, { event: 'toolcrib.token.created', by })
        const change = written(options, { record, chunk })
        return { ...change, values: new Map([...change.values!, [1, { tokenId }]]) }
      })
      return outcome.ok ? { ...outcome, token } : outcome
    },
    async rotate(tokenId, { by, actors }) {
      const token = newToken()
      const outcome = await change(
        tokenId,
        (found, now) => ({
          next: {
            ...found,
            digest: digestOf(token),
            rotatedAt: now,
            above: [...new Set([...found.above, ...actors])],
          },
          event: 'toolcrib.token.rotated',
        }),
        by,
      )
      return outcome.ok ? { ...outcome, token } : outcome
    },
    revoke: (tokenId, { by }) =>
      change(
        tokenId,
        (found, now) => ({
          next: { ...found, revokedAt: now },
          event: 'toolcrib.token.revoked',
        }),
        by,
      ),
    watch(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    noteUse(tokenId) {
      noteUse(tokenId, store.now())
      unsavedUses.add(tokenId)
    },
    async close() {
      isClosed = true
      for (const stop of stops) stop()
      clearInterval(uses)
      listeners.clear()
      await writeUses()
      await loads.idle()
    },
  }
}

interface TokenTable {
  readonly all: readonly NamedToken[]
  readonly byId: ReadonlyMap<string, NamedToken>
  /** By their digests, expired ones included. */
  readonly live: ReadonlyMap<string, NamedToken>
  readonly ended: ReadonlySet<string>
}

function tableOf(all: readonly NamedToken[]): TokenTable {
  const live = all.filter(({ revokedAt }) => revokedAt === undefined)
  const ended = all.filter(({ revokedAt }) => revokedAt !== undefined)
  return {
    all,
    byId: new Map(all.map((token) => [token.tokenId, token])),
    live: new Map(live.map((token) => [token.digest, token])),
    ended: new Set(ended.map(({ digest }) => digest)),
  }
}

function recordOf(
  draft: TokenDraft,
  { tokenId, token, by, actors, now }: { tokenId: string; token: string; now: number } & TokenAuthor,
): NamedToken {
  const { name, actor = name, roles, ...rest } = draft
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return {
    tokenId,
    name,
    actor,
    roles: [...new Set(roles)],
    ...given,
    createdAt: now,
    createdBy: by,
    above: [...actors],
    digest: digestOf(token),
  }
}

/** The events of this process about tokens, in a stream for each tenant. No other process writes to these streams. */
function createTokenEvents({ tenant: home }: Pick<NamedTokensOptions, 'tenant'>, stream: string) {
  const sequences = new Map<string, number>()
  const tenantOf = ({ tenant = home }: NamedToken): string => tenant
  return {
    chunkOf(record: NamedToken, { event, by }: { event: EventClass; by: string }): EventChunk {
      const tenant = tenantOf(record)
      const at = record.revokedAt ?? record.rotatedAt ?? record.createdAt
      const data = {
        token_id: record.tokenId,
        name: record.name,
        actor: record.actor,
        roles: record.roles,
        by,
        ...(record.surface !== undefined && { surface: record.surface }),
        ...(record.expiresAt !== undefined && { expires_at: isoTime(record.expiresAt) }),
      }
      const firstSequence = (sequences.get(tenant) ?? 0) + 1
      return {
        tenant,
        stream,
        firstSequence,
        baseTime: at,
        events: toEventList([{ type: event, at, data }], at),
      }
    },
    written(record: NamedToken): void {
      const tenant = tenantOf(record)
      sequences.set(tenant, (sequences.get(tenant) ?? 0) + 1)
    },
  }
}

/** The token and the event about it, both or neither. A name is free again when its token is revoked. */
function written(
  { keys, tenant }: Pick<NamedTokensOptions, 'keys' | 'tenant'>,
  { record, chunk }: { record: NamedToken; chunk: EventChunk },
): DocumentsChange<TokenOutcome> {
  const freed = { ...nameKey({ tenant }, record), updatedAt: chunk.baseTime, value: undefined }
  return {
    values: new Map([[0, signToken(keys(), record)]]),
    chunks: [chunk],
    ...(record.revokedAt !== undefined && { also: [freed] }),
    result: { ok: true, record },
  }
}

function keyOf(tokenId: string): DocumentKey {
  return { tenant: SYSTEM_TENANT, kind: TOKEN_KIND, id: tokenId }
}

/** Names are those of a tenant: another one neither learns of them nor takes them. A name has no slash. */
function nameKey(
  { tenant: home }: Pick<NamedTokensOptions, 'tenant'>,
  { name, tenant = home }: Pick<TokenDraft, 'name' | 'tenant'>,
): DocumentKey {
  return { tenant: SYSTEM_TENANT, kind: TOKEN_NAME_KIND, id: `${tenant}/${name}` }
}

/** The SHA-256 of a token in hex, by which it is known. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function unknownToken(tokenId: string): TokenOutcome<never> {
  return { ok: false, problem: 'unknown', message: `There is no token "${tokenId}", or it was revoked.` }
}

function takenName(name: string): TokenOutcome<never> {
  const message = `There is a token "${name}" already; take another name, rotate it, or revoke it first.`
  return { ok: false, problem: 'exists', message }
}
