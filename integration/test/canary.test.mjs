import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startEndpoint } from './endpoint.mjs'
import { startMetadata } from './gcp-metadata.mjs'

const canary = () => `canary-${randomBytes(9).toString('hex')}`
const secrets = { aws: canary(), gcp: canary(), broker: canary(), machine: canary(), process: canary() }

const metadata = await startMetadata()
const cloud = await startEndpoint(({ url, headers }) => {
  if (headers['x-amz-target']) return { json: { SecretString: JSON.stringify({ token: secrets.aws }) } }
  if (url.includes('/secrets/')) return { json: { payload: { data: btoa(secrets.gcp) } } }
  if (url.includes('/msi/'))
    return { json: { access_token: secrets.machine, expires_on: `${Math.floor(Date.now() / 1000) + 3600}` } }
  return { json: { access_token: secrets.broker, expires_in: 3600 } }
})
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-canary-'))
after(() => {
  rmSync(folder, { recursive: true, force: true })
  return Promise.all([metadata.close(), cloud.close()])
})

const sentAs = { in: 'header', name: 'X-Any' }
const broker = (provider, function_id) => ({ scheme: 'oauth2', provider, function_id })
const settings = {
  aws: { source: 'aws_secrets_manager', secret_id: 'pets', key: 'token' },
  gcp: { source: 'gcp_secret_manager', project: 'p1', secret: 'pets' },
  lambda: broker('aws', 'tokens'),
  function: broker('gcp', `${cloud.url}/api/tokens`),
  app: broker('azure', `${cloud.url}/api/tokens`),
}

function run(args) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TMPDIR: folder,
      TOOLCRIB_HOME: join(folder, 'home'),
      XDG_CONFIG_HOME: join(folder, 'settings'),
      GCE_METADATA_HOST: metadata.host,
      METADATA_SERVER_DETECTION: 'assume-present',
      GOOGLE_CLOUD_PROJECT: 'p1',
      SECRET_MANAGER_EMULATOR_HOST: cloud.host,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_ENDPOINT_URL: cloud.url,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: secrets.process,
      AWS_REGION: 'eu-central-1',
      AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential',
      IDENTITY_ENDPOINT: `${cloud.url}/msi/token`,
      IDENTITY_HEADER: 'header-of-the-machine',
    },
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (out += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out })))
}

function formsOf(secret) {
  const bytes = Buffer.from(secret)
  return [
    secret,
    bytes.toString('hex'),
    ...[0, 1, 2].map((skip) => bytes.subarray(skip, skip + 12).toString('base64')),
  ]
}

test('secrets and tokens of clouds appear nowhere but in the requests that they belong to', async () => {
  const script = fileURLToPath(new URL('../../test/credentials/children/canary-crib.mjs', import.meta.url))
  const { code, out } = await run([
    script,
    JSON.stringify({
      base: new URL('../build/', import.meta.url),
      store: join(folder, 'home/crib.db'),
      credentials: Object.entries(settings).map(([name, each]) => ({ name, settings: each, sentAs })),
    }),
  ])
  assert.equal(code, 0, out.slice(-2000))
  const { statuses } = JSON.parse(out.trim().split('\n').at(-1))
  for (const name of Object.keys(settings)) assert.equal(statuses[`${name}_text`], 'succeeded', name)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const texts = files.map(({ parentPath, path, name }) =>
    readFileSync(join(parentPath ?? path, name), 'latin1'),
  )
  for (const [name, secret] of Object.entries(secrets))
    for (const form of formsOf(secret))
      assert.ok(![out, ...texts].some((text) => text.includes(form)), `the secret of ${name} was found`)
})
