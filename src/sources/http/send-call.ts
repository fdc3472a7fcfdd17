import { Readable } from 'node:stream'
import type { ExecuteContext } from '../../catalog/execute-context.js'
import type { NativeFacts } from '../../catalog/native.js'
import type { ToolOutput } from '../../catalog/tool-output.js'
import { unconfirmedCancel } from '../../catalog/unconfirmed-cancel.js'
import { isCredentialProblem } from '../../credentials/credential-problem.js'
import type { ApiClient, ApiResponse } from '../../http-client/api-client.js'
import type { Credential } from '../../http-client/credential.js'
import { isRedirect } from '../../http-client/next-hop.js'
import { RequestFailed } from '../../http-client/request-failed.js'
import type { AnsweredRequest } from './answered-request.js'
import type { HttpPeer } from './http-peer.js'
import type { BuiltRequest } from './request/build-request.js'
import { credentialFailure, lostCall, refusedCall } from './to-failure.js'
import { toOutput } from './to-output.js'

/** One call of a tool over HTTP. */
export interface HttpCall {
  readonly peer: HttpPeer
  readonly client: ApiClient
  readonly serverUrl: URL
  readonly credential: Credential | undefined
  readonly context: Pick<ExecuteContext, 'stopSignal'>
  /** Headers beside those of the request, such as `accept`. Those of the request win. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers that no call can change. */
  readonly fixedHeaders?: Readonly<Record<string, string>> | undefined
  readonly maxBytes: number
  readonly redirectHosts?: readonly string[] | undefined
  /** Asked before each redirect is followed. */
  mayFollow?(url: URL): Promise<boolean>
  /** Whether a redirect that is not followed is an answer. Absent: it is a failure. */
  readonly takesRedirects?: boolean | undefined
  readonly isReadOnly: boolean
  /** What the record keeps beside the content. */
  factsOf(answer?: AnsweredRequest & Partial<Pick<ApiResponse, 'url'>>): NativeFacts
  now(): number
}

/** Bodies up to this size come in one piece; longer ones are streamed to the store. */
const INLINE_BYTES = 4 * 1024 * 1024
/** Enough of an error to be understood. */
const MAX_ERROR_BYTES = 256 * 1024

/** Sends a request. Rejects with the failure that an error status or a lost connection means. */
export async function sendCall(request: BuiltRequest, call: HttpCall): Promise<ApiResponse> {
  const { peer, client, serverUrl, credential, context, maxBytes, redirectHosts } = call
  const { method, url: path, body } = request
  let response: ApiResponse
  try {
    response = await client.request({
      method,
      url: serverUrl,
      path,
      headers: headersOf(request, call),
      body,
      signal: context.stopSignal,
      credential,
      inlineBytes: INLINE_BYTES,
      maxBytes,
      redirectHosts,
      ...(call.mayFollow && { mayFollow: call.mayFollow }),
    })
  } catch (error) {
    throw toCallFailure(error, call)
  }
  const { status } = response
  // A call that asks for changes only is told that there are none.
  if ((status >= 200 && status < 300) || status === 304) return response
  if (call.takesRedirects && isRedirect(status)) return response
  throw refusedCall({
    peer,
    status,
    headers: response.headers,
    body: await startOf(response.body),
    native: call.factsOf(response),
    now: call.now(),
  })
}

function headersOf({ headers, cookies, contentType }: BuiltRequest, call: HttpCall): Record<string, string> {
  const all: Record<string, string> = { ...call.headers }
  for (const name in headers) all[name] = headers[name]!
  for (const name in call.fixedHeaders) all[name] = call.fixedHeaders[name]!
  if (cookies !== undefined) all['cookie'] = cookies
  if (contentType !== undefined) all['content-type'] = contentType
  return all
}

/** The output of a successful response. */
export function outputOf(response: ApiResponse, call: HttpCall): ToolOutput {
  const { body } = response
  const facts = call.factsOf(response)
  if (Buffer.isBuffer(body)) return toOutput(response, facts)
  const stream = Readable.from(readOn(body, { call, response }), { objectMode: false })
  return toOutput({ ...response, body: stream }, facts)
}

/** A long body, whose failures are those of the call. */
async function* readOn(
  body: Readable,
  { call, response }: { call: HttpCall; response: ApiResponse },
): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>
  } catch (error) {
    throw toCallFailure(error, call, response)
  }
}

/** The beginning of an error; the rest is not read. */
async function startOf(body: ApiResponse['body']): Promise<Buffer> {
  if (!(body instanceof Readable)) return body.subarray(0, MAX_ERROR_BYTES)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MAX_ERROR_BYTES) break
    }
  } catch {
    // The status says enough.
  }
  body.destroy()
  return Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES)
}

/** The failure that an error of a request means. */
export function toCallFailure(error: unknown, call: HttpCall, answer?: ApiResponse): unknown {
  if (isCredentialProblem(error)) return credentialFailure(error)
  if (!(error instanceof RequestFailed)) return error
  const { peer, isReadOnly, context } = call
  if (error.code === 'stopped' && context.stopSignal.aborted)
    // The API may go on although its connection was closed.
    return error.mayHaveRun && !isReadOnly ? unconfirmedCancel(peer.name) : context.stopSignal.reason
  return lostCall(error, { peer, isReadOnly, native: call.factsOf(answer) })
}
