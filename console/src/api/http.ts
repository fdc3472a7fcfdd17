import type { Problem } from './problem.js'

/** Every request fails with this error. Status 0: the server was not reached. */
export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail)
  }
  get status(): number {
    return this.problem.status
  }
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new ApiError({ title: 'Error', status: 0, detail })
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly query?: Query
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

const API = '/api/v1'
const MOST_CACHED = 200
const RETRY_AFTER_MS = 1_000

/** Answers by address, with the ETag by which the server says that one is still right. */
const cache = new Map<string, { etag: string; value: unknown }>()
let csrfToken: string | undefined
let onSessionLost: (problem: Problem) => void = () => {}
let renewSession: () => Promise<boolean> = () => Promise.resolve(false)

export function setCsrfToken(token: string | undefined): void {
  csrfToken = token
}

/** Another person may see other records. */
export function forgetAnswers(): void {
  cache.clear()
}

export interface SessionHandlers {
  onLost(problem: Problem): void
  /** After a refused write: whether the same person has another session now, so that the write can be sent again. */
  renew(): Promise<boolean>
}

export function handleSession({ onLost, renew }: SessionHandlers): void {
  onSessionLost = onLost
  renewSession = renew
}

export function urlOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  const text = search.toString()
  return `${API}${path}${text === '' ? '' : `?${text}`}`
}

/** One request to the API. An unchanged answer (304) is the same object as before, so that nothing is drawn again. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const { method = 'GET', query } = options
  const url = urlOf(path, query)
  const known = method === 'GET' ? cache.get(url) : undefined
  const key = randomKey()
  let response = await send(url, toInit(options, { etag: known?.etag, key }))
  if (response.status === 403 && method !== 'GET' && (await renewSession()))
    response = await send(url, toInit(options, { etag: undefined, key }))
  if (response.status === 304 && known !== undefined) return known.value as T
  if (!response.ok) throw await toFailure(response, path)
  if (response.status === 204) return undefined as T
  const value: unknown = await response.json()
  const etag = response.headers.get('etag')
  if (method === 'GET' && etag !== null) remember(url, { etag, value })
  return value as T
}

function toInit(
  { method = 'GET', body, signal, headers: given }: RequestOptions,
  { etag, key }: { readonly etag: string | undefined; readonly key: string },
): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json', ...given }
  if (etag !== undefined) headers['if-none-match'] = etag
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (method !== 'GET') {
    headers['idempotency-key'] = key
    if (csrfToken !== undefined) headers['x-csrf-token'] = csrfToken
  }
  return {
    method,
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    signal: signal ?? null,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
}

/** A write has an idempotency key, so one whose answer was lost can be sent again. */
async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
  }
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError({
      title: 'No connection',
      status: 0,
      detail: 'The server cannot be reached. Check that toolcrib serve is running.',
    })
  }
}

async function toFailure(response: Response, path: string): Promise<ApiError> {
  const problem = await readProblem(response)
  if (response.status === 401 && path !== '/session') onSessionLost(problem)
  return new ApiError(problem)
}

async function readProblem(response: Response): Promise<Problem> {
  const given = (await response.json().catch(() => ({}))) as Partial<Problem>
  return {
    ...given,
    title: given.title ?? 'Error',
    status: response.status,
    detail: given.detail ?? `The server answered with status ${response.status}.`,
  }
}

function remember(url: string, entry: { etag: string; value: unknown }): void {
  cache.delete(url)
  cache.set(url, entry)
  const [oldest] = cache.keys()
  if (cache.size > MOST_CACHED && oldest !== undefined) cache.delete(oldest)
}

function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
