import { describe, expect, it } from 'vitest'
import { ask } from './ask.js'
import { clock, closing, start } from './start-login.js'
import {
  agreeingBrowser,
  startAuthorizationServer,
  type AuthorizationServerOptions,
} from './authorization-server.js'

describe('a login through the browser', () => {
  it('registers a client, uses PKCE, and names the resource', async () => {
    const { authority, resource, credentials } = await start()
    expect(await ask(resource.url, credentials())).toBe(200)
    expect(authority.seen.registrations).toHaveLength(1)
    expect(authority.seen.registrations[0]).toMatchObject({
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    })
    expect(authority.seen.authorizations[0]!.get('resource')).toBe(resource.url)
    expect(authority.seen.tokens[0]!.get('resource')).toBe(resource.url)
    expect(authority.seen.authorizations[0]!.get('redirect_uri')).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/callback$/,
    )
  })

  it('uses the client metadata document, where one is configured and supported', async () => {
    const { authority, resource, credentials } = await start({ takesClientDocuments: true })
    const clientMetadataUrl = 'https://client.example/toolcrib.json'
    expect(await ask(resource.url, credentials({ settings: { clientMetadataUrl } }))).toBe(200)
    expect(authority.seen.registrations).toHaveLength(0)
    expect(authority.seen.authorizations[0]!.get('client_id')).toBe(clientMetadataUrl)
  })

  it('uses the configured client, whose secret is not stored with the tokens', async () => {
    const client = { id: 'by-hand', secret: 'hush-hush' }
    const { authority, resource, storage, credentials } = await start({
      client,
      hasRegistration: false,
      authMethods: ['client_secret_basic'],
    })
    const settings = { clientId: client.id, clientSecret: client.secret, issuer: authority.url }
    expect(await ask(resource.url, credentials({ settings }))).toBe(200)
    expect(authority.seen.tokenAuthorization[0]).toMatch(/^Basic /)
    const grant = await storage.load({ user: 'ada', url: resource.url })
    expect(JSON.stringify(grant)).not.toContain(client.secret)
  })

  it('does not show a configured client to another authorization server than its own', async () => {
    const { authority, resource, credentials } = await start()
    const settings = { clientId: 'by-hand', clientSecret: 'hush-hush', issuer: 'https://elsewhere.example' }
    await expect(ask(resource.url, credentials({ settings }))).rejects.toThrow(/another authorization server/)
    expect(authority.seen.authorizations).toHaveLength(0)
  })

  it('does not use a configured client when the server names another authorization server', async () => {
    const client = { id: 'by-hand', secret: 'hush-hush' }
    const { current, resource, credentials } = await start({ client, authMethods: ['client_secret_basic'] })
    const one = credentials({ settings: { clientId: client.id, clientSecret: client.secret } })
    expect(await ask(resource.url, one)).toBe(200)
    const next = await startAuthorizationServer({ client, authMethods: ['client_secret_basic'] })
    closing.push(next.close)
    current.authority = next
    clock.nowMs += 60_000
    await expect(ask(resource.url, one)).rejects.toThrow(/another authorization server than before/)
    expect(next.seen.tokens).toHaveLength(0)
    expect(next.seen.authorizations).toHaveLength(0)
  })

  it('needs no person for the client credentials grant', async () => {
    const client = { id: 'by-hand', secret: 'hush-hush' }
    const { authority, resource, credentials } = await start({
      client,
      authMethods: ['client_secret_basic'],
      challengeMethods: undefined,
      canRenew: false,
    })
    const settings = {
      grant: 'client_credentials',
      clientId: client.id,
      clientSecret: client.secret,
    } as const
    const one = credentials({ settings, openBrowser: undefined })
    expect(await ask(resource.url, one)).toBe(200)
    authority.accessTokens.clear()
    clock.nowMs += 60_000
    expect(await ask(resource.url, one)).toBe(200)
    expect(authority.seen.tokens.map((params) => params.get('grant_type'))).toEqual([
      'client_credentials',
      'client_credentials',
    ])
    const bare = credentials({ settings: { grant: 'client_credentials' }, openBrowser: undefined })
    await expect(ask(resource.url, bare)).rejects.toThrow(/oauth\.clientId and oauth\.clientSecret/)
  })

  it('says what to configure where clients cannot register', async () => {
    const { resource, credentials } = await start({ hasRegistration: false })
    await expect(ask(resource.url, credentials())).rejects.toThrow(/set oauth\.clientId/)
  })

  it('uses the configured redirect port', async () => {
    const { authority, resource, credentials } = await start()
    const settings = { redirectPort: await freePort() }
    expect(await ask(resource.url, credentials({ settings }))).toBe(200)
    const back = new URL(authority.seen.authorizations[0]!.get('redirect_uri')!)
    expect(Number(back.port)).toBe(settings.redirectPort)
  })

  it('registers once, and uses the same client at the next login', async () => {
    const { authority, resource, credentials } = await start()
    const one = credentials()
    await one.logIn()
    await one.logIn()
    expect(authority.seen.registrations).toHaveLength(1)
    expect(await ask(resource.url, one)).toBe(200)
  })

  it('requests the scope of the refusal, else the scopes that the server lists', async () => {
    const named = await start({}, { scope: 'read', scopesSupported: ['read', 'write'] })
    await ask(named.resource.url, named.credentials())
    expect(named.authority.seen.authorizations[0]!.get('scope')).toBe('read')
    const listed = await start({}, { scopesSupported: ['read', 'write'] })
    await ask(listed.resource.url, listed.credentials())
    expect(listed.authority.seen.authorizations[0]!.get('scope')).toBe('read write')
    const none = await start()
    await ask(none.resource.url, none.credentials())
    expect(none.authority.seen.authorizations[0]!.has('scope')).toBe(false)
  })

  it('requests offline access where it is supported', async () => {
    const { authority, resource, credentials } = await start(
      { scopesSupported: ['read', 'offline_access'] },
      { scope: 'read' },
    )
    await ask(resource.url, credentials())
    expect(authority.seen.authorizations[0]!.get('scope')).toBe('read offline_access')
  })
})

describe('a login that must fail', () => {
  it.each<[string, AuthorizationServerOptions]>([
    ['metadata of another issuer', { issuer: 'https://elsewhere.example' }],
    ['an answer of another issuer', { iss: 'https://elsewhere.example' }],
    ['an answer without the issuer that was promised', { advertisesIss: true }],
    ['an issuer that is only nearly the same', { advertisesIss: true, iss: 'HTTP://127.0.0.1' }],
    ['no PKCE', { challengeMethods: undefined }],
    ['only plain PKCE', { challengeMethods: ['plain'] }],
  ])('%s: no code is redeemed', async (_, options) => {
    const { authority, resource, storage, credentials } = await start(options)
    await expect(ask(resource.url, credentials())).rejects.toThrow(/"files"/)
    expect(authority.seen.tokens).toHaveLength(0)
    expect(await storage.load({ user: 'ada', url: resource.url })).toBeUndefined()
  })

  it('accepts the right issuer', async () => {
    const { resource, credentials } = await start({ advertisesIss: true, iss: 'own' })
    expect(await ask(resource.url, credentials())).toBe(200)
  })

  it('rejects tokens for another address than the server’s own', async () => {
    const { authority, resource, credentials } = await start(
      {},
      { resource: 'https://elsewhere.example/mcp' },
    )
    await expect(ask(resource.url, credentials())).rejects.toThrow(/another address/)
    expect(authority.seen.registrations).toHaveLength(0)
  })

  it('ignores an answer with the wrong state, and still takes the right one', async () => {
    const { resource, credentials } = await start()
    const openBrowser = async (url: URL): Promise<void> => {
      const back = url.searchParams.get('redirect_uri')!
      const forged = await fetch(`${back}?code=forged&state=guessed`)
      expect(forged.status).toBe(400)
      expect((await fetch(back.replace('/callback', '/'))).status).toBe(400)
      await agreeingBrowser(url)
    }
    expect(await ask(resource.url, credentials({ openBrowser }))).toBe(200)
  })

  it('fails when the person refuses, or never comes back', async () => {
    const { resource, credentials } = await start()
    const refuse = async (url: URL): Promise<void> => {
      const back = new URL(url.searchParams.get('redirect_uri')!)
      back.searchParams.set('state', url.searchParams.get('state')!)
      back.searchParams.set('error', 'access_denied')
      await fetch(back)
    }
    await expect(ask(resource.url, credentials({ openBrowser: refuse }))).rejects.toThrow(/was not granted/)
    const away = credentials({ openBrowser: () => {}, loginTimeoutMs: 20 })
    await expect(ask(resource.url, away)).rejects.toThrow(/was not completed in the browser in time/)
  })
})

describe('more scopes', () => {
  it('are requested in addition to the granted ones', async () => {
    const { authority, resource, credentials } = await start({}, { scope: 'read', needs: () => 'write' })
    expect(await ask(resource.url, credentials())).toBe(200)
    expect(authority.seen.authorizations.map((params) => params.get('scope'))).toEqual(['read', 'read write'])
  })

  it('that are never granted are not requested for ever', async () => {
    const { authority, resource, credentials } = await start(
      { grants: () => 'read' },
      { scope: 'read', needs: () => 'write' },
    )
    expect(await ask(resource.url, credentials())).toBe(403)
    expect(authority.seen.authorizations.length).toBeLessThanOrEqual(4)
  })

  it('wait for a person where there is none, and are requested at the next login', async () => {
    const { authority, resource, credentials } = await start({}, { scope: 'read', needs: () => 'write' })
    await credentials().logIn({ status: 401, wwwAuthenticate: 'Bearer scope="read"' })
    const alone = credentials({ openBrowser: undefined })
    await expect(ask(resource.url, alone)).rejects.toThrow(/more rights.*toolcrib login files/)
    await credentials().logIn({ status: 401, wwwAuthenticate: 'Bearer scope="read"' })
    expect(authority.seen.authorizations.at(-1)!.get('scope')).toBe('read write')
  })
})

async function freePort(): Promise<number> {
  const server = await startAuthorizationServer()
  await server.close()
  return Number(new URL(server.url).port)
}
