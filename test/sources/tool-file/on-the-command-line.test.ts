import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runHere } from '../../edges/cli/run-here.js'
import type { Ran } from '../../edges/cli/run-cli.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { trustConfig } from '../../trust-config.js'
import { startApi } from '../openapi/start-api.js'
import { object, restTransport, text, toolFolder, type ToolFolder } from './write-tools.js'

const person = vi.hoisted(() => ({ answers: [] as string[] }))

vi.mock(import('../../../src/edges/cli/terminal/ask-person.js'), () => ({
  askPerson: async () => person.answers.shift(),
}))

let project: string
let folder: ToolFolder

beforeEach(() => {
  const all = temporaryFolder()
  vi.stubEnv('XDG_CONFIG_HOME', join(all, 'settings'))
  vi.stubEnv('TOOLCRIB_HOME', join(all, 'home'))
  project = join(all, 'project')
  mkdirSync(project)
  folder = toolFolder(join(project, 'support'))
})

afterEach(() => {
  vi.unstubAllEnvs()
})

const at = (name: string): string => join(project, name)

function configure(entry: object): void {
  writeFileSync(at('toolcrib.json'), JSON.stringify({ toolFiles: { support: entry } }))
  trustConfig(at('toolcrib.json'))
}

const run = (...words: string[]): Promise<Ran> =>
  runHere([...words, '--config', at('toolcrib.json'), '--store', at('crib.db')])

describe('a tool folder in a config', () => {
  it('is called, listed and shown', async () => {
    const api = await startApi(() => ({ text: 'found' }))
    folder.tool('search-kb', { transport: restTransport(api.url, 'POST /search') })
    configure({ folder: './support' })
    const called = await run('call', 'aml.support.search-kb', 'text=a', '--yes')
    expect(called.stdout).toContain('found')
    const { stdout } = await run('tools', 'show', 'aml.support.search-kb', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      declaration: { tool_kind: 'retrieval', external_mappings: [{ source: 'aml', tool_id: 'search-kb' }] },
      interface: { is_read_only: true },
      execution_profile: { execution_kind: 'http_api' },
      permission_profile: { network_scope: '127.0.0.1' },
    })
    expect((await run('tools', 'show', 'aml.support.search-kb')).stdout).toContain('aml: tool_id search-kb')
    expect((await run('tools', 'lint')).code).toBe(0)
  })

  it.each(['draft', 'disabled', 'deprecated'])('shows that a tool is %s', async (status) => {
    folder.tool('search-kb', { status, transport: restTransport('http://127.0.0.1:9', 'POST /search') })
    configure({ folder: './support' })
    const { stdout } = await run('tools', 'show', 'aml.support.search-kb')
    expect(stdout).toContain(`Lifecycle\n  ${status}: `)
  })

  it('reports its broken files in servers, servers show and doctor, and its other tools work', async () => {
    folder.tool('good', { transport: restTransport('https://api.example.com', 'GET /x') })
    folder.tool('bad', { type: 'nonsense' })
    configure({ folder: './support' })
    const servers = await run('servers', '--json')
    expect(JSON.parse(servers.stdout)).toMatchObject([
      {
        name: 'support',
        kind: 'toolFiles',
        state: 'ready',
        tools: 1,
        problems: { count: expect.any(Number) as number },
      },
    ])
    for (const words of [['servers'], ['servers', 'show', 'support'], ['doctor']])
      expect((await run(...words)).stdout.replaceAll(/\s+/g, ' '), words.join(' ')).toContain(
        'tools/bad.tool.md',
      )
  })

  it('blocks a tool whose transport has changed, until the change is accepted', async () => {
    const api = await startApi(({ url }) => ({ text: url }))
    folder.tool('search-kb', { transport: restTransport(api.url, 'POST /search') })
    configure({ folder: './support' })
    const call = () => run('call', 'aml.support.search-kb', '--yes')
    expect((await call()).stdout).toContain('/search')
    folder.tool('search-kb', { transport: restTransport(api.url, 'POST /other') })
    expect((await call()).stderr).toContain('tools accept aml.support.search-kb')
    const diff = await run('tools', 'diff', 'aml.support.search-kb')
    expect(diff.stdout).toContain('-     "path": "/search"')
    expect(diff.stdout).toContain('+     "path": "/other"')
    person.answers.push('y')
    const words = ['tools', 'accept', 'aml.support.search-kb', '--config', at('toolcrib.json')]
    const accepted = await runHere([...words, '--store', at('crib.db')], { isTerminal: true })
    expect(accepted).toMatchObject({ code: 0 })
    expect((await call()).stdout).toContain('/other')
  })

  it('does not run code that was changed after it was trusted', async () => {
    folder.tool('upper', {
      type: 'function',
      interface: { input: object({ text }), output: object({ text }) },
    })
    folder.write('code.mjs', 'export default { upper: ({ text }) => ({ text: text.toUpperCase() }) }')
    configure({ folder: './support', code: './support/code.mjs' })
    expect((await run('call', 'aml.support.upper', 'text=abc', '--yes')).stdout).toContain('ABC')
    folder.write('code.mjs', 'export default { upper: () => ({ text: "changed" }) }')
    const { stdout, stderr } = await run('call', 'aml.support.upper', 'text=abc', '--yes')
    expect(stdout).not.toContain('changed')
    expect(stderr).toContain('has changed since you trusted it')
  })

  it('says which file is broken where its tool is listed or called', async () => {
    folder.tool('bad', { type: 'nonsense' })
    configure({ folder: './support' })
    for (const words of [['tools'], ['call', 'aml.support.bad', '--yes']])
      expect((await run(...words)).stderr.replaceAll(/\s+/g, ' '), words[0]).toContain(
        'leaves out tools/bad.tool.md',
      )
  })

  it('shows the person who trusts it where calls go and which secrets they send', async () => {
    const credentials = { scheme: 'bearer-token', source: 'env', name: 'SHOP_TOKEN' }
    const transport = { ...restTransport('https://shop.example.com', 'GET /orders'), credentials }
    folder.tool('find-order', { transport })
    writeFileSync(at('toolcrib.json'), JSON.stringify({ toolFiles: { support: { folder: './support' } } }))
    const { stdout, stderr } = await run('trust')
    expect(stdout + stderr).toContain('the tool folder "support" takes its tools from ./support')
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(
      'find-order (retrieval): GET https://shop.example.com/orders, with the variable SHOP_TOKEN',
    )
  })

  it('shows every address that gets a secret, also those of answers, databases and vaults', async () => {
    const account = { scheme: 'service-account', source: 'env', name: 'KAFKA' }
    const kafka = { type: 'message-queue', provider: 'kafka', credentials: account }
    const [queue_url, response_queue_url] = [
      'kafka://one.example.com:9092/a',
      'kafka://two.example.com:9092/b',
    ]
    folder.tool('ask-queue', { transport: { ...kafka, queue_url, response_queue_url } })
    const connection = {
      host: 'db.example.com',
      port: 5432,
      database: 'd',
      username: 'u',
      region: 'eu-west-1',
    }
    folder.tool('ask-database', {
      transport: {
        type: 'database',
        engine: 'postgresql',
        query_method: 'orm',
        credentials: { scheme: 'iam-role', ...connection },
      },
    })
    const vault = { source: 'azure_key_vault', vault_url: 'https://v.example.com', secret_name: 's' }
    folder.tool('ask-vault', {
      transport: {
        ...restTransport('https://shop.example.com', 'GET /orders'),
        credentials: { scheme: 'bearer-token', ...vault },
      },
    })
    writeFileSync(at('toolcrib.json'), JSON.stringify({ toolFiles: { support: { folder: './support' } } }))
    const { stdout, stderr } = await run('trust')
    const shown = (stdout + stderr).replaceAll(/\s+/g, ' ')
    expect(shown).toContain(`${queue_url}, with answers from ${response_queue_url}, with the variable KAFKA`)
    expect(shown).toContain('postgresql at db.example.com, with the cloud identity of this process')
    expect(shown).toContain('the Azure secret s of https://v.example.com')
  })

  it('keeps what it compiled out of the project, which could bring its own', async () => {
    vi.stubEnv('TOOLCRIB_HOME', '')
    vi.stubEnv('XDG_DATA_HOME', join(project, '..', 'data'))
    vi.stubEnv('HOME', join(project, '..', 'data'))
    const api = await startApi(() => ({ text: 'found' }))
    folder.tool('search-kb', { transport: restTransport(api.url, 'POST /search') })
    configure({ folder: './support' })
    expect((await run('call', 'aml.support.search-kb', 'text=a', '--yes')).stdout).toContain('found')
    const files = (path: string) => readdirSync(path, { recursive: true }).map(String)
    expect(files(project).filter((file) => file.includes('cache'))).toEqual([])
    expect(files(join(project, '..', 'data')).filter((file) => file.endsWith('.json'))).not.toEqual([])
  })

  it('takes no code whose path trust cannot know', async () => {
    configure({ folder: './support', code: '${HOME}/code.mjs' })
    expect((await run('servers')).stdout).toContain('has a variable')
  })
})

describe('add tools', () => {
  it('shows where calls go, and writes the entry', async () => {
    folder.tool('search-kb', { transport: restTransport('https://kb.example.com', 'POST /search') })
    writeFileSync(at('toolcrib.json'), '{}')
    trustConfig(at('toolcrib.json'))
    const { code, stderr } = await run('add', 'tools', folder.path, '--yes')
    expect(stderr).toContain('search-kb (retrieval): POST https://kb.example.com/search')
    expect(code).toBe(0)
    expect(JSON.parse(readFileSync(at('toolcrib.json'), 'utf8'))).toEqual({
      toolFiles: { support: { folder: './support' } },
    })
    expect((await run('tools')).stdout).toContain('search-kb')
  })

  it.each([
    ['nowhere', 'There is no folder "nowhere"'],
    ['empty', 'has no tool file that can be used'],
  ])('refuses %s', async (name, why) => {
    writeFileSync(at('toolcrib.json'), '{}')
    mkdirSync(at('empty'))
    const given = name === 'empty' ? at('empty') : name
    expect(await run('add', 'tools', given, '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(why) as string,
    })
  })
})
