import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ownPath } from '../../../src/edges/server/oidc/oidc-handler.js'
import type { OidcSettings } from '../../../src/host/identities/oidc-person.js'
import { sqliteStore } from '../../../src/storage/sqlite/sqlite-store.js'
import { openTemporaryFolder } from '../../temporary-folder.js'
import { CLIENT_ID, CLIENT_SECRET, createBrowser, openProvider } from './support/open-provider.js'
import { listTools, openServer } from './support/open-server.js'

beforeEach(() => void vi.stubEnv('OIDC_SECRET', CLIENT_SECRET))
afterEach(() => void vi.unstubAllEnvs())

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The provider must know the address of the server before the server listens. */
async function open(more: Partial<OidcSettings> = {}) {
  const port = await freePort()
  const provider = await openProvider([`http://127.0.0.1:${port}/auth/oidc/callback`])
  const oidc: OidcSettings = {
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecret: { source: 'env', name: 'OIDC_SECRET' },
    name: 'Example',
    roles: { reviewers: ['reviewer'], operators: ['operator', 'caller'] },
    ...more,
  }
  const server = await openServer({ serve: { port, auth: { oidc } } })
  return { provider, server, browser: createBrowser(), host: `127.0.0.1:${port}`, oidc }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Logs in, and stops where the console would be shown. */
function login({ server, browser, host }: Opened, query = '?return=/inbox') {
  return browser.open(
    `${server.origin}/auth/oidc/login${query}`,
    (next) => next.host !== host || next.pathname.startsWith('/auth/'),
  )
}

const cookieName = (host: string): string => `toolcrib_session_${new URL(`http://${host}`).port}`

function cookieIn({ browser, host }: Opened): string {
  return `${cookieName(host)}=${browser.cookiesOf(host).get(cookieName(host))}`
}

describe('a login at an OpenID provider', () => {
  it('opens a session with the roles of the claims, and leads back to the page', async () => {
    const opened = await open()
    const { server, provider } = opened
    expect((await server.ask('GET', '/api/v1/session')).body).toMatchObject({
      login: { token: true, oidc: { name: 'Example' } },
    })
    const { url } = await login(opened)
    expect(url.href).toBe(`${server.origin}/inbox`)
    const cookie = cookieIn(opened)
    const actor = `oidc:${new URL(provider.issuer).host}:ana`
    expect((await server.ask('GET', '/api/v1/session', { cookie })).body).toMatchObject({
      actor,
      person: `person:${actor}`,
      roles: ['reviewer'],
      csrf_token: expect.any(String),
    })
    expect((await server.ask('GET', '/api/v1/approvals', { cookie })).status).toBe(200)
    expect((await server.ask('GET', '/api/v1/tokens', { cookie })).status).toBe(403)
    expect((await listTools(server, { cookie })).status).toBe(401)
    expect(opened.browser.cookiesOf(opened.host).has('toolcrib_login')).toBe(false)
    expect(server.problems).toEqual([])
  })

  it('without a role, or without the tenant that is asked for, is refused', async () => {
    const opened = await open({ tenantClaim: 'org' })
    const { provider, server } = opened
    provider.is({ sub: 'bob', groups: ['staff'], org: 'lab' })
    expect((await login(opened)).url.href).toBe(`${server.origin}/login?problem=no_access`)
    expect(opened.browser.cookiesOf(opened.host).has(cookieName(opened.host))).toBe(false)
    expect(String(server.problems)).toContain('gives a role in "serve.auth.oidc.roles"')
    const other = await open({ tenantClaim: 'org' })
    other.provider.is({ sub: 'ana', groups: ['reviewers'] })
    expect((await login(other)).url.search).toBe('?problem=no_access')
    const third = await open({ tenantClaim: 'org', actorClaim: 'preferred_username' })
    third.provider.is({ sub: '17', groups: ['operators'], org: 'lab', preferred_username: 'ana' })
    await login(third)
    const session = await third.server.ask('GET', '/api/v1/session', { cookie: cookieIn(third) })
    expect(session.body).toMatchObject({ tenant: 'lab', actor: expect.stringMatching(/:ana$/) })
  })

  it('counts only in the browser that started it', async () => {
    const opened = await open()
    const { server, browser, host } = opened
    const callback = await browser.open(`${server.origin}/auth/oidc/login`, (next) => next.host !== host)
    expect(callback.url.pathname).toBe('/auth/oidc/callback')
    const stranger = createBrowser()
    const refused = await stranger.open(callback.url.href, (next) => next.pathname !== '/login')
    expect(refused.url.search).toBe('?problem=not_started')
    expect(stranger.cookiesOf(host).has(cookieName(host))).toBe(false)
    // The state of another login, in the browser that has a login of its own.
    const forged = new URL(callback.url)
    forged.searchParams.set('state', 'x'.repeat(43))
    const wrong = await browser.open(forged.href, (next) => next.pathname !== '/login')
    expect(wrong.url.search).toBe('?problem=failed')
    expect(browser.cookiesOf(host).has(cookieName(host))).toBe(false)
  })

  it('fails with a wrong client secret, and the log has no secret', async () => {
    vi.stubEnv('OIDC_SECRET', 'not-the-secret-of-the-client')
    const opened = await open()
    expect((await login(opened)).url.search).toBe('?problem=failed')
    expect(String(opened.server.problems)).toContain('The login at')
    for (let count = 0; count < 30; count += 1) await login(opened)
    expect((await login(opened)).url.search).toBe('?problem=unavailable')
    expect(String(opened.server.problems)).not.toContain('not-the-secret')
  })

  it('without a provider that answers says so', async () => {
    const opened = await open({ issuer: `http://127.0.0.1:${await freePort()}` })
    expect((await login(opened)).url.search).toBe('?problem=unavailable')
  })

  it('leads to no page of another server', async () => {
    const opened = await open()
    const { url } = await login(opened, `?return=${encodeURIComponent('//evil.example.com/')}`)
    expect(url.href).toBe(`${opened.server.origin}/`)
    for (const path of [
      'https://evil.example.com',
      '//evil.example.com',
      '/\\evil.example.com',
      '\\\\evil.example.com',
      '/\t/evil.example.com',
      '/a\r\nset-cookie: x=1',
      'javascript:alert(1)',
      '',
      null,
    ])
      expect(ownPath(path), String(path)).toBe('/')
    expect(ownPath('/calls/inv_1?tab=story#top')).toBe('/calls/inv_1?tab=story#top')
  })

  it('lasts over a restart, and ends where the config no longer admits the person', async () => {
    const folder = openTemporaryFolder()
    const store = () => sqliteStore({ path: folder.file('crib.db') })
    const port = await freePort()
    const provider = await openProvider([`http://127.0.0.1:${port}/auth/oidc/callback`])
    const oidc: OidcSettings = {
      issuer: provider.issuer,
      clientId: CLIENT_ID,
      clientSecret: { source: 'env', name: 'OIDC_SECRET' },
      roles: { reviewers: ['reviewer'] },
    }
    const first = await openServer({ serve: { port, auth: { oidc } }, store: store() })
    const browser = createBrowser()
    const host = `127.0.0.1:${port}`
    await login({ server: first, browser, host } as Opened)
    const cookie = cookieIn({ browser, host } as Opened)
    await first.close()
    const second = await openServer({ serve: { port, auth: { oidc } }, store: store() })
    expect((await second.ask('GET', '/api/v1/session', { cookie })).body).toMatchObject({
      roles: ['reviewer'],
    })
    await second.close()
    const stricter = { ...oidc, roles: { leads: ['reviewer' as const] } }
    const third = await openServer({ serve: { port, auth: { oidc: stricter } }, store: store() })
    expect((await third.ask('GET', '/api/v1/session', { cookie })).status).toBe(401)
    await third.close()
    folder.remove()
  })

  it('needs settings that can be used', async () => {
    const oidc = { issuer: 'http://login.example.com', clientId: 'x', roles: {} }
    await expect(openServer({ serve: { auth: { oidc } } })).rejects.toThrow('must be the https address')
    const secret = { ...oidc, issuer: 'https://login.example.com', clientSecret: { source: 'env' as const } }
    await expect(openServer({ serve: { auth: { oidc: secret } } })).rejects.toThrow(
      'serve.auth.oidc.clientSecret',
    )
  })
})
