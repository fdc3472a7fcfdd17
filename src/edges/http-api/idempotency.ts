import { createHash } from 'node:crypto'
import { updateDocument } from '../../storage/update-document.js'
import type { Store } from '../../storage/store.js'
import { walkDocuments } from '../../storage/walk-documents.js'
import { conflict, Problem, badRequest } from './problem.js'
import type { Answer } from './route.js'

const KIND = 'http_idempotency_key'
/** How long an answer is repeated. */
const KEPT_MS = 24 * 60 * 60_000
/** After this long, a request whose process ended without an answer counts as failed. */
const RUNNING_MS = 15 * 60_000
/** A longer answer is not repeated: the second request gets a sentence instead. */
const MAX_BODY_CHARS = 1_000_000

interface KeptAnswer {
  readonly request: string
  readonly at: number
  readonly answer?: { readonly status: number; readonly text: string | undefined } | undefined
}

export interface IdempotencyKeys {
  /** Answers a request once for each key. A request without a key is answered each time. */
  once(request: KeyedRequest, answer: () => Promise<Answer>): Promise<Answer>
  /** Forgets old answers. */
  sweep(tenants: Iterable<string>): Promise<void>
}

export interface KeyedRequest {
  readonly key: string | undefined
  readonly tenant: string
  readonly actor: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Keeps the answers of requests that write, so that a client may repeat a request whose answer it lost. */
export function createIdempotencyKeys({ store, now }: { store: Store; now(): number }): IdempotencyKeys {
  async function once(request: KeyedRequest, answer: () => Promise<Answer>): Promise<Answer> {
    const { key, tenant, actor } = request
    if (key === undefined) return answer()
    if (!/^[\x21-\x7e]{1,200}$/.test(key))
      throw badRequest('The Idempotency-Key must be 1 to 200 printable characters without spaces.')
    const place = { tenant, kind: KIND, id: digest([actor, key]) }
    const mark = digest([request.method, request.path, request.body ?? null])
    const earlier = await updateDocument<KeptAnswer | undefined>(
      store,
      place,
      (found) => {
        const kept = found?.value as KeptAnswer | undefined
        if (kept && kept.at + (kept.answer ? KEPT_MS : RUNNING_MS) > now()) return { result: kept }
        return { result: undefined, value: { request: mark, at: now() } satisfies KeptAnswer }
      },
      { now },
    )
    if (earlier) return repeat(earlier, mark)
    let given: Answer
    try {
      given = await answer()
    } catch (error) {
      // Refused before anything was done: the same key may be used for the corrected request.
      if (error instanceof Problem && error.status < 500)
        await store.write({ documents: [{ ...place, updatedAt: now(), value: undefined }] })
      throw error
    }
    if (given.stream) return given
    const body = 'keptBody' in given ? given.keptBody : given.body
    const text = body === undefined ? undefined : JSON.stringify(body)
    const isKept = text === undefined || text.length <= MAX_BODY_CHARS
    const kept: KeptAnswer = {
      request: mark,
      at: now(),
      answer: { status: given.status, text: isKept ? text : '' },
    }
    await store.write({ documents: [{ ...place, updatedAt: now(), value: kept }] })
    return given
  }

  async function sweep(tenants: Iterable<string>): Promise<void> {
    for (const tenant of tenants)
      for await (const { id, value } of walkDocuments(store, { tenant, kind: KIND })) {
        const { at, answer } = value as KeptAnswer
        if (at + (answer ? KEPT_MS : RUNNING_MS) <= now())
          await store.write({ documents: [{ tenant, kind: KIND, id, updatedAt: now(), value: undefined }] })
      }
  }

  return { once, sweep }
}

function repeat({ request, answer }: KeptAnswer, mark: string): Answer {
  if (request !== mark)
    throw new Problem(
      422,
      'invalid_arguments',
      'This Idempotency-Key was used for another request; take a new one.',
    )
  if (!answer) throw conflict('The first request with this Idempotency-Key still runs; ask again later.')
  if (answer.text === '')
    throw conflict('The first request with this key has ended, and its answer was too long to be repeated.')
  const headers = { 'idempotency-replayed': 'true' }
  if (answer.text === undefined) return { status: answer.status, headers }
  return { status: answer.status, body: JSON.parse(answer.text) as unknown, headers }
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
