import type { Credential, Proof } from './credential.js'

/** New credentials may be refused again, such as for a scope that was not asked for before. */
const MAX_TRIES = 4

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface WithCredentialOptions {
  readonly credential: Credential | undefined
  readonly url: URL
  readonly signal?: AbortSignal | undefined
}

/** A credential that would go to another origin than its own. The message is the rest of a sentence. */
export class ForeignOrigin extends Error {
  override readonly name = 'ForeignOrigin'
  readonly code = 'foreign_origin'
}

type Send<Answer> = (proof: Proof) => Promise<Answer>

/** Sends a request with its proof, and again where a refusal brings a new one. Nothing is sent to a foreign origin. */
export function withCredential<Answer extends Answered>(
  { credential, url, signal }: WithCredentialOptions,
  send: Send<Answer>,
): Promise<Answer> {
  if (!credential) return send({})
  if (url.origin !== credential.origin)
    return Promise.reject(new ForeignOrigin('its credentials belong to another address'))
  return sendUntilAccepted(credential, signal, send)
}

async function sendUntilAccepted<Answer extends Answered>(
  credential: Credential,
  signal: AbortSignal | undefined,
  send: Send<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const given = credential.proof()
    // Most requests have values that are set: they do not wait.
    const sent = given instanceof Promise ? await unlessAborted(given, signal) : given
    const answer = await send(sent)
    const { status } = answer
    if ((status !== 401 && status !== 403) || tries === MAX_TRIES || !credential.refused) return answer
    const wwwAuthenticate = textOf(answer.headers['www-authenticate'])
    const next = credential.refused({ status, wwwAuthenticate, sent })
    if ((await unlessAborted(next, signal)) === 'give_up') return answer
  }
}

/** A path and query with the parameters of a proof, each in place of one of the same name. The others stay as they are written. */
export function withQuery(path: string, query: Proof['query']): string {
  if (query === undefined) return path
  const mark = path.indexOf('?')
  const before = mark === -1 ? [] : path.slice(mark + 1).split('&')
  const kept = before.filter((pair) =>
    [...new URLSearchParams(pair).keys()].every((name) => !Object.hasOwn(query, name)),
  )
  const added = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join('='))
  return `${mark === -1 ? path : path.slice(0, mark)}?${[...kept, ...added].join('&')}`
}

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ')

/** A login may take as long as a person takes: whoever gives up does not wait for it. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
