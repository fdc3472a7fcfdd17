import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { logConfigChanges } from '../../src/edges/cli/serve/log-config-changes.js'
import type { Terminal } from '../../src/edges/cli/terminal/terminal.js'
import { followConfig, type FollowConfigOptions } from '../../src/host/follow-config.js'
import { loadSettings } from '../../src/host/load-settings.js'
import { restartKeys } from '../../src/host/restart-keys.js'
import { trustConfig } from '../trust-config.js'
import { temporaryFolder } from '../temporary-folder.js'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  [{ results: { maxInlineChars: 1 } }, {}, ['results']],
  [{}, { approvals: { reviewers: ['ann'] }, hooks: [] }, ['approvals', 'hooks']],
  [{ permission: { engine: { url: 'https://a' } } }, { permission: {} }, ['permission.engine']],
  [{ permission: { classifier: { id: 'a' } } }, {}, ['permission.classifier']],
  [{ permission: { deny: ['a'], mode: 'plan' }, mcpServers: { a: {} } }, {}, []],
  [{ serve: { auth: { tokens: [{ name: 'ci' }] } } }, {}, []],
  [{ serve: { auth: { tokens: [], anonymous: true } } }, { serve: {} }, ['serve']],
  [{ surfaces: { a: { tools: ['x'] } } }, { surfaces: { a: { tools: ['x'] } } }, []],
])('%j after %j needs a restart for %j', (now, before, keys) => {
  expect(restartKeys(now as never, before as never)).toEqual(keys)
})

it('serve prints in one line which keys need a restart, once', async () => {
  vi.stubEnv('TOOLCRIB_HOME', join(folder, 'home'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const configPath = join(folder, 'toolcrib.json')
  const write = (config: object) => {
    writeFileSync(configPath, JSON.stringify(config))
    trustConfig(configPath)
  }
  write({})
  const settings = await loadSettings({ configPath })
  if (!settings.ok) throw new Error(JSON.stringify(settings.problems))
  const said: string[] = []
  let heard: (() => void) | undefined
  const explain = (line: string): void => {
    // The file may be read between the write and the trust.
    if (!line.includes('restart')) return
    said.push(line)
    heard?.()
  }
  const terminal = { sayStyle: {}, explain }
  const closing = new AbortController()
  const change = { added: [], edited: [], removed: [] }
  followConfig({
    settings,
    sources: { sources: [], renew: async () => ({ change, kinds: [], problems: [] }) },
    crib: { replaceSources: async () => {} },
    signal: closing.signal,
    onChange: logConfigChanges(settings, terminal as unknown as Terminal),
  } as unknown as FollowConfigOptions)
  const next = (config: object) =>
    new Promise<void>((resolve) => {
      heard = resolve
      write(config)
    })
  await next({ results: { maxInlineChars: 100 } })
  await next({ results: { maxInlineChars: 100 }, retries: { max: 2 }, maxProgressPerSecond: 5 })
  closing.abort()
  expect(said).toEqual([
    expect.stringMatching(/^"results" in .*toolcrib\.json changed: restart serve for it to count\.$/),
    expect.stringMatching(
      /^"maxProgressPerSecond" and "retries" in .* changed: restart serve for them to count\.$/,
    ),
  ])
})
