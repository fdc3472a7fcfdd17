import type { SetupProblem } from '../../../../catalog/tool-draft.js'
import { packagesMissing, type PackageUser } from '../../../../credentials/cloud/load-package.js'
import { credentialProblem, missingCredential } from '../../../../credentials/credential-problem.js'
import { openServiceAccount } from '../../../../credentials/service-account.js'
import { declaredSecrets } from '../../../../credentials/secrets-of-proof.js'
import { trackSecrets } from '../../../../credentials/track-secrets.js'
import { canonicalJson } from '../../../../platform/json/canonical-json.js'
import type { DatabaseTransport } from '../../compiled.js'
import type { TransportEnvironment } from '../transport.js'
import { engines } from './engines/engines.js'
import { iamLogin } from './iam-login.js'
import { createPool, type AcquireOptions, type Pool } from './pool.js'
import { text } from './server-address.js'
import type { ConnectionFields, Engine, Session } from './session.js'

/** A database with one login, which several tools may share. */
export interface Database {
  readonly engine: Engine
  missing(): SetupProblem | undefined
  /** Undefined where no connection is free in time. Rejects as the engine does where it cannot connect. */
  acquire(options: AcquireOptions): Promise<Lease | undefined>
  close(): Promise<void>
}

/** A connection that one call uses. */
export interface Lease {
  readonly session: Session
  release(isUsable: boolean): void
}

/** Of one login. Further calls wait. */
export const MAX_CONNECTIONS = 10
const IDLE_MS = 30_000
const CONNECT_MS = 10_000

/** Where the fields of a connection come from. */
interface FieldSource {
  missing(): SetupProblem | undefined
  load(options: { readonly isRefused: boolean }): Promise<ConnectionFields>
  /** The fields of a new connection: those that were loaded, and a token where there is no password. */
  forLogin(fields: ConnectionFields): Promise<ConnectionFields>
}

export function openDatabase(
  { engine: name, credentials }: DatabaseTransport,
  environment: TransportEnvironment,
): Database {
  const engine = engines[name]
  const user: PackageUser = { entry: environment.entry, name, part: 'database' }
  const source =
    credentials.settings.kind === 'secret'
      ? secretFields({ engine: name, credentials }, environment)
      : iamFields({ engine: name, credentials }, { ...environment, user })
  let current: { readonly pool: Pool; readonly key: string } | undefined
  const retired = new Set<Pool>()

  function poolFor(fields: ConnectionFields): Pool {
    const key = canonicalJson(fields)
    if (current?.key === key) return current.pool
    // The secret has changed: calls that run may end with the old one.
    if (current) {
      current.pool.retire()
      retired.add(current.pool)
    }
    const pool = createPool({
      maxConnections: MAX_CONNECTIONS,
      idleMs: IDLE_MS,
      connect: async () => engine.connect(await source.forLogin(fields), { user, timeoutMs: CONNECT_MS }),
    })
    current = { pool, key }
    return pool
  }

  async function acquire(options: AcquireOptions): Promise<Lease | undefined> {
    const fields = await source.load({ isRefused: false })
    try {
      return await lease(poolFor(fields), options)
    } catch (error) {
      if (options.signal.aborted || engine.explain(error).kind !== 'login') throw error
      // The password may have been rotated since it was read.
      const newer = await source.load({ isRefused: true })
      if (canonicalJson(newer) === canonicalJson(fields)) throw error
      return lease(poolFor(newer), options)
    }
  }

  return {
    engine,
    missing: () => packagesMissing(user, engine.packages) ?? source.missing(),
    acquire,
    async close() {
      await Promise.all([current?.pool, ...retired].map((pool) => pool?.close()))
    },
  }
}

async function lease(pool: Pool, options: AcquireOptions): Promise<Lease | undefined> {
  const session = await pool.acquire(options)
  return session && { session, release: (isUsable) => pool.release(session, isUsable) }
}

const SECRET_ARN =
  'the RDS Data API also needs "secret_arn", the secret in AWS Secrets Manager with the user name and password of the database'

type Login = Pick<DatabaseTransport, 'engine' | 'credentials'>

function secretFields({ engine, credentials }: Login, environment: TransportEnvironment): FieldSource {
  const owner = { entry: environment.entry, name: engine }
  const { settings } = credentials
  if (settings.kind !== 'secret') throw new TypeError('The credentials of a service account are a secret.')
  const { env, live } = environment
  const now = (): number => environment.now()
  const account = openServiceAccount(settings.secret, { env, live, now, owner, kind: engine })
  const { secret } = settings
  // The API takes the name of the secret instead of its content.
  const secretArn = secret.source === 'aws_secrets_manager' ? secret.secret_id : undefined
  return {
    missing: () => account.missing(),
    async load(options) {
      const fields = await account.load(options)
      if (engine !== 'rds-data-api' || text(fields['secret_arn']) !== '') return fields
      if (secretArn === undefined) throw credentialProblem(missingCredential(owner, SECRET_ARN))
      return { ...fields, secret_arn: secretArn }
    },
    forLogin: async (fields) => fields,
  }
}

function iamFields(
  { engine, credentials }: Login,
  { entry, live, user }: TransportEnvironment & { readonly user: PackageUser },
): FieldSource {
  const fields = credentials.connection ?? {}
  const login = iamLogin(engine, fields)
  const track = trackSecrets(live)
  const needsSecret = engine === 'rds-data-api' && text(fields['secret_arn']) === ''
  const problem = needsSecret ? SECRET_ARN : login.problem
  return {
    missing: () =>
      packagesMissing(user, login.packages) ??
      (problem === undefined ? undefined : missingCredential({ entry, name: engine }, problem)),
    load: async () => fields,
    async forLogin(given) {
      const complete = await login.load(user)
      const secrets = [complete['password'], complete['access_token']].filter(
        (each) => typeof each === 'string',
      )
      track(declaredSecrets(secrets))
      return { ...given, ...complete }
    },
  }
}
