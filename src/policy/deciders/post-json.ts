import type { Credential } from '../../http-client/credential.js'

export interface JsonPost {
  url: URL
  credential?: Credential | undefined
  body: unknown
  signal: AbortSignal
}

const MAX_ANSWER_BYTES = 1024 * 1024

/**
 * Posts JSON and reads JSON, for outside engines and classifiers. Everything but a plain 2xx with readable JSON throws
 * a sentence. The sentence names neither the URL nor a header: both may hold secrets.
 */
export async function postJson({ url, credential, body, signal }: JsonPost): Promise<unknown> {
  // Loaded on first use: most cribs have no outside engine or classifier.
  const { sendRequest } = await import('../../http-client/send-request.js')
  const { status, body: answer } = await sendRequest({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    credential,
    body: JSON.stringify(body),
    signal,
    maxBytes: MAX_ANSWER_BYTES,
    reach: 'named',
  })
  if (status >= 300 && status < 400) {
    throw new Error(`it answered with a redirect (${status}), which is not followed`)
  }
  if (status < 200 || status > 299) throw new Error(`it answered with HTTP ${status}`)
  try {
    return JSON.parse(answer.toString('utf8')) as unknown
  } catch {
    throw new Error('its answer is not JSON')
  }
}

/** The URL of an outside engine or classifier, or a TypeError that says what is wrong with it. */
export function parseAddress(where: string, url: unknown): URL {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    throw new TypeError(`${where} needs a "url" that starts with http:// or https://.`)
  }
  if (parsed.username || parsed.password) {
    throw new TypeError(`${where}: put the user and password of "url" into "headers" as authorization.`)
  }
  return parsed
}
