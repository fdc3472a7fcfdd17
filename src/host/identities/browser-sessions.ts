import { createHash, randomBytes } from 'node:crypto'
import { isSameProof, signGrant } from '../../approvals/sign-approval.js'
import { isObject } from '../../platform/json/is-object.js'
import type { SealKeys } from '../../platform/sealing/derive-keys.js'
import { SYSTEM_TENANT, type Store, type StoredDocument } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import type { OidcPerson } from './oidc-person.js'

/** Whose session it is. It ends with the token that opened it. */
export type SessionSubject =
  { readonly kind: 'token'; readonly digest: string } | { readonly kind: 'oidc'; readonly person: OidcPerson }

export interface BrowserSession {
  readonly subject: SessionSubject
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly seenAt: number
}

/** Sessions of browsers, in the store: a restart of the server ends none of them. */
export interface BrowserSessions {
  /** A new session. Only its cookie has the id; the store has a digest of it. */
  open(subject: SessionSubject): Promise<{ id: string; session: BrowserSession }>
  find(id: string): Promise<BrowserSession | undefined>
  end(id: string): Promise<void>
  close(): Promise<void>
}

export const BROWSER_SESSION_KIND = 'browser_session'
const IDLE_MS = 12 * 60 * 60_000
/** The longest time that a session lasts, however often it is used. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60
/** How exactly the last use is stored. */
const SEEN_EVERY_MS = 5 * 60_000
const CLEAN_EVERY_MS = 60 * 60_000
const MAX_CACHED = 10_000

/** When a session ends if it is not used any more. */
export function sessionExpiry({ createdAt, seenAt }: BrowserSession): number {
  return Math.min(seenAt + IDLE_MS, createdAt + SESSION_SECONDS * 1000)
}

export function openBrowserSessions({
  store,
  keys,
}: {
  readonly store: Store
  keys(): SealKeys
}): BrowserSessions {
  const cached = new Map<string, StoredSession>()
  /** The last write of a use, so that the store is not closed before it. */
  let writing: Promise<unknown> = Promise.resolve()
  // A session may be ended by another process.
  const stopWatching = store.watch(
    [{ of: 'documents', tenant: SYSTEM_TENANT, kind: BROWSER_SESSION_KIND }],
    () => cached.clear(),
    { unref: true },
  )

  async function write(
    digest: string,
    session: BrowserSession | undefined,
    expectedRevision?: number,
  ): Promise<void> {
    const value = session && { session, proof: proofOf(keys(), digest, session) }
    const key = { tenant: SYSTEM_TENANT, kind: BROWSER_SESSION_KIND, id: digest }
    await store.write({ documents: [{ ...key, updatedAt: store.now(), value, expectedRevision }] })
  }

  async function read(digest: string): Promise<StoredSession | undefined> {
    const found = cached.get(digest)
    if (found) return found
    const document = await store.getDocument(SYSTEM_TENANT, BROWSER_SESSION_KIND, digest)
    const session = document && parseSession(keys(), document)
    if (!session) return undefined
    const stored = { session, revision: document.revision }
    if (cached.size < MAX_CACHED) cached.set(digest, stored)
    return stored
  }

  async function removeEnded(): Promise<void> {
    for await (const document of walkDocuments(store, {
      tenant: SYSTEM_TENANT,
      kind: BROWSER_SESSION_KIND,
    })) {
      const session = parseSession(keys(), document)
      if (!session || sessionExpiry(session) <= store.now()) await write(document.id, undefined)
    }
  }

  const cleaner = setInterval(() => {
    writing = writing.then(removeEnded).catch(() => {})
  }, CLEAN_EVERY_MS).unref()

  return {
    async open(subject) {
      const id = randomBytes(32).toString('base64url')
      const session = { subject, createdAt: store.now(), seenAt: store.now() }
      await write(digestOf(id), session)
      return { id, session }
    },
    async find(id) {
      const digest = digestOf(id)
      const found = await read(digest)
      const now = store.now()
      if (!found || sessionExpiry(found.session) <= now) return undefined
      const { session, revision } = found
      if (now - session.seenAt < SEEN_EVERY_MS) return session
      const seen = { ...session, seenAt: now }
      cached.set(digest, { session: seen, revision: revision + 1 })
      // By compare-and-set: a session that another process has ended meanwhile stays ended.
      writing = writing.then(() => write(digest, seen, revision)).catch(() => {})
      return seen
    },
    async end(id) {
      const digest = digestOf(id)
      cached.delete(digest)
      await write(digest, undefined)
    },
    async close() {
      clearInterval(cleaner)
      stopWatching()
      await writing
    },
  }
}

interface StoredSession {
  readonly session: BrowserSession
  readonly revision: number
}

function digestOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}

function proofOf(keys: SealKeys, digest: string, session: BrowserSession): string {
  return signGrant(keys, { kind: BROWSER_SESSION_KIND, digest, session })
}

/** Undefined for a document that no holder of the key has written. */
function parseSession(keys: SealKeys, { id, value }: StoredDocument): BrowserSession | undefined {
  if (!isObject(value) || !isObject(value['session'])) return undefined
  const session = value['session'] as unknown as BrowserSession
  return isSameProof(proofOf(keys, id, session), value['proof']) ? session : undefined
}
