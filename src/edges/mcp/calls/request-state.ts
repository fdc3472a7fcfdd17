import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from '../../../platform/json/canonical-json.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Caller } from '../../server/caller.js'
import { invalidParams } from '../invalid-params.js'

/** What a state identifies. */
export interface StateClaims {
  readonly workId: string
  readonly round: number
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** The caller that may use a state, and the request. */
export interface StateBinding {
  readonly caller: Caller
  readonly method: string
  readonly params: JsonObject
}

export interface RequestStates {
  seal(claims: StateClaims, binding: StateBinding): string
  /** Throws an McpError where it was not made here for this caller and this request, or has expired. */
  open(state: unknown, binding: StateBinding): StateClaims
}

/** States are signed with a key of this process, because the work that they identify is in its memory. */
export function createRequestStates(now: () => number): RequestStates {
  const key = randomBytes(32)

  function sign(claims: string, { caller, method, params }: StateBinding): Buffer {
    const bound = [
      claims,
      caller.actor,
      caller.tenant ?? null,
      tokenDigest(caller),
      method,
      paramsDigest(params),
    ]
    return createHmac('sha256', key).update(JSON.stringify(bound)).digest()
  }

  return {
    seal({ workId, round, expiresAt }, binding) {
      const claims = Buffer.from(JSON.stringify([workId, round, expiresAt])).toString('base64url')
      return `${claims}.${sign(claims, binding).toString('base64url')}`
    },
    open(state, binding) {
      const [claims, signature, ...more] = typeof state === 'string' ? state.split('.') : []
      if (claims === undefined || signature === undefined || more.length > 0) throw unknownState()
      const given = Buffer.from(signature, 'base64url')
      const right = sign(claims, binding)
      // Another text can decode to the same bytes.
      const isRight =
        given.length === right.length &&
        timingSafeEqual(given, right) &&
        given.toString('base64url') === signature
      if (!isRight) throw unknownState()
      const [workId, round, expiresAt] = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as [
        string,
        number,
        number,
      ]
      if (expiresAt <= now())
        throw invalidParams('The time of this requestState is over; begin anew without it.')
      return { workId, round, expiresAt }
    },
  }
}

function unknownState(): Error {
  return invalidParams('This requestState was not given out for this request; begin anew without it.')
}

export function tokenDigest({ token }: Caller): string | null {
  return token === undefined ? null : createHash('sha256').update(token).digest('base64url')
}

/** A digest of the request itself, without the fields that change when it is repeated. */
export function paramsDigest(params: JsonObject): string {
  const { _meta: _of, requestState: _state, inputResponses: _answers, task: _task, ...asked } = params
  return createHash('sha256').update(canonicalJson(asked)).digest('base64url')
}
