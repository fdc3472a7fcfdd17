import type { CredentialOwner, MissingCredential } from '../credential-problem.js'

export interface SecretContext {
  readonly env: NodeJS.ProcessEnv
  readonly owner: CredentialOwner
  now(): number
}

/** Reads one secret. */
export interface SecretSource {
  /** What is missing, as far as that is known without a request; undefined where it is set up. */
  missing(): MissingCredential | undefined
  /** The whole secret as it is now. `isRefused`: the last one was refused, so that a cached one is not enough. */
  load(options: { readonly isRefused: boolean }): Promise<string>
  /** The secret, where it is in memory anyway: it is masked before its first use. */
  peek?(): string | undefined
}
