import type { Refusal } from './authenticate.js'
import { challenge, type ChallengeOptions } from './challenge.js'

const MESSAGES = {
  missing: 'A token is required: send it as "Authorization: Bearer <token>".',
  malformed: 'The Authorization header holds no bearer token.',
  unknown: 'This token is not known here; "toolcrib connect <client>" shows the one to send.',
  expired: 'This token is no longer valid.',
  early: 'This token is not valid yet.',
  audience: 'This token is for somebody else.',
  claim: 'This token does not say something that is needed here, such as whose it is.',
  keys: 'The keys of the issuer of this token cannot be read.',
  scope: 'This token does not have the rights that are needed here.',
  role: 'This token does not have the role that is needed here.',
} as const

export type RefusalReason = keyof typeof MESSAGES

/** A refusal in HTTP's terms. It repeats nothing of the request. */
export function refuse(reason: RefusalReason, options: Omit<ChallengeOptions, 'error'> = {}): Refusal {
  const message = MESSAGES[reason]
  const isNothingSent = reason === 'missing'
  const isForbidden = reason === 'scope' || reason === 'role'
  return {
    status: isForbidden ? 403 : 401,
    message,
    isGuess: reason === 'unknown' || reason === 'malformed',
    wwwAuthenticate: challenge({
      ...options,
      ...(!isNothingSent && {
        error: isForbidden ? 'insufficient_scope' : 'invalid_token',
        description: message,
      }),
    }),
  }
}
