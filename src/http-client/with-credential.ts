import type { StopSignal } from '../platform/async/stop-signal.js'
import { unlessAborted } from '../platform/async/unless-aborted.js'
import { withMembers } from '../platform/json/with-members.js'
import type { Credential, Proof } from './credential.js'

/** New credentials may be refused again, for example for a scope that was not requested before. */
const MAX_TRIES = 4

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface WithCredentialOptions {
  readonly credential: Credential | undefined
  readonly url: URL
  readonly signal?: StopSignal | undefined
}

/** A credential that would be sent to another origin than its own. The message is the rest of a sentence. */
export class ForeignOrigin extends Error {
  override readonly name = 'ForeignOrigin'
  readonly code = 'foreign_origin'
}

type Send<Answer> = (proof: Proof) => Promise<Answer>

/** Sends a request with its proof, and again where a refusal leads to a new one. Nothing is sent to another origin. */
export function withCredential<Answer extends Answered>(
  { credential, url, signal }: WithCredentialOptions,
  send: Send<Answer>,
): Promise<Answer> {
  if (!credential) return send({})
  if (url.origin !== credential.origin)
    return Promise.reject(new ForeignOrigin('its credentials belong to another address'))
  return sendUntilAccepted({ credential, signal, send, tries: 1 })
}

interface Sending<Answer> {
  readonly credential: Credential
  readonly signal: StopSignal | undefined
  readonly send: Send<Answer>
  readonly tries: number
}

/** Most requests have fixed values and are accepted: these wait for nothing but the answer. */
function sendUntilAccepted<Answer extends Answered>(sending: Sending<Answer>): Promise<Answer> {
  const { credential, signal, send } = sending
  const sendWith = (sent: Proof): Promise<Answer> =>
    send(sent).then((answer) => (isRefusal(answer) ? sendAgain(sending, answer, sent) : answer))
  try {
    const given = credential.proof()
    return given instanceof Promise ? unlessAborted(given, signal).then(sendWith) : sendWith(given)
  } catch (error) {
    return Promise.reject(error)
  }
}

function isRefusal({ status }: Answered): boolean {
  return status === 401 || status === 403
}

async function sendAgain<Answer extends Answered>(
  sending: Sending<Answer>,
  answer: Answer,
  sent: Proof,
): Promise<Answer> {
  const { credential, signal, tries } = sending
  if (tries === MAX_TRIES || !credential.refused) return answer
  const wwwAuthenticate = textOf(answer.headers['www-authenticate'])
  const next = credential.refused({ status: answer.status, wwwAuthenticate, sent })
  if ((await unlessAborted(next, signal)) === 'give_up') return answer
  return sendUntilAccepted({ ...sending, tries: tries + 1 })
}

/**
 * A path and query with the parameters of a proof, which replace those of the same name. The others stay as written.
 */
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

/**
 * The headers of a request and those of a proof, which replace none of them. Its cookies are added to those of the
 * request, and replace those of the same name.
 */
export function withHeaders(
  own: Readonly<Record<string, string>> | undefined,
  { headers, cookies }: Proof,
): Record<string, string> {
  if (headers === undefined && cookies === undefined) return own ?? {}
  const all = withMembers(headers, own ?? {})
  if (cookies === undefined) return all
  const isCookie = (name: string): boolean => name.toLowerCase() === 'cookie'
  const before = Object.keys(all).flatMap((name) => (isCookie(name) ? [all[name]!] : []))
  const others = Object.entries(all).filter(([name]) => !isCookie(name))
  return { ...Object.fromEntries(others), cookie: withCookies(before, cookies) }
}

/** The value of a Cookie header with the cookies of a proof, which replace those of the same name. */
export function withCookies(before: readonly string[], cookies: NonNullable<Proof['cookies']>): string {
  const pairs = before.flatMap((value) => value.split(/;\s*/))
  const kept = pairs.filter((pair) => pair !== '' && !Object.hasOwn(cookies, pair.split('=', 1)[0]!.trim()))
  const added = Object.entries(cookies).map((pair) => pair.join('='))
  return [...kept, ...added].join('; ')
}

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ')
