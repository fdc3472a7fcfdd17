import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startEndpoint } from './endpoint.mjs'
import { startMetadata } from './gcp-metadata.mjs'
import { clock, failureOf, open } from './open.mjs'

const metadata = await startMetadata()
let value = 'canary-of-google-1'
const google = await startEndpoint(({ url }) => {
  const { pathname } = new URL(url, 'http://x')
  const [, version] = /^\/v1\/projects\/p1\/secrets\/pets\/versions\/(\w+):access$/.exec(pathname) ?? []
  if (version === undefined)
    return { status: 404, json: { error: { code: 404, message: 'canary', status: 'NOT_FOUND' } } }
  return { json: { name: pathname, payload: { data: btoa(`${value} ${version}`) } } }
})
process.env.SECRET_MANAGER_EMULATOR_HOST = google.host
after(() => Promise.all([google.close(), metadata.close()]))

const named = (more) => ({ source: 'gcp_secret_manager', project: 'p1', secret: 'pets', ...more })

test('a secret of Google Secret Manager is read with the identity of this process, masked and kept', async () => {
  const { credential, isMasked } = open(named())
  assert.equal(credential.missing(), undefined)
  assert.deepEqual(await credential.proof(), { headers: { 'x-key': 'canary-of-google-1 latest' } })
  await credential.proof()
  assert.equal(google.seen.length, 1)
  assert.equal(google.seen[0].headers.authorization, 'Bearer token-of-google')
  assert.ok(isMasked('canary-of-google-1 latest'))
  value = 'canary-of-google-2'
  clock.nowMs += 5 * 60_000
  assert.deepEqual(await credential.proof(), { headers: { 'x-key': 'canary-of-google-2 latest' } })
  assert.deepEqual(await open(named({ version: '7' })).credential.proof(), {
    headers: { 'x-key': 'canary-of-google-2 7' },
  })
})

test('a failure is one sentence with the code of Google and nothing of its message', async () => {
  assert.deepEqual(await failureOf(open(named({ secret: 'absent' })).credential.proof()), {
    message:
      '"petstore" needs a credential (ApiKeyAuth): Google Secret Manager did not give the secret (HTTP 404).',
    code: 'toolcrib.credential_missing',
  })
  process.env.SECRET_MANAGER_EMULATOR_HOST = '127.0.0.1:1'
  const { message, code } = await failureOf(open(named()).credential.proof())
  assert.match(message, /did not give the secret \(/)
  assert.equal(code, 'toolcrib.dependency_unavailable')
})
