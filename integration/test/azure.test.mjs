import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generate } from 'selfsigned'
import { azureSecret } from '../build/credentials/cloud/azure-secret.js'
import { startEndpoint } from './endpoint.mjs'
import { clock, failureOf, open, owner } from './open.mjs'

const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
  algorithm: 'sha256',
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
})
let value = 'canary-of-azure-1'
const vault = await startEndpoint(
  ({ url, headers }) => {
    const { pathname } = new URL(url, 'https://x')
    if (headers.authorization === undefined)
      return {
        status: 401,
        headers: {
          'www-authenticate': `Bearer authorization="https://login.example/tenant", resource="https://vault.azure.net"`,
        },
        json: {},
      }
    if (!pathname.startsWith('/secrets/pets'))
      return { status: 404, json: { error: { code: 'SecretNotFound', message: 'canary' } } }
    return {
      json: { value, id: 'https://pets.vault.azure.net/secrets/pets/1', attributes: { enabled: true } },
    }
  },
  { tls: { key, cert } },
)
after(() => vault.close())

const clientOptions = {
  disableChallengeResourceVerification: true,
  tlsOptions: { ca: cert },
  retryOptions: { maxRetries: 0 },
}
const asked = []
const credential = {
  async getToken(scopes) {
    asked.push(scopes)
    return { token: 'token-of-azure', expiresOnTimestamp: Date.now() + 3_600_000 }
  },
}
const context = { env: process.env, owner, now: () => clock.nowMs }
const read = (secret_name, options) =>
  azureSecret({ source: 'azure_key_vault', vault_url: vault.url, secret_name }, context, {
    clientOptions,
    ...options,
  })

test('a secret of Azure Key Vault is read with a token for the vault, and kept for five minutes', async () => {
  const secret = read('pets', { credential })
  assert.equal(secret.missing(), undefined)
  const load = (isRefused = false) => secret.load({ isRefused })
  assert.equal(await load(), 'canary-of-azure-1')
  value = 'canary-of-azure-2'
  assert.equal(await load(), 'canary-of-azure-1')
  assert.equal(await load(true), 'canary-of-azure-2')
  assert.equal(vault.seen.at(-1).headers.authorization, 'Bearer token-of-azure')
  assert.ok(asked.flat().every((scope) => scope === 'https://vault.azure.net/.default'))
})

test('the identity of the process is used by default', async () => {
  const identity = await startEndpoint(() => ({
    json: {
      access_token: 'token-of-the-machine',
      expires_on: `${Math.floor(Date.now() / 1000) + 3600}`,
      resource: 'https://vault.azure.net',
      token_type: 'Bearer',
    },
  }))
  Object.assign(process.env, {
    AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential',
    IDENTITY_ENDPOINT: `${identity.url}/msi/token`,
    IDENTITY_HEADER: 'header-of-the-machine',
  })
  try {
    assert.equal(await read('pets').load({ isRefused: false }), 'canary-of-azure-2')
    assert.equal(vault.seen.at(-1).headers.authorization, 'Bearer token-of-the-machine')
    assert.equal(identity.seen[0].headers['x-identity-header'], 'header-of-the-machine')
  } finally {
    await identity.close()
  }
})

test('a failure is one sentence with the code of Azure and nothing of its message', async () => {
  assert.deepEqual(await failureOf(read('absent', { credential }).load({ isRefused: false })), {
    message:
      '"petstore" needs a credential (ApiKeyAuth): Azure Key Vault did not give the secret (SecretNotFound).',
    code: 'toolcrib.credential_missing',
  })
})

test('a vault whose certificate is unknown gets no token', async () => {
  const before = vault.seen.length
  const settings = { source: 'azure_key_vault', vault_url: vault.url, secret_name: 'pets' }
  const { message } = await failureOf(open(settings).credential.proof())
  assert.match(message, /Azure Key Vault did not give the secret \(/)
  assert.equal(vault.seen.length, before)
})
