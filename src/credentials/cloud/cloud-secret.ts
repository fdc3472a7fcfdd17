import { credentialProblem, missingCredential } from '../credential-problem.js'
import { rememberSecret } from '../secrets/remember-secret.js'
import type { SecretContext, SecretSource } from '../secrets/secret-source.js'
import { cloudProblem } from './cloud-problem.js'
import { packagesMissing, type CloudPackage } from './load-package.js'

export interface CloudSecretOptions {
  /** Its name in sentences: `AWS Secrets Manager`. */
  readonly store: string
  readonly packages: readonly CloudPackage[]
  /** Reads the secret from the cloud; undefined where it has no text. */
  read(signal: AbortSignal): Promise<string | undefined>
}

const TIMEOUT_MS = 15_000

/** A secret of a cloud: kept for five minutes, and read again when it is refused. */
export function cloudSecret(
  { store, packages, read }: CloudSecretOptions,
  { owner, now }: SecretContext,
): SecretSource {
  const remembered = rememberSecret({
    now,
    load: () =>
      read(AbortSignal.timeout(TIMEOUT_MS)).catch((error: unknown) => {
        throw cloudProblem(owner, `${store} did not give the secret`, error)
      }),
  })
  const missing: SecretSource['missing'] = () => packagesMissing(owner, packages)
  return {
    missing,
    async load({ isRefused }) {
      const problem = missing()
      if (problem) throw credentialProblem(problem)
      const value = await remembered({ isRefused })
      if (value !== undefined) return value
      throw credentialProblem(missingCredential(owner, `its secret in ${store} is empty`))
    },
  }
}
