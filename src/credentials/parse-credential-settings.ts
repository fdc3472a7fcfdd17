import { nearestWord } from '../platform/config/nearest-word.js'
import { credentialSchema } from '../platform/config/schema/credentials-schema.js'
import { isObject } from '../platform/json/is-object.js'
import { withoutUndefined } from '../platform/json/without-undefined.js'
import type {
  BrokerSettings,
  CredentialSettings,
  OAuthSettings,
  SecretSettings,
} from './credential-settings.js'

export type ParsedCredential =
  | { readonly ok: true; readonly settings: CredentialSettings }
  /** Each is one sentence. */
  | { readonly ok: false; readonly problems: readonly string[] }

type Field = keyof typeof credentialSchema.properties
type Source = SecretSettings['source']

/** The fields of each source: those that it needs and those that it may have. */
export const SECRET_SOURCES: Readonly<Record<Source, { needs: readonly Field[]; takes: readonly Field[] }>> =
  {
    env: { needs: ['name'], takes: ['key'] },
    keyring: { needs: ['name'], takes: ['key'] },
    aws_secrets_manager: { needs: ['secret_id'], takes: ['region', 'key'] },
    gcp_secret_manager: { needs: ['project', 'secret'], takes: ['version', 'key'] },
    azure_key_vault: { needs: ['vault_url', 'secret_name'], takes: ['key'] },
  }

const OAUTH_FIELDS: readonly Field[] = [
  'client_secret',
  'client_auth',
  'scopes',
  'audience',
  'authorization_url',
  'token_url',
  'device_authorization_url',
  'redirect_port',
]

/** Parses the settings of one credential. `where` names them in sentences, such as `credentials.ApiKeyAuth`. */
export function parseCredentialSettings(value: unknown, where: string): ParsedCredential {
  const problems: string[] = []
  const fields = readFields(value, { where, problems, known: Object.keys(credentialSchema.properties) })
  const settings = fields && chooseKind(fields, { where, problems })
  return settings && problems.length === 0 ? { ok: true, settings } : { ok: false, problems }
}

type Fields = Readonly<Partial<Record<Field, unknown>>>

interface Parsing {
  readonly where: string
  readonly problems: string[]
}

/** The fields whose values have the right type; the others are problems. */
function readFields(
  value: unknown,
  { where, problems, known }: Parsing & { known: readonly string[] },
): Fields | undefined {
  if (!isObject(value)) {
    problems.push(`"${where}" must be an object, such as { source: env, name: MY_KEY }.`)
    return undefined
  }
  const properties: Readonly<Record<string, { readonly enum?: readonly string[]; readonly type?: string }>> =
    credentialSchema.properties
  for (const [name, member] of Object.entries(value)) {
    const schema = known.includes(name) ? properties[name] : undefined
    if (!schema) problems.push(unknownField(where, name, known))
    else if (member !== undefined) {
      const wanted = wrongType(member, schema)
      if (wanted !== undefined) problems.push(`"${where}.${name}" must be ${wanted}.`)
    }
  }
  return problems.length === 0 ? withoutUndefined({ ...value }) : undefined
}

function unknownField(where: string, name: string, known: readonly string[]): string {
  const near = nearestWord(name, known)
  const advice = near === undefined ? `known fields are ${known.join(', ')}` : `did you mean "${near}"?`
  return `"${where}" has the unknown field "${name}"; ${advice}${advice.endsWith('?') ? '' : '.'}`
}

function wrongType(
  value: unknown,
  schema: { readonly enum?: readonly string[]; readonly type?: string },
): string | undefined {
  if (schema.enum)
    return schema.enum.includes(value as string) ? undefined : `one of ${schema.enum.join(', ')}`
  switch (schema.type) {
    case 'object': // parsed on its own
      return undefined
    case 'array':
      return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '')
        ? undefined
        : 'a list of texts'
    case 'integer':
      return Number.isInteger(value) && (value as number) > 0 ? undefined : 'a whole number of at least 1'
    default:
      return typeof value === 'string' && value !== '' ? undefined : 'a text that is not empty'
  }
}

function chooseKind(fields: Fields, parsing: Parsing): CredentialSettings | undefined {
  const { where, problems } = parsing
  if (fields.grant !== undefined) return parseGrant(fields, parsing)
  switch (fields.scheme) {
    case 'none':
    case 'iam-role':
      refuseOthers(fields, ['scheme'], { ...parsing, owner: `scheme ${fields.scheme}` })
      return { kind: fields.scheme }
    case 'oauth2':
      if (fields.provider !== undefined || fields.function_id !== undefined)
        return parseBroker(fields, parsing)
      problems.push(
        `"${where}" needs either "provider" and "function_id" of a token broker, or "grant" and "client_id".`,
      )
      return undefined
    default:
      return parseSecretScheme(fields, parsing)
  }
}

function parseSecretScheme(fields: Fields, parsing: Parsing): CredentialSettings | undefined {
  const { scheme, header, ...rest } = fields as Fields & { header?: string }
  if (header !== undefined && scheme !== 'api-key')
    parsing.problems.push(`"${parsing.where}.header" belongs to scheme api-key.`)
  const secret = parseSecret(rest, parsing)
  const known = scheme as 'api-key' | 'bearer-token' | 'service-account' | undefined
  return secret && { kind: 'secret', scheme: known, ...(header !== undefined && { header }), secret }
}

/** A source and its fields. */
function parseSecret(fields: Fields, parsing: Parsing): SecretSettings | undefined {
  const { where, problems } = parsing
  const source = fields.source as Source | undefined
  if (source === undefined) {
    problems.push(`"${where}" needs a "source": ${Object.keys(SECRET_SOURCES).join(', ')}.`)
    return undefined
  }
  const { needs, takes } = SECRET_SOURCES[source]
  const missing = needs.filter((name) => fields[name] === undefined)
  if (missing.length > 0)
    problems.push(
      `"${where}" needs ${missing.map((name) => `"${name}"`).join(' and ')} for source ${source}.`,
    )
  refuseOthers(fields, ['source', ...needs, ...takes], { ...parsing, owner: `source ${source}` })
  if (source === 'azure_key_vault' && missing.length === 0 && !isHttps(fields.vault_url as string))
    problems.push(`"${where}.vault_url" must be an https address.`)
  return problems.length === 0 ? (fields as SecretSettings) : undefined
}

function parseBroker(fields: Fields, parsing: Parsing): CredentialSettings | undefined {
  const { where, problems } = parsing
  for (const name of ['provider', 'function_id'] as const)
    if (fields[name] === undefined) problems.push(`"${where}" needs "${name}" for scheme oauth2.`)
  refuseOthers(fields, ['scheme', 'provider', 'function_id', 'scopes'], {
    ...parsing,
    owner: 'a token broker (scheme oauth2)',
  })
  const { scheme: _, ...broker } = fields
  return { kind: 'broker', ...(broker as unknown as BrokerSettings) }
}

function parseGrant(fields: Fields, parsing: Parsing): CredentialSettings | undefined {
  const { where, problems } = parsing
  const { scheme, client_secret: given, ...rest } = fields
  if (scheme !== undefined && scheme !== 'oauth2')
    problems.push(`"${where}" has a "grant", which belongs to scheme oauth2.`)
  if (fields.client_id === undefined) problems.push(`"${where}" needs "client_id" for its "grant".`)
  refuseOthers(fields, ['scheme', 'grant', 'client_id', ...OAUTH_FIELDS], { ...parsing, owner: 'a "grant"' })
  for (const name of ['authorization_url', 'token_url', 'device_authorization_url'] as const)
    if (fields[name] !== undefined && !URL.canParse(fields[name] as string))
      problems.push(`"${where}.${name}" must be an address.`)
  const secret = given === undefined ? undefined : parseClientSecret(given, parsing)
  if (fields.grant === 'client_credentials' && given === undefined)
    problems.push(`"${where}" needs "client_secret" for grant client_credentials.`)
  return { kind: 'oauth', ...(rest as unknown as OAuthSettings), ...(secret && { client_secret: secret }) }
}

function parseClientSecret(value: unknown, { where, problems }: Parsing): SecretSettings | undefined {
  const inner: Parsing = { where: `${where}.client_secret`, problems }
  if (!isObject(value)) {
    // A text would be the secret itself, in a file that others may read.
    problems.push(
      `"${inner.where}" must say where the secret is, such as { source: env, name: CLIENT_SECRET }.`,
    )
    return undefined
  }
  const known = Object.keys(credentialSchema.properties.client_secret.properties)
  const fields = readFields(value, { ...inner, known })
  return fields && parseSecret(fields, inner)
}

function refuseOthers(
  fields: Fields,
  known: readonly Field[],
  { where, problems, owner }: Parsing & { owner: string },
): void {
  const others = Object.keys(fields).filter((name) => !known.includes(name as Field))
  for (const name of others) problems.push(`"${where}.${name}" does not belong to ${owner}.`)
}

function isHttps(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:'
}
