import type { Credential, Proof } from '../../../http-client/credential.js'
import { answerRefusal } from './answer-refusal.js'
import { createEarlyRenewal } from './early-renewal.js'
import { loadLibrary } from './library.js'
import { createLoginFlow, type OAuthOptions } from './login-flow.js'
import { LoginFailed } from '../../../credentials/oauth/login-problem.js'
import { readChallenge, type RefusedAnswer } from './read-challenge.js'
import type { Grant } from '../../../credentials/oauth/token-storage.js'

export interface OAuthCredentials extends Credential {
  /** Logs in again, even with a valid grant. `answer` is the server's response to a request without a token. */
  logIn(answer?: RefusedAnswer): Promise<Grant>
}

const MAX_STEP_UPS = 3
const STEP_UPS_WITHIN_MS = 10 * 60_000
/** A failure of a token concerns every request that uses it: it is not tried again for this long. */
const PAUSE_MS = 10_000

/** Credentials for requests of one user to one server, with the handling of refusals. */
export function oauthCredentials(options: OAuthOptions): OAuthCredentials {
  const { now } = options
  const flow = createLoginFlow(options)
  const early = createEarlyRenewal(flow, { now, waitMs: options.renewalWaitMs })
  let lastSent: string | undefined
  let settling: Promise<'retry' | 'give_up'> | undefined
  let stepUps: number[] = []
  let failed: { token: string | undefined; atMs: number; error: LoginFailed } | undefined

  function mayStepUp(): boolean {
    stepUps = stepUps.filter((atMs) => now() - atMs < STEP_UPS_WITHIN_MS)
    return stepUps.length < MAX_STEP_UPS && stepUps.push(now()) > 0
  }

  async function settle(
    answer: RefusedAnswer,
    refusedToken: string | undefined,
  ): Promise<'retry' | 'give_up'> {
    const isRecent = failed?.token === refusedToken && now() - (failed?.atMs ?? 0) < PAUSE_MS
    const recentFailure = isRecent ? failed?.error : undefined
    try {
      return await answerRefusal(flow, answer, { refusedToken, mayStepUp, recentFailure })
    } catch (error) {
      if (error instanceof LoginFailed && error !== recentFailure)
        failed = { token: refusedToken, atMs: now(), error }
      throw error
    }
  }

  return {
    origin: new URL(options.url).origin,

    async proof(): Promise<Proof> {
      const grant = await flow.known.look()
      const { accessToken } = grant ? await early.freshest(grant) : {}
      lastSent = accessToken
      return accessToken === undefined ? {} : { headers: { authorization: `Bearer ${accessToken}` } }
    },

    refused(answer) {
      if (answer.status !== 401 && answer.status !== 403) return Promise.resolve('give_up' as const)
      const refusedToken = answer.sent ? bearerOf(answer.sent) : lastSent
      // Requests that are refused at the same time share one attempt.
      settling ??= settle(answer, refusedToken).finally(() => (settling = undefined))
      return settling
    },

    settled: early.settled,

    async logIn(answer) {
      const library = await loadLibrary()
      const challenge = answer ? readChallenge(library, answer) : {}
      const authority = await flow.discover(library, challenge)
      const before = await flow.known.lookAgain()
      const granted = before?.issuer === authority.issuer ? before.wantedScope : undefined
      return flow.logIn(library, authority, { challenged: challenge.scope, granted })
    },
  }
}

function bearerOf({ headers }: Proof): string | undefined {
  return /^Bearer (.+)$/.exec(headers?.['authorization'] ?? '')?.[1]
}
