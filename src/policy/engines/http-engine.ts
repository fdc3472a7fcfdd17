import { headerCredential, type HeaderSource } from '../../credentials/header-credential.js'
import { checkOptions } from '../../platform/validation/check-options.js'
import { parseAddress, postJson } from '../deciders/post-json.js'
import type { EngineDescription, PolicyEngine } from './policy-engine.js'
import { readHttpAnswer } from './read-http-answer.js'

export interface HttpEngineOptions {
  url: string
  /** Its name in records; "http" by default. */
  name?: string
  headers?: HeaderSource
  timeoutMs?: number
}

/** A remote decision endpoint. It gets `{ "input": request }`; `readHttpAnswer` defines the supported answers. */
export function httpEngine(options: HttpEngineOptions): PolicyEngine {
  checkOptions('An HTTP engine', options, {
    url: 'text',
    name: 'text',
    headers: typeof options?.headers === 'function' ? 'function' : 'object',
    timeoutMs: 'positive',
  })
  const { url, name = 'http', headers, timeoutMs } = options
  const address = parseAddress('An HTTP engine', url)
  const description = describeEndpoint(address, headers)
  const credential = headerCredential({ origin: address.origin, headers })
  return {
    name,
    timeoutMs,
    describe: () => description,
    async decide(request, signal) {
      const answer = await postJson({ url: address, credential, body: { input: request }, signal })
      const read = readHttpAnswer(answer)
      if (!read) throw new Error('its answer holds no decision that can be read')
      return read
    },
  }
}

/** Without the values of headers and of the query: they may hold tokens. */
function describeEndpoint(
  { origin, pathname, searchParams }: URL,
  headers: HeaderSource | undefined,
): EngineDescription {
  const parameters = [...new Set(searchParams.keys())]
  return {
    kind: 'http',
    url: `${origin}${pathname}`,
    ...(parameters.length > 0 && { query_parameters: parameters }),
    ...(typeof headers === 'object' && { headers: Object.keys(headers) }),
  }
}
