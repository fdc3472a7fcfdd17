import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openerFor } from '../../../src/edges/cli/servers/open-browser.js'
import { startAuthorizationServer } from '../../sources/mcp/oauth/authorization-server.js'
import { startResourceServer } from '../../sources/mcp/oauth/resource-server.js'
import { collect, createPlace, untilPrinted, type Place } from './run-cli.js'

/** A stub browser: a program that follows the redirect of a person who agrees. */
const BROWSER = `#!${process.execPath}
const page = await fetch(process.argv[2], { redirect: 'manual' })
await fetch(page.headers.get('location'))
`

async function start() {
  const authority = await startAuthorizationServer()
  const state = { isBroken: false }
  const resource = await startResourceServer({
    authority: () => authority,
    scope: 'read',
    breaks: () => state.isBroken,
  })
  onTestFinished(async () => {
    await authority.close()
    await resource.close()
  })
  const place = createPlace(
    `mcpServers:\n  files:\n    url: ${resource.url}\n  local:\n    command: node\n    disabled: true\n  fixed:\n    url: ${resource.url}\n    headers: { authorization: Bearer x }\n    disabled: true\n`,
  )
  const browser = place.write('browser.mjs', BROWSER)
  chmodSync(browser, 0o700)
  const run: Place['run'] = (args, { env, ...rest } = {}) =>
    place.run([...args, '--config', 'toolcrib.yaml'], { ...rest, env: { BROWSER: browser, ...env } })
  return { authority, resource, state, place, run, tokens: join(place.folder, 'settings/toolcrib/tokens') }
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

describe('toolcrib login', () => {
  it('uses the browser, stores the sealed token, and authorizes every command', async () => {
    const { authority, run, tokens } = await start()
    const before = await run(['servers', '--json'])
    const rows = JSON.parse(before.stdout) as { name: string }[]
    expect(rows.find(({ name }) => name === 'files')).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(
        /The server "files" needs a login: run toolcrib login files --config \S+\.$/,
      ) as string,
    })

    const login = await run(['login', 'files'])
    expect(login).toMatchObject({
      code: 0,
      stdout: `Logged in to "files" at ${authority.url}, with read.\n`,
    })
    const files = readdirSync(tokens)
    expect(files).toHaveLength(1)
    expect(statSync(join(tokens, files[0]!)).mode & 0o777).toBe(0o600)
    const said = login.stdout + login.stderr + readFileSync(join(tokens, files[0]!), 'utf8')
    for (const secret of [...authority.accessTokens.keys(), ...authority.refreshTokens.keys()]) {
      expect(said).not.toContain(secret)
    }

    const after = await run(['servers', 'show', 'files', '--json'])
    expect(JSON.parse(after.stdout)).toMatchObject({ state: 'ready', tools: 1 })

    const logout = await run(['logout', 'files'])
    expect(logout).toMatchObject({ code: 0, stdout: 'Logged out of "files", and its tokens are revoked.\n' })
    expect(authority.seen.revocations).toHaveLength(1)
    expect(readdirSync(tokens)).toHaveLength(0)
    expect((await run(['logout', 'files'])).stderr).toContain('There was no login to "files".')
  }, 60_000)

  it('prints the address where there is no browser, and its facts as JSON', async () => {
    const { authority, place, tokens } = await start()
    const child = place.start([
      'login',
      'files',
      '--no-browser',
      '--json',
      '--user',
      'ada',
      '--config',
      'toolcrib.yaml',
    ])
    const ended = collect(child)
    const text = await untilPrinted(child, /\/authorize\S+\n/)
    const page = await fetch(/http\S+/.exec(text)![0], { redirect: 'manual' })
    await (await fetch(page.headers.get('location')!)).text()
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      server: 'files',
      user: 'ada',
      issuer: authority.url,
      scope: 'read',
      expires_at: expect.any(String) as string,
      is_renewable: true,
    })
    expect(readdirSync(tokens)).toHaveLength(1)
    expect(userInfo().username).not.toBe('ada')
  })

  it('prints no token, even if the server repeats it', async () => {
    const { authority, state, place, run } = await start()
    await run(['login', 'files'])
    const call = await run(['call', 'mcp.files.look'])
    expect(call).toMatchObject({ code: 0, stdout: 'seen with [redacted]\n' })
    const shown = await run(['servers', 'show', 'files'])
    expect(shown.stdout).toContain('You came with [redacted].')
    const said = [call, shown, await run(['tools', '--json']), await run(['log', '--json'])]
    state.isBroken = true
    const broken = await run(['servers', 'show', 'files', '--json'])
    expect(JSON.parse(broken.stdout)).toMatchObject({
      reason: expect.stringContaining('the token [redacted] is not liked') as string,
    })
    said.push(broken, await run(['tools']), await run(['call', 'mcp.files.look']))
    const printed = said.map(({ stdout, stderr }) => stdout + stderr).join('\n')
    expect(authority.accessTokens.size).toBe(1)
    for (const token of [...authority.accessTokens.keys(), ...authority.refreshTokens.keys()]) {
      expect(printed).not.toContain(token)
      for (const file of filesOf(place.folder)) expect(readFileSync(file).includes(token)).toBe(false)
    }
  }, 60_000)

  it('prints one sentence for each problem', async () => {
    const { authority, run } = await start()
    expect(await run(['login', 'file'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/did you mean "files"/) as string,
    })
    expect(await run(['login', 'local'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/needs no login/) as string,
    })
    expect(await run(['login', 'fixed'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Authorization header/) as string,
    })
    authority.options.issuer = 'https://elsewhere.example'
    expect(await run(['login', 'files'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/names another issuer/) as string,
    })
  })
})

describe('the browser', () => {
  it('is the configured one, the one of the system, or none', () => {
    expect(openerFor('linux', { BROWSER: '/bin/mine', DISPLAY: ':0' })).toEqual(['/bin/mine'])
    expect(openerFor('linux', { DISPLAY: ':0' })).toEqual(['xdg-open'])
    expect(openerFor('linux', {})).toBeUndefined()
    expect(openerFor('darwin', {})).toEqual(['open'])
  })
})
