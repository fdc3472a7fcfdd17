import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'

export const CLIENT_ID = 'toolcrib'
export const CLIENT_SECRET = 'a-secret-of-the-client-with-some-length'

/** A person whom the provider knows. */
export interface Account {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** A real OpenID provider on loopback. Whoever comes is logged in as the account at once. */
export async function openProvider(redirectUris: readonly string[]) {
  let account: Account = { sub: 'ana', groups: ['reviewers'] }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], profile: ['groups', 'org', 'preferred_username'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key for the cookies of the provider'] },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ ...account }) }),
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return void answer(request, response)
    void (async () => {
      const { prompt, params } = await provider.interactionDetails(request, response)
      if (prompt.name === 'login')
        return provider.interactionFinished(request, response, { login: { accountId: account.sub } })
      const grant = new provider.Grant({ accountId: account.sub, clientId: String(params['client_id']) })
      grant.addOIDCScope(String(params['scope']))
      return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
    })()
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    issuer,
    /** Who is logged in next. */
    is(next: Account): void {
      account = next
    },
  }
}

/** The cookies of one browser, by host and port: stricter than a browser, which ignores ports. */
export function createBrowser() {
  const jars = new Map<string, Map<string, string>>()
  return {
    /** Follows redirects as long as `goesOn` says so, and returns the last answer. */
    async open(start: string, goesOn: (next: URL) => boolean = () => true) {
      let url = new URL(start)
      for (let hop = 0; hop < 12; hop += 1) {
        const jar = jars.get(url.host) ?? new Map<string, string>()
        jars.set(url.host, jar)
        const response = await fetch(url, {
          redirect: 'manual',
          headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        })
        for (const cookie of response.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
          if (/max-age=0|expires=thu, 01 jan 1970/i.test(cookie)) jar.delete(name!)
          else jar.set(name!, value!)
        }
        const location = response.headers.get('location')
        if (location === null) return { url, response }
        const next = new URL(location, url)
        if (!goesOn(next)) return { url: next, response }
        await response.arrayBuffer()
        url = next
      }
      throw new Error('The browser was sent around in a circle.')
    },
    cookiesOf: (host: string): ReadonlyMap<string, string> => jars.get(host) ?? new Map(),
  }
}
