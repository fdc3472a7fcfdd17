import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../until.js'
import { askAt, listTools, sha256 } from '../server/support/open-server.js'
import { bin, createPlace, type Place } from './run-cli.js'

/** A server of the place, as a process of its own. */
async function serve(place: Place, env: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    [bin, 'serve', '--json', '--port', '0', '--config', 'toolcrib.yaml'],
    {
      cwd: place.folder,
      env: { ...process.env, ...place.env, ...env },
    },
  )
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const lines = createInterface({ input: child.stdout })
  const [first] = (await Promise.race([once(lines, 'line'), exited.then(() => ['{}'])])) as [string]
  const { url, token, console: link } = JSON.parse(first) as { url?: string; token: string; console: string }
  if (url === undefined) throw new Error(`It did not start: ${said}`)
  return { ask: askAt(new URL(url).origin), token, link, said: () => said }
}

/** The token of the config with this name. */
const tokenOf = (name: string): string => `the-token-of-${name}`

const CONFIG = 'store: { kind: sqlite, path: ./crib.db }\n'

describe('toolcrib tokens', () => {
  it('makes tokens that every server of the store accepts, and refuses again as soon as they are revoked', async () => {
    const place = createPlace(CONFIG)
    const servers = await Promise.all([serve(place), serve(place)])
    const made = await place.run(['tokens', 'create', 'ci', '--role', 'caller', '--role', 'auditor'])
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('It is not shown again.') })
    const token = made.stdout.trim()
    expect(token).toMatch(/^tcb_[\w-]{43}$/)
    const statuses = () =>
      Promise.all(servers.map(async (server) => (await listTools(server, { token })).status))
    await until(async () => (await statuses()).every((status) => status === 200))

    const rotated = (await place.run(['tokens', 'rotate', 'ci'])).stdout.trim()
    await until(async () => (await statuses()).every((status) => status === 401))
    const [one] = servers
    const session = await one.ask('POST', '/api/v1/session', { body: { token: rotated } })
    expect(session.status).toBe(200)
    expect((await one.ask('GET', '/api/v1/invocations', { cookie: session.cookie })).status).toBe(200)

    expect((await place.run(['tokens', 'revoke', 'ci'])).stdout).toBe('Revoked the token "ci".\n')
    for (const server of servers)
      await until(async () => (await listTools(server, { token: rotated })).status === 401)
    expect((await one.ask('GET', '/api/v1/invocations', { cookie: session.cookie })).status).toBe(401)
    expect(readFileSync(join(place.folder, 'crib.db')).includes(token)).toBe(false)
    expect(readFileSync(join(place.folder, 'crib.db')).includes(rotated)).toBe(false)
  })

  it('of the config and of the data folder are those of their files in a running server, and what they have open ends', async () => {
    const tokenRow = (name: string, roles: string) =>
      `    - { name: ${name}, sha256: ${sha256(tokenOf(name))}, roles: [${roles}] }\n`
    const configOf = (...rows: string[]) => `${CONFIG}serve:\n  auth:\n    tokens:\n${rows.join('')}`
    const [op, ci] = [tokenRow('op', 'operator'), tokenRow('ci', 'caller, auditor')]
    const place = createPlace(configOf(op, ci))
    const { ask, link, said } = await serve(place)
    const statusOf = async (token: string) => (await ask('GET', '/api/v1/session', { token })).status
    const put = async (text: string) => {
      const { revision } = (await ask('GET', '/api/v1/config', { token: tokenOf('op') })).body as {
        revision: string
      }
      const headers = { 'if-match': `"${revision}"` }
      return ask('PUT', '/api/v1/config', { token: tokenOf('op'), body: { text }, headers })
    }
    const session = await ask('POST', '/api/v1/session', { body: { token: tokenOf('ci') } })
    const stream = ask('GET', '/api/v1/events', { token: tokenOf('ci') })
    expect((await listTools({ ask }, { token: tokenOf('ci') })).status).toBe(200)
    const rotated = await ask('POST', '/api/v1/tokens/config:ci/rotate', { token: tokenOf('op') })
    expect(rotated).toMatchObject({ status: 409, body: { detail: expect.stringContaining('in the config') } })

    const written = await put(configOf(op, tokenRow('new', 'caller')))
    expect(written).toMatchObject({ status: 200, body: { is_trusted: true, restart_keys: [] } })
    expect(await Promise.all(['op', 'ci', 'new'].map((name) => statusOf(tokenOf(name))))).toEqual([
      200, 401, 200,
    ])
    expect((await listTools({ ask }, { token: tokenOf('ci') })).status).toBe(401)
    expect((await ask('GET', '/api/v1/session', { cookie: session.cookie })).status).toBe(401)
    await stream

    // A person edits the file; a token that cannot be admitted is named, and the others count.
    const bad = `    - { name: bad, sha256: ${sha256('bad')}, actor: 'person:eve' }\n`
    place.write('toolcrib.yaml', configOf(op, bad))
    await until(async () => (await statusOf(tokenOf('new'))) === 401, 'the edited file counts')
    expect(said()).toContain('The token "bad" has the actor "person:eve"')

    // Without tokens in the config, agents have the one of the data folder.
    expect((await put(CONFIG)).status).toBe(200)
    const state = (await place.run(['tokens', 'rotate', 'serve', '--json'])).stdout
    const { token: agents } = JSON.parse(state) as { token: string }
    await until(async () => (await statusOf(agents)) === 200, 'the new token of agents')
    const login = { body: { login_code: new URL(link).hash.slice('#code='.length) } }
    const { cookie } = await ask('POST', '/api/v1/session', login)
    const { stdout } = await place.run(['tokens', 'rotate', 'owner'])
    expect(stdout).toContain('Replaced your token in ')
    await until(
      async () => (await ask('GET', '/api/v1/session', { cookie })).status === 401,
      'the session of the owner ends',
    )
    const { cookie: next } = await ask('POST', '/api/v1/session', login)
    expect((await ask('GET', '/api/v1/session', { cookie: next })).status).toBe(200)
    expect((await place.run(['tokens', 'create', 'owner'])).stderr).toContain('data folder of the owner')
    expect((await place.run(['tokens', 'revoke', 'owner'])).stderr).toContain('tokens rotate owner')
  })

  it('come back with a backup where nothing is known of their end, and the restore says so', async () => {
    const place = createPlace(CONFIG)
    await place.run(['tokens', 'create', 'ci'])
    await place.run(['backup', 'b'])
    await place.run(['tokens', 'revoke', 'ci'])
    expect((await place.run(['restore', 'b'])).stdout).not.toContain('came back')
    const without = await place.run(['restore', 'b', '--store', './other.db', '--without-tokens', '--json'])
    expect(JSON.parse(without.stdout)).toMatchObject({ tokens: [] })
    expect((await place.run(['restore', 'b', '--store', './other.db'])).stdout).toContain(
      '1 named token came back and is valid: ci. A backup does not know of later revocations',
    )
  })

  it('lists them, and says what is wrong with a new one', async () => {
    const place = createPlace(CONFIG)
    expect((await place.run(['tokens'])).stderr).toContain('There are no named tokens')
    await place.run(['tokens', 'create', 'eve', '--role', 'reviewer', '--actor', 'eve@example.com'])
    await place.run(['tokens', 'create', 'ci', '--expires', '30d', '--rate-limit', '60', '--tenant', 'lab'])
    const listed = (await place.run(['tokens'])).stdout
    expect(listed).toMatch(/^eve +reviewer, as eve@example\.com, not used yet$/m)
    expect(listed).toMatch(/^ci +caller, tenant lab, not used yet, expires /m)
    expect(JSON.parse((await place.run(['tokens', '--json'])).stdout)).toMatchObject([
      { name: 'eve', roles: ['reviewer'], created_by: expect.stringMatching(/^person:/) },
      { name: 'ci', rate_limit_per_minute: 60, tenant: 'lab', expires_at: expect.any(String) },
    ])
    await place.run(['tokens', 'revoke', 'ci'])
    expect((await place.run(['tokens'])).stdout).not.toContain('ci ')
    expect((await place.run(['tokens', '--all'])).stdout).toMatch(/^ci .* revoked /m)
    const problems: [string[], string][] = [
      [['create', 'eve'], 'There is a token "eve" already'],
      [['create', 'a b'], 'The name of a token has up to 64'],
      [['create', 'x', '--role', 'root'], '--role takes caller, reviewer, operator, auditor'],
      [['create', 'x', '--expires', 'soon'], '--expires takes a time such as 30d'],
      [['create', 'x', '--actor', 'person:x'], 'names that begin with "person:" are not for tokens'],
      [['create', 'x', '--surface', 'nowhere'], 'which is not in serve.surfaces'],
      [['revoke', 'evee'], 'did you mean "eve"?'],
    ]
    for (const [args, message] of problems) {
      const { code, stderr } = await place.run(['tokens', ...args])
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
    }
  })

  it('cannot be used by a tool, and a server that a tool starts has no owner and no reviewers', async () => {
    const place = createPlace(CONFIG)
    const eve = (
      await place.run(['tokens', 'create', 'eve', '--role', 'reviewer', '--role', 'caller'])
    ).stdout.trim()
    const inside = { TOOLCRIB_INVOCATION: 'inv_1' }
    for (const args of [
      ['create', 'x'],
      ['rotate', 'eve'],
      ['revoke', 'eve'],
    ])
      expect((await place.run(['tokens', ...args], { env: inside })).stderr).toContain('inside a tool call')
    const { ask, link } = await serve(place, inside)
    expect(link).toMatch(/\/login$/)
    expect((await ask('GET', '/api/v1/session', { token: eve })).body).toMatchObject({ roles: ['caller'] })
    await place.run(['tokens'])
    const owner = await serve(place)
    const token = readFileSync(join(place.folder, 'home', 'owner.token'), 'utf8').trim()
    expect((await owner.ask('GET', '/api/v1/session', { token })).status).toBe(200)
    expect((await ask('GET', '/api/v1/session', { token })).status).toBe(401)
  })

  it('the printed link logs the owner in, and does not contain the token of the owner, which only its file has', async () => {
    const place = createPlace(CONFIG)
    const { ask, link, said, token } = await serve(place)
    const file = join(place.folder, 'home', 'owner.token')
    const owner = readFileSync(file, 'utf8').trim()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(`${link} ${said()} ${token}`).not.toContain(owner)
    const [, code] = /^http:\/\/127\.0\.0\.1:\d+\/login#code=([\w-]{32})$/.exec(link)!
    const { status, body } = await ask('POST', '/api/v1/session', { body: { login_code: code } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ roles: ['caller', 'reviewer', 'operator', 'auditor'] })
    expect((await ask('GET', '/api/v1/session', { token })).body).toMatchObject({ roles: ['caller'] })
  })
})
