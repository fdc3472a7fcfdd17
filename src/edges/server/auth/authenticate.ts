import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../caller.js'

/** Why a request is refused, in HTTP's terms. */
export interface Refusal {
  /** 401: the caller is not authenticated. 403: the caller is known and has no access. */
  readonly status: 401 | 403
  /** The text of the `WWW-Authenticate` header. */
  readonly wwwAuthenticate: string
  /** One sentence for the body. It never repeats a part of the request. */
  readonly message: string
  /** False where the request cannot be an attempt to guess a token. Guesses from one address are limited. */
  readonly isGuess?: boolean | undefined
}

/** Identifies the sender of a request by its credentials, or says why it is refused. Never throws. */
export type Authenticate = (request: {
  readonly headers: IncomingHttpHeaders
  readonly url: string
}) => Promise<Caller | Refusal>

export function isRefusal(answer: Caller | Refusal): answer is Refusal {
  return 'wwwAuthenticate' in answer
}
