import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CredentialSettings, SecretSettings } from '../../src/credentials/credential-settings.js'
import { isCredentialProblem } from '../../src/credentials/credential-problem.js'
import { joinCredentials } from '../../src/credentials/join-credentials.js'
import {
  openCredential,
  type CredentialContext,
  type CredentialPosition,
} from '../../src/credentials/open-credential.js'
import { secretStore } from '../../src/credentials/secrets/secret-store.js'
import { createLiveSecrets } from '../../src/redaction/live-secrets.js'
import { createRedactor } from '../../src/redaction/redactor.js'
import { temporaryFolder } from '../temporary-folder.js'
import { startApi } from './api-server.js'

const KEY = 'Zq8-Lm2_rT5vW9xK'
const HEADER: CredentialPosition = { in: 'header', name: 'X-Api-Key' }
const owner = { entry: 'petstore', name: 'ApiKeyAuth' }

const secret = (settings: SecretSettings): CredentialSettings => ({
  kind: 'secret',
  scheme: undefined,
  secret: settings,
})
const variable = (key?: string): CredentialSettings => secret({ source: 'env', name: 'PET_KEY', key })

function context(more: Partial<CredentialContext> = {}): CredentialContext {
  const env = { TOOLCRIB_HOME: join(temporaryFolder(), 'home'), ...more.env }
  return {
    origin: 'https://pets.example',
    sentAs: HEADER,
    live: createLiveSecrets(),
    owner,
    ...more,
    env: { TOOLCRIB_SEAL_KEY: process.env['TOOLCRIB_SEAL_KEY'], ...env },
  }
}

describe('a secret is sent', () => {
  const positions: [CredentialPosition, string, object][] = [
    [HEADER, KEY, { headers: { 'x-api-key': KEY } }],
    [
      { in: 'header', name: 'Authorization', scheme: 'Bearer' },
      KEY,
      { headers: { authorization: `Bearer ${KEY}` } },
    ],
    [
      { in: 'header', name: 'Authorization', scheme: 'Bearer' },
      `bearer ${KEY}\n`,
      { headers: { authorization: `Bearer ${KEY}` } },
    ],
    [{ in: 'query', name: 'key' }, KEY, { query: { key: KEY } }],
    [{ in: 'cookie', name: 'session' }, KEY, { cookies: { session: KEY } }],
    [{ in: 'basic' }, 'ann:a:b', { headers: { authorization: `Basic ${btoa('ann:a:b')}` } }],
    [
      { in: 'basic' },
      '{"username":"ann","password":"a:b"}',
      { headers: { authorization: `Basic ${btoa('ann:a:b')}` } },
    ],
  ]
  it.each(positions)('as %j', async (sentAs, value, proof) => {
    const credential = openCredential(variable(), context({ sentAs, env: { PET_KEY: value } }))
    expect(credential.missing()).toBeUndefined()
    expect(await credential.proof()).toEqual(proof)
  })

  it('as the settings say, where they say it', async () => {
    const env = { PET_KEY: '{"token":"t-1","other":"o-1"}' }
    const of = (more: object): Promise<unknown> =>
      Promise.resolve(
        openCredential({ ...variable(), ...more } as CredentialSettings, context({ env })).proof(),
      )
    const named: SecretSettings = { source: 'env', name: 'PET_KEY', key: 'other' }
    expect(await of({ scheme: 'api-key', header: 'X-Own', secret: named })).toEqual({
      headers: { 'x-own': 'o-1' },
    })
    expect(await of({ scheme: 'bearer-token', secret: named })).toEqual({
      headers: { authorization: 'Bearer o-1' },
    })
    expect(await of({ scheme: 'service-account' })).toEqual({ headers: { authorization: 'Bearer t-1' } })
  })

  it('not at all with scheme none', async () => {
    const credential = openCredential({ kind: 'none' }, context())
    expect(credential.missing()).toBeUndefined()
    expect(await credential.proof()).toEqual({})
  })

  it('with the others of a combination', async () => {
    const given = context({ env: { PET_KEY: KEY } })
    const second = openCredential(undefined, { ...given, sentAs: { in: 'cookie', name: 'c' } })
    const joined = joinCredentials(openCredential(variable(), given), second)
    expect(joined.missing()).toMatchObject({ code: 'toolcrib.credential_missing' })
    await secretStore(given.env).set('petstore/ApiKeyAuth', 'own-secret-1')
    expect(joined.missing()).toBeUndefined()
    expect(await joined.proof()).toEqual({ headers: { 'x-api-key': KEY }, cookies: { c: 'own-secret-1' } })
  })
})

describe('a missing credential', () => {
  it('is named with the way to set it', async () => {
    const given = context()
    expect(openCredential(variable(), given).missing()).toEqual({
      message: '"petstore" needs a credential (ApiKeyAuth): set the variable PET_KEY.',
      code: 'toolcrib.credential_missing',
    })
    const own = openCredential(undefined, given)
    expect(own.missing()).toEqual({
      message: '"petstore" needs a credential (ApiKeyAuth): run toolcrib secrets set petstore/ApiKeyAuth.',
      code: 'toolcrib.credential_missing',
    })
    await expect(own.proof()).rejects.toSatisfy(isCredentialProblem)
    expect(openCredential({ kind: 'iam-role' }, given).missing()).toMatchObject({
      message: expect.stringContaining('scheme iam-role is for the services of a cloud') as string,
    })
  })

  const faults: [string, string | undefined, CredentialPosition, string][] = [
    ['no JSON', 'token', HEADER, 'must be a JSON object with the field "token"'],
    ['{"other":"x"}', 'token', HEADER, 'must be a JSON object with the field "token"'],
    ['{}', '__proto__', HEADER, 'must be a JSON object with the field "__proto__"'],
    ['ann', undefined, { in: 'basic' }, 'must be user:password'],
    ['zero​width', undefined, HEADER, 'characters that no header can carry'],
    ['two\nlines', undefined, HEADER, 'characters that no header can carry'],
    ['a;b', undefined, { in: 'cookie', name: 'c' }, 'characters that no cookie can carry'],
    ['\n', undefined, HEADER, 'its secret is empty'],
  ]
  it.each(faults)('the secret %j with the key %s', async (value, key, sentAs, words) => {
    const credential = openCredential(variable(key), context({ sentAs, env: { PET_KEY: value } }))
    const error = await Promise.resolve(credential.proof()).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error?.message).toContain(words)
    expect(error?.message).not.toContain(value)
    if (key !== undefined) expect(credential.missing()?.message).toContain(words)
  })
})

describe('rotation', () => {
  it('of a variable counts at the next request', async () => {
    const api = await startApi()
    const { env, ...rest } = context({ origin: api.origin, env: { PET_KEY: 'first-key-1' } })
    const credential = openCredential(variable(), { ...rest, env })
    await api.ask(credential)
    env['PET_KEY'] = 'second-key-2'
    await api.ask(credential)
    expect(api.seen.map(({ headers }) => headers['x-api-key'])).toEqual(['first-key-1', 'second-key-2'])
  })

  it('of an own secret counts at the next request, also when another process set it', async () => {
    const api = await startApi()
    const given = context({ origin: api.origin })
    const credential = openCredential(undefined, given)
    for (const value of ['first-key-1', 'second-key-2']) {
      await secretStore(given.env).set('petstore/ApiKeyAuth', value)
      await api.ask(credential)
    }
    expect(api.seen.map(({ headers }) => headers['x-api-key'])).toEqual(['first-key-1', 'second-key-2'])
    await secretStore(given.env).remove('petstore/ApiKeyAuth')
    await expect(api.ask(credential)).rejects.toThrow('toolcrib secrets set petstore/ApiKeyAuth')
  })

  it('between a request and its refusal leads to one more try, and no rotation to none', async () => {
    const api = await startApi()
    const given = context({ origin: api.origin, env: { PET_KEY: 'first-key-1' } })
    api.accepts = ({ headers }) => {
      given.env['PET_KEY'] = 'second-key-2'
      return headers['x-api-key'] === 'second-key-2'
    }
    expect((await api.ask(openCredential(variable(), given))).status).toBe(200)
    api.accepts = () => false
    expect((await api.ask(openCredential(variable(), given))).status).toBe(401)
    expect(api.seen).toHaveLength(3)
  })
})

it('is not sent to the target of a redirect, nor to another origin', async () => {
  const [api, other] = [await startApi(), await startApi()]
  api.answers = { status: 302, headers: { location: `${other.origin}/` } }
  const credential = openCredential(variable(), context({ origin: api.origin, env: { PET_KEY: KEY } }))
  expect((await api.ask(credential)).status).toBe(302)
  await expect(other.ask(credential)).rejects.toThrow('its credentials belong to another address')
  expect(other.seen).toEqual([])
})

describe('redaction', () => {
  const texts: [string, CredentialPosition, string][] = [
    [KEY, HEADER, KEY],
    ['ann:plum tree by the lake', { in: 'basic' }, 'plum tree by the lake'],
    ['ann:plum tree by the lake', { in: 'basic' }, btoa('ann:plum tree by the lake')],
    ['471108151234', HEADER, '471108151234'],
  ]
  it.each(texts)('knows a variable before its first use: %j as %j', (value, sentAs, shown) => {
    const given = context({ sentAs, env: { PET_KEY: value } })
    openCredential(variable(), given)
    expect(createRedactor({ patterns: false, live: given.live }).text(`was ${shown}!`)).not.toContain(shown)
  })

  it('knows an own secret once it is used, and leaves ordinary words alone', async () => {
    const given = context()
    const credential = openCredential(undefined, given)
    const { text } = createRedactor({ patterns: false, live: given.live })
    for (const [value, isMasked] of [
      [KEY, true],
      ['demo', false],
    ] as const) {
      await secretStore(given.env).set('petstore/ApiKeyAuth', value)
      await credential.proof()
      expect(text(`was ${value}!`) !== `was ${value}!`).toBe(isMasked)
    }
  })
})
