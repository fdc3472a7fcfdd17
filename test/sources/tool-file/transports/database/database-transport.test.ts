import { describe, expect, it } from 'vitest'
import { createLiveSecrets } from '../../../../../src/redaction/live-secrets.js'
import {
  databaseEngines,
  type DatabaseEngine,
  type TransportCredentials,
} from '../../../../../src/sources/tool-file/compiled.js'
import { databaseTransport } from '../../../../../src/sources/tool-file/transports/database/database-transport.js'
import { engineFacts } from '../../../../../src/sources/tool-file/transports/database/engine-facts.js'
import { engines } from '../../../../../src/sources/tool-file/transports/database/engines/engines.js'
import { iamLogin } from '../../../../../src/sources/tool-file/transports/database/iam-login.js'
import {
  serverAddress,
  tlsOptions,
} from '../../../../../src/sources/tool-file/transports/database/server-address.js'
import type { ToolOn } from '../../../../../src/sources/tool-file/transports/transport.js'

const SECRET: TransportCredentials = {
  scheme: 'service-account',
  settings: { kind: 'secret', scheme: 'service-account', secret: { source: 'env', name: 'DB' } },
}

const identity = (connection: Record<string, string | number>): TransportCredentials => ({
  scheme: 'iam-role',
  settings: { kind: 'iam-role' },
  connection,
})

function open(engine: DatabaseEngine, more: { sql?: string; credentials?: TransportCredentials } = {}) {
  const transport = databaseTransport({
    entry: 'shop',
    env: {},
    live: createLiveSecrets(),
    codeFor: async () => undefined,
    now: Date.now,
    onProblem() {},
  })
  const { sql, credentials = SECRET } = more
  return transport.open({
    toolId: 'work',
    type: 'retrieval',
    input: {},
    output: {},
    sql,
    transport: {
      type: 'database',
      engine,
      query_method: sql === undefined ? 'orm' : 'parameterised-sql',
      credentials,
    },
  } as unknown as ToolOn<'database'>)
}

describe('[AML-FILE-10] the transport of databases', () => {
  it.each(databaseEngines)('names the package that %s needs', async (engine) => {
    const tool = open(engine, { sql: 'SELECT 1' })
    const name = engineFacts[engine].package
    const message = `"shop" needs the package ${name} for its database (${engine}): run npm install ${name}.`
    expect(tool.missing?.()).toEqual({ message, code: 'toolcrib.setup_required' })
    await expect(tool.call({}, {} as never)).rejects.toMatchObject({
      message,
      errorClass: 'setup_required',
      nothingHappened: true,
    })
  })

  it('says what is wrong with the SQL before anything else', () => {
    expect(open('postgresql', { sql: 'SELECT 1; SELECT 2' }).missing?.()?.message).toBe(
      'tools/work.sql cannot be used: it has 2 statements instead of one.',
    )
  })

  it('offers orm for the engines that Kysely has', () => {
    for (const engine of databaseEngines) {
      const message = open(engine).missing?.()?.message
      expect(message).toMatch(
        engineFacts[engine].hasOrm ? /needs the package kysely/ : /cannot use query_method orm/,
      )
    }
  })

  it('states the hosts that the file names', () => {
    const hostsOf = (engine: DatabaseEngine, credentials: TransportCredentials) =>
      open(engine, { sql: 'SELECT 1', credentials }).hosts
    expect(hostsOf('postgresql', SECRET)).toEqual([])
    expect(hostsOf('postgresql', identity({ host: 'db.example.com' }))).toEqual(['db.example.com'])
    expect(hostsOf('bigquery', SECRET)).toEqual(['bigquery.googleapis.com'])
    const cluster = 'arn:aws:rds:eu-west-1:123456789012:cluster:shop'
    expect(hostsOf('rds-data-api', identity({ cluster_arn: cluster }))).toEqual([
      'rds-data.eu-west-1.amazonaws.com',
    ])
  })

  it('has the same facts in the table for the docs and in the code', () => {
    for (const engine of databaseEngines) {
      expect(engineFacts[engine].title).toBe(engines[engine].title)
      expect([engineFacts[engine].package]).toEqual(engines[engine].packages)
    }
  })
})

describe('the address of a server', () => {
  const tlsOf = (fields: object) => tlsOptions(serverAddress({ host: 'db.example.com', ...fields }, 5432))

  it('has TLS with a checked certificate, unless it is this machine', () => {
    expect(tlsOf({})).toEqual({ rejectUnauthorized: true })
    for (const host of ['localhost', '127.0.0.1', '::1', 'db.localhost'])
      expect(tlsOf({ host })).toBeUndefined()
    expect(tlsOf({ host: '127.0.0.1', sslmode: 'verify-full', ssl_ca: 'PEM' })).toEqual({
      rejectUnauthorized: true,
      ca: 'PEM',
    })
  })

  it('honours sslmode, and takes an unknown one as none', () => {
    expect(tlsOf({ sslmode: 'disable' })).toBeUndefined()
    expect(tlsOf({ sslmode: 'require' })).toEqual({ rejectUnauthorized: false })
    expect(Object.keys(tlsOf({ sslmode: 'verify-ca' })!)).toEqual([
      'rejectUnauthorized',
      'checkServerIdentity',
    ])
    expect(tlsOf({ sslmode: 'off' })).toEqual({ rejectUnauthorized: true })
  })

  it('takes a port as number or text', () => {
    expect(serverAddress({ host: 'h', port: '6000' }, 5432).port).toBe(6000)
    expect(serverAddress({ host: 'h', port: 'x' }, 5432).port).toBe(5432)
  })
})

describe('the login with the identity of the process', () => {
  it('is chosen by the fields of the connection', () => {
    expect(iamLogin('postgresql', { host: 'h', region: 'eu-west-1' }).packages).toEqual([
      '@aws-sdk/rds-signer',
    ])
    expect(iamLogin('mssql', { host: 'shop.database.windows.net' }).packages).toEqual(['@azure/identity'])
    expect(iamLogin('mysql', { host: 'shop.mysql.database.azure.com' }).packages).toEqual(['@azure/identity'])
    expect(iamLogin('mysql', { host: 'db.example.com' }).problem).toMatch(/"region"/)
    expect(iamLogin('bigquery', { project: 'p' })).toMatchObject({ packages: [] })
  })
})
