import { isRefusal, type Authenticate, type Refusal } from './authenticate.js'

/** Tries several authenticators in turn: the first that knows the caller decides. */
export function firstThatKnows(all: readonly [Authenticate, ...Authenticate[]]): Authenticate {
  return async (request) => {
    let refusal: Refusal | undefined
    for (const authenticate of all) {
      const answer = await authenticate(request)
      if (!isRefusal(answer)) return answer
      // A 403 comes from an authenticator that knows the caller; a 401 from one that does not.
      if (answer.status === 403) return answer
      refusal = answer
    }
    return refusal!
  }
}
