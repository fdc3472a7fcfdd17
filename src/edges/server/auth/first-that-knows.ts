import { isRefusal, type Authenticate, type Refusal } from './authenticate.js'

/** Asks several, one after the other: whoever knows the caller decides. */
export function firstThatKnows(all: readonly [Authenticate, ...Authenticate[]]): Authenticate {
  return async (request) => {
    let refusal: Refusal | undefined
    for (const authenticate of all) {
      const answer = await authenticate(request)
      if (!isRefusal(answer)) return answer
      // "You may not" comes from somebody who knows the caller, "who are you" from all the others.
      if (answer.status === 403) return answer
      refusal = answer
    }
    return refusal!
  }
}
