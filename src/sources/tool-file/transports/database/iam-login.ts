import { azureIdentity, IDENTITY_PACKAGE } from '../../../../credentials/cloud/azure-identity.js'
import {
  loadPackage,
  type OptionalPackage,
  type PackageUser,
} from '../../../../credentials/cloud/load-package.js'
import type { DatabaseEngine } from '../../compiled.js'
import { text } from './server-address.js'
import type { ConnectionFields } from './session.js'

const SIGNER_PACKAGE = '@aws-sdk/rds-signer'

interface SignerLibrary {
  Signer: new (options: object) => { getAuthToken(): Promise<string> }
}

export interface IamLogin {
  readonly packages: readonly OptionalPackage[]
  /** The rest of a sentence: why the fields do not say how to log in. */
  readonly problem?: string | undefined
  /** Fields with the token of the process's own identity, which is good for new connections for some minutes. */
  load(user: PackageUser): Promise<ConnectionFields>
}

/** Azure's scopes of tokens for databases. */
const AZURE_SQL = 'https://database.windows.net/.default'
const AZURE_OPEN_SOURCE = 'https://ossrdbms-aad.database.windows.net/.default'

/**
 * How the identity of this process logs in to a database server: on a server of Azure with a token of Azure, else with a
 * token of AWS RDS for `region`. The other engines find the identity themselves.
 */
export function iamLogin(engine: DatabaseEngine, fields: ConnectionFields): IamLogin {
  if (engine !== 'postgresql' && engine !== 'mysql' && engine !== 'mssql')
    return { packages: [], load: async () => fields }
  const host = text(fields['host'])
  if (/\.(?:database\.windows\.net|database\.azure\.com)$/i.test(host))
    return { packages: [IDENTITY_PACKAGE], load: (user) => azureToken(engine, fields, user) }
  if (text(fields['region']) !== '')
    return { packages: [SIGNER_PACKAGE], load: (user) => awsToken(fields, user) }
  return {
    packages: [],
    problem: 'its credentials need the field "region" of the database on AWS, or a host of Azure',
    load: async () => fields,
  }
}

async function awsToken(fields: ConnectionFields, user: PackageUser): Promise<ConnectionFields> {
  const { Signer } = await loadPackage<SignerLibrary>(SIGNER_PACKAGE, user)
  const signer = new Signer({
    hostname: text(fields['host']),
    port: Number(fields['port']),
    username: text(fields['username']),
    region: text(fields['region']),
  })
  return { ...fields, password: await signer.getAuthToken(), token_login: true }
}

async function azureToken(
  engine: DatabaseEngine,
  fields: ConnectionFields,
  user: PackageUser,
): Promise<ConnectionFields> {
  const identity = await azureIdentity(user)
  const isSqlServer = engine === 'mssql'
  const granted = await identity.getToken(isSqlServer ? AZURE_SQL : AZURE_OPEN_SOURCE)
  const token = granted?.token ?? ''
  return isSqlServer ? { ...fields, access_token: token } : { ...fields, password: token, token_login: true }
}
