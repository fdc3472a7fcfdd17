import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { memoryStore } from 'toolcrib'
import { collect } from '../../edges/cli/run-cli.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { until } from '../../until.js'
import { startApi } from '../openapi/start-api.js'
import { openTools } from './open-tools.js'
import { restTransport, toolFolder, type ToolFolder } from './write-tools.js'

const transport = restTransport('https://api.example.com', 'POST /work')

const idsOf = (crib: Awaited<ReturnType<typeof openTools>>['crib']): string[] =>
  crib
    .tools()
    .map(({ toolId }) => toolId)
    .filter((toolId) => toolId.startsWith('aml.'))

describe('a folder', () => {
  it('that is not there fails, and says so', async () => {
    const { crib } = await openTools({ folder: join(temporaryFolder(), 'none') })
    expect(crib.sources()).toMatchObject([
      { state: 'failed', problem: expect.stringMatching(/^The tool folder "shop" is not there: /) as string },
    ])
  })

  it('with a file that has errors leaves it out, and reports it once', async () => {
    const folder = toolFolder()
    folder.tool('good', { transport })
    folder.tool('bad', { transport, type: 'retreival' })
    const { crib, problems } = await openTools({ folder: folder.path })
    expect(idsOf(crib)).toEqual(['aml.shop.good'])
    expect(problems).toEqual([
      expect.stringMatching(
        /^The tool folder "shop" leaves out tools\/bad\.tool\.md:\d+:\d+: .*\(aml\/[a-z-]+\)$/,
      ),
    ])
  })

  it('is followed: files that are added, changed, broken and removed', async () => {
    const folder = toolFolder()
    folder.tool('first', { transport })
    const { crib, problems } = await openTools({ folder: folder.path })
    folder.tool('second', { transport })
    await until(() => idsOf(crib).length === 2, 'the second tool is there')
    folder.tool('second', { transport, meta: { description: 'Another description. It is new.' } })
    const second = () => crib.tool('aml.shop.second')?.draft.description ?? ''
    await until(() => second().startsWith('Another description.'), 'the second tool has changed')
    folder.tool('second', { transport, status: 'nonsense' })
    await until(() => idsOf(crib).length === 1, 'the broken tool is left out')
    expect(problems.join()).toContain('tools/second.tool.md')
    folder.tool('second', { transport })
    await until(() => idsOf(crib).length === 2, 'the mended tool is back')
    folder.remove('tools/second.tool.md')
    await until(() => idsOf(crib).length === 1, 'the removed tool is gone')
  })

  it('that comes later is found', async () => {
    const folder = toolFolder(join(temporaryFolder(), 'later'))
    const { crib } = await openTools({ folder: folder.path })
    folder.tool('first', { transport })
    await until(() => idsOf(crib).length === 1, 'the tool is there')
  })

  it('is compiled once: the next start takes files that have not changed from the cache', async () => {
    const folder = toolFolder()
    const cacheFolder = temporaryFolder()
    folder.tool('first', { transport })
    const before = await openTools({ folder: folder.path, cacheFolder })
    await before.crib.close()
    folder.tool('second', { transport })
    const { crib } = await openTools({ folder: folder.path, cacheFolder })
    expect(idsOf(crib)).toEqual(['aml.shop.first', 'aml.shop.second'])
    await crib.close()
    // A cache that cannot be read is no reason to fail.
    writeFileSync(join(cacheFolder, 'x.json'), '{')
    rmSync(cacheFolder, { recursive: true })
    writeFileSync(cacheFolder, 'no folder')
    const again = await openTools({ folder: folder.path, cacheFolder })
    expect(idsOf(again.crib)).toHaveLength(2)
  })

  it('says which settings of tools have no effect', async () => {
    const folder = toolFolder()
    folder.tool('search-kb', { transport })
    folder.tool('send-mail', {
      transport,
      type: 'action',
      guidance: { side_effects: ['Sends it.'] },
    })
    const tools = {
      'serch-kb': { cacheMs: 1 },
      'search-kb': { cacheMs: 1, queue: 'a' },
      'send-mail': { cacheMs: 1 },
    }
    const { problems } = await openTools({ folder: folder.path, tools })
    expect(problems).toEqual([
      'The settings of "serch-kb" in the tool folder "shop" belong to no tool: did you mean "search-kb"?',
      'The settings of "search-kb" in the tool folder "shop" have no effect: "queue" is for tools of the type human, and this one is retrieval.',
      'The settings of "send-mail" in the tool folder "shop" have no effect: "cacheMs" is for tools of the type retrieval, and this one is action.',
    ])
  })
})

it('says that a folder without tool files has no tools', async () => {
  const folder = toolFolder()
  folder.write('tools/README.md', '# Tools')
  const { problems } = await openTools({ folder: folder.path })
  expect(problems).toEqual([
    'The tool folder "shop" has no tools: Put tool files into tools/, named <tool_id>.tool.md. (aml/empty-folder)',
  ])
})

describe('a changed file', () => {
  async function open() {
    const api = await startApi(() => ({ text: 'ok' }))
    const folder = toolFolder()
    folder.tool('work', { transport: restTransport(api.url, 'POST /work') })
    const opened = await openTools({ folder: folder.path }, { store: memoryStore() })
    return { api, folder, ...opened }
  }

  const write = (folder: ToolFolder, url: string, endpoint: string, more: object = {}): void =>
    folder.tool('work', { transport: restTransport(url, endpoint), ...more })

  it('that sends calls elsewhere is blocked until a person accepts it', async () => {
    const { api, folder, crib, call, problems } = await open()
    expect((await call('work')).error).toBeUndefined()
    write(folder, api.url, 'POST /elsewhere')
    const isBlocked = async (): Promise<boolean> =>
      (await call('work')).error?.error_code === 'toolcrib.tool_changed'
    await until(isBlocked, 'the tool is blocked')
    const { error } = await call('work')
    expect(error?.message).toContain('The tool file changed the transport of this tool')
    expect(error?.message).toContain('tools accept aml.shop.work')
    expect(problems).toEqual([expect.stringMatching(/^"aml\.shop\.work": The tool file changed/)])
    expect(api.requests.every(({ url }) => url === '/work')).toBe(true)
    write(folder, api.url, 'POST /work')
    await until(async () => !(await isBlocked()), 'the accepted file works again')
    expect(crib.tool('aml.shop.work')).toBeDefined()
  })

  it('that is the first of a folder that was empty is blocked: no person has seen its address', async () => {
    const api = await startApi(() => ({ text: 'stolen' }))
    const folder = toolFolder()
    folder.write('tools/README.md', 'Nothing yet.')
    const store = memoryStore()
    const { crib, call } = await openTools({ folder: folder.path }, { store })
    write(folder, api.url, 'POST /work')
    await until(() => idsOf(crib).length === 1, 'the tool is there')
    expect((await call('work')).error?.error_code).toBe('toolcrib.tool_changed')
    expect(api.requests).toEqual([])
  })

  it('with other texts, schemas and time limits takes effect at once', async () => {
    const { api, folder, crib, call } = await open()
    folder.tool('work', {
      version: '1.1.0',
      meta: { description: 'New words. They are here.' },
      transport: restTransport(api.url, 'POST /work', { timeout_ms: 9000 }),
    })
    await until(() => crib.tool('aml.shop.work')!.draft.version === '1.1.0', 'the change is there')
    expect((await call('work')).error).toBeUndefined()
  })

  it('that is new is accepted where others go with the same secret, and blocked elsewhere', async () => {
    const { api, folder, crib, call } = await open()
    const other = await startApi(() => ({ text: 'stolen' }))
    folder.tool('same', { transport: restTransport(api.url, 'POST /same') })
    folder.tool('other-host', { transport: restTransport(other.url, 'POST /x') })
    folder.tool('other-secret', {
      transport: restTransport(api.url, 'POST /x', {
        credentials: { scheme: 'bearer-token', source: 'env', name: 'PATH' },
      }),
    })
    await until(() => idsOf(crib).length === 4, 'the tools are there')
    expect((await call('same')).error).toBeUndefined()
    for (const toolId of ['other-host', 'other-secret'])
      expect((await call(toolId)).error, toolId).toMatchObject({
        error_code: 'toolcrib.tool_changed',
        message: expect.stringContaining(
          'This tool is new, and goes to another service or with another secret',
        ),
      })
    expect(other.requests).toEqual([])
    expect(api.requests).toHaveLength(1)
  })
})

it('leaves no connection, timer or watcher behind', async () => {
  const api = await startApi(() => ({ text: 'ok' }))
  const folder = toolFolder()
  folder.tool('work', { transport: restTransport(api.url, 'POST /work') })
  const script = fileURLToPath(new URL('children/open-and-close.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, folder.path, 'work'], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
  })
  expect(await collect(child)).toEqual({ code: 0, stdout: 'succeeded\n', stderr: '' })
  await until(async () => (await api.openConnections()) === 0, 'all connections are closed')
})
