import { expect, it } from 'vitest'
import { parseCredentialSettings } from '../../src/credentials/parse-credential-settings.js'
import { checkConfig } from '../../src/platform/config/check-config.js'
import { credentialSchema } from '../../src/platform/config/schema/credentials-schema.js'

const WHERE = 'credentials.Key'
const env = { source: 'env', name: 'A' }
const oauth = { grant: 'authorization_code', client_id: 'c' }

it.each([
  [{ scheme: 'none' }, { kind: 'none' }],
  [{ scheme: 'iam-role' }, { kind: 'iam-role' }],
  [env, { kind: 'secret', scheme: undefined, secret: env }],
  [
    { scheme: 'api-key', header: 'X-Key', ...env, key: 'k' },
    { kind: 'secret', scheme: 'api-key', header: 'X-Key', secret: { ...env, key: 'k' } },
  ],
  [
    { scheme: 'bearer-token', source: 'keyring', name: 'a' },
    { kind: 'secret', scheme: 'bearer-token', secret: { source: 'keyring', name: 'a' } },
  ],
  [
    { scheme: 'service-account', source: 'aws_secrets_manager', secret_id: 's', region: 'eu-west-1' },
    {
      kind: 'secret',
      scheme: 'service-account',
      secret: { source: 'aws_secrets_manager', secret_id: 's', region: 'eu-west-1' },
    },
  ],
  [
    { source: 'gcp_secret_manager', project: 'p', secret: 's', version: '3' },
    {
      kind: 'secret',
      scheme: undefined,
      secret: { source: 'gcp_secret_manager', project: 'p', secret: 's', version: '3' },
    },
  ],
  [
    { source: 'azure_key_vault', vault_url: 'https://v.example', secret_name: 's', key: undefined },
    {
      kind: 'secret',
      scheme: undefined,
      secret: { source: 'azure_key_vault', vault_url: 'https://v.example', secret_name: 's' },
    },
  ],
  [
    { scheme: 'oauth2', provider: 'aws', function_id: 'f', scopes: ['a'] },
    { kind: 'broker', provider: 'aws', function_id: 'f', scopes: ['a'] },
  ],
  [oauth, { kind: 'oauth', ...oauth }],
  [
    { scheme: 'oauth2', ...oauth, grant: 'client_credentials', client_secret: env, redirect_port: 1 },
    { kind: 'oauth', ...oauth, grant: 'client_credentials', client_secret: env, redirect_port: 1 },
  ],
])('parses %j', (value, settings) => {
  expect(parseCredentialSettings(value, WHERE)).toEqual({ ok: true, settings })
  expect(checkConfig(value, credentialSchema)).toEqual([])
})

it.each([
  ['secret', '"credentials.Key" must be an object, such as { source: env, name: MY_KEY }.'],
  [
    {},
    '"credentials.Key" needs a "source": env, keyring, aws_secrets_manager, gcp_secret_manager, azure_key_vault.',
  ],
  [{ source: 'env' }, '"credentials.Key" needs "name" for source env.'],
  [
    { source: 'gcp_secret_manager', name: 'a' },
    '"credentials.Key" needs "project" and "secret" for source gcp_secret_manager.',
    '"credentials.Key.name" does not belong to source gcp_secret_manager.',
  ],
  [{ ...env, nmae: 'a' }, '"credentials.Key" has the unknown field "nmae"; did you mean "name"?'],
  [{ source: 'vault' }, /"credentials.Key.source" must be one of env, keyring, /],
  [{ source: 'env', name: 7 }, '"credentials.Key.name" must be a text that is not empty.'],
  [{ ...env, header: 'X' }, '"credentials.Key.header" belongs to scheme api-key.'],
  [
    { scheme: 'none', ...env },
    '"credentials.Key.source" does not belong to scheme none.',
    '"credentials.Key.name" does not belong to scheme none.',
  ],
  [
    { source: 'azure_key_vault', vault_url: 'http://v', secret_name: 's' },
    '"credentials.Key.vault_url" must be an https address.',
  ],
  [
    { scheme: 'oauth2' },
    '"credentials.Key" needs either "provider" and "function_id" of a token broker, or "grant" and "client_id".',
  ],
  [{ scheme: 'oauth2', provider: 'aws' }, '"credentials.Key" needs "function_id" for scheme oauth2.'],
  [{ grant: 'device_code' }, '"credentials.Key" needs "client_id" for its "grant".'],
  [{ ...oauth, scheme: 'api-key' }, '"credentials.Key" has a "grant", which belongs to scheme oauth2.'],
  [{ ...oauth, token_url: 'there' }, '"credentials.Key.token_url" must be an address.'],
  [{ ...oauth, scopes: 'read' }, '"credentials.Key.scopes" must be a list of texts.'],
  [{ ...oauth, redirect_port: 0 }, '"credentials.Key.redirect_port" must be a whole number of at least 1.'],
  [
    { ...oauth, grant: 'client_credentials' },
    '"credentials.Key" needs "client_secret" for grant client_credentials.',
  ],
  [
    { ...oauth, client_secret: 'hush-hush' },
    '"credentials.Key.client_secret" must say where the secret is, such as { source: env, name: CLIENT_SECRET }.',
  ],
  [
    { ...oauth, client_secret: { source: 'env' } },
    '"credentials.Key.client_secret" needs "name" for source env.',
  ],
  [
    { ...oauth, client_secret: { ...env, client_id: 'x' } },
    /^"credentials.Key.client_secret" has the unknown field "client_id"/,
  ],
] as [unknown, ...(string | RegExp)[]][])('says what is wrong with %j', (value, ...sentences) => {
  const parsed = parseCredentialSettings(value, WHERE)
  expect(parsed.ok ? [] : parsed.problems).toEqual(
    sentences.map((each) => (typeof each === 'string' ? each : (expect.stringMatching(each) as string))),
  )
})
