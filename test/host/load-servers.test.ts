import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadSettings } from '../../src/host/load-settings.js'
import { serverSettingsOf } from '../../src/sources/mcp/settings/read-servers.js'
import { trustConfig } from '../trust-config.js'
import { temporaryFolder } from '../temporary-folder.js'

let folder: string

beforeEach(() => {
  folder = temporaryFolder()
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'settings'))
  mkdirSync(join(folder, 'settings/toolcrib'), { recursive: true })
  mkdirSync(join(folder, 'project/.vscode'), { recursive: true })
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
})

const project = (): string => join(folder, 'project')

async function load(
  servers: unknown,
  { env = {}, name = 'toolcrib.json', key = 'mcpServers', isTrusted = true } = {},
) {
  const file = join(project(), name)
  const text = JSON.stringify({ [key]: servers })
  writeFileSync(file, text)
  if (isTrusted) trustConfig(file)
  const settings = await loadSettings({ cwd: project(), configPath: file })
  if (!settings.ok) throw new Error(settings.problems.map(({ message }) => message).join('; '))
  return { ...serverSettingsOf(settings, env), settings, file, text }
}

describe('the mcpServers block', () => {
  it('is read in every spelling of its transports', async () => {
    const { servers, problems } = await load({
      a: { command: 'npx', args: ['-y', 'x'], env: { A: 'b' } },
      b: { type: 'streamable-http', url: 'https://example.test/mcp' },
      c: { type: 'streamableHttp', url: 'https://example.test/mcp' },
      d: { type: 'http', url: 'https://example.test/mcp', headers: { 'X-Key': 'abcdefgh' } },
      e: { type: 'sse', url: 'http://127.0.0.1:1/sse', disabled: true },
      f: { type: 'stdio', command: './run', cwd: 'sub' },
    })
    expect(problems).toEqual([])
    expect(servers).toEqual({
      a: { command: 'npx', args: ['-y', 'x'], env: { A: 'b' }, cwd: project(), trusted: true },
      b: { type: 'http', url: 'https://example.test/mcp', trusted: true },
      c: { type: 'http', url: 'https://example.test/mcp', trusted: true },
      d: { type: 'http', url: 'https://example.test/mcp', headers: { 'X-Key': 'abcdefgh' }, trusted: true },
      e: { type: 'sse', url: 'http://127.0.0.1:1/sse', disabled: true, trusted: true },
      f: { type: 'stdio', command: './run', cwd: join(project(), 'sub'), trusted: true },
    })
  })

  it('may have fields of other clients, which are named and not used', async () => {
    const { servers, problems } = await load({
      a: { command: 'x', autoApprove: ['y'], alwaysAllow: [], timeout: 3, description: 'd', gallery: true },
      b: { command: 'x', comand: 'y' },
    })
    expect(Object.keys(servers)).toEqual(['a', 'b'])
    expect(problems.map(({ entry, isLeftOut }) => ({ entry, isLeftOut }))).toEqual([
      { entry: 'a', isLeftOut: false },
      { entry: 'b', isLeftOut: false },
    ])
    expect(problems[0]!.message).toBe(
      'the server "a" has "autoApprove", "alwaysAllow", "timeout", "description", "gallery", which are not used here',
    )
    expect(problems[1]!.message).toContain('did you mean "command"?')
  })

  it.each([
    [{}, 'either a "command" or a "url"'],
    [{ command: 'x', url: 'https://a.test' }, 'keep one of them'],
    [{ url: 'https://a.test', type: 'stdio' }, 'does not go with a "url"'],
    [{ command: 'x', type: 'websocket' }, 'is not stdio, http or sse'],
    [{ command: 'x', headers: {} }, '"headers", which only a "url" takes'],
    [{ url: 'file:///etc/passwd' }, 'no http or https address'],
    [{ command: 'x', oauth: { perUser: true } }, '"oauth.perUser" needs a "url"'],
    [
      { url: 'https://a.example', headers: { Authorization: 'Bearer x' }, oauth: { perUser: true } },
      'an Authorization header for everybody',
    ],
    [
      { url: 'https://a.example', oauth: { perUser: true, grant: 'client_credentials' } },
      'for the client itself',
    ],
  ])('%j is excluded, and no other server', async (entry, sentence) => {
    const { servers, problems } = await load({ bad: entry, good: { command: 'x' } })
    expect(Object.keys(servers)).toEqual(['good'])
    expect(problems).toMatchObject([
      { entry: 'bad', isLeftOut: true, message: expect.stringContaining(sentence) },
    ])
  })

  it('is read from a plain .mcp.json and from the mcp.json of VS Code', async () => {
    expect((await load({ a: { command: 'x' } }, { name: '.mcp.json' })).servers).toHaveProperty('a')
    const { servers } = await load(
      { a: { command: 'x', args: ['${workspaceFolder}/y'] } },
      { name: '.vscode/mcp.json', key: 'servers' },
    )
    expect(servers).toEqual({ a: { command: 'x', args: [`${project()}/y`], cwd: project(), trusted: true } })
  })
})

describe('references', () => {
  const env = { TOKEN: 'tok-1234567890', EMPTY: '', HOME: '/home/somebody' }

  it('expand variables everywhere in an entry', async () => {
    const { servers } = await load(
      {
        a: { command: '${HOME}/x', args: ['--t=${env:TOKEN}', '${NONE:-plain}', '${EMPTY:-full}'] },
        b: { url: 'https://a.test/${NONE:-}', headers: { Authorization: 'Bearer ${TOKEN}' } },
      },
      { env },
    )
    expect(servers['a']).toMatchObject({
      command: '/home/somebody/x',
      args: ['--t=tok-1234567890', 'plain', 'full'],
    })
    expect(servers['b']).toMatchObject({
      url: 'https://a.test/',
      headers: { Authorization: 'Bearer tok-1234567890' },
    })
  })

  it('exclude only their own server if the variable is missing', async () => {
    const { servers, problems } = await load(
      {
        a: { command: 'x', env: { T: '${NONE}' } },
        b: { command: 'x', args: ['${input:api-key}'] },
        c: { command: 'y' },
      },
      { env },
    )
    expect(Object.keys(servers)).toEqual(['c'])
    expect(problems.map(({ message }) => message)).toEqual([
      'the server "a" is left out: the variable NONE is not set; set it, or write ${NONE:-…} with a default',
      'the server "b" is left out: ${input:api-key} is asked for by VS Code only; put the value into a variable and write ${API_KEY}',
    ])
  })

  it('and headers are secret; paths and plain words are not', async () => {
    const { secrets } = await load(
      {
        a: {
          command: 'x',
          args: ['${TOKEN}', '${HOME}'],
          env: { API_KEY: 'written-out', MODE: 'production' },
        },
        b: { url: 'https://a.test', headers: { 'X-Any': 'Bearer headervalue', Accept: 'application/json' } },
        c: { url: 'https://a.test', oauth: { clientSecret: 'client-secret' } },
      },
      { env },
    )
    expect(secrets.toSorted()).toEqual([
      'Bearer headervalue',
      'client-secret',
      'headervalue',
      'tok-1234567890',
      'written-out',
    ])
  })
})

describe('secrets of an entry', () => {
  const key = 'q8Zr2Lx0vT5mWb7NcY1d'
  const env = {
    REGION: 'europe',
    TEAM: 'billing-team',
    ZONE: 'europe-west4',
    ANY: 'kept-by-nobody-4711',
    SWITCH_TOKEN: 'on',
    TEST_PASSWORD: 'test',
    STAGE_SECRET: 'production',
    CLIENT: 'Iv1.8a61f9b3a7aba766',
    WORK: '/tmp/toolcrib-x8Kq2Z/work',
    DATABASE: 'postgres://ann:pa55-of-ann@db.test/x',
  }
  const web = (headers: Record<string, string>) => ({ url: 'https://a.test/mcp', headers })

  it.each<[string, object, string[]]>([
    ['a word in a header', web({ 'X-Region': 'europe' }), []],
    ['words in headers', web({ 'X-Team': 'billing-team', 'X-Zone': 'us-east-1', 'X-Trace': 'enabled' }), []],
    ['a word in a credential header', web({ 'X-Api-Key': 'test', Authorization: 'Bearer production' }), []],
    ['words of variables', web({ 'X-A': '${REGION}', 'X-B': '${TEAM}', 'X-C': '${ZONE}' }), []],
    ['short words of secret names', web({ A: '${SWITCH_TOKEN}', B: '${TEST_PASSWORD}' }), []],
    ['a common word of a secret name', web({ A: '${STAGE_SECRET}' }), []],
    ['any other value of a variable', web({ 'X-A': '${ANY}' }), ['kept-by-nobody-4711']],
    ['a credential header', web({ 'X-Vault-Token': 'opaque words' }), ['opaque words']],
    ['a scheme', web({ Authorization: 'Bearer opaque-777' }), ['Bearer opaque-777', 'opaque-777']],
    [
      'a login',
      web({ Authorization: 'Basic YW5uOnBhNTUtb2YtYW5u' }),
      ['Basic YW5uOnBhNTUtb2YtYW5u', 'YW5uOnBhNTUtb2YtYW5u', 'pa55-of-ann'],
    ],
    ['cookies', web({ Cookie: `lang=english; sid=${key}` }), [key]],
    ['a key in another header', web({ 'X-Thing': key }), [key]],
    ['a path', { command: 'x', env: { WORK_TOKEN: '/tmp/toolcrib-x8Kq2Z' }, args: ['${WORK}'] }, []],
    ['settings of a program', { command: 'x', env: { MODE: 'production', ROOT: '/srv/data', N: '12' } }, []],
    ['a switch of a program', { command: 'x', env: { AUTH_TOKEN: 'disabled', API_KEY: 'none' } }, []],
    [
      'a key of a program',
      { command: 'x', env: { THING: key, API_KEY: 'opaque words' } },
      [key, 'opaque words'],
    ],
    ['a password in an address', { command: 'x', env: { DATABASE_URL: '${DATABASE}' } }, ['pa55-of-ann']],
    ['the id of a client', { url: 'https://a.test', oauth: { clientId: '${CLIENT}' } }, []],
    ['an address', { url: `https://a.test/mcp?region=europe&api_key=${key}` }, [key]],
    ['the path of an address', { url: `https://a.test/s/${key}/mcp` }, [key]],
  ])('%s', async (_, server, expected) => {
    const { secrets, problems } = await load({ a: server }, { env })
    expect(problems).toEqual([])
    expect(secrets.toSorted()).toEqual(expected.toSorted())
  })
})

describe('trust', () => {
  const servers = { a: { command: 'x' }, b: { command: 'x', trusted: false } }

  it('tool hints of servers in a trusted file are trusted by default', async () => {
    expect((await load(servers)).servers).toMatchObject({ a: { trusted: true }, b: { trusted: false } })
  })

  it('a file starts nothing before it is trusted, even if it was named, and nothing after a change', async () => {
    const found = await load(servers, { isTrusted: false })
    expect(found.servers).toEqual({})
    expect(found.problems).toHaveLength(2)
    expect(found.problems[0]!.message).toBe(
      'the server "a" is not started; it is of a project that you have not trusted: toolcrib trust',
    )
    trustConfig(found.file)
    const again = async () => {
      const settings = await loadSettings({ cwd: project() })
      if (!settings.ok) throw new Error('not loaded')
      return serverSettingsOf(settings, {}).servers
    }
    expect(await again()).toMatchObject({ a: { trusted: true }, b: { trusted: false } })
    writeFileSync(found.file, `${found.text}\n`)
    expect(await again()).toEqual({})
  })

  it('the config of the settings folder applies where no folder has one, and counts as the user’s own', async () => {
    writeFileSync(join(folder, 'settings/toolcrib/toolcrib.yaml'), 'mcpServers: { a: { command: x } }')
    const settings = await loadSettings({ cwd: project() })
    if (!settings.ok) throw new Error('not loaded')
    expect(serverSettingsOf(settings, {}).servers).toMatchObject({ a: { trusted: true, cwd: process.cwd() } })
  })
})
