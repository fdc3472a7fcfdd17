import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fileTokenStorage } from '../../../../src/credentials/oauth/file-token-storage.js'
import type { OAuthOptions } from '../../../../src/sources/mcp/oauth/login-flow.js'
import { memoryTokenStorage } from '../../../../src/credentials/oauth/memory-token-storage.js'
import { oauthCredentials } from '../../../../src/sources/mcp/oauth/oauth-credentials.js'
import { ask } from './ask.js'
import { agreeingBrowser, startAuthorizationServer } from './authorization-server.js'
import { startResourceServer } from './resource-server.js'
import { temporaryFolder } from '../../../temporary-folder.js'

const HOUR_MS = 3600_000

/** A user who logged in about an hour ago, and an authorization server that a test can make silent or broken. */
async function start(more: Partial<OAuthOptions> = {}) {
  const authority = await startAuthorizationServer({ expiresInSeconds: 3600 })
  const resource = await startResourceServer({ authority: () => authority })
  onTestFinished(async () => {
    await authority.close()
    await resource.close()
  })
  const clock = { nowMs: more.now?.() ?? 1_700_000_000_000 }
  const options: OAuthOptions = {
    server: 'files',
    url: resource.url,
    settings: {},
    user: 'ada',
    storage: memoryTokenStorage(),
    now: () => clock.nowMs,
    ...more,
  }
  const logIn = () => oauthCredentials({ ...options, openBrowser: agreeingBrowser }).logIn()
  await logIn()
  let asked = 0
  const answerTokens = (answer: (response: ServerResponse) => void): void => {
    authority.options.answerToken = (response) => {
      asked += 1
      answer(response)
      return true
    }
  }
  return {
    authority,
    resource,
    clock,
    logIn,
    credentials: oauthCredentials(options),
    asked: () => asked,
    fallSilent: () => answerTokens(() => {}),
    fallIll: () => answerTokens((response) => response.writeHead(500).end()),
    recover: () => (authority.options.answerToken = () => false),
  }
}

const renewals = ({ seen }: { seen: { tokens: URLSearchParams[] } }): number =>
  seen.tokens.filter((params) => params.get('grant_type') === 'refresh_token').length

describe('a token that is still valid', () => {
  it('is used while the next one is fetched', async () => {
    const { authority, resource, credentials, clock } = await start()
    const [first] = authority.accessTokens.keys()
    clock.nowMs += HOUR_MS - 1000
    expect(await ask(resource.url, credentials)).toBe(200)
    expect(resource.seen).toEqual([`Bearer ${first}`])
    await credentials.settled!()
    expect(renewals(authority)).toBe(1)
    expect(await ask(resource.url, credentials)).toBe(200)
    expect(resource.seen[1]).not.toBe(`Bearer ${first}`)
  })

  it('is used by all requests although its authorization server is silent', async () => {
    const { resource, credentials, clock, fallSilent, asked } = await start()
    fallSilent()
    clock.nowMs += HOUR_MS - 1000
    for (let round = 0; round < 3; round++) expect(await ask(resource.url, credentials)).toBe(200)
    await vi.waitFor(() => expect(asked()).toBe(1))
  })
})

describe('an authorization server that does not renew', () => {
  it('is awaited for a while if it is silent, then the server decides', async () => {
    const { resource, credentials, clock, fallSilent } = await start({ renewalWaitMs: 20 })
    fallSilent()
    clock.nowMs += HOUR_MS + 1000
    expect(await ask(resource.url, credentials)).toBe(200)
  })

  it('is not asked again for a while', async () => {
    const { resource, credentials, clock, fallIll, recover, asked, authority } = await start()
    fallIll()
    clock.nowMs += HOUR_MS + 1000
    for (let round = 0; round < 3; round++) expect(await ask(resource.url, credentials)).toBe(200)
    expect(asked()).toBe(1)
    clock.nowMs += 10_000
    recover()
    expect(await ask(resource.url, credentials)).toBe(200)
    expect(renewals(authority)).toBe(1)
  })

  it('is not asked again for every refusal, and a login elsewhere counts at once', async () => {
    const { authority, resource, credentials, clock, fallIll, recover, asked, logIn } = await start()
    fallIll()
    clock.nowMs += 60_000
    authority.accessTokens.clear()
    for (let round = 0; round < 3; round++)
      await expect(ask(resource.url, credentials)).rejects.toThrow(/did not renew the token/)
    expect(asked()).toBe(1)
    recover()
    await logIn()
    expect(await ask(resource.url, credentials)).toBe(200)
  })
})

it('a token is renewed once, however many processes find it expired', async () => {
  const home = temporaryFolder()
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const env = { ...process.env, XDG_CONFIG_HOME: home }
  const longAgo = Date.now() - 2 * HOUR_MS
  const { authority, resource } = await start({
    storage: fileTokenStorage({ env }),
    now: () => longAgo,
  })
  authority.accessTokens.clear()
  const path = fileURLToPath(new URL('./children/ask-with-login.mjs', import.meta.url))
  const children = [1, 2, 3].map(() => spawn(process.execPath, [path, resource.url, 'ada'], { env }))
  const ended = children.map((child) => once(child, 'close'))
  const said = children.map(() => '')
  for (const [at, child] of children.entries())
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said[at] += text))
  await vi.waitFor(() => expect(said).toEqual(['ready\n', 'ready\n', 'ready\n']), 20_000)
  for (const child of children) child.stdin.end('go')
  await Promise.all(ended)
  expect(said).toEqual(['ready\n200\n', 'ready\n200\n', 'ready\n200\n'])
  expect(renewals(authority)).toBe(1)
}, 40_000)
