import { setupProblem } from '../credential-problem.js'
import { guardedFetch, safeAddress } from '../oauth/guarded-fetch.js'
import type { FunctionAnswer, FunctionCall } from './function-call.js'
import type { PackageUser } from './load-package.js'

/** Checked before an identity is asked for a token for it. */
export function functionAddress(id: string, { entry, name, part = 'credential' }: PackageUser): string {
  if (URL.canParse(id)) return safeAddress(id, id).href
  throw setupProblem(`"${entry}" needs an https address as "function_id" of its ${part} (${name}).`)
}

const REQUEST_IDS = ['x-request-id', 'function-execution-id', 'x-ms-request-id', 'x-cloud-trace-context']

/** Calls a function over HTTPS. The settings name its address; nothing is sent where it redirects. */
export async function postToFunction(
  url: string,
  { payload, contentType = 'application/json', signal, isEvent, timeoutMs, maxBytes }: FunctionCall,
  authorization: string,
): Promise<FunctionAnswer> {
  const post = guardedFetch({
    serverUrl: url,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxBytes !== undefined && { maxBytes }),
    ignoresBody: isEvent === true,
  })
  const response = await post(url, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      accept: 'application/json, */*;q=0.8',
      authorization,
      ...(isEvent && { prefer: 'respond-async' }),
    },
    body: payload,
    signal,
  })
  const { status, headers } = response
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  return {
    status,
    body: Buffer.from(await response.arrayBuffer()),
    contentType: headers.get('content-type') ?? undefined,
    requestId:
      REQUEST_IDS.map((name) => headers.get(name)).find((id) => id !== null && id !== '') ?? undefined,
    isOfGateway: isOfGateway(status, headers),
    ...(retryAfter >= 0 && { retryAfter }),
  }
}

/** Functions answer with JSON or text; the gateways before them with pages, or with a challenge. */
function isOfGateway(status: number, headers: Headers): boolean {
  if (status < 400) return false
  return headers.has('www-authenticate') || /text\/html/i.test(headers.get('content-type') ?? '')
}
