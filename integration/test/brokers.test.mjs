import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startEndpoint } from './endpoint.mjs'
import { startMetadata } from './gcp-metadata.mjs'
import { clock, failureOf, open } from './open.mjs'

const ARN = 'arn:aws:lambda:eu-north-1:123456789012:function:tokens'
let answer
beforeEach(() => {
  answer = { json: { access_token: 'canary-of-broker-1', expires_in: 3600 } }
})
const functions = await startEndpoint(() => answer)
const metadata = await startMetadata()
const identity = await startEndpoint(() => ({
  json: {
    access_token: 'token-of-the-machine',
    expires_on: `${Math.floor(Date.now() / 1000) + 3600}`,
    token_type: 'Bearer',
  },
}))
after(() => Promise.all([functions.close(), metadata.close(), identity.close()]))

Object.assign(process.env, {
  AWS_ENDPOINT_URL_LAMBDA: functions.url,
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-process',
  AWS_REGION: 'eu-central-1',
  AWS_MAX_ATTEMPTS: '1',
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
  AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential',
  IDENTITY_ENDPOINT: `${identity.url}/msi/token`,
  IDENTITY_HEADER: 'header-of-the-machine',
})

const broker = (provider, function_id, more) =>
  open({ scheme: 'oauth2', provider, function_id, ...more }, { sentAs: { in: 'basic' } })
const address = `${functions.url}/api/tokens`

for (const { provider, id, path, isIdentified } of [
  {
    provider: 'aws',
    id: ARN,
    path: `/2015-03-31/functions/${encodeURIComponent(ARN)}/invocations`,
    isIdentified: (header) => /Credential=AKIDEXAMPLE\/\d+\/eu-north-1\/lambda\//.test(header),
  },
  {
    provider: 'gcp',
    id: address,
    path: '/api/tokens',
    isIdentified: (header) =>
      JSON.parse(Buffer.from(header.split('.')[1], 'base64url').toString()).aud === address,
  },
  {
    provider: 'azure',
    id: address,
    path: '/api/tokens',
    isIdentified: (header) => header === 'Bearer token-of-the-machine',
  },
])
  test(`a token broker on ${provider} is called with the identity of this process and the scopes`, async () => {
    const { credential, isMasked } = broker(provider, id, { scopes: ['read'] })
    assert.equal(credential.missing(), undefined)
    const before = functions.seen.length
    assert.deepEqual(await credential.proof(), { headers: { authorization: 'Bearer canary-of-broker-1' } })
    await credential.proof()
    const [asked, ...more] = functions.seen.slice(before)
    assert.deepEqual(more, [])
    assert.equal(asked.url, path)
    assert.deepEqual(JSON.parse(asked.body), { scopes: ['read'] })
    assert.ok(isIdentified(asked.headers.authorization))
    assert.ok(isMasked('canary-of-broker-1'))
    answer = { json: { access_token: 'canary-of-broker-2', expires_in: 3600 } }
    clock.nowMs += 3_600_000
    assert.deepEqual(await credential.proof(), { headers: { authorization: 'Bearer canary-of-broker-2' } })
    answer = { json: { nothing: 'canary' } }
    clock.nowMs += 3_600_000
    assert.deepEqual(await failureOf(credential.proof()), {
      message:
        '"petstore" needs a credential (ApiKeyAuth): its token broker must answer with an "access_token".',
      code: 'toolcrib.credential_missing',
    })
    answer = { status: 503, json: { Message: 'canary' } }
    const { message, code } = await failureOf(credential.proof())
    assert.match(
      message,
      /^"petstore" needs a credential \(ApiKeyAuth\): the token broker on .* gave no token \(/,
    )
    assert.doesNotMatch(message, /canary/)
    assert.equal(code, 'toolcrib.dependency_unavailable')
  })

test('a function of AWS that fails says nothing of its own', async () => {
  answer = { headers: { 'x-amz-function-error': 'Unhandled' }, json: { errorMessage: 'canary' } }
  assert.deepEqual(await failureOf(broker('aws', ARN).credential.proof()), {
    message:
      '"petstore" needs a credential (ApiKeyAuth): the token broker on AWS Lambda gave no token (FunctionError).',
    code: 'toolcrib.credential_missing',
  })
})

test('a function is not called without encryption, nor where it redirects', async () => {
  for (const provider of ['gcp', 'azure']) {
    const plain = await failureOf(broker(provider, 'http://functions.example/tokens').credential.proof())
    assert.match(plain.message, /its address is not https/)
    const none = await failureOf(broker(provider, 'tokens').credential.proof())
    assert.match(none.message, /needs an https address as "function_id"/)
    answer = { status: 307, headers: { location: 'http://127.0.0.1:1/' } }
    const moved = await failureOf(broker(provider, address).credential.proof())
    assert.match(moved.message, /it sends what is posted to it elsewhere/)
  }
})
