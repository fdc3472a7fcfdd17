import { credentialProblem, type CredentialOwner, type CredentialProblem } from '../credential-problem.js'
import { toLoginFailed } from './login-problem.js'
import { TokenRefused } from './request-token.js'

/** A failed request for a token. A person has to act where the authorization server refused; else it may work later. */
export function tokenProblem({ entry }: CredentialOwner, step: string, error: unknown): CredentialProblem {
  const { message } = toLoginFailed(`"${entry}"`, step, error)
  const isRefused = error instanceof TokenRefused
  return credentialProblem({
    message,
    code: isRefused ? 'toolcrib.credential_missing' : 'toolcrib.dependency_unavailable',
  })
}
