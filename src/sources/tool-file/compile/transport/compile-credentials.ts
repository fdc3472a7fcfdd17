import { parseCredentialSettings, SECRET_SOURCES } from '../../../../credentials/parse-credential-settings.js'
import {
  amlSchemes,
  schemeProblem,
  type AmlScheme,
  type AmlTransport,
} from '../../../../credentials/scheme-of-transport.js'
import type { TransportCredentials } from '../../compiled.js'
import { replaceText } from '../../read/edits.js'
import { choiceField, objectField, reportUnknown, textField, textsField, type Fields } from '../fields.js'
import { CONNECTION_FIELDS, connectionFields, readConnection } from './connection-parameters.js'
import { checkFunctionId, cloudProviders } from './function-id.js'

/** The sources of AML; `keyring` is of Toolcrib's config only. */
export const secretSources = ['env', 'aws_secrets_manager', 'gcp_secret_manager', 'azure_key_vault'] as const

export const SOURCE_FIELDS = [
  ...new Set(secretSources.flatMap((each) => [...SECRET_SOURCES[each].needs, ...SECRET_SOURCES[each].takes])),
]
const BROKER_FIELDS = ['provider', 'function_id', 'scopes'] as const
export const CREDENTIAL_FIELDS: readonly string[] = [
  'scheme',
  'header',
  'source',
  ...SOURCE_FIELDS,
  ...BROKER_FIELDS,
  ...CONNECTION_FIELDS,
]

/** The name of a header of HTTP. */
export const HEADER_PATTERN = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"

/** The name of a variable. Shells and other tools write `$NAME` or `%NAME%` for its value. */
export const VARIABLE_PATTERN = String.raw`^[^\s=$%{}]+$`

/** Names under which people write secrets themselves. */
export const SECRET_NAMES =
  '^(?:(?:access_|api_|auth_|bearer_)?token|password|passwd|api_?key|value|client_secret|private_key|access_key|secret_access_key|secret_key|secret_value)$'

/** The transport that the credentials belong to, as far as it is known. */
export interface CredentialsOwner {
  readonly type: AmlTransport
  readonly engine?: string | undefined
}

/** `transport.credentials`. */
export function compileCredentials(
  transport: Fields,
  owner: CredentialsOwner,
): TransportCredentials | undefined {
  const fields = objectField(transport, 'credentials', {
    missing: 'aml/missing-credentials',
    hint: ' with a scheme',
  })
  if (!fields) return undefined
  refuseSecrets(fields)
  const scheme = choiceField(fields, 'scheme', {
    of: amlSchemes,
    missing: 'aml/missing-scheme',
    wrong: 'aml/unknown-scheme',
  })
  if (!scheme) return undefined
  const problem = schemeProblem(scheme.value, owner.type)
  if (problem?.level === 'error') {
    fields.report.add('aml/scheme-of-transport', scheme.node, problem.message)
    return undefined
  }
  if (problem) fields.report.add('aml/service-account-on-rest-api', scheme.node, problem.message)
  const before = fields.report.problems.length
  const values = readScheme(fields, scheme.value, owner)
  const hasErrors = fields.report.problems.slice(before).some(({ level }) => level === 'error')
  if (!values || hasErrors) return undefined
  return parse(fields, { scheme: scheme.value, values, owner })
}

function refuseSecrets(fields: Fields): void {
  const members = new Map(fields.node.members)
  for (const [name, { key }] of members) {
    if (CREDENTIAL_FIELDS.includes(name) || !new RegExp(SECRET_NAMES).test(name)) continue
    members.delete(name)
    fields.report.add(
      'aml/secret-in-file',
      key,
      `Remove "${fields.path}.${name}"; a tool file says with source where a secret is read from.`,
    )
  }
  reportUnknown({ ...fields, node: { ...fields.node, members } }, CREDENTIAL_FIELDS)
}

/** The fields of a scheme, without those that are not known. */
function readScheme(
  fields: Fields,
  scheme: AmlScheme,
  owner: CredentialsOwner,
): Record<string, unknown> | undefined {
  switch (scheme) {
    case 'none':
      refuseOthers(fields, [], 'scheme none')
      return {}
    case 'iam-role':
      refuseOthers(fields, owner.type === 'database' ? connectionFields(owner.engine) : [], 'scheme iam-role')
      return {}
    case 'oauth2':
      return readBroker(fields)
    case 'api-key':
      return readSecret(fields, ['header'], scheme)
    case 'bearer-token':
    case 'service-account':
      return readSecret(fields, [], scheme)
  }
}

function readSecret(
  fields: Fields,
  own: readonly string[],
  scheme: string,
): Record<string, unknown> | undefined {
  const header = own.includes('header')
    ? textField(fields, 'header', { missing: 'aml/missing-header', wrong: 'aml/credential-value' })
    : undefined
  const source = choiceField(fields, 'source', {
    of: secretSources,
    missing: 'aml/missing-source',
    wrong: 'aml/unknown-source',
  })
  if (!source) {
    refuseOthers(fields, [...own, 'source', ...SOURCE_FIELDS], `scheme ${scheme}`)
    return undefined
  }
  const { needs, takes } = SECRET_SOURCES[source.value]
  const values: Record<string, unknown> = { source: source.value }
  if (header) values['header'] = header.value
  for (const name of needs)
    values[name] = textField(fields, name, {
      missing: 'aml/missing-source-field',
      wrong: 'aml/credential-value',
    })?.value
  for (const name of takes) {
    const field = textField(fields, name, { wrong: 'aml/credential-value' })
    if (field) values[name] = field.value
  }
  if (header && !new RegExp(HEADER_PATTERN).test(header.value))
    fields.report.add(
      'aml/credential-value',
      header.node,
      `"${fields.path}.header" must be the name of a header.`,
    )
  if (source.value === 'env') checkVariable(fields)
  refuseOthers(fields, [...own, 'source', ...needs, ...takes], `scheme ${scheme} with source ${source.value}`)
  return values
}

function checkVariable(fields: Fields): void {
  const node = fields.node.members?.get('name')?.node
  if (typeof node?.value !== 'string' || node.value.trim() === '') return
  if (new RegExp(VARIABLE_PATTERN).test(node.value)) return
  const name = /^(?:\$\{?|\$?\{\{\s*(?:env\.)?|%)(\w+)(?:\}|\s*\}\}|%)?$/.exec(node.value)?.[1]
  fields.report.add(
    'aml/credential-value',
    node,
    `"${fields.path}.name" must be the name of a variable, such as API_TOKEN.`,
    name === undefined ? undefined : replaceText(node, name),
  )
}

function readBroker(fields: Fields): Record<string, unknown> {
  const provider = choiceField(fields, 'provider', {
    of: cloudProviders,
    missing: 'aml/missing-broker-field',
    wrong: 'aml/invalid-provider',
  })
  const id = textField(fields, 'function_id', {
    hasForm: true,
    missing: 'aml/missing-broker-field',
    wrong: 'aml/credential-value',
  })
  if (provider && id) checkFunctionId(fields, { id, provider: provider.value })
  const scopes = textsField(fields, 'scopes', { wrong: 'aml/credential-value' })
  refuseOthers(fields, BROKER_FIELDS, 'scheme oauth2')
  return { provider: provider?.value, function_id: id?.value, ...(scopes && { scopes: scopes.value }) }
}

/** Reports fields that belong to another scheme or source. */
function refuseOthers(fields: Fields, allowed: readonly string[], owner: string): void {
  for (const [name, { key }] of fields.node.members ?? [])
    if (CREDENTIAL_FIELDS.includes(name) && name !== 'scheme' && !allowed.includes(name))
      fields.report.add(
        'aml/credential-field',
        key,
        `Remove "${fields.path}.${name}"; it does not belong to ${owner}.`,
      )
}

function parse(
  fields: Fields,
  { scheme, values, owner }: { scheme: AmlScheme; values: Record<string, unknown>; owner: CredentialsOwner },
): TransportCredentials | undefined {
  const parsed = parseCredentialSettings({ scheme, ...values }, fields.path)
  if (!parsed.ok) {
    for (const problem of parsed.problems) {
      const name = problem.slice(fields.path.length + 2).split('"')[0] ?? ''
      const at = fields.node.members?.get(name)?.node ?? fields.at
      fields.report.add('aml/credential-value', at, problem)
    }
    return undefined
  }
  if (scheme !== 'iam-role' || owner.type !== 'database') return { scheme, settings: parsed.settings }
  const connection = readConnection(fields, owner.engine)
  return connection && { scheme, settings: parsed.settings, connection }
}
