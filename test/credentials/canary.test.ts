import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { secretStore } from '../../src/credentials/secrets/secret-store.js'
import { bin, collect, root, type Ran } from '../edges/cli/run-cli.js'
import { findInFolder, findSecretBytes } from '../redaction/find-bytes.js'
import { startAuthorizationServer } from '../sources/mcp/oauth/authorization-server.js'
import { openTemporaryFolder } from '../temporary-folder.js'

/** Words that are a secret only because they are used as one. */
function canary(): string {
  const syllable = (): string => 'bdfgklmnprst'[randomInt(12)]! + 'aeiou'[randomInt(5)]!
  const word = (): string => Array.from({ length: 3 }, syllable).join('')
  return [word(), word(), word()].join('-')
}

const POSITIONS = {
  header: { in: 'header', name: 'X-Any' },
  bearer: { in: 'header', name: 'Authorization', scheme: 'Bearer' },
  query: { in: 'query', name: 'any' },
  cookie: { in: 'cookie', name: 'any' },
  basic: { in: 'basic' },
} as const

const KEYRING = `#!/bin/sh
case "$1" in
  store) cat > "$HOME/kept" ;;
  lookup) cat "$HOME/kept" ;;
esac`

it('a secret appears nowhere but in the requests that it belongs to', async () => {
  const authority = await startAuthorizationServer({ expiresInSeconds: 3600 })
  onTestFinished(() => authority.close())
  const secrets = { variable: canary(), field: canary(), password: canary(), token: canary() }
  const [own, system, client] = [canary(), canary(), canary()]
  authority.clients.set('public', { redirectUris: undefined })
  authority.clients.set('by-hand', { secret: client, redirectUris: undefined })

  const [place, outside] = [openTemporaryFolder(), openTemporaryFolder()]
  mkdirSync(place.file('tmp'))
  chmodSync(outside.write('bin/secret-tool', KEYRING), 0o755)
  const env = {
    PATH: `${outside.file('bin')}:${process.env['PATH']}`,
    HOME: outside.path,
    TMPDIR: place.file('tmp'),
    TOOLCRIB_HOME: place.file('home'),
    TOOLCRIB_SEAL_KEY: process.env['TOOLCRIB_SEAL_KEY'],
    XDG_CONFIG_HOME: place.file('settings'),
    TOOLCRIB_POLICY: place.file('no-policy.yaml'),
    PETS: secrets.variable,
    PETS_MAP: JSON.stringify({ field: secrets.field }),
    PETS_LOGIN: `ann:${secrets.password}`,
    PETS_ACCOUNT: JSON.stringify({ token: secrets.token }),
    PETS_CLIENT: client,
  }
  await secretStore(env).set('echo/own', own)
  await secretStore({ ...env, TOOLCRIB_SECRETS: 'keyring' }).set('system', system)

  const variable = { source: 'env', name: 'PETS' }
  const oauth = {
    authorizationUrl: `${authority.url}/authorize`,
    tokenUrl: `${authority.url}/token`,
    scopes: ['read'],
  }
  const credentials = [
    ...Object.entries(POSITIONS)
      .filter(([name]) => name !== 'basic')
      .map(([name, sentAs]) => ({ name, settings: variable, sentAs })),
    { name: 'none', settings: { scheme: 'none' }, sentAs: POSITIONS.header },
    { name: 'iam', settings: { scheme: 'iam-role' }, sentAs: POSITIONS.header },
    {
      name: 'api_key',
      settings: { scheme: 'api-key', header: 'X-Own', ...variable },
      sentAs: POSITIONS.query,
    },
    { name: 'field', settings: { source: 'env', name: 'PETS_MAP', key: 'field' }, sentAs: POSITIONS.bearer },
    { name: 'basic', settings: { source: 'env', name: 'PETS_LOGIN' }, sentAs: POSITIONS.basic },
    {
      name: 'account',
      settings: { scheme: 'service-account', source: 'env', name: 'PETS_ACCOUNT' },
      sentAs: POSITIONS.header,
    },
    { name: 'own', sentAs: POSITIONS.header },
    { name: 'system', settings: { source: 'keyring', name: 'system' }, sentAs: POSITIONS.bearer },
    {
      name: 'login',
      settings: { grant: 'authorization_code', client_id: 'public' },
      sentAs: POSITIONS.bearer,
      oauth,
    },
    {
      name: 'client',
      settings: {
        grant: 'client_credentials',
        client_id: 'by-hand',
        client_secret: { source: 'env', name: 'PETS_CLIENT' },
        token_url: oauth.tokenUrl,
      },
      sentAs: POSITIONS.bearer,
      oauth,
    },
  ]
  const run = (args: readonly string[]): Promise<Ran> =>
    collect(spawn(process.execPath, args, { cwd: place.path, env }))
  const script = new URL('./children/canary-crib.mjs', import.meta.url).pathname
  const ran = await run([
    script,
    JSON.stringify({ base: pathToFileURL(`${root}dist/`), store: place.file('home/crib.db'), credentials }),
  ])
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
  const { statuses } = JSON.parse(ran.stdout.trim().split('\n').at(-1)!) as {
    statuses: Record<string, string>
  }
  for (const { name } of credentials) {
    const works = name === 'iam' ? 'failed' : 'succeeded'
    expect(statuses).toMatchObject({
      [`${name}_text`]: works,
      [`${name}_data`]: works,
      [`${name}_fails`]: 'failed',
    })
    expect(statuses).toMatchObject({ [`${name}_process`]: 'succeeded', [`${name}_elsewhere`]: 'failed' })
  }

  const tokens = [...authority.accessTokens.keys(), ...authority.refreshTokens.keys()]
  expect(tokens.length).toBeGreaterThan(3)
  const all = [...Object.values(secrets), own, system, client, ...tokens]
  const found = findInFolder(place.path, all)
  const look = (where: string, { stdout, stderr }: Ran): void =>
    void found.push(...findSecretBytes(Buffer.from(stdout + stderr), all, where))
  look('crib', ran)
  for (const command of [
    ['log', '--events', '--limit', '5000', '--json'],
    ['show', 'last'],
    ['secrets', '--json'],
    ['doctor', '--json'],
  ])
    look(command.join(' '), await run([bin, ...command]))
  expect(found).toEqual([])
}, 60_000)
