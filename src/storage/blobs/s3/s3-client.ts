import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardedLookup } from '../../../platform/http-client/address-rules.js'
import { isBlobError } from '../blob-error.js'
import type { S3Settings } from './s3-settings.js'
import { s3Refusal, s3Unreachable, type S3Refusal } from './s3-failure.js'
import { sha256, signRequest, toPath, toQuery } from './sign-request.js'

export interface S3Body {
  sizeBytes: number
  hash: string
  /** A new stream of the same bytes each time: a request may be tried again. */
  open(): Readable
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Nothing for the bucket itself. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: S3Body | string
  /** Answers beside 2xx that the caller wants to see. */
  accept?: readonly number[]
}

export interface S3Client {
  /** The caller reads the body to its end or destroys it. */
  send(request: S3Request): Promise<IncomingMessage>
  /** With a body that is small. */
  ask(request: S3Request): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>
  close(): void
}

const TRIES = 4
const FIRST_PAUSE_MS = 100
const MAX_TEXT_BYTES = 8 * 1024 * 1024

/** Signs and sends requests, and tries again what the network or the server failed at. Follows no redirect. */
export function createS3Client(settings: S3Settings): S3Client {
  const isSecure = settings.origin.protocol === 'https:'
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    maxFreeSockets: 8,
    lookup: guardedLookup('named'),
  })
  const open = isSecure ? httpsRequest : httpRequest
  let isClosed = false

  async function sendOnce(request: S3Request): Promise<IncomingMessage> {
    const { method, key, query = {}, body = '' } = request
    const path = `${toPath(settings.basePath)}/${key === undefined ? '' : toPath(key)}`
    const payloadHash = typeof body === 'string' ? sha256(body) : body.hash
    const headers = signRequest(
      { method, host: settings.host, path, query, headers: request.headers ?? {}, payloadHash },
      { ...settings, now: new Date() },
    )
    const search = toQuery(query)
    const outgoing = open({
      method,
      agent,
      protocol: settings.origin.protocol,
      hostname: settings.host.replace(/:\d+$/, '').replaceAll(/[[\]]/g, ''),
      port: settings.origin.port || undefined,
      path: search === '' ? path : `${path}?${search}`,
      headers: { ...headers, ...kindOf(method, body) },
      timeout: settings.timeoutMs,
    })
    outgoing.once('timeout', () => outgoing.destroy(new Error('it was silent for too long')))
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve)
      outgoing.on('error', reject)
    })
    if (typeof body === 'string') outgoing.end(body)
    // A server may answer before it has read all, and then end the connection: its answer says more than that.
    else pipeline(body.open(), outgoing).catch((error: Error) => outgoing.destroy(error))
    return answer
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
      agent.destroy()
    },
  }
}

/** What is said of a body; also of an empty one, which some servers take for none otherwise. */
function kindOf(method: S3Request['method'], body: S3Body | string): Record<string, string | number> {
  if (method !== 'PUT' && method !== 'POST') return {}
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.sizeBytes
  return { 'content-type': 'application/octet-stream', 'content-length': length }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_TEXT_BYTES) throw new Error('it answered with too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
