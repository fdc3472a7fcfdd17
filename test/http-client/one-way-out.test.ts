import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')

/** The library of a cloud opens its own connections, as its user knows who installs it and names the cloud in a setting. */
const byLibrary = (cloud: string): string =>
  `the library of ${cloud} connects to the services of ${cloud}: it signs requests and finds the identity of the machine itself`
const [AWS, AZURE, GOOGLE] = ['AWS', 'Azure', 'Google'].map(byLibrary) as [string, string, string]

const KAFKA =
  'the library of Kafka connects to the brokers that a tool file or its secret names: Kafka is not HTTP'
const DATABASE =
  'the library of the engine speaks its protocol with the server that the credentials of a tool name'

/** Files outside the client that use sockets, and why each of them may. */
const ALLOWED: Readonly<Record<string, string>> = {
  'edges/server/http-server.ts': 'listens for clients',
  'edges/server/served-response.ts': 'is the response of that listener',
  'platform/sandbox/probe.ts':
    'listens on loopback and on a socket file, which a sandboxed program must not reach',
  'platform/sandbox/relay.ts':
    'runs inside a sandbox and connects to the socket file of the proxy, which is no host',
  'credentials/cloud/aws-secret.ts': AWS,
  'credentials/cloud/azure-identity.ts': AZURE,
  'credentials/cloud/azure-secret.ts': AZURE,
  'credentials/cloud/gcp-secret.ts': GOOGLE,
  'credentials/cloud/invoke-aws-function.ts': AWS,
  'credentials/cloud/invoke-gcp-function.ts': GOOGLE,
  'credentials/oauth/receive-redirect.ts': 'listens on loopback for the browser to come back',
  'edges/cli/doctor/check-port.ts': 'listens for a moment to see whether a port is free',
  'edges/cli/socket/open-socket.ts': 'listens on a socket file of the user',
  'sources/tool-file/transports/message-queue/message-codec.ts':
    'loads the library of Avro, which opens no connections',
  'sources/tool-file/transports/message-queue/providers/kafka.ts': KAFKA,
  'sources/tool-file/transports/message-queue/providers/pubsub.ts': GOOGLE,
  'sources/tool-file/transports/message-queue/providers/service-bus.ts': AZURE,
  'sources/tool-file/transports/message-queue/providers/sqs.ts': AWS,
  'edges/cli/socket/find-gateway.ts': 'connects to that socket file, which is no host',
  'sources/tool-file/transports/database/engines/bigquery.ts': GOOGLE,
  'sources/tool-file/transports/database/engines/mssql.ts': DATABASE,
  'sources/tool-file/transports/database/engines/mysql.ts': DATABASE,
  'sources/tool-file/transports/database/engines/postgresql.ts': DATABASE,
  'sources/tool-file/transports/database/engines/rds-data-api.ts': AWS,
  'sources/tool-file/transports/database/engines/snowflake.ts': DATABASE,
  'sources/tool-file/transports/database/iam-login.ts':
    'tokens for the login to a database come from the library of the cloud',
  'sources/tool-file/transports/database/run-code.ts':
    'loads Kysely, which writes SQL and opens no connections',
}

const MODULES =
  '(?:node:)?(?:https?|http2|net|tls|dgram|dns(?:/promises)?)|undici(?:/[^\'"`]*)?|axios|got|node-fetch|ws'
const SIGNS: readonly RegExp[] = [
  // `import type` and `import { type A }` alone load nothing.
  new RegExp(
    `\\b(?:import|export)(?!\\s+type\\b)(?:(?!\\bfrom\\b)[^;'"])*?\\bfrom\\s*['"](?:${MODULES})['"]`,
    'g',
  ),
  new RegExp(`\\bimport\\s*['"](?:${MODULES})['"]`, 'g'),
  new RegExp(`\\b(?:import|require|getBuiltinModule)\\s*\\(\\s*['"\`](?:${MODULES})['"\`]`, 'g'),
  /\b(?:globalThis|global)\s*(?:\.\s*fetch|\[\s*['"]fetch)\b/g,
  /\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b/g,
  // The libraries of clouds have no types here: they are loaded by name.
  /\bawait\s+loadPackage\b/g,
  /\bimport\s*\(\s*['"`](?:@aws-sdk\/|@azure\/|@google-cloud\/|google-auth-library)/g,
]

const GLOBAL_FETCH = /(?<![\w.$'"`|-])fetch\s*[(,;)}\]]/g
const QUOTED = /'(?:[^'\\\n]|\\.)*'/g

function findRequests(text: string): string[] {
  const found = SIGNS.flatMap((sign) => [...text.matchAll(sign)].map(([match]) => match))
  // A sentence may name a tool "fetch"; code in quotes is not code.
  found.push(...(text.replace(QUOTED, "''").match(GLOBAL_FETCH) ?? []))
  return found.filter((match) => !/^import\s*\{\s*(?:type\s+[^,}]+,?\s*)+\}/.test(match))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}

it('lets only the client open connections to other hosts', () => {
  const users = filesBelow(SRC)
    .filter((file) => findRequests(readFileSync(file, 'utf8')).length > 0)
    .map((file) => relative(SRC, file).split(sep).join('/'))
  const others = users.filter((file) => !file.startsWith('http-client/'))
  expect(others.toSorted()).toEqual(Object.keys(ALLOWED).toSorted())
})

it.each([
  `import { request } from 'node:https'`,
  `import http from 'http'`,
  `import * as net from 'node:net'`,
  `import { createServer, type Server } from 'node:http'`,
  `import 'undici'`,
  `export { Pool } from 'undici'`,
  `const { Agent } = await import('undici')`,
  `const tls = require('node:tls')`,
  `process.getBuiltinModule('node:net')`,
  `import pool from 'undici/lib/dispatcher/pool.js'`,
  `await fetch(url)`,
  `const options = { fetchFn: fetch, url }`,
  `use(fetch)`,
  `globalThis.fetch(url)`,
  `new WebSocket(url)`,
  `const library = await loadPackage<Library>('@aws-sdk/client-lambda', owner)`,
  `await import('@azure/identity')`,
])('notices %s', (line) => {
  expect(findRequests(line)).not.toEqual([])
})

it.each([
  `import type { IncomingHttpHeaders } from 'node:http'`,
  `import { type Socket, type Server } from 'node:net'`,
  `import { request } from './http.js'`,
  `const answer = await library.fetch(url)`,
  `options.fetchFn(url)`,
  `['fetch', 'pull']`,
  `summary: 'add sets: files, shell, code, fetch, browser',`,
])('leaves %s alone', (line) => {
  expect(findRequests(line)).toEqual([])
})
