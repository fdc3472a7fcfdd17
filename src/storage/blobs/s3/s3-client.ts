import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPersistentConnections, openResponse } from '../../../http-client/open-response.js'
import { readBody } from '../../../http-client/send-request.js'
import { isBlobError } from '../blob-error.js'
import type { S3Settings } from './s3-settings.js'
import { s3Refusal, s3Unreachable, type S3Refusal } from './s3-failure.js'
import { sha256, signRequest, toPath, toQuery } from './sign-request.js'

export interface S3Body {
  sizeBytes: number
  hash: string
  /** A new stream of the same bytes each time: a request may be retried. */
  open(): Readable
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Absent for the bucket itself. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: S3Body | string
  /** Statuses other than 2xx that the caller handles. */
  accept?: readonly number[]
}

export interface S3Client {
  /** The caller reads the body to its end or destroys it. */
  send(request: S3Request): Promise<IncomingMessage>
  /** With a small body. */
  ask(request: S3Request): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>
  close(): void
}

const TRIES = 4
const FIRST_PAUSE_MS = 100
const MAX_IDLE = 8
const MAX_TEXT_BYTES = 8 * 1024 * 1024

/** Signs and sends requests, and retries after failures of the network or the server. Follows no redirect. */
export function createS3Client(settings: S3Settings): S3Client {
  const url = new URL(`${settings.origin.protocol}//${settings.host}`)
  const keptConnections = createPersistentConnections(url, { maxIdle: MAX_IDLE })
  let isClosed = false

  function sendOnce(request: S3Request): Promise<IncomingMessage> {
    const { method, key, query = {}, body = '' } = request
    const path = `${toPath(settings.basePath)}/${key === undefined ? '' : toPath(key)}`
    const payloadHash = typeof body === 'string' ? sha256(body) : body.hash
    const headers = signRequest(
      { method, host: settings.host, path, query, headers: request.headers ?? {}, payloadHash },
      { ...settings, now: new Date() },
    )
    const search = toQuery(query)
    return openResponse({
      method,
      url,
      // As it was signed: `URL` would encode some of it differently.
      path: search === '' ? path : `${path}?${search}`,
      headers: { ...headers, ...kindOf(method, body) },
      body: typeof body === 'string' ? body : body.open(),
      reach: 'named',
      idleMs: settings.timeoutMs,
      keptConnections,
    })
  }

  async function attempt(request: S3Request): Promise<IncomingMessage> {
    const response = await sendOnce(request)
    const status = response.statusCode ?? 0
    if ((status >= 200 && status < 300) || request.accept?.includes(status)) return response
    throw s3Refusal(settings, { status, headers: response.headers, text: await readText(response) })
  }

  async function retry<Value>(work: () => Promise<Value>): Promise<Value> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        const refusal = isBlobError(error) ? (error as S3Refusal) : undefined
        if (isClosed || refusal?.mayPass === false || tries === TRIES)
          throw refusal ?? s3Unreachable(settings, error)
        await sleep(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random()))
      }
    }
  }

  return {
    send: (request) => retry(() => attempt(request)),
    ask: (request) =>
      retry(async () => {
        const response = await attempt(request)
        const text = await readText(response)
        return { status: response.statusCode ?? 0, headers: response.headers, text }
      }),
    close() {
      isClosed = true
      keptConnections.close()
    },
  }
}

/** The headers of a body; also of an empty one, which some servers would otherwise treat as missing. */
function kindOf(method: S3Request['method'], body: S3Body | string): Record<string, string | number> {
  if (method !== 'PUT' && method !== 'POST') return {}
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.sizeBytes
  return { 'content-type': 'application/octet-stream', 'content-length': length }
}

async function readText(response: IncomingMessage): Promise<string> {
  return (await readBody(response, MAX_TEXT_BYTES)).toString('utf8')
}
