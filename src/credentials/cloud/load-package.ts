import { createRequire } from 'node:module'
import { installCommand } from '../../platform/files/install-command.js'
import { credentialProblem, type CredentialOwner, type MissingCredential } from '../credential-problem.js'

/** The libraries of clouds and queues. They are installed by those who use them. */
export type CloudPackage =
  | '@aws-sdk/client-lambda'
  | '@aws-sdk/client-secrets-manager'
  | '@aws-sdk/client-sqs'
  | '@azure/identity'
  | '@azure/keyvault-secrets'
  | '@azure/service-bus'
  | '@google-cloud/pubsub'
  | '@google-cloud/secret-manager'
  | '@platformatic/kafka'
  | 'avsc'
  | 'google-auth-library'

/** The libraries of databases, likewise. */
export type DatabasePackage =
  | '@aws-sdk/client-rds-data'
  | '@aws-sdk/rds-signer'
  | '@google-cloud/bigquery'
  | 'kysely'
  | 'mysql2'
  | 'pg'
  | 'snowflake-sdk'
  | 'tedious'

export type OptionalPackage = CloudPackage | DatabasePackage

/** Who needs a package, for messages. `part`: what of the entry needs it, a credential by default. */
export interface PackageUser extends CredentialOwner {
  readonly part?: string | undefined
}

const { resolve } = createRequire(import.meta.url)

/** Undefined where all of them are installed. */
export function packagesMissing(
  { entry, name, part = 'credential' }: PackageUser,
  packages: readonly OptionalPackage[],
): MissingCredential | undefined {
  const missing = packages.filter((each) => !isInstalled(each))
  if (missing.length === 0) return undefined
  const nouns = missing.length === 1 ? 'the package' : 'the packages'
  return {
    message: `"${entry}" needs ${nouns} ${missing.join(' and ')} for its ${part} (${name}): run ${installCommand(missing)}.`,
    code: 'toolcrib.setup_required',
  }
}

/** Looked up again after a while: a person may install it meanwhile. All tools of a source ask at once. */
const LOOK_AGAIN_MS = 1000
const known = new Map<OptionalPackage, { readonly isThere: boolean; readonly atMs: number }>()

function isInstalled(name: OptionalPackage): boolean {
  const before = known.get(name)
  if (before && (before.isThere || performance.now() - before.atMs < LOOK_AGAIN_MS)) return before.isThere
  const isThere = canResolve(name)
  known.set(name, { isThere, atMs: performance.now() })
  return isThere
}

function canResolve(name: OptionalPackage): boolean {
  try {
    resolve(name)
    return true
  } catch {
    return false
  }
}

/** Loads a library on its first use: each takes longer than everything else at start-up. */
export async function loadPackage<Library>(name: OptionalPackage, owner: PackageUser): Promise<Library> {
  try {
    return (await import(name)) as Library
  } catch (error) {
    const missing = packagesMissing(owner, [name])
    throw missing ? credentialProblem(missing) : error
  }
}
