import { loadLibrary, type Library } from './library.js'
import type { LoginFlow } from './login-flow.js'
import type { LoginFailed } from '../../../credentials/oauth/login-problem.js'
import { readChallenge, type Challenge, type RefusedAnswer } from './read-challenge.js'
import type { Grant } from '../../../credentials/oauth/token-storage.js'

/** Whether more scopes may still be requested: a server that asks again and again is not followed for ever. */
export type MayStepUp = () => boolean

/** Handles a 401 or 403. `refusedToken` is the token that was sent. */
export async function answerRefusal(
  flow: LoginFlow,
  answer: RefusedAnswer,
  {
    refusedToken,
    mayStepUp,
    recentFailure,
  }: {
    refusedToken: string | undefined
    mayStepUp: MayStepUp
    /** A failure of a moment ago with the same token. */
    recentFailure: LoginFailed | undefined
  },
): Promise<'retry' | 'give_up'> {
  const grant = await flow.known.lookAgain()
  // Another request or process has logged in or renewed meanwhile.
  if (grant?.accessToken !== undefined && grant.accessToken !== refusedToken) return 'retry'
  if (recentFailure) throw recentFailure
  const library = await loadLibrary()
  const challenge = readChallenge(library, answer)
  return answer.status === 403
    ? stepUp(library, flow, { challenge, grant, mayStepUp })
    : unauthorized(library, flow, { challenge, grant })
}

interface Refused {
  readonly challenge: Challenge
  readonly grant: Grant | undefined
}

async function unauthorized(
  library: Library,
  flow: LoginFlow,
  { challenge, grant }: Refused,
): Promise<'retry' | 'give_up'> {
  if (!flow.canLogIn && grant?.refreshToken === undefined) throw flow.loginNeeded()
  const authority = await flow.discover(library, challenge)
  const own = grant?.issuer === authority.issuer ? grant : undefined
  const fresh = own && flow.justGivenBy(own)
  // Asking again for a token that was refused at once would loop.
  if (fresh === 'login') return 'give_up'
  if (own?.refreshToken !== undefined && fresh === undefined) {
    if (await flow.renew(library, authority, own.accessToken)) return 'retry'
  }
  await flow.logIn(library, authority, { challenged: challenge.scope, granted: own?.wantedScope })
  return 'retry'
}

async function stepUp(
  library: Library,
  flow: LoginFlow,
  { challenge, grant, mayStepUp }: Refused & { mayStepUp: MayStepUp },
): Promise<'retry' | 'give_up'> {
  if (challenge.error !== 'insufficient_scope' || !grant) return 'give_up'
  const wantedScope = library.computeScopeUnion(grant.scope, challenge.scope)
  if (!library.isStrictScopeSuperset(wantedScope, grant.scope)) return 'give_up'
  if (!flow.canLogIn) {
    await flow.known.save({ ...grant, wantedScope })
    throw flow.loginNeeded(`The server "${flow.server}" asks for more rights than its login has`)
  }
  if (!mayStepUp()) return 'give_up'
  const authority = await flow.discover(library, challenge)
  const granted = grant.issuer === authority.issuer ? grant.scope : undefined
  await flow.logIn(library, authority, { challenged: challenge.scope, granted })
  return 'retry'
}
