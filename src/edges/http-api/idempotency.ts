import { createHash } from 'node:crypto'
import { removeDocuments } from '../../storage/remove-documents.js'
import { SYSTEM_TENANT, type Store } from '../../storage/store.js'
import { updateDocument } from '../../storage/update-document.js'
import { conflict, Problem, badRequest } from './problem.js'
import type { Answer, NoteCalls } from './route.js'

const KIND = 'http_idempotency_key'
/** How long a request is answered once for its key. */
const KEPT_MS = 24 * 60 * 60_000
/** After this long, a request whose process ended before it gave an answer or made a call counts as failed. */
const RUNNING_MS = 15 * 60_000
/** A longer answer is not repeated: the second request gets a sentence instead. */
const MAX_BODY_CHARS = 1_000_000

interface KeptKey {
  readonly request: string
  readonly at: number
  /** The calls that the request makes. They are answered again from their records: nothing of a result is kept here. */
  readonly calls?: readonly string[] | undefined
  readonly answer?: { readonly status: number; readonly text: string | undefined } | undefined
}

export interface IdempotencyKeys {
  /** Answers a request once for each key. */
  once(request: KeyedRequest, answers: KeyedAnswers): Promise<Answer>
  /** Forgets old keys of all tenants. */
  sweep(): Promise<void>
}

export interface KeyedRequest {
  readonly key: string
  readonly tenant: string
  readonly actor: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export interface KeyedAnswers {
  /** Does what the request asks. The calls that it makes are noted before they begin. */
  first(noteCalls: NoteCalls): Promise<Answer>
  /** Answers from the records of the calls that were made; nothing where they have no record. */
  again(calls: readonly string[]): Promise<Answer | undefined>
}

export interface IdempotencyOptions {
  readonly store: Store
  now(): number
  /** Whether the store knows a call, or knows that its record was deleted. */
  isRecorded(call: { readonly tenant: string; readonly invocationId: string }): Promise<boolean>
}

/** Keeps what requests that write did, so that a client may repeat a request whose answer it lost. */
export function createIdempotencyKeys({ store, now, isRecorded }: IdempotencyOptions): IdempotencyKeys {
  /** Whether nobody else may do the same under the key. */
  async function stands({ at, calls, answer }: KeptKey, tenant: string): Promise<boolean> {
    const age = now() - at
    if (age < RUNNING_MS) return true
    if (age >= KEPT_MS) return false
    if (answer) return true
    for (const invocationId of calls ?? []) if (await isRecorded({ tenant, invocationId })) return true
    return false
  }

  async function once(request: KeyedRequest, { first, again }: KeyedAnswers): Promise<Answer> {
    const { key, tenant, actor } = request
    if (!/^[\x21-\x7e]{1,200}$/.test(key))
      throw badRequest('The Idempotency-Key must be 1 to 200 printable characters without spaces.')
    // One list for all tenants, so that the keys of each are found and forgotten.
    const place = { tenant: SYSTEM_TENANT, kind: KIND, id: digest([tenant, actor, key]) }
    const mark = digest([request.method, request.path, request.body ?? null])
    const claim: KeptKey = { request: mark, at: now() }
    const earlier = await updateDocument<KeptKey | undefined>(
      store,
      place,
      async (found) => {
        const kept = found?.value as KeptKey | undefined
        if (kept && (await stands(kept, tenant))) return { result: kept }
        return { result: undefined, value: claim }
      },
      { now },
    )
    if (earlier) return repeat(earlier, mark, again)
    let hasCalls = false
    const noteCalls: NoteCalls = async (calls) => {
      await updateDocument(
        store,
        place,
        (found) => {
          // Another request may have taken the key over from one that needed very long.
          if ((found?.value as KeptKey | undefined)?.at !== claim.at) throw stillRuns()
          return { result: undefined, value: { ...claim, calls } satisfies KeptKey }
        },
        { now },
      )
      hasCalls = true
    }
    let given: Answer
    try {
      given = await first(noteCalls)
    } catch (error) {
      // The same key may be used for the corrected request, or when the fault is over.
      if (!hasCalls) await store.write({ documents: [{ ...place, updatedAt: now(), value: undefined }] })
      throw error
    }
    if (hasCalls) return given
    const answer = keptAnswer(given)
    await store.write({
      documents: [
        { ...place, updatedAt: now(), value: { request: mark, at: now(), answer } satisfies KeptKey },
      ],
    })
    return given
  }

  async function sweep(): Promise<void> {
    await removeDocuments(
      store,
      { tenant: SYSTEM_TENANT, kind: KIND },
      {
        isOver({ value }) {
          const { at, answer, calls } = value as KeptKey
          return at + (answer || calls ? KEPT_MS : RUNNING_MS) <= now()
        },
        now: now(),
      },
    )
  }

  return { once, sweep }
}

function keptAnswer(given: Answer): KeptKey['answer'] {
  const body = 'keptBody' in given ? given.keptBody : given.body
  const text = body === undefined ? undefined : JSON.stringify(body)
  const isKept = text === undefined || text.length <= MAX_BODY_CHARS
  return { status: given.status, text: isKept ? text : '' }
}

async function repeat(
  { request, calls, answer }: KeptKey,
  mark: string,
  again: KeyedAnswers['again'],
): Promise<Answer> {
  if (request !== mark)
    throw new Problem(
      422,
      'invalid_arguments',
      'This Idempotency-Key was used for another request; take a new one.',
    )
  const headers = { 'idempotency-replayed': 'true' }
  if (calls) {
    const given = await again(calls)
    if (given) return { ...given, headers: { ...given.headers, ...headers } }
  }
  if (!answer) throw stillRuns()
  if (answer.text === '')
    throw conflict('The first request with this key has ended, and its answer was too long to be repeated.')
  if (answer.text === undefined) return { status: answer.status, headers }
  return { status: answer.status, body: JSON.parse(answer.text) as unknown, headers }
}

function stillRuns(): Problem {
  return conflict('The first request with this Idempotency-Key still runs; ask again later.')
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
