import type { NativeFacts } from '../../catalog/native.js'
import type { ErrorCode } from '../../contract/error-codes.js'
import type { CredentialCode } from '../../credentials/credential-problem.js'
import type { RequestFailed } from '../../http-client/request-failed.js'
import { statusName } from '../../http-client/status-name.js'
import { isObject } from '../../platform/json/is-object.js'
import { cleanText } from '../../platform/text/clean-text.js'
import { textOf, type AnsweredRequest } from './answered-request.js'
import type { HttpPeer } from './http-peer.js'

export interface CallFailure {
  readonly errorClass:
    | 'execution_failed'
    | 'dependency_unavailable'
    | 'rate_limited'
    | 'setup_required'
    | 'credential_missing'
    | 'timeout'
  readonly code: ErrorCode
  /** Seconds. */
  readonly retryAfter?: number | undefined
  readonly nothingHappened?: boolean | undefined
  readonly needsOtherArguments?: boolean | undefined
  /** Of the response; the record names the error by it. */
  readonly status?: number | undefined
  readonly native?: NativeFacts | undefined
}

export function failure(message: string, facts: CallFailure): Error {
  return Object.assign(new Error(message), facts)
}

/** The class has the name of its code. */
export function credentialFailure({ message, code }: { message: string; code: CredentialCode }): Error {
  const errorClass = code.slice('toolcrib.'.length) as CallFailure['errorClass']
  return failure(message, { errorClass, code, nothingHappened: true })
}

export interface LostCall {
  readonly peer: HttpPeer
  readonly isReadOnly: boolean
  readonly native: NativeFacts
}

/** The failure of a request without a complete response. */
export function lostCall(
  { code, mayHaveRun, message }: Pick<RequestFailed, 'code' | 'mayHaveRun' | 'message'>,
  { peer: { name, noun = `the API "${name}"`, advice }, isReadOnly, native }: LostCall,
): Error {
  const start = noun.replace(/^the /, 'The ')
  const what = mayHaveRun ? 'the call may have run' : 'the call has not run'
  const lost = `${start} gave no answer (${message}); ${what}.`
  const facts = { nothingHappened: !mayHaveRun, native }
  switch (code) {
    case 'address_refused':
    case 'foreign_origin':
      return failure(`${start} is not called: ${message}. ${advice.address}`, {
        errorClass: 'setup_required',
        code: 'toolcrib.setup_required',
        ...facts,
      })
    case 'invalid_request':
      return failure(`${start} is not called: ${message}.`, {
        errorClass: 'execution_failed',
        code: 'toolcrib.request_invalid',
        needsOtherArguments: true,
        ...facts,
      })
    case 'timed_out':
      return failure(lost, { errorClass: 'timeout', code: 'toolcrib.server_lost', ...facts })
    case 'too_long':
      return failure(`The answer of ${noun} is not read: ${message}; ${what}. ${advice.size}`, {
        errorClass: 'execution_failed',
        code: 'toolcrib.answer_too_large',
        needsOtherArguments: true,
        ...facts,
      })
    case 'bad_response':
      return failure(`The answer of ${noun} cannot be read: ${message}; ${what}.`, {
        errorClass: 'execution_failed',
        code: 'toolcrib.api_error',
        ...facts,
      })
    case 'unreachable':
    case 'no_response':
    case 'connection_lost':
    case 'stopped':
      return failure(lost, {
        errorClass: mayHaveRun && !isReadOnly ? 'execution_failed' : 'dependency_unavailable',
        code: mayHaveRun ? 'toolcrib.server_lost' : 'toolcrib.server_unavailable',
        ...facts,
      })
  }
}

export interface RefusedCall extends AnsweredRequest {
  readonly peer: HttpPeer
  readonly body: Buffer | undefined
  readonly native: NativeFacts
  readonly now: number
}

const MAX_DETAIL_CHARS = 1_500
const MAX_ERROR_CHARS = 16_000

/** The failure that a response with an error status means. */
export function refusedCall({ peer, status, headers, body, native, now }: RefusedCall): Error {
  const error = errorIn(body, textOf(headers['content-type']))
  const name = statusName(status)
  const said = wordsOf(error, name)
  const start = `${peer.name} answered ${status}${name === undefined ? '' : ` ${name}`}`
  const words = said === undefined ? '' : `: ${said}`
  const wait = retryAfterOf(textOf(headers['retry-after']) ?? resetOf(headers, status), now)
  // Some APIs refuse with 403 what is too much at once, and then say when it is allowed again.
  const meant = status === 403 && wait.retryAfter !== undefined ? 429 : status
  const advice = status === 401 ? ` ${peer.advice.credential(schemesOf(native))}` : ''
  return failure(
    `${start}${redirectIn({ status, headers }, peer)}${words}${/[.!?]$/.test(words) ? '' : '.'}${advice}`,
    {
      ...classOf(meant),
      ...wait,
      status,
      native: { ...native, ...(error !== undefined && { error }) },
    },
  )
}

function classOf(
  status: number,
): Pick<CallFailure, 'errorClass' | 'code' | 'nothingHappened' | 'needsOtherArguments'> {
  const refused = { code: 'toolcrib.api_refused', nothingHappened: true } as const
  const code = 'toolcrib.api_error'
  switch (status) {
    case 401:
      return { errorClass: 'credential_missing', ...refused }
    case 408:
      return { errorClass: 'timeout', code, nothingHappened: false }
    case 409:
    case 423:
    case 425:
      // The state of the API may change.
      return { errorClass: 'execution_failed', code, nothingHappened: true }
    case 429:
      return { errorClass: 'rate_limited', code, nothingHappened: true }
    case 502:
    case 503:
    case 504:
      // A gateway says the same where the request has reached the API and its connection broke.
      return { errorClass: 'dependency_unavailable', code, nothingHappened: false }
    default:
      // A redirect that is not followed would not be followed the next time either.
      if (status < 400) return { errorClass: 'setup_required', code, nothingHappened: false }
      return status < 500
        ? { errorClass: 'execution_failed', ...refused, needsOtherArguments: true }
        : { errorClass: 'execution_failed', code, ...(status === 501 && { needsOtherArguments: true }) }
  }
}

function schemesOf({ security_scheme_refs: schemes }: NativeFacts): readonly string[] {
  return Array.isArray(schemes) ? (schemes as string[]) : []
}

/** Seconds, or a date. */
function retryAfterOf(text: string | undefined, now: number): Pick<CallFailure, 'retryAfter'> {
  if (text === undefined) return {}
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) ? { retryAfter: Math.max(0, Math.ceil(seconds)) } : {}
}

/** Some APIs only say when the quota is full again. */
function resetOf(headers: AnsweredRequest['headers'], status: number): string | undefined {
  if (status !== 429 && status !== 403) return undefined
  if (textOf(headers['x-ratelimit-remaining']) !== '0') return undefined
  const reset = Number(textOf(headers['x-ratelimit-reset']))
  // Seconds since 1970 in most APIs, seconds from now in the others.
  return reset > 1_000_000_000 ? new Date(reset * 1000).toUTCString() : reset > 0 ? String(reset) : undefined
}

function errorIn(body: Buffer | undefined, contentType: string | undefined): unknown {
  if (!body || body.length === 0) return undefined
  const text = body.toString('utf8')
  if (/json/i.test(contentType ?? '') || /^\s*[{[]/.test(text))
    try {
      const value: unknown = JSON.parse(text)
      return JSON.stringify(value).length > MAX_ERROR_CHARS ? text.slice(0, MAX_ERROR_CHARS) : value
    } catch {
      // A text that only looks like JSON is shown as it is.
    }
  return /html/i.test(contentType ?? '') ? titleOf(text) : text.slice(0, MAX_ERROR_CHARS)
}

function titleOf(html: string): string | undefined {
  return /<title[^>]*>([^<]{1,300})/i.exec(html)?.[1]?.trim()
}

/** What the API says in words, apart from the name of the status: problem details, or the members that vendors use. */
function wordsOf(error: unknown, known: string | undefined): string | undefined {
  if (typeof error === 'string') return clean(error)
  if (!isObject(error)) return error === undefined ? undefined : clean(JSON.stringify(error))
  const { title, detail, error: inner, message, error_description, errors, description, msg, reason } = error
  const words = [
    title,
    detail,
    message,
    error_description,
    description,
    msg,
    typeof inner === 'string' ? inner : undefined,
    reason,
  ].filter((each): each is string => typeof each === 'string' && each.trim() !== '')
  const added = words.filter((each) => fold(each) !== fold(known ?? ''))
  const nested = isObject(inner) ? wordsOf(inner, known) : undefined
  const list =
    Array.isArray(errors) && errors.length > 0
      ? JSON.stringify(errors)
      : isObject(errors)
        ? JSON.stringify(errors)
        : undefined
  const all = [
    ...new Set([...added, ...(nested === undefined ? [] : [nested]), ...(list === undefined ? [] : [list])]),
  ]
  if (all.length === 0) return words.length > 0 ? undefined : clean(JSON.stringify(error))
  return clean(sentences(all))
}

const fold = (text: string): string => text.toLowerCase().replaceAll(/[^a-z\d]/g, '')

const sentences = (words: readonly string[]): string =>
  words.map((each, at) => (at < words.length - 1 ? each.replace(/\.\s*$/, '') : each)).join('. ')

function clean(text: string): string | undefined {
  const cleaned = cleanText(text, MAX_DETAIL_CHARS).trim()
  return cleaned === '' ? undefined : cleaned
}

/** A redirect that was not followed. */
function redirectIn({ status, headers }: AnsweredRequest, { advice }: HttpPeer): string {
  const location = status < 400 ? textOf(headers['location']) : undefined
  if (location === undefined) return ''
  if (!URL.canParse(location)) return ' and redirects, which is not followed'
  const { host } = new URL(location)
  return ` and redirects to ${host}, which is not followed; ${advice.redirect}`
}
