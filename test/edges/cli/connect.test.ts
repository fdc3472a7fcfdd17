import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownProgram } from '../../../src/edges/cli/program/own-program.js'
import { clients } from '../../../src/edges/cli/clients/clients.js'
import { putServer, removeServer, serversIn } from '../../../src/edges/cli/clients/edit-client-text.js'
import { fromClientEntry, serverIdentity } from '../../../src/edges/cli/clients/from-client-entry.js'
import { hasScript, onTerminal } from './on-terminal.js'
import { bin, createPlace, type Place } from './run-cli.js'

/** Each test has a home folder: the files of clients are the user's. */
function withHome(config?: string, trust?: { isTrusted: boolean }): Place & { home: string } {
  const place = createPlace(config, trust)
  const home = join(place.folder, 'user')
  mkdirSync(home)
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(place.folder, 'settings') }
  return {
    ...place,
    home,
    run: (args, options = {}) => place.run(args, { ...options, env: { ...env, ...options.env } }),
  }
}

describe('toolcrib connect', () => {
  it('lists the known clients, and suggests one for a misspelled name', async () => {
    const place = withHome('')
    const { stdout } = await place.run(['connect'])
    for (const { id } of clients) expect(stdout).toContain(id)
    const { code, stderr } = await place.run(['connect', 'claud-code'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('There is no client "claud-code"; did you mean "claude-code"?'),
    })
  })

  it('prints the entry for the file, with a token that stays the same and that only the user can read', async () => {
    const place = withHome('')
    const first = await place.run(['connect', 'cursor'])
    const { toolcrib } = JSON.parse(first.stdout).mcpServers
    expect(toolcrib).toEqual({
      url: 'http://127.0.0.1:4747/mcp',
      headers: { Authorization: expect.stringMatching(/^Bearer tcb_[\w-]{43}$/) },
    })
    expect((await place.run(['connect', 'cursor'])).stdout).toBe(first.stdout)
    const token = join(place.env['TOOLCRIB_HOME']!, 'serve.token')
    expect(statSync(token).mode & 0o777).toBe(0o600)
    expect(existsSync(join(place.home, '.cursor/mcp.json'))).toBe(false)
  })

  it('uses the format of each client', async () => {
    const endpoint = { url: 'http://h/mcp', token: 't' }
    const words = clients.map(({ id, overHttp }) => [id, Object.keys(overHttp?.(endpoint) ?? {}).join(' ')])
    expect(Object.fromEntries(words)).toEqual({
      'claude-code': 'type url headers',
      'claude-desktop': '',
      cursor: 'url headers',
      vscode: 'type url headers',
      codex: 'url http_headers',
      windsurf: 'serverUrl headers',
      zed: 'url headers',
      'gemini-cli': 'httpUrl headers',
      opencode: 'type url enabled headers',
      'copilot-cli': 'type url headers tools',
      'lm-studio': 'url headers',
    })
    const place = withHome('')
    const { stdout } = await place.run(['connect', 'claude-desktop'])
    const env = {
      TOOLCRIB_HOME: place.env['TOOLCRIB_HOME'],
      TOOLCRIB_POLICY: place.env['TOOLCRIB_POLICY'],
      XDG_CONFIG_HOME: join(place.folder, 'settings'),
    }
    expect(JSON.parse(stdout).mcpServers.toolcrib).toEqual({
      command: process.execPath,
      args: [bin, 'serve', '--stdio'],
      env,
    })
    const codex = await place.run(['connect', 'codex', '--url', 'http://h:1/mcp', '--token', 'x'.repeat(20)])
    expect(codex.stdout).toBe(
      `[mcp_servers.toolcrib]\nurl = "http://h:1/mcp"\nhttp_headers = { "Authorization" = "Bearer ${'x'.repeat(20)}" }\n`,
    )
  })

  it('passes the variables that decide about settings to a client that starts the program', () => {
    const places = { XDG_CONFIG_HOME: '/settings', TOOLCRIB_HOME: '/data' }
    const program = ownProgram(['serve'], { PATH: '/bin', SECRET: 'x', ...places })
    const told = clients.map(({ id, overStdio }) => [id, overStdio(program)] as const)
    for (const [id, entry] of told)
      expect(entry, id).toMatchObject({ [id === 'opencode' ? 'environment' : 'env']: places })
    expect(JSON.stringify(told)).not.toContain('SECRET')
    const plain = clients.map(({ overStdio }) => Object.values(overStdio(ownProgram(['serve'], {}))))
    expect(plain.flat()).not.toContain(undefined)
  })

  it('writes into the file of the client, keeps the rest of it, and makes a copy', async () => {
    const place = withHome()
    const file = join(place.home, '.cursor/mcp.json')
    mkdirSync(join(place.home, '.cursor'))
    const before = '{\n\t"mcpServers": { "mine": { "command": "x" } },\n\t"other": [1]\n}\n'
    writeFileSync(file, before)
    const { code, stderr } = await place.run(['connect', 'cursor', '--write', '--stdio'])
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Cursor now uses Toolcrib ('),
    })
    const after = JSON.parse(readFileSync(file, 'utf8'))
    expect(after).toMatchObject({ mcpServers: { mine: { command: 'x' } }, other: [1] })
    expect(after.mcpServers.toolcrib.args).toEqual([bin, 'serve', '--stdio', '--project', place.folder])
    expect(readFileSync(file, 'utf8')).toContain('\n\t"')
    expect(readFileSync(`${file}.before-toolcrib`, 'utf8')).toBe(before)
  })

  it('a config that was found must be trusted at each start', async () => {
    const config = `mcpServers: { book: { command: '${process.execPath}', args: ['-e', ''] } }\n`
    const place = withHome(config, { isTrusted: false })
    const { stderr, stdout } = await place.run(['connect', 'CURSOR', '--stdio'])
    expect(stderr).toContain('"toolcrib connect cursor --stdio --write"')
    expect(stderr).toContain('~/.cursor/mcp.json')
    expect(stderr).toContain('Its servers are not started before you trust toolcrib.yaml: toolcrib trust')
    const { args } = JSON.parse(stdout).mcpServers.toolcrib
    const served = await place.run(args.slice(1))
    expect(served).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('the server "book" is not started'),
    })
    expect(served.stderr).toContain(
      `This gateway has no tools: toolcrib.yaml is not trusted as it is now. Next: toolcrib trust --config ${place.folder}/toolcrib.yaml`,
    )
    const named = await place.run(['connect', 'cursor', '--stdio', '--config', 'toolcrib.yaml'])
    expect(JSON.parse(named.stdout).mcpServers.toolcrib.args.slice(-2)).toEqual([
      '--config',
      join(place.folder, 'toolcrib.yaml'),
    ])
    const gone = await place.run(['serve', '--stdio', '--project', 'user'])
    expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no config file in') })
  })

  it('overwrites no working token with a placeholder, and writes no token where other users can read it', async () => {
    const place = withHome(`serve: { auth: { tokens: [{ name: me, sha256: ${'a'.repeat(64)} }] } }\n`)
    const file = join(place.home, '.cursor/mcp.json')
    mkdirSync(join(place.home, '.cursor'))
    const before = '{ "mcpServers": { "toolcrib": { "url": "http://h/mcp" } } }\n'
    writeFileSync(file, before, { mode: 0o644 })
    const refused = await place.run(['connect', 'cursor', '--write'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('with --token') })
    expect(readFileSync(file, 'utf8')).toBe(before)
    const token = 'y'.repeat(20)
    const { stderr } = await place.run(['connect', 'cursor', '--write', '--token', token])
    expect(stderr).toContain('mcp.json contains a token now; only you can read it')
    expect((await place.run(['connect', 'cursor', '--token', token])).stderr).toContain(
      'toolcrib connect cursor --token <value> --write',
    )
    expect(readFileSync(file, 'utf8')).toContain(token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await place.run(['connect', 'claude-code', '--token', token])).stderr).not.toContain(token)
  })

  it('does not change a file that it could not restore', async () => {
    const place = withHome('')
    mkdirSync(join(place.home, '.gemini'))
    const file = join(place.home, '.gemini/settings.json')
    for (const [text, why] of [
      ['{ "a": ', 'is not readable as JSON'],
      ['{ "mcpServers": [] }', 'something else than an object under "mcpServers"'],
    ] as const) {
      writeFileSync(file, text)
      const { code, stderr } = await place.run(['connect', 'gemini-cli', '--write'])
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
  })

  it('replaces its own table in TOML, and no other', () => {
    const block = { format: 'toml', path: ['mcp_servers'] } as const
    const before =
      'model = "x"\n\n[mcp_servers.toolcrib]\nurl = "old"\n[mcp_servers.toolcrib.env]\nA = "b"\n\n[mcp_servers.toolcribs]\nurl = "other"\n'
    expect(putServer(before, block, 'toolcrib', '[mcp_servers.toolcrib]\nurl = "new"')).toBe(
      'model = "x"\n\n[mcp_servers.toolcrib]\nurl = "new"\n\n[mcp_servers.toolcribs]\nurl = "other"\n',
    )
  })

  it('mistakes print one sentence', async () => {
    const place = withHome('')
    for (const [args, sentence] of [
      [['cursor', '--url', 'ftp://x'], '--url must be an http or https address'],
      [['cursor', '--url', 'http://x', '--stdio'], 'Give either --url or --stdio'],
      [['claude-desktop', '--url', 'http://x'], 'Claude Desktop only starts programs'],
      [['cursor', '--token', 'short'], '--token must be at least 16 characters'],
      [['cursor', '--move', '--keep'], 'Give either --move or --keep'],
    ] as const) {
      const { code, stderr } = await place.run(['connect', ...args])
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
    }
  })
})

const JSONC = `{
  // of mine
  "theme": "dark", /* kept */
  "mcpServers": {
    // the notes
    "notes": { "command": "node", "args": ["notes.mjs"], /* inside */ "env": { "A": "1" } },
    "far": {"url":"https://far.test/mcp"}, // last
  },
  "other": [1,2]
}
`

describe('the servers of a client are moved behind the gateway', () => {
  function cursor(text: string, config = ''): ReturnType<typeof withHome> & { file: string } {
    const place = withHome(config)
    mkdirSync(join(place.home, '.cursor'))
    const file = join(place.home, '.cursor/mcp.json')
    writeFileSync(file, text, { mode: 0o644 })
    return { ...place, file }
  }
  const ownConfig = (place: Place): string => join(place.folder, 'settings/toolcrib/toolcrib.yaml')

  it('names the servers that bypass the gateway, and the command that moves them', async () => {
    const place = cursor(JSONC)
    for (const args of [['--stdio'], ['--stdio', '--write'], ['--stdio', '--write', '--keep']]) {
      const { code, stderr } = await place.run(['connect', 'cursor', ...args])
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('Cursor reaches 2 servers directly, beside the gateway: notes, far.'),
      })
      expect(stderr.includes('toolcrib connect cursor --stdio --move')).toBe(!args.includes('--keep'))
    }
    const text = readFileSync(place.file, 'utf8')
    expect(text.replace(/\n    "toolcrib": \{[^]*?\n    \}/, '')).toBe(JSONC)
  })

  it('moves them with --move, keeps the comments, and restores everything byte for byte', async () => {
    const place = cursor(JSONC)
    const { code, stderr } = await place.run(['connect', 'cursor', '--stdio', '--move'])
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('notes, far') })
    expect(stderr).toContain('toolcrib disconnect cursor')
    expect(stderr).not.toContain('directly')
    const text = readFileSync(place.file, 'utf8')
    expect(text).toContain('// of mine\n  "theme": "dark", /* kept */')
    const servers = serversIn(text, { format: 'json', path: ['mcpServers'] })
    expect(servers.ok && [...servers.servers.keys()]).toEqual(['toolcrib'])
    expect(text).toContain(JSON.stringify(ownConfig(place)))
    expect(readFileSync(`${place.file}.before-toolcrib`, 'utf8')).toBe(JSONC)
    expect(readFileSync(ownConfig(place), 'utf8')).toContain('notes:\n    command: node')
    // Again, over HTTP: the original file is still restored.
    await place.run(['connect', 'cursor', '--write'])
    expect(statSync(place.file).mode & 0o777).toBe(0o600)
    const back = await place.run(['disconnect', 'cursor'])
    expect(back).toMatchObject({ code: 0, stderr: expect.stringContaining('Restored: notes, far.') })
    expect(readFileSync(place.file, 'utf8')).toBe(JSONC)
    expect(statSync(place.file).mode & 0o777).toBe(0o644)
    expect((await place.run(['disconnect', 'cursor'])).stderr).toContain('Cursor was not connected')
  })

  it('merges what the client wrote meanwhile', async () => {
    const place = cursor(JSONC)
    await place.run(['connect', 'cursor', '--stdio', '--move'])
    const between = readFileSync(place.file, 'utf8').replace('"dark"', '"light"')
    writeFileSync(place.file, putServer(between, BLOCK, 'far', '{ "url": "https://other.test/mcp" }'))
    await place.run(['disconnect', 'cursor'])
    const text = readFileSync(place.file, 'utf8')
    expect(text).toContain('"theme": "light", /* kept */')
    expect(text).toContain('"args": ["notes.mjs"], /* inside */ "env"')
    const servers = serversIn(text, BLOCK)
    expect(servers.ok && [...servers.servers].map(([name, { entry }]) => [name, entry])).toEqual([
      ['far', { url: 'https://other.test/mcp' }],
      ['notes', { command: 'node', args: ['notes.mjs'], env: { A: '1' } }],
    ])
    // An unreadable file is not overwritten.
    await place.run(['connect', 'cursor', '--stdio', '--write'])
    writeFileSync(place.file, '{ "mcpServers": ')
    const { code, stderr } = await place.run(['disconnect', 'cursor'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('.before-toolcrib') })
    expect(readFileSync(place.file, 'utf8')).toBe('{ "mcpServers": ')
  })

  it('removes a file that did not exist before, and an entry that was pasted', async () => {
    const place = withHome('')
    const linked = join(place.folder, 'dotfiles.json')
    writeFileSync(linked, '{"mcpServers":{}}')
    mkdirSync(join(place.home, '.lmstudio'))
    symlinkSync(linked, join(place.home, '.lmstudio/mcp.json'))
    await place.run(['connect', 'lm-studio', '--write', '--stdio'])
    expect(readFileSync(linked, 'utf8')).toContain('toolcrib')
    await place.run(['disconnect', 'lm-studio'])
    expect(readFileSync(linked, 'utf8')).toBe('{"mcpServers":{}}')
    await place.run(['connect', 'codex', '--write', '--stdio'])
    const file = join(place.home, '.codex/config.toml')
    expect(readFileSync(file, 'utf8')).toContain('[mcp_servers.toolcrib]')
    await place.run(['disconnect', 'codex'])
    expect(existsSync(file)).toBe(false)
    const pasted = '{ "mcp": { "toolcrib": { "type": "remote", "url": "http://h/mcp" } } }\n'
    const opencode = join(place.folder, 'settings/opencode/opencode.jsonc')
    mkdirSync(join(place.folder, 'settings/opencode'), { recursive: true })
    writeFileSync(opencode, pasted)
    await place.run(['disconnect', 'opencode'])
    expect(readFileSync(opencode, 'utf8')).toBe('{ "mcp": { } }\n')
  })

  it('only a person can trust the config of a folder, and a server of a folder is not moved out of it', async () => {
    const place = cursor('{"mcpServers":{"notes":{"command":"node"}}}', 'tools: []\n')
    mkdirSync(join(place.folder, '.cursor'))
    place.write('.cursor/mcp.json', '{"mcpServers":{"here":{"command":"node","args":["here.mjs"]}}}')
    const { stderr } = await place.run(['connect', 'cursor', '--stdio', '--move'])
    // A server of all folders is moved into this project only if a person agrees or names the file.
    expect(stderr).toContain('Moved into toolcrib.yaml: here.')
    expect(stderr).toContain('notes is not moved: you have it in all folders')
    expect(stderr).toContain('toolcrib connect cursor --stdio --move --config toolcrib.yaml')
    expect(readFileSync(place.file, 'utf8')).toContain('notes')
    expect(stderr).toContain('before you trust toolcrib.yaml: toolcrib trust')
    // "doctor" reports it too, and the printed command moves everything.
    const doctor = async (): Promise<unknown[]> => JSON.parse((await place.run(['doctor', '--json'])).stdout)
    expect(await doctor()).toContainEqual({
      check: 'clients',
      status: 'problem',
      message: 'Cursor also reaches a server directly, beside the gateway: notes',
      next: 'toolcrib connect cursor --move --stdio',
    })
    const named = await place.run(['connect', 'cursor', '--stdio', '--move', '--config', 'toolcrib.yaml'])
    expect(named.stderr).toContain('Moved into toolcrib.yaml: notes.')
    expect(JSON.stringify(await doctor())).not.toContain('beside the gateway')
    await place.run(['disconnect', 'cursor'])
    expect(readFileSync(join(place.folder, '.cursor/mcp.json'), 'utf8')).toContain('here.mjs')
    const lone = cursor('{"mcpServers":{"notes":{"command":"node"}}}')
    mkdirSync(join(lone.folder, '.cursor'))
    lone.write('.cursor/mcp.json', '{"mcpServers":{"here":{"command":"node","args":["here.mjs"]}}}')
    const own = await lone.run(['connect', 'cursor', '--stdio', '--move'])
    expect(own.stderr).toContain('here is not moved: it is of this folder')
    expect(readFileSync(ownConfig(lone), 'utf8')).not.toContain('here')
    if (!hasScript) return
    const asked = cursor('{"mcpServers":{"notes":{"command":"node"}}}', 'tools: []\n')
    const env = { HOME: asked.home, XDG_CONFIG_HOME: join(asked.folder, 'settings') }
    const typed = await onTerminal(asked, 'connect cursor --write --stdio', {
      typed: [[/\[y\/N\]/, 'y\r']],
      env,
    })
    expect(typed.text.replaceAll(/\s+/g, ' ')).toContain('You have notes in all folders')
    expect(typed.text.replaceAll(/\s+/g, ' ')).toContain(
      'Move this server behind the gateway, into toolcrib.yaml, and trust? [y/N]',
    )
    expect((await asked.run(['trust'])).stderr).toContain('Nothing here waits for your trust.')
  })
})

const BLOCK = { format: 'json', path: ['mcpServers'] } as const

describe('a file of a client is edited in place', () => {
  it.each([
    ['{}', '{\n  "mcpServers": {\n    "n": {}\n  }\n}'],
    ['', '{\n  "mcpServers": {\n    "n": {}\n  }\n}\n'],
    ['{ "a": 1 }', '{ "a": 1, "mcpServers": {\n    "n": {}\n  } }'],
    ['{\r\n\t"a": 1\r\n}\r\n', '{\r\n\t"a": 1,\r\n\t"mcpServers": {\r\n\t\t"n": {}\r\n\t}\r\n}\r\n'],
    ['\uFEFF{\n  "mcpServers": {}\n}', '\uFEFF{\n  "mcpServers": {\n    "n": {}\n  }\n}'],
    [
      '{\n  "mcpServers": {\n    "a": {} // why\n    // end\n  }\n}',
      '{\n  "mcpServers": {\n    "a": {}, // why\n    "n": {}\n    // end\n  }\n}',
    ],
    [
      '{\n  "mcpServers": {\n    "a": { "x": ",}" }, /* "b": {}, */\n  },\n}',
      '{\n  "mcpServers": {\n    "a": { "x": ",}" }, /* "b": {}, */\n    "n": {}\n  },\n}',
    ],
  ])('%j gets a server, and is unchanged after its removal', (before, after) => {
    expect(putServer(before, BLOCK, 'n', '{}')).toBe(after)
    const rest = serversIn(removeServer(after, BLOCK, 'n'), BLOCK)
    const first = serversIn(before, BLOCK)
    expect(rest.ok && first.ok && [...rest.servers.keys()]).toEqual([
      ...(first.ok ? first.servers.keys() : []),
    ])
  })

  it.each([
    ['{"mcpServers":{"n":{},"b":{}}}', '{"mcpServers":{"b":{}}}'],
    ['{"mcpServers":{"a":{},"n":{}}}', '{"mcpServers":{"a":{}}}'],
    ['{"mcpServers":{"a":{} /* , */, "n":{},}}', '{"mcpServers":{"a":{} /* , */, }}'],
    [
      '{\n "mcpServers": {\n  "a": {},\n  // of n\n  "n": {} // x\n }\n}',
      '{\n "mcpServers": {\n  "a": {}\n  // of n\n }\n}',
    ],
    ['{\n "mcpServers": {\n  "n": {\n  },\n  "b": {}\n }\n}', '{\n "mcpServers": {\n  "b": {}\n }\n}'],
  ])('%j loses a server and nothing else', (before, after) => {
    expect(removeServer(before, BLOCK, 'n')).toBe(after)
  })

  it('reads the servers of TOML, and restores their tables as they were written', () => {
    const block = { format: 'toml', path: ['mcp_servers'] } as const
    const table =
      '[mcp_servers."my notes"]\ncommand = "node" # why\nargs = [\n  "a b", # one\n  \'c\\d\',\n]\nenabled = false\n\n[mcp_servers."my notes".env]\nKEY = "v"'
    const before = `model = "x"\n\n${table}\n\n# of far\n[mcp_servers.far]\nurl = "https://far.test"\nhttp_headers = { "X-A" = "b", c = 'd' }\nstartup_timeout_sec = 20\n\n[tui]\nname = "[mcp_servers.no]"\n`
    const found = serversIn(before, block)
    expect(found.ok && Object.fromEntries(found.servers)).toEqual({
      'my notes': {
        raw: table,
        entry: { command: 'node', args: ['a b', 'c\\d'], enabled: false, env: { KEY: 'v' } },
      },
      far: {
        raw: expect.stringContaining('[mcp_servers.far]\nurl'),
        entry: { url: 'https://far.test', http_headers: { 'X-A': 'b', c: 'd' }, startup_timeout_sec: 20 },
      },
    })
    const without = removeServer(before, block, 'my notes')
    expect(without).toContain('model = "x"\n\n# of far\n[mcp_servers.far]')
    const again = serversIn(putServer(without, block, 'my notes', table), block)
    expect(again.ok && again.servers.get('my notes')?.raw).toBe(table)
    const inline = serversIn('mcp_servers.b.command = "x"\n[mcp_servers]\na = { command = "x" }\n', block)
    expect(inline.ok && [...inline.servers]).toEqual([
      ['b', { raw: '', entry: undefined }],
      ['a', { raw: '', entry: undefined }],
    ])
  })

  it.each([
    [{ serverUrl: 'https://a.test' }, { url: 'https://a.test' }],
    [
      { httpUrl: 'https://a.test', timeout: 5 },
      { type: 'http', url: 'https://a.test' },
    ],
    [
      { type: 'local', command: ['node', 'a.mjs'], environment: { K: '{env:K}' }, enabled: false },
      { command: 'node', args: ['a.mjs'], env: { K: '${K}' }, disabled: true },
    ],
    [{ type: 'remote', url: 'https://a.test', enabled: true }, { url: 'https://a.test' }],
    [
      { source: 'custom', command: { path: 'node', args: ['a'], env: { A: 'b' } } },
      { command: 'node', args: ['a'], env: { A: 'b' } },
    ],
    [
      { url: 'https://a.test', bearer_token_env_var: 'T', env_http_headers: { X: 'V' } },
      { url: 'https://a.test', headers: { X: '${V}', Authorization: 'Bearer ${T}' } },
    ],
    [
      { command: 'node', env_vars: ['HOME'], tools: ['*'] },
      { command: 'node', inheritEnv: ['HOME'] },
    ],
  ])('%j is converted into the format of the config', (given, entry) => {
    expect(fromClientEntry(given)).toEqual({ ok: true, entry })
  })

  it('equal servers are recognized in any notation; values that only the client can fill in stay there', () => {
    const same = [{ type: 'stdio', command: 'n', args: [], env: {} }, { command: 'n' }].map(serverIdentity)
    expect(new Set(same).size).toBe(1)
    expect(serverIdentity({ command: 'n', env: { A: '1' } })).not.toBe(same[0])
    expect(fromClientEntry({ command: 'n', env: { K: '${input:key}' } })).toMatchObject({ ok: false })
    expect(fromClientEntry({ note: 'x' })).toBeUndefined()
    expect(fromClientEntry({ url: 'https://a.test' }, { bareUrl: 'sse' })).toMatchObject({
      entry: { type: 'sse' },
    })
  })
})

describe('toolcrib init', () => {
  function furnish(place: ReturnType<typeof withHome>): void {
    mkdirSync(join(place.folder, '.vscode'))
    place.write('.mcp.json', JSON.stringify({ mcpServers: { files: { command: 'npx', args: ['files'] } } }))
    place.write(
      '.vscode/mcp.json',
      '{\n  // of the team\n  "servers": { "files": { "command": "other" }, "far": { "type": "http", "url": "https://far.test/mcp?key=abc" }, },\n}',
    )
    writeFileSync(
      join(place.home, '.claude.json'),
      JSON.stringify({
        mcpServers: { toolcrib: { command: 'toolcrib', args: ['serve'] } },
        projects: {
          [place.folder]: { mcpServers: { here: { command: 'y', env: { API_KEY: 'sk-1234567890' } } } },
        },
      }),
    )
  }

  it('only reports where no person can be asked', async () => {
    const place = withHome('')
    furnish(place)
    const { code, stderr } = await place.run(['init'])
    expect(code).toBe(0)
    expect(stderr).toContain('.mcp.json (the project)\n  files  starts npx files')
    expect(stderr).toContain(
      '  files  starts other\n    taken over as files-vscode: another "files" is there\n  far  at https://far.test/mcp?…',
    )
    expect(stderr).toContain('  toolcrib  (that is this program itself)')
    expect(stderr).toContain('Nothing was changed; "toolcrib init --yes" takes all of them over.')
    expect(stderr).not.toContain('abc')
    expect(existsSync(join(place.folder, 'toolcrib.yaml'))).toBe(false)
    // --user imports only servers that count in all folders; and the printed command does what this one was asked to do.
    mkdirSync(join(place.home, '.cursor'))
    writeFileSync(join(place.home, '.cursor/mcp.json'), '{"mcpServers":{"mine":{"command":"m"}}}')
    const own = await place.run(['init', '--user'])
    expect(own.stderr).toContain('mine  starts m')
    expect(own.stderr).not.toMatch(/here|files/)
    expect(own.stderr).toContain('Nothing was changed; "toolcrib init --user --yes" takes')
  })

  it('shows everything that would run, and says that a yes trusts it', async () => {
    const place = withHome('')
    const last = 'the-last-word-of-a-long-line'
    const entry = {
      command: 'node',
      args: ['server.mjs', ...Array.from({ length: 20 }, (_, at) => `--option-${at}`), 'two words', last],
      env: { NODE_OPTIONS: '--require ./evil.cjs', API_KEY: 'sk-1234567890' },
    }
    place.write('.mcp.json', JSON.stringify({ mcpServers: { files: entry } }))
    const { stderr } = await place.run(['init'])
    expect(stderr).toContain(`"two words" ${last}\n`)
    expect(stderr).toContain('NODE_OPTIONS="--require ./evil.cjs" API_KEY\n')
    if (!hasScript) return
    const env = { HOME: place.home, XDG_CONFIG_HOME: join(place.folder, 'settings') }
    const typed: [RegExp, string][] = [
      [/\[y\/N\]/, 'y\r'],
      [/these sets.*\[y\/N\]/s, 'n\r'],
    ]
    const { code, text } = await onTerminal(place, 'init', { typed, env })
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining(last) })
    expect(text).toContain('over into toolcrib.yaml, and trust? [y/N]')
    expect(text.replaceAll(/\s+/g, ' ')).toContain('NODE_OPTIONS="--require ./evil.cjs"')
    expect((await place.run(['trust'])).stderr).toContain('Nothing here waits for your trust.')
  })

  it('imports everything with --yes, and nothing a second time', async () => {
    const place = withHome('# mine\ntools: []\nmcpServers:\n  files: { command: kept }\n')
    furnish(place)
    const { code, stderr } = await place.run(['init', '--yes'])
    expect(code).toBe(0)
    expect(stderr).toContain('4 servers are in toolcrib.yaml now.')
    expect(stderr).toContain('The entries of here hold keys')
    expect(stderr).toContain('Next: toolcrib trust, then toolcrib serve')
    expect(stderr).not.toContain('sk-1234567890')
    const text = readFileSync(join(place.folder, 'toolcrib.yaml'), 'utf8')
    expect(text).toContain('# mine')
    expect(text).toContain('files: { command: kept }')
    expect(text).toContain('far:\n    type: http')
    expect(text).toContain('files-claude-code:\n    command: npx')
    expect(text).toContain('files-vscode:\n    command: other')
    expect((await place.run(['init', '--yes'])).stderr).toContain('There is nothing new to take over.')
    expect(readFileSync(join(place.folder, 'toolcrib.yaml'), 'utf8')).toBe(text)
    const { servers } = JSON.parse((await place.run(['init', '--json'])).stdout)
    expect(servers).toContainEqual({
      name: 'far',
      from: join(place.folder, '.vscode/mcp.json'),
      taken: false,
      left_out: 'it is there already',
    })
  })

  it('reads mcp.json and the files of every client, imports a server once, and creates a config for all folders', async () => {
    const place = withHome('')
    const server = (n: string): object => ({ command: 'node', args: [`${n}.mjs`] })
    place.write('mcp.json', JSON.stringify({ mcpServers: { plain: server('plain') } }))
    const environment = {
      home: place.home,
      platform: process.platform,
      env: { XDG_CONFIG_HOME: join(place.folder, 'settings') },
    }
    for (const { id, files, format, key } of clients) {
      const file = files(environment)[0]!
      mkdirSync(dirname(file), { recursive: true })
      const shared = { shared: { ...server('shared'), tools: ['*'] }, [id]: server(id) }
      writeFileSync(
        file,
        format === 'json'
          ? `// mine\n${JSON.stringify({ [key]: shared }, null, 2)}`
          : `[${key}.shared]\ncommand = "node"\nargs = ["shared.mjs"]\n[${key}.${id}]\ncommand = "node"\nargs = ["${id}.mjs"]\n`,
      )
    }
    const project = JSON.parse((await place.run(['init', '--json'])).stdout)
    const names = clients.map(({ id }) => id)
    const wanted = (each: { left_out?: string }): boolean => each.left_out === undefined
    const namesOf = (servers: { name: string }[]): string[] => servers.map(({ name }) => name).sort()
    expect(namesOf(project.servers.filter(wanted))).toEqual([...names, 'plain', 'shared'].sort())
    const { code, stderr } = await place.run(['init', '--user', '--yes'])
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Next: toolcrib serve'),
    })
    const own = join(place.folder, 'settings/toolcrib/toolcrib.yaml')
    expect(existsSync(join(place.folder, 'toolcrib.yaml'))).toBe(false)
    const text = readFileSync(own, 'utf8')
    for (const name of names) expect(text).toContain(`${name}.mjs`)
    expect(text).not.toContain('plain.mjs')
    expect(text.match(/shared\.mjs/g)).toHaveLength(1)
    const connected = JSON.parse((await place.run(['connect', 'zed', '--stdio', '--json'])).stdout)
    expect(connected.entry.args.slice(-2)).toEqual(['--config', own])
    expect(connected.direct.map(({ name }: { name: string }) => name)).toEqual(['shared', 'zed'])
  })

  it('prints the next step if there is nothing to import', async () => {
    const { stderr } = await withHome('').run(['init'])
    expect(stderr).toContain('No client here knows MCP servers yet.')
  })
})
