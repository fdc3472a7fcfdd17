import { SECRET_SOURCES } from '../../../credentials/parse-credential-settings.js'
import {
  amlSchemes,
  schemeProblem,
  type AmlScheme,
  type AmlTransport,
} from '../../../credentials/scheme-of-transport.js'
import { databaseEngines } from '../compiled.js'
import {
  CREDENTIAL_FIELDS,
  HEADER_PATTERN,
  SECRET_NAMES,
  secretSources,
  SOURCE_FIELDS,
  VARIABLE_PATTERN,
} from '../compile/transport/compile-credentials.js'
import { CONNECTIONS } from '../compile/transport/connection-parameters.js'
import { cloudProviders, functionIdForms } from '../compile/transport/function-id.js'
import { described, text, texts, when } from './field-shapes.js'

const FIELDS: Readonly<Record<string, object>> = {
  header: described({ type: 'string', pattern: HEADER_PATTERN }, 'api-key: the header that carries the key.'),
  source: { enum: secretSources, description: 'Where the secret is read from.' },
  name: described({ type: 'string', pattern: VARIABLE_PATTERN }, 'env: the name of the variable.'),
  secret_id: described(text, 'aws_secrets_manager: the name or ARN of the secret.'),
  secret: described(text, 'gcp_secret_manager: the name of the secret.'),
  version: described(text, 'gcp_secret_manager: the version of the secret; the latest by default.'),
  vault_url: described(
    { type: 'string', pattern: '^https:' },
    'azure_key_vault: the https address of the vault.',
  ),
  secret_name: described(text, 'azure_key_vault: the name of the secret.'),
  key: described(text, 'The field to use where the secret is a JSON object.'),
  region: described(text, 'The region of the secret or the database.'),
  project: described(text, 'The project of the secret or the database.'),
  scopes: described(texts, 'oauth2: the scopes to request from the token broker.'),
  host: described(text, 'iam-role on a database: the host.'),
  port: { type: 'integer', minimum: 1, maximum: 65_535, description: 'iam-role on a database: the port.' },
  database: described(text, 'iam-role on a database: the name of the database.'),
  username: described(text, 'iam-role on a database: the user.'),
  cluster_arn: described(text, 'iam-role on rds-data-api: the ARN of the cluster.'),
  dataset: described(text, 'iam-role on bigquery: the dataset.'),
  sslmode: described(
    text,
    'iam-role on a database: disable, require, verify-ca or verify-full. The last is the default, except for this machine.',
  ),
  ssl_ca: described(
    text,
    "iam-role on a database: certificates, as PEM, that the server's certificate must come from.",
  ),
  secret_arn: described(
    text,
    'iam-role on rds-data-api: the name or ARN of the secret with the user name and password of the database.',
  ),
}

/** Fields that an object must and may have. Of `among`, it has no others; unknown fields are allowed, with a warning. */
function only(
  { needs, takes = [] }: { needs: readonly string[]; takes?: readonly string[] },
  among: readonly string[] = CREDENTIAL_FIELDS,
): { properties: Record<string, object | false>; required: readonly string[] } {
  const own = ['scheme', ...needs, ...takes]
  const others = among.filter((name) => !own.includes(name))
  return {
    properties: {
      ...Object.fromEntries([...needs, ...takes].map((name) => [name, FIELDS[name] ?? text])),
      ...Object.fromEntries(others.map((name) => [name, false])),
    },
    required: needs,
  }
}

/** A secret and the scheme that uses it. */
const bySource = (own: readonly string[]): object => ({
  ...only({ needs: ['source', ...own], takes: SOURCE_FIELDS }),
  allOf: secretSources.map((source) => when('source', source, { $ref: `#/definitions/source-${source}` })),
})

const broker = {
  properties: {
    ...only({ needs: [], takes: ['provider', 'function_id', 'scopes'] }).properties,
    provider: { enum: cloudProviders, description: 'oauth2: the cloud of the token broker.' },
    function_id: described(text, 'oauth2: the function that returns tokens.'),
  },
  required: ['provider', 'function_id'],
  allOf: cloudProviders.map((provider) =>
    when('provider', provider, {
      properties: { function_id: { type: 'string', pattern: functionIdForms[provider].form } },
    }),
  ),
}

const BY_SCHEME: Readonly<Record<AmlScheme, object>> = {
  none: only({ needs: [] }),
  'iam-role': only({ needs: [] }),
  'api-key': bySource(['header']),
  'bearer-token': bySource([]),
  oauth2: broker,
  'service-account': bySource([]),
}

/** Parts that the credentials of all transports share. */
export const credentialDefinitions: Readonly<Record<string, object>> = Object.fromEntries([
  ...Object.entries(BY_SCHEME).map(([scheme, schema]) => [`scheme-${scheme}`, schema]),
  ...secretSources.map((source) => [`source-${source}`, only(SECRET_SOURCES[source], SOURCE_FIELDS)]),
])

/** The credentials of a transport, with the schemes that go with it. */
export function credentialsOf(transport: AmlTransport): object {
  const schemes = amlSchemes.filter((scheme) => schemeProblem(scheme, transport)?.level !== 'error')
  // The connection parameters of a database depend on its engine.
  const conditions = schemes.filter((scheme) => transport !== 'database' || scheme !== 'iam-role')
  return {
    type: 'object',
    description: 'How calls are authenticated. Secrets are not in the file; source says where they are.',
    properties: { scheme: { enum: schemes, description: 'The kind of the credentials.' } },
    patternProperties: { [SECRET_NAMES]: false },
    required: ['scheme'],
    allOf: conditions.map((scheme) => when('scheme', scheme, { $ref: `#/definitions/scheme-${scheme}` })),
  }
}

/** The connection parameters of scheme iam-role, for each engine. */
export const connections: readonly object[] = databaseEngines.map((engine) => {
  const connection = CONNECTIONS[engine]
  const credentials = connection
    ? { allOf: [when('scheme', 'iam-role', only(connection))] }
    : { properties: { scheme: { enum: amlSchemes.filter((scheme) => scheme !== 'iam-role') } } }
  return when('engine', engine, { properties: { credentials } })
})
