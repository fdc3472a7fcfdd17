import type { ErrorCode } from '../contract/error-codes.js'

/** `setup_required`: something else than the credential is missing, such as a package. */
export type CredentialCode = Extract<
  ErrorCode,
  'toolcrib.credential_missing' | 'toolcrib.setup_required' | 'toolcrib.dependency_unavailable'
>

/** Why a credential cannot be used: one sentence that says what to do and holds nothing secret. */
export interface MissingCredential {
  readonly message: string
  readonly code: CredentialCode
}

export interface CredentialProblem extends Error {
  readonly code: CredentialCode
}

export function credentialProblem({ message, code }: MissingCredential): CredentialProblem {
  return Object.assign(new Error(message), { code })
}

/** Something else than the credential is missing. */
export function setupProblem(message: string): CredentialProblem {
  return credentialProblem({ message, code: 'toolcrib.setup_required' })
}

const CODES: readonly string[] = [
  'toolcrib.credential_missing',
  'toolcrib.setup_required',
  'toolcrib.dependency_unavailable',
] satisfies readonly CredentialCode[]

export function isCredentialProblem(error: unknown): error is CredentialProblem {
  return error instanceof Error && 'code' in error && CODES.includes(error.code as string)
}

/** How a person sets a credential up, for messages: the entry and the name of the scheme. */
export interface CredentialOwner {
  readonly entry: string
  readonly name: string
}

/** `"petstore" needs a credential (ApiKeyAuth): …` */
export function missingCredential({ entry, name }: CredentialOwner, remedy: string): MissingCredential {
  return {
    message: `"${entry}" needs a credential (${name}): ${remedy}.`,
    code: 'toolcrib.credential_missing',
  }
}
