import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { serveAuth } from '../../../../src/edges/cli/serve/serve-auth.js'
import type { CribSettings } from '../../../../src/host/crib-settings.js'
import { openIdentities } from '../../../../src/edges/server/identities.js'
import { memoryStore } from '../../../../src/storage/memory/memory-store.js'
import { startIssuer } from './issuer-server.js'

const DOOR = 'https://tools.example/mcp'
let issuer: Awaited<ReturnType<typeof startIssuer>>

beforeEach(async () => {
  issuer = await startIssuer()
})
afterEach(() => issuer.close())

test('the configured claims apply to tokens of the issuer, and not to those of the table', async () => {
  const sha256 = createHash('sha256').update('by-hand').digest('hex')
  const oauth = {
    issuer: issuer.url,
    audience: DOOR,
    actorClaim: 'email',
    tenantClaim: 'org',
    surfaceClaim: 'counter',
    rateLimitPerMinute: 9,
  }
  const serve = { auth: { tokens: [{ name: 'ada', sha256 }], oauth } }
  const settings = { config: { serve }, trust: { isTrusted: true } } as unknown as CribSettings
  const { admitted } = await serveAuth(settings, {})
  const store = memoryStore()
  await store.open()
  const identities = await openIdentities({ settings, admitted, store })
  onTestFinished(() => identities.close())
  const { authenticate } = identities.server
  const callerOf = (token: string) =>
    authenticate!({ headers: { authorization: `Bearer ${token}` }, url: '/mcp' })

  const seconds = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer.url, aud: DOOR, sub: '1', iat: seconds, exp: seconds + 600 }
  const own = { email: 'ada', org: 'lab', counter: 'small' }
  expect(await callerOf(await issuer.sign({ ...claims, ...own }))).toMatchObject({
    actor: `oauth:${new URL(issuer.url).host}:ada`,
    tenant: 'lab',
    surface: 'small',
    rateLimitPerMinute: 9,
  })
  expect(await callerOf(await issuer.sign(claims))).toMatchObject({ status: 401 })
  expect(await callerOf('by-hand')).toMatchObject({ actor: 'ada' })
})
