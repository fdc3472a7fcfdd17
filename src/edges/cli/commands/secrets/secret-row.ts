import { isCredentialProblem } from '../../../../credentials/credential-problem.js'
import type { StoredSecret } from '../../../../credentials/secrets/secret-store.js'
import { usageProblem } from '../../program/usage-problem.js'

export const KEPT_IN: Readonly<Record<StoredSecret['keptIn'], string>> = {
  file: 'a sealed file',
  keyring: 'the keyring of the system',
}

/** A secret for programs, without its value. */
export function secretRow({ name, setAt, keptIn }: StoredSecret): object {
  return { name, set_at: setAt, kept_in: keptIn }
}

/** Reads or changes the stored secrets. What a person can set right ends the command with one sentence. */
export async function orUsageProblem<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task()
  } catch (error) {
    const isOurs = isCredentialProblem(error) || isSealKeyError(error)
    throw isOurs ? usageProblem((error as Error).message) : error
  }
}

function isSealKeyError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'toolcrib.seal_key_unusable'
}
