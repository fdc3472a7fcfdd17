import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../caller.js'

/** Why a request does not come in, in the words of HTTP. */
export interface Refusal {
  /** 401: nothing proves who asks. 403: who asks is known, and may not. */
  readonly status: 401 | 403
  /** The text of the `WWW-Authenticate` header. */
  readonly wwwAuthenticate: string
  /** One sentence for the body. Never a part of what was sent. */
  readonly message: string
  /** False where what was sent cannot be a try to guess a token. Guesses from one address are limited. */
  readonly isGuess?: boolean | undefined
}

/** Who sent a request, by what it carries; or why nobody is believed to have. Never throws. */
export type Authenticate = (request: {
  readonly headers: IncomingHttpHeaders
  readonly url: string
}) => Promise<Caller | Refusal>

export function isRefusal(answer: Caller | Refusal): answer is Refusal {
  return 'wwwAuthenticate' in answer
}
