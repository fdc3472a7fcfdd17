import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { isRefusal, type Refusal } from '../../../../src/edges/server/auth/authenticate.js'
import { jwtVerifier, type JwtVerifierOptions } from '../../../../src/edges/server/auth/jwt-verifier.js'
import type { Caller } from '../../../../src/edges/server/caller.js'
import { startIssuer } from './issuer-server.js'

const DOOR = 'https://tools.example/mcp'
const METADATA = 'https://tools.example/.well-known/oauth-protected-resource/mcp'

let issuer: Awaited<ReturnType<typeof startIssuer>>
let nowMs = 0

beforeEach(async () => {
  issuer = await startIssuer()
  nowMs = 1_700_000_000_000
})

afterEach(async () => {
  await issuer.close()
  vi.useRealTimers()
})

const verifier = (more: Partial<JwtVerifierOptions> = {}) =>
  jwtVerifier({
    issuer: issuer.url,
    audience: DOOR,
    resourceMetadataUrl: METADATA,
    now: () => nowMs,
    ...more,
  })

function claims(more: JWTPayload = {}): JWTPayload {
  const seconds = Math.floor(nowMs / 1000)
  return {
    iss: issuer.url,
    aud: DOOR,
    sub: 'ada',
    iat: seconds,
    exp: seconds + 600,
    scope: 'read write',
    ...more,
  }
}

const present = (token: string, authenticate = verifier()): Promise<Caller | Refusal> =>
  authenticate({ headers: { authorization: `Bearer ${token}` }, url: '/mcp' })

describe('a signed token', () => {
  it('identifies the caller and its scopes', async () => {
    const caller = await present(
      await issuer.sign(claims({ client_id: 'cli', org: 'lab' })),
      verifier({ tenantClaim: 'org' }),
    )
    const actor = `oauth:${new URL(issuer.url).host}:ada`
    expect(caller).toMatchObject({ actor, tenant: 'lab', scopes: ['read', 'write'] })
    expect(issuer.seen).toContain('/.well-known/openid-configuration')
  })

  it('identifies the caller by the configured claims, and is refused without them', async () => {
    const authenticate = verifier({
      actorClaim: 'email',
      actorPrefix: 'lab/',
      tenantClaim: 'org',
      surfaceClaim: 'counter',
      rateLimitPerMinute: 7,
    })
    const all = { email: 'ada@lab.example', org: 'lab', counter: 'small' }
    expect(await present(await issuer.sign(claims(all)), authenticate)).toMatchObject({
      actor: 'lab/ada@lab.example',
      tenant: 'lab',
      surface: 'small',
      rateLimitPerMinute: 7,
    })
    for (const name of Object.keys(all)) {
      const refused = await present(await issuer.sign(claims({ ...all, [name]: undefined })), authenticate)
      expect(refused).toMatchObject({ status: 401, message: expect.stringContaining('does not say') })
    }
  })

  it('gives the same digest for all tokens of a user, and is not stored', async () => {
    const authenticate = verifier()
    const token = await issuer.sign(claims())
    const one = (await present(token, authenticate)) as Caller
    const other = (await present(await issuer.sign(claims({ jti: '2' })), authenticate)) as Caller
    const bobs = (await present(await issuer.sign(claims({ sub: 'bob' })), authenticate)) as Caller
    expect(one.token).toBe(other.token)
    expect(bobs.token).not.toBe(one.token)
    expect(JSON.stringify(one)).not.toContain(token.slice(0, 20))
  })

  it('is checked with keys that are read only once', async () => {
    const authenticate = verifier({ jwksUri: `${issuer.url}/keys` })
    const token = await issuer.sign(claims())
    await Promise.all(Array.from({ length: 20 }, () => present(token, authenticate)))
    expect(issuer.seen).toEqual(['/keys'])
  })

  it('with a new key causes the keys to be read again, but not before the cooldown has passed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const authenticate = verifier()
    expect(isRefusal(await present(await issuer.sign(claims()), authenticate))).toBe(false)
    await issuer.rotate()
    const token = await issuer.sign(claims())
    for (let round = 0; round < 5; round++) expect(isRefusal(await present(token, authenticate))).toBe(true)
    expect(issuer.seen.filter((path) => path === '/keys')).toHaveLength(1)
    vi.setSystemTime(Date.now() + 31_000)
    expect(isRefusal(await present(token, authenticate))).toBe(false)
    expect(issuer.seen.filter((path) => path === '/keys')).toHaveLength(2)
  })
})

describe('a refused token', () => {
  const cases: [string, () => Promise<string>, RegExp][] = [
    ['expired', () => issuer.sign(claims({ exp: nowMs / 1000 - 60 })), /no longer valid/],
    ['without an end', () => issuer.sign(claims({ exp: undefined as never })), /not known/],
    ['not yet valid', () => issuer.sign(claims({ nbf: nowMs / 1000 + 60 })), /not valid yet/],
    [
      'for another audience',
      () => issuer.sign(claims({ aud: 'https://other.example/mcp' })),
      /somebody else/,
    ],
    ['without an audience', () => issuer.sign(claims({ aud: undefined as never })), /somebody else/],
    ['of another issuer', () => issuer.sign(claims({ iss: 'https://other.example' })), /not known/],
    ['of nearly the same issuer', () => issuer.sign(claims({ iss: `${issuer.url}/` })), /not known/],
    ['without a subject', () => issuer.sign(claims({ sub: undefined as never })), /does not say/],
    ['signed by another key', signedByAnother, /not known/],
    ['without a signature', async () => unsigned('none'), /not known/],
    ['signed with the public key as a secret', signedWithPublicKey, /not known/],
    ['changed after it was signed', async () => changed(await issuer.sign(claims())), /not known/],
    ['that is not a JWT', async () => 'no-token-at-all', /not known/],
  ]

  it.each(cases)('%s', async (_, make, message) => {
    const token = await make()
    const refusal = (await present(token)) as Refusal
    expect(refusal).toMatchObject({ status: 401, message: expect.stringMatching(message) as string })
    expect(refusal.wwwAuthenticate).toContain('error="invalid_token"')
    expect(refusal.wwwAuthenticate).toContain(`resource_metadata="${METADATA}"`)
    for (const part of token.split('.')) {
      if (part !== '') expect(JSON.stringify(refusal)).not.toContain(part)
    }
  })

  it('lacks a scope: the refusal names the scopes that are needed', async () => {
    const authenticate = verifier({ requiredScopes: ['tools'] })
    const refusal = (await present(await issuer.sign(claims()), authenticate)) as Refusal
    expect(refusal.status).toBe(403)
    expect(refusal.wwwAuthenticate).toContain('error="insufficient_scope"')
    expect(refusal.wwwAuthenticate).toContain('scope="tools"')
  })

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['a password', { authorization: 'Basic YWRhOndvcmQ=' }],
    ['two words', { authorization: 'Bearer one two' }],
  ])('%s is not a token', async (_, headers) => {
    const refusal = (await verifier()({ headers, url: '/mcp?access_token=x' })) as Refusal
    expect(refusal.status).toBe(401)
    expect(refusal.wwwAuthenticate.includes('error=')).toBe(Object.keys(headers).length > 0)
    expect(issuer.seen).toEqual([])
  })

  it('of another issuer causes no request for keys', async () => {
    await present(await issuer.sign(claims({ iss: 'https://other.example' })))
    expect(issuer.seen).toEqual([])
  })

  it('while the keys cannot be read; then the issuer gets no request for a while', async () => {
    issuer.state.isDown = true
    const authenticate = verifier()
    const token = await issuer.sign(claims())
    for (let round = 0; round < 5; round++) {
      expect(await present(token, authenticate)).toMatchObject({
        status: 401,
        message: expect.stringMatching(/keys/) as string,
      })
    }
    const asked = issuer.seen.length
    expect(asked).toBeLessThanOrEqual(3)
    issuer.state.isDown = false
    nowMs += 6000
    expect(isRefusal(await present(token, authenticate))).toBe(false)
  })

  it('of an issuer whose metadata names another issuer', async () => {
    issuer.state.claimsToBe = 'https://other.example'
    expect(await present(await issuer.sign(claims()))).toMatchObject({ status: 401 })
    expect(issuer.seen).not.toContain('/keys')
  })

  it('symmetric algorithms and an empty audience are refused when the verifier is created', () => {
    expect(() => verifier({ algorithms: ['HS256'] })).toThrow(/anybody could sign/)
    expect(() => verifier({ algorithms: ['none'] })).toThrow(/anybody could sign/)
    expect(() => verifier({ audience: [] })).toThrow(/must name this server/)
  })
})

async function signedByAnother(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256')
  return new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', kid: 'key-0' }).sign(privateKey)
}

async function signedWithPublicKey(): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(await issuer.publicJwk()))
  return new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'key-0' }).sign(secret)
}

function unsigned(alg: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg, kid: 'key-0' })}.${part(claims())}.`
}

function changed(token: string): string {
  const [header, , signature] = token.split('.')
  const payload = Buffer.from(JSON.stringify(claims({ sub: 'root' }))).toString('base64url')
  return [header, payload, signature].join('.')
}
