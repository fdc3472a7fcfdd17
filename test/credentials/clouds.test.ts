import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CredentialSettings, SecretSettings } from '../../src/credentials/credential-settings.js'
import { openCredential } from '../../src/credentials/open-credential.js'
import {
  schemeProblem,
  type AmlScheme,
  type AmlTransport,
} from '../../src/credentials/scheme-of-transport.js'
import { openServiceAccount, SERVICE_ACCOUNT_FIELDS } from '../../src/credentials/service-account.js'
import { createLiveSecrets } from '../../src/redaction/live-secrets.js'
import { createRedactor } from '../../src/redaction/redactor.js'

const owner = { entry: 'petstore', name: 'Key' }

const secret = (settings: SecretSettings): CredentialSettings => ({
  kind: 'secret',
  scheme: undefined,
  secret: settings,
})

describe('the library of a cloud that is not installed', () => {
  const packages: [CredentialSettings, string][] = [
    [
      secret({ source: 'aws_secrets_manager', secret_id: 's' }),
      'the package @aws-sdk/client-secrets-manager',
    ],
    [
      secret({ source: 'gcp_secret_manager', project: 'p', secret: 's' }),
      'the package @google-cloud/secret-manager',
    ],
    [
      secret({ source: 'azure_key_vault', vault_url: 'https://v.example', secret_name: 's' }),
      'the packages @azure/keyvault-secrets and @azure/identity',
    ],
    [{ kind: 'broker', provider: 'aws', function_id: 'f' }, 'the package @aws-sdk/client-lambda'],
    [{ kind: 'broker', provider: 'gcp', function_id: 'f' }, 'the package google-auth-library'],
    [{ kind: 'broker', provider: 'azure', function_id: 'f' }, 'the package @azure/identity'],
  ]
  it.each(packages)('is named: %j needs %s', async (settings, words) => {
    const credential = openCredential(settings, {
      origin: 'https://pets.example',
      sentAs: { in: 'header', name: 'X-Key' },
      env: {},
      live: createLiveSecrets(),
      owner,
    })
    const names = words.replace(/^the packages? /, '').replace(' and ', ' ')
    const problem = {
      message: `"petstore" needs ${words} for its credential (Key): run npm install ${names}.`,
      code: 'toolcrib.setup_required',
    }
    expect(credential.missing()).toEqual(problem)
    await expect(credential.proof()).rejects.toMatchObject(problem)
  })

  it('is an optional peer, which npm does not install', () => {
    const { peerDependencies, peerDependenciesMeta, ...manifest } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    ) as Record<string, Record<string, { optional?: boolean }>>
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: object }
    const names = packages.flatMap(([, words]) => words.replace(/^the packages? /, '').split(' and '))
    for (const name of new Set(names)) {
      expect(peerDependencies).toHaveProperty([name])
      expect(peerDependenciesMeta![name]).toEqual({ optional: true })
      expect(manifest['devDependencies']).not.toHaveProperty([name])
      expect(lock.packages).not.toHaveProperty([`node_modules/${name}`])
    }
  })
})

describe('[AML-CRED-11] the secret of a service account', () => {
  const open = (value: unknown, kind: keyof typeof SERVICE_ACCOUNT_FIELDS) => {
    const live = createLiveSecrets()
    const account = openServiceAccount(
      { source: 'env', name: 'ACCOUNT' },
      { kind, live, owner, env: { ACCOUNT: JSON.stringify(value) }, now: Date.now },
    )
    const { text } = createRedactor({ patterns: false, live })
    return { account, isMasked: (each: string) => text(each) !== each }
  }

  it.each(Object.entries(SERVICE_ACCOUNT_FIELDS))('for %s needs %s', async (kind, fields) => {
    const whole = Object.fromEntries(fields.map((name) => [name, `value of ${name}`]))
    const of = kind as keyof typeof SERVICE_ACCOUNT_FIELDS
    expect(await open(whole, of).account.load()).toEqual(whole)
    const [first, ...rest] = Object.entries(whole)
    await expect(open(Object.fromEntries(rest), of).account.load()).rejects.toThrow(
      `"petstore" needs a credential (Key): its secret must be a JSON object with "${first![0]}".`,
    )
  })

  it('is masked, its public fields are not', async () => {
    const { account, isMasked } = open(
      { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'plum tree by the lake' },
      'aws',
    )
    expect(account.missing()).toBeUndefined()
    await account.load()
    expect([isMasked('plum tree by the lake'), isMasked('AKIDEXAMPLE')]).toEqual([true, false])
  })
})

it('[AML-CRED-11] schemes go with the transports that AML lists', () => {
  const transports: AmlTransport[] = ['rest-api', 'lambda', 'mcp', 'message-queue', 'database']
  const schemes: AmlScheme[] = ['none', 'iam-role', 'api-key', 'bearer-token', 'oauth2', 'service-account']
  const marks = (scheme: AmlScheme): string =>
    transports.map((transport) => schemeProblem(scheme, transport)?.level ?? 'yes').join(' ')
  expect(schemes.map(marks)).toEqual([
    'yes error yes error error',
    'error yes error yes yes',
    'yes error yes error error',
    'yes error yes error error',
    'yes error yes error error',
    'warning yes error yes yes',
  ])
  expect(schemeProblem('none', 'lambda')?.message).toBe(
    'The scheme none does not go with the transport lambda; use one of iam-role, service-account.',
  )
})
