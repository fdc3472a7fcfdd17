import {
  credentialProblem,
  isCredentialProblem,
  type CredentialOwner,
  type CredentialProblem,
} from '../credential-problem.js'
import { readCloudError } from './cloud-error.js'

/**
 * A failure of a cloud in our own words. `what` is the rest of a sentence, such as `AWS Secrets Manager did not give the
 * secret`.
 */
export function cloudProblem(
  { entry, name }: CredentialOwner,
  what: string,
  error: unknown,
): CredentialProblem {
  if (isCredentialProblem(error)) return error
  const { reason, kind } = readCloudError(error)
  const isOutage = kind === 'outage' || kind === 'throttled'
  return credentialProblem({
    message: `"${entry}" needs a credential (${name}): ${what} (${reason}).`,
    code: isOutage ? 'toolcrib.dependency_unavailable' : 'toolcrib.credential_missing',
  })
}
