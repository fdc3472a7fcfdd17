import { databaseEngines, type DatabaseEngine } from '../../compiled.js'
import { given, integerField, reportMissing, textField, type Fields } from '../fields.js'

/** The fields that it takes are none of AML's own. */
const RDS = {
  needs: ['host', 'port', 'database', 'username', 'region'],
  takes: ['sslmode', 'ssl_ca'],
} as const

/** The connection parameters of scheme iam-role, by engine; an engine without an entry has no such scheme. */
export const CONNECTIONS: Readonly<
  Partial<Record<DatabaseEngine, { readonly needs: readonly string[]; readonly takes: readonly string[] }>>
> = {
  postgresql: RDS,
  mysql: RDS,
  mssql: RDS,
  // Without the name of a secret, the API accepts no statement.
  'rds-data-api': { needs: ['cluster_arn', 'database'], takes: ['region', 'secret_arn'] },
  bigquery: { needs: ['project'], takes: ['dataset'] },
}

export const CONNECTION_FIELDS: readonly string[] = [
  'host',
  'port',
  'database',
  'username',
  'region',
  'cluster_arn',
  'project',
  'dataset',
  'sslmode',
  'ssl_ca',
  'secret_arn',
]

/** The parameters that an engine takes; all of them where the engine is not known. */
export function connectionFields(engine: string | undefined): readonly string[] {
  const known = databaseEngines.find((each) => each === engine)
  const connection = known && CONNECTIONS[known]
  return connection ? [...connection.needs, ...connection.takes] : CONNECTION_FIELDS
}

/** The connection parameters of a database with scheme iam-role. */
export function readConnection(
  fields: Fields,
  engine: string | undefined,
): Readonly<Record<string, string | number>> | undefined {
  const known = databaseEngines.find((each) => each === engine)
  if (!known) return undefined
  const connection = CONNECTIONS[known]
  if (!connection) {
    const scheme = given(fields, 'scheme')?.node ?? fields.at
    fields.report.add(
      'aml/iam-role-engine',
      scheme,
      `The engine ${known} has no scheme iam-role; use service-account.`,
    )
    return undefined
  }
  const values: Record<string, string | number> = {}
  let isComplete = true
  for (const name of [...connection.needs, ...connection.takes]) {
    const isNeeded = connection.needs.includes(name)
    if (isNeeded && !given(fields, name))
      reportMissing(fields, name, { code: 'aml/missing-connection-field', hint: ` for engine ${known}` })
    const field =
      name === 'port'
        ? integerField(fields, name, { min: 1, max: 65_535, wrong: 'aml/credential-value' })
        : textField(fields, name, { wrong: 'aml/credential-value' })
    if (field) values[name] = field.value
    else if (isNeeded || given(fields, name)) isComplete = false
  }
  return isComplete ? values : undefined
}
