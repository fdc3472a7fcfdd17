import { sameJson } from '../../platform/json/same-json.js'
import type { LiveSecrets } from '../../redaction/live-secrets.js'
import { setupProblem, type MissingCredential } from '../credential-problem.js'
import type { AccountFields, CredentialSettings } from '../credential-settings.js'
import type { SecretContext } from '../secrets/secret-source.js'
import { openServiceAccount, type ServiceAccountKind } from '../service-account.js'
import { readCloudError } from './cloud-error.js'

/** Who calls the services of a cloud: this process itself, or a service account. */
export interface CloudIdentity {
  missing(): MissingCredential | undefined
  /**
   * Works with the fields of the service account; undefined stands for the identity of this process. Where the service
   * refuses the identity and the secret has changed since, the work is done once more.
   */
  use<Result>(work: (account: AccountFields | undefined) => Promise<Result>): Promise<Result>
  /** Reads the secret again, after the service refused the identity. Whether it has changed. */
  renew(): Promise<boolean>
}

export interface IdentityContext extends SecretContext {
  readonly kind: ServiceAccountKind
  readonly live: LiveSecrets
}

export function openCloudIdentity(settings: CredentialSettings, context: IdentityContext): CloudIdentity {
  const { entry, name } = context.owner
  if (settings.kind === 'iam-role' && context.kind !== 'kafka')
    return { missing: () => undefined, use: (work) => work(undefined), renew: async () => false }
  if (settings.kind === 'secret') return serviceAccountIdentity(settings.secret, context)
  const problem = setupProblem(
    // A cluster of Kafka has no identity of a machine.
    context.kind === 'kafka'
      ? `"${entry}" needs the scheme service-account for "${name}": its secret holds the brokers and the login.`
      : `"${entry}" needs the scheme iam-role or service-account for "${name}".`,
  )
  return {
    missing: () => ({ message: problem.message, code: problem.code }),
    use: () => Promise.reject(problem),
    renew: async () => false,
  }
}

function serviceAccountIdentity(
  settings: Extract<CredentialSettings, { kind: 'secret' }>['secret'],
  context: IdentityContext,
): CloudIdentity {
  const account = openServiceAccount(settings, context)
  let current: AccountFields | undefined

  async function renew(): Promise<boolean> {
    const before = current
    const loaded = await account.load({ isRefused: true })
    const isChanged = !sameJson(before, loaded)
    if (isChanged) current = loaded
    return isChanged
  }

  return {
    missing: () => account.missing(),
    renew,
    async use(work) {
      const used = (current = keepSame(current, await account.load()))
      try {
        return await work(used)
      } catch (error) {
        if (readCloudError(error).kind !== 'refused') throw error
        // Another call may have renewed it already.
        if (current === used && !(await renew())) throw error
        return work(current)
      }
    },
  }
}

/** The same object for the same fields: connections are kept by it. */
function keepSame(before: AccountFields | undefined, now: AccountFields): AccountFields {
  return before && sameJson(before, now) ? before : now
}
