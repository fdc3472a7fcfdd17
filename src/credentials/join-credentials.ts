import type { Credential, Proof } from '../http-client/credential.js'
import type { OpenedCredential } from './open-credential.js'

/** Several credentials of one origin as one. Of two values for the same header or parameter the later one is sent. */
export function joinCredentials(first: OpenedCredential, second: OpenedCredential): OpenedCredential
export function joinCredentials(first: Credential, second: Credential): Credential
export function joinCredentials(
  first: Credential & Partial<OpenedCredential>,
  second: Credential & Partial<OpenedCredential>,
): OpenedCredential {
  if (first.origin !== second.origin)
    throw new TypeError('Credentials of different origins cannot be sent together.')
  return {
    origin: first.origin,
    proof: async () => merge(await first.proof(), await second.proof()),
    async refused(answer) {
      for (const each of [second, first]) if ((await each.refused?.(answer)) === 'retry') return 'retry'
      return 'give_up'
    },
    async settled() {
      await Promise.all([first.settled?.(), second.settled?.()])
    },
    missing: () => first.missing?.() ?? second.missing?.(),
  }
}

function merge(a: Proof, b: Proof): Proof {
  return {
    headers: { ...a.headers, ...b.headers },
    ...((a.query ?? b.query) && { query: { ...a.query, ...b.query } }),
    ...((a.cookies ?? b.cookies) && { cookies: { ...a.cookies, ...b.cookies } }),
  }
}
