import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Crib } from 'toolcrib'
import { ownPaths } from '../../src/crib/policy/own-paths.js'
import { checkSources } from '../../src/edges/cli/doctor/check-sources.js'
import { logSource } from '../../src/edges/cli/serve/log-source.js'
import { sourceRow } from '../../src/edges/cli/servers/server-row.js'
import { whySourceIsMissing } from '../../src/edges/cli/servers/why-source-is-missing.js'
import { trustRequests } from '../../src/edges/cli/trust/trust-request.js'
import { createGateway } from '../../src/edges/mcp/create-gateway.js'
import { followConfig, type ConfigChange } from '../../src/host/follow-config.js'
import { loadCrib } from '../../src/host/load-crib.js'
import { loadTools } from '../../src/host/load-settings.js'
import { entryOfTool } from '../../src/host/sources/entry-of-tool.js'
import { listSourceTools } from '../../src/host/sources/list-source-tools.js'
import { inspectSources } from '../../src/host/sources/inspect-sources.js'
import { openConfiguredSources } from '../../src/host/sources/open-configured-sources.js'
import type { SourceKind } from '../../src/sources/kind.js'
import { addSourceKind, sourceKinds } from '../../src/sources/kinds.js'
import { exchangeOf } from '../edges/mcp/support/exchange.js'
import { trustConfig } from '../trust-config.js'
import { notebookKind, type NotebookControl } from './notebook-kind.js'
import { temporaryFolder } from '../temporary-folder.js'

let folder: string
let controls: Map<string, NotebookControl>
let removeKind: () => void
let notebooks: SourceKind

beforeEach(() => {
  folder = temporaryFolder()
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'settings'))
  mkdirSync(join(folder, 'project'), { recursive: true })
  const made = notebookKind()
  controls = made.controls
  notebooks = made.kind
  removeKind = addSourceKind(notebooks)
  put('work.txt', 'hello\nbye\n')
})

afterEach(() => {
  removeKind()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const configPath = (): string => join(folder, 'project/toolcrib.json')

function put(name: string, text: string): void {
  writeFileSync(join(folder, 'project', name), text)
}

const write = (config: object): void => put('toolcrib.json', JSON.stringify({ store: 'memory', ...config }))

const TOKEN = 'squirrel-battery-9931'

async function settingsOf(config: object, { isTrusted = true } = {}) {
  write(config)
  if (isTrusted) trustConfig(configPath())
  const settings = await loadTools({ configPath: configPath() })
  if (!settings.ok) throw new Error(settings.problems.map(({ message }) => message).join('; '))
  return settings
}

async function open(notebooks: object) {
  const settings = await settingsOf({ notebooks })
  const sources = await openConfiguredSources(settings)
  const crib = await loadCrib({ settings, outside: {}, sources })
  onTestFinished(() => crib.close())
  return { settings, sources, crib }
}

const idsIn = (crib: Pick<Crib, 'tools'>): string[] => crib.tools().map(({ toolId }) => toolId)

describe('a kind of source that one file adds', () => {
  it('has its credentials protected from all tools, as long as it is there', () => {
    expect(ownPaths({}).secret).toContain('/home/ada/.notebook-tokens')
    expect(ownPaths({}).secret).toContain(join(folder, 'settings', 'toolcrib', 'tokens'))
    removeKind()
    removeKind() // a second removal takes out nothing else
    expect(sourceKinds().map(({ key }) => key)).toEqual(['mcpServers', 'openapi', 'toolFiles', 'builtins'])
    expect(ownPaths({}).secret).not.toContain('/home/ada/.notebook-tokens')
  })

  it('its config key is checked by its schema while the kind is registered', async () => {
    await expect(settingsOf({ notebooks: { work: {} } })).rejects.toThrow(/"notebooks.work" needs "notes"/)
    await expect(settingsOf({ notebook: {} })).rejects.toThrow(/did you mean "notebooks"/)
    removeKind()
    await expect(settingsOf({ notebooks: {} })).rejects.toThrow(/unknown key "notebooks"/)
    removeKind = addSourceKind(notebookKind().kind)
    expect(() => addSourceKind(notebookKind().kind)).toThrow(/the key "notebooks" already/)
  })

  it('its tools are listed and called, with its secrets masked', async () => {
    const { crib } = await open({ work: { notes: 'work.txt', token: TOKEN } })
    expect(idsIn(crib)).toEqual(['notebook.work.bye', 'notebook.work.hello'])
    const result = await crib.call(await crib.surface(), { name: 'notebook.work.hello', input: {} })
    expect(result).toMatchObject({ status: 'succeeded', structured_content: { line: 'hello' } })
    expect(JSON.stringify(result)).not.toContain(TOKEN)
  })

  it('MCP clients get its tools under the names of its providers, without native definitions', async () => {
    const { crib } = await open({ work: { notes: 'work.txt' } })
    const gateway = createGateway({ crib, surfaces: { default: {} }, info: { name: 'x', version: '1' } })
    onTestFinished(() => gateway.close())
    const session = await gateway.open({ actor: 'ann', roles: ['caller'] }, { era: 'legacy' })
    const { tools } = await session.handle('tools/list', {}, exchangeOf())
    expect(tools).toMatchObject([
      { name: 'work__bye', inputSchema: { type: 'object' } },
      { name: 'work__hello' },
    ])
    for (const tool of tools as object[]) expect(tool).not.toHaveProperty('line')
  })

  it('changes of its tools are followed; a failure is reported and the tools stay', async () => {
    const { crib } = await open({ work: { notes: 'work.txt' } })
    put('work.txt', 'hello\nthanks\n')
    controls.get('work')!.change()
    await crib.caughtUp()
    expect(idsIn(crib)).toEqual(['notebook.work.hello', 'notebook.work.thanks'])
    controls.get('work')!.problem = new Error('the page is torn')
    controls.get('work')!.change()
    await crib.caughtUp()
    expect(idsIn(crib)).toHaveLength(2)
    expect(crib.sources()).toMatchObject([
      { name: 'notebook:work', state: 'failed', tools: 2, problem: 'the page is torn' },
    ])
  })

  it('sources are opened in parallel, and one that fails at its first list does not close the crib', async () => {
    const { crib } = await open({ work: { notes: 'work.txt' }, lost: { notes: 'lost.txt' } })
    expect(idsIn(crib)).toHaveLength(2)
    expect(crib.sources()).toMatchObject([
      { name: 'notebook:work', state: 'ready' },
      { name: 'notebook:lost', state: 'failed', problem: expect.stringContaining('lost.txt') },
    ])
    expect(crib.pendingProviders()).toEqual(['notebook:lost'])
  })
})

describe('trust in a config that names such a kind', () => {
  it('is required before the kind gets its settings', async () => {
    const settings = await settingsOf({ notebooks: { work: { notes: 'work.txt' } } }, { isTrusted: false })
    const opened = await openConfiguredSources(settings, { mayChange: true })
    expect(opened.sources).toEqual([])
    expect(controls.size).toBe(0)
    expect(opened.problems).toMatchObject([
      {
        entry: 'work',
        isLeftOut: true,
        message: expect.stringContaining('the notebook "work" is not started'),
      },
    ])
    const { waiting } = await trustRequests({ config: configPath() })
    expect(waiting).toMatchObject([{ runs: ['the notebook "work" reads work.txt'] }])
    expect([...waiting[0]!.named.files.keys()]).toEqual([join(folder, 'project/work.txt')])
  })

  it('covers the files that its settings name', async () => {
    const config = { notebooks: { work: { notes: 'work.txt' } } }
    expect((await settingsOf(config)).trust).toEqual({ isTrusted: true })
    put('work.txt', 'something else\n')
    const settings = await settingsOf(config, { isTrusted: false })
    expect(settings.trust).toMatchObject({ isTrusted: false, why: 'changed' })
  })
})

describe('a config with such a kind that is in use', () => {
  it('applies its changed entries once the changed config is trusted', async () => {
    put('home.txt', 'tea\n')
    const { settings, sources, crib } = await open({ work: { notes: 'work.txt' } })
    const changes: ConfigChange[] = []
    const over = new AbortController()
    onTestFinished(() => over.abort())
    followConfig({ settings, sources, crib, signal: over.signal, onChange: (each) => changes.push(each) })
    const first = controls.get('work')!
    write({ notebooks: { work: { notes: 'work.txt' }, home: { notes: 'home.txt' } } })
    trustConfig(configPath())
    await vi.waitFor(() => expect(idsIn(crib)).toContain('notebook.home.tea'), { timeout: 10_000 })
    await vi.waitFor(() =>
      expect(changes.at(-1)).toMatchObject({
        kind: 'sources',
        change: { added: ['home'] },
      }),
    )
    // The sources opened before are removed and closed.
    expect(first.closed).toBe(1)
  })
})

it('a gateway reports in one line that a source fails, that its tools stay, and when it is retried', () => {
  const said: string[] = []
  const terminal = {
    explain: (line: string) => void said.push(line),
    printJson() {},
    sayStyle: { bad: String },
  }
  const tell = logSource(terminal as never, false, () => 1000)
  tell({ name: 'notebook:work', state: 'failed', tools: 2, problem: 'It is torn.', nextRetryAt: 3000 })
  tell({ name: 'notebook:work', state: 'ready', tools: 2 })
  expect(said).toEqual([
    'notebook:work: failed: It is torn; the 2 tools of its last list stay (next try in 2.0 s)',
    'notebook:work: ready, 2 tools',
  ])
})

describe('commands that look at sources', () => {
  it('list, describe and check the sources of every kind', async () => {
    const settings = await settingsOf({
      notebooks: { work: { notes: 'work.txt', token: TOKEN }, lost: { notes: 'lost.txt' } },
    })
    const listed = await listSourceTools(settings, { waitMs: 5000 })
    expect(settings.catalog.list()).toHaveLength(2)
    expect(listed).toMatchObject({
      failed: [{ noun: 'notebook', name: 'lost' }],
      pending: [],
      secrets: [TOKEN],
    })
    expect(controls.get('work')!.closed).toBe(1)
    const rows = await inspectSources(settings, { waitMs: 5000 }, async ({ sources }) =>
      sources.map(sourceRow),
    )
    expect(rows).toMatchObject([
      { name: 'work', kind: 'notebooks', state: 'ready', tools: 2 },
      { name: 'lost', kind: 'notebooks', state: 'failed', reason: expect.any(String) },
    ])
    const found = await checkSources(settings, { waitMs: 5000, options: { config: configPath() } })
    expect(found).toMatchObject([
      { check: 'notebook work', status: 'ok', message: 'ready, 2 tools' },
      { check: 'notebook lost', status: 'problem', next: expect.stringMatching('servers show lost') },
    ])
  })

  it('resolve a name to its entry, and open no other entry', async () => {
    const settings = await settingsOf({
      notebooks: { work: { notes: 'work.txt' }, other: { notes: 'work.txt' } },
    })
    for (const name of ['notebook.work.hello', 'notebook__work__hello', 'work.hello', 'work__hello'])
      expect(entryOfTool(settings, name)).toMatchObject({ entry: 'work', tool: 'hello' })
    expect(entryOfTool(settings, 'work')).toEqual({ kind: notebooks, entry: 'work' })
    const odd = { config: { mcpServers: { notebook: {}, mcp: {} }, notebooks: { work: {} } } } as never
    expect(entryOfTool(odd, 'notebook.work.hello')).toMatchObject({ kind: notebooks, entry: 'work' })
    expect(entryOfTool(odd, 'mcp.notebook.hello')).toMatchObject({ entry: 'notebook', tool: 'hello' })
    expect(entryOfTool(odd, 'notebook.hello')).toMatchObject({ entry: 'notebook', tool: 'hello' })
    await openConfiguredSources(settings, { only: ['work'] })
    expect([...controls.keys()]).toEqual(['work'])
    const untrusted = await settingsOf(
      { notebooks: { work: { notes: 'work.txt' } }, actor: 'a' },
      { isTrusted: false },
    )
    const { problems } = await openConfiguredSources(untrusted)
    expect(whySourceIsMissing(untrusted, 'work.hello', { problems, stateOf: () => undefined })).toContain(
      'The notebook "work" is not started',
    )
  })
})
