import { rmSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Crib, ToolResult } from 'toolcrib'
import { createLiveSecrets } from '../../../../src/redaction/live-secrets.js'
import { createRedactor } from '../../../../src/redaction/redactor.js'
import { serverCredentials } from '../../../../src/sources/mcp/settings/server-credentials.js'
import type { McpOAuthSettings } from '../../../../src/sources/mcp/server-settings.js'
import { until } from '../../../until.js'
import { openWith } from '../servers/start-servers.js'
import { agreeingBrowser, startAuthorizationServer } from './authorization-server.js'
import { startResourceServer } from './resource-server.js'
import { temporaryFolder } from '../../../temporary-folder.js'

const OWNER = 'house'

async function start(loggedIn: readonly string[], oauth: McpOAuthSettings = { perUser: true }) {
  const authority = await startAuthorizationServer()
  const resource = await startResourceServer({ authority: () => authority })
  const home = temporaryFolder()
  onTestFinished(async () => {
    await authority.close()
    await resource.close()
    rmSync(home, { recursive: true, force: true })
  })
  const env = { XDG_CONFIG_HOME: home }
  const settings = { url: resource.url, oauth }
  const tokens = new Map<string, string>()
  const logIn = async (user: string): Promise<void> => {
    const credentials = serverCredentials({ user, env, openBrowser: agreeingBrowser })('files', settings)!
    tokens.set(user, (await credentials.logIn()).accessToken!)
  }
  for (const user of loggedIn) await logIn(user)
  const secrets = createLiveSecrets()
  const mask = createRedactor({ patterns: false, live: secrets })
  const { crib, servers } = await openWith(
    { files: settings },
    {
      // The server repeats the request's token in every text: without the mask its tools would differ for each user.
      servers: { credentialsFor: serverCredentials({ user: OWNER, env, secrets }), mask },
      redaction: { live: secrets },
    },
  )
  /** The tokens that reached the tool with one call. */
  const sentFor = async (actor: string): Promise<{ result: ToolResult; sent: string[] }> => {
    const from = resource.called.length
    const result = await callAs(crib, actor)
    return { result, sent: resource.called.slice(from) }
  }
  return { crib, server: servers.get('files')!, logIn, tokens, sentFor }
}

async function callAs(crib: Crib, actor: string): Promise<ToolResult> {
  const surface = await crib.surface({ scope: 'session', session: `of ${actor}`, actor })
  return crib.call(surface, { name: 'mcp.files.look', input: {} })
}

describe('a server with a login for each user', () => {
  it('each actor uses their own login, never that of another', async () => {
    const { tokens, sentFor, logIn } = await start([OWNER, 'ada', 'bob'])
    for (const actor of ['ada', 'bob', 'ada', OWNER]) {
      const { result, sent } = await sentFor(actor)
      expect(result).toMatchObject({ status: 'succeeded', content: [{ text: 'seen with [redacted]' }] })
      expect(sent).toEqual([tokens.get(actor)])
    }

    const without = await sentFor('eve')
    expect(without.result).toMatchObject({
      status: 'failed',
      error: {
        error_class: 'credential_missing',
        message: 'The server "files" needs a login: run toolcrib login files --user eve.',
      },
    })
    expect(without.sent).toEqual([])
    await logIn('eve')
    expect((await sentFor('eve')).sent).toEqual([tokens.get('eve')])
  })

  it('the login command is quoted for a shell', async () => {
    const { sentFor } = await start([OWNER])
    const { result } = await sentFor("eve's; rm -r")
    expect(result.error?.message).toContain(`--user 'eve'\\''s; rm -r'.`)
  })

  it('no actor sees another actor’s resources', async () => {
    const { server } = await start([OWNER])
    expect(await server.resources()).toEqual([])
    await expect(server.subscribe('file:///notes')).rejects.toThrow(/a login for each user/)
  })

  it('its tools become known with the login of the process’s user', async () => {
    const { server, logIn, sentFor, tokens } = await start(['ada'])
    expect(server.health()).toMatchObject({
      state: 'failed',
      reason: 'The server "files" needs a login: run toolcrib login files.',
      tools: 0,
    })
    await logIn(OWNER)
    await until(() => server.health().state === 'ready', 'its tools')
    expect((await sentFor('ada')).sent).toEqual([tokens.get('ada')])
  })
})

it('a server with one login for all uses it for every actor', async () => {
  const { tokens, sentFor } = await start([OWNER, 'ada'], {})
  expect((await sentFor('ada')).sent).toEqual([tokens.get(OWNER)])
})
