import type { LiveSecrets } from '../redaction/live-secrets.js'
import { credentialProblem, missingCredential, type MissingCredential } from './credential-problem.js'
import type { AccountFields, SecretSettings } from './credential-settings.js'
import { openSecret, parseObject } from './secrets/open-secret.js'
import type { SecretContext } from './secrets/secret-source.js'
import { declaredSecrets } from './secrets-of-proof.js'
import { trackSecrets } from './track-secrets.js'

/** The fields that the secret of a service account needs, by what it is for. The names are those of AML. */
export const SERVICE_ACCOUNT_FIELDS = {
  aws: ['access_key_id', 'secret_access_key'],
  gcp: ['type', 'project_id', 'private_key', 'client_email'],
  azure: ['tenant_id', 'client_id', 'client_secret'],
  // AML names no fields for Kafka. Beside this one: `username`, `password`, `sasl_mechanism` (PLAIN by default), `ssl`.
  kafka: ['brokers'],
  postgresql: ['host', 'port', 'database', 'username', 'password'],
  mysql: ['host', 'port', 'database', 'username', 'password'],
  mssql: ['host', 'port', 'database', 'username', 'password'],
  snowflake: ['account', 'warehouse', 'username', 'password'],
  bigquery: ['project'],
  'rds-data-api': ['cluster_arn', 'database', 'username', 'password'],
} as const

export type ServiceAccountKind = keyof typeof SERVICE_ACCOUNT_FIELDS

/** The fields that are secret by themselves. */
const SECRET_FIELDS = ['secret_access_key', 'private_key', 'client_secret', 'password', 'session_token']

/** The secret of a service account, for connections that are no HTTP requests of ours. */
export interface ServiceAccount {
  missing(): MissingCredential | undefined
  /** Its fields, all of those that the kind needs among them. */
  load(options?: { readonly isRefused: boolean }): Promise<AccountFields>
}

export function openServiceAccount(
  settings: SecretSettings,
  { kind, ...context }: SecretContext & { readonly kind: ServiceAccountKind; readonly live: LiveSecrets },
): ServiceAccount {
  const source = openSecret(settings, context)
  const track = trackSecrets(context.live)
  const known = source.peek?.()
  if (known !== undefined) track(secretsOf(parseObject(known) ?? {}))
  return {
    missing: () => source.missing(),
    async load(options = { isRefused: false }) {
      const fields = parseObject(await source.load(options)) ?? {}
      track(secretsOf(fields))
      const absent = SERVICE_ACCOUNT_FIELDS[kind].filter((name) => !isGiven(fields[name]))
      if (absent.length === 0) return fields
      const names = absent.map((name) => `"${name}"`).join(', ')
      throw credentialProblem(
        missingCredential(context.owner, `its secret must be a JSON object with ${names}`),
      )
    },
  }
}

function secretsOf(fields: Readonly<Record<string, unknown>>): string[] {
  return declaredSecrets(
    SECRET_FIELDS.map((name) => fields[name]).filter((value) => typeof value === 'string'),
  )
}

const isGiven = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'
