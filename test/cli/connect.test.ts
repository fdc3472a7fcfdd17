import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clients } from '../../src/edges/cli/clients/clients.js'
import { putIntoClientFile } from '../../src/edges/cli/clients/put-into-client-file.js'
import { hasScript, onTerminal } from './on-terminal.js'
import { bin, createPlace, type Place } from './run-cli.js'

/** A home of its own for each: the files of clients are the user's. */
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
  it('lists the clients that it knows, and says which one was meant', async () => {
    const place = withHome('')
    const { stdout } = await place.run(['connect'])
    for (const { id } of clients) expect(stdout).toContain(id)
    const { code, stderr } = await place.run(['connect', 'claud-code'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('There is no client "claud-code"; did you mean "claude-code"?'),
    })
  })

  it('prints what belongs into the file, with a token that stays the same and that only the user can read', async () => {
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

  it('speaks each client’s own words', async () => {
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
    expect(JSON.parse(stdout).mcpServers.toolcrib).toEqual({
      command: process.execPath,
      args: [bin, 'serve', '--stdio'],
    })
    const codex = await place.run(['connect', 'codex', '--url', 'http://h:1/mcp', '--token', 'x'.repeat(20)])
    expect(codex.stdout).toBe(
      `[mcp_servers.toolcrib]\nurl = "http://h:1/mcp"\nhttp_headers = { "Authorization" = "Bearer ${'x'.repeat(20)}" }\n`,
    )
  })

  it('writes into the file of the client, keeps the rest of it, and a copy of how it was', async () => {
    const place = withHome()
    const file = join(place.home, '.cursor/mcp.json')
    mkdirSync(join(place.home, '.cursor'))
    const before = '{\n\t"mcpServers": { "mine": { "command": "x" } },\n\t"other": [1]\n}\n'
    writeFileSync(file, before)
    const { code, stderr } = await place.run(['connect', 'cursor', '--write', '--stdio'])
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Cursor is told in') })
    const after = JSON.parse(readFileSync(file, 'utf8'))
    expect(after).toMatchObject({ mcpServers: { mine: { command: 'x' } }, other: [1] })
    expect(after.mcpServers.toolcrib.args).toEqual([bin, 'serve', '--stdio', '--project', place.folder])
    expect(readFileSync(file, 'utf8')).toContain('\n\t"')
    expect(readFileSync(`${file}.before-toolcrib`, 'utf8')).toBe(before)
  })

  it('a config that was found must be trusted by whoever is started with it, as it then is', async () => {
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
    const named = await place.run(['connect', 'cursor', '--stdio', '--config', 'toolcrib.yaml'])
    expect(JSON.parse(named.stdout).mcpServers.toolcrib.args.slice(-2)).toEqual([
      '--config',
      join(place.folder, 'toolcrib.yaml'),
    ])
    const gone = await place.run(['serve', '--stdio', '--project', 'user'])
    expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no config file in') })
  })

  it('writes no placeholder over a token that works, and no token where others can read', async () => {
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
    expect(stderr).toContain('only you can read it any more')
    expect(readFileSync(file, 'utf8')).toContain(token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await place.run(['connect', 'claude-code', '--token', token])).stderr).not.toContain(token)
  })

  it('leaves a file alone that it could not write back as it was', async () => {
    const place = withHome('')
    mkdirSync(join(place.home, '.gemini'))
    const file = join(place.home, '.gemini/settings.json')
    for (const [text, why] of [
      ['{\n  // mine\n  "a": 1\n}', 'has comments, which would be lost'],
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
    const client = { format: 'toml', key: 'mcp_servers' } as const
    const before =
      'model = "x"\n\n[mcp_servers.toolcrib]\nurl = "old"\n[mcp_servers.toolcrib.env]\nA = "b"\n\n[mcp_servers.toolcribs]\nurl = "other"\n'
    const put = putIntoClientFile(before, { client, entry: { url: 'new' } })
    expect(put).toEqual({
      ok: true,
      text: 'model = "x"\n\n[mcp_servers.toolcrib]\nurl = "new"\n\n[mcp_servers.toolcribs]\nurl = "other"\n',
    })
  })

  it('mistakes are a sentence', async () => {
    const place = withHome('')
    for (const [args, sentence] of [
      [['cursor', '--url', 'ftp://x'], '--url must be an http or https address'],
      [['cursor', '--url', 'http://x', '--stdio'], 'Give either --url or --stdio'],
      [['claude-desktop', '--url', 'http://x'], 'Claude Desktop only starts programs'],
      [['cursor', '--token', 'short'], '--token must be at least 16 characters'],
    ] as const) {
      const { code, stderr } = await place.run(['connect', ...args])
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
    }
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

  it('only reports where nobody can be asked', async () => {
    const place = withHome('')
    furnish(place)
    const { code, stderr } = await place.run(['init'])
    expect(code).toBe(0)
    expect(stderr).toContain('.mcp.json (the project)\n  files  starts npx files')
    expect(stderr).toContain('  files  (another "files" is there already)\n  far  at https://far.test/mcp?…')
    expect(stderr).toContain('  toolcrib  (that is this program itself)')
    expect(stderr).toContain('Nothing was changed; "toolcrib init --yes" takes all of them over.')
    expect(stderr).not.toContain('abc')
    expect(existsSync(join(place.folder, 'toolcrib.yaml'))).toBe(false)
  })

  it('shows all that would run, and says that a yes trusts it', async () => {
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
    const { code, text } = await onTerminal(place, 'init', { typed: [[/\[y\/N\]/, 'y\r']], env })
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining(last) })
    expect(text).toContain('over into toolcrib.yaml, and trust? [y/N]')
    expect(text.replaceAll(/\s+/g, ' ')).toContain('NODE_OPTIONS="--require ./evil.cjs"')
    expect((await place.run(['trust'])).stderr).toContain('Nothing here waits for your trust.')
  })

  it('takes all over with --yes, and nothing a second time', async () => {
    const place = withHome('# mine\ntools: []\nmcpServers:\n  files: { command: kept }\n')
    furnish(place)
    const { code, stderr } = await place.run(['init', '--yes'])
    expect(code).toBe(0)
    expect(stderr).toContain('2 servers are in toolcrib.yaml now.')
    expect(stderr).toContain('The entries of here hold keys')
    expect(stderr).toContain('Next: toolcrib trust, then toolcrib serve')
    expect(stderr).not.toContain('sk-1234567890')
    const text = readFileSync(join(place.folder, 'toolcrib.yaml'), 'utf8')
    expect(text).toContain('# mine')
    expect(text).toContain('files: { command: kept }')
    expect(text).toContain('far:\n    type: http')
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

  it('says what to do where there is nothing', async () => {
    const { stderr } = await withHome('').run(['init'])
    expect(stderr).toContain('No client here knows MCP servers yet.')
  })
})
