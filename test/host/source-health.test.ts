import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { loadCrib } from '../../src/host/load-crib.js'
import { loadTools } from '../../src/host/load-settings.js'
import { openConfiguredSources } from '../../src/host/sources/open-configured-sources.js'
import { sourceHealth, sourceStatuses } from '../../src/host/sources/source-health.js'
import { mcpKind } from '../../src/sources/mcp/mcp-kind.js'
import { openTemporaryFolder } from '../temporary-folder.js'
import { trustConfig } from '../trust-config.js'
import { eventually } from '../until.js'

const SECRET = 'sesame-of-the-office-7'
const CRASH = `console.error('Cannot open the vault with ' + process.env.KEY + '\\n    at open'); process.exit(3)`
const CRASHED =
  'The server ended with exit code 3. Its last line of standard error: Cannot open the vault with [redacted]'
const SERVER = join(import.meta.dirname, '../edges/cli/notes-server.mjs')

it('tells how each source is: its state, its restarts, and how its calls went', async () => {
  const folder = openTemporaryFolder()
  vi.stubEnv('XDG_CONFIG_HOME', folder.file('settings'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const configPath = folder.write(
    'toolcrib.json',
    JSON.stringify({
      store: 'memory',
      permission: { allow: ['mcp.notes.*'] },
      mcpServers: {
        notes: { command: process.execPath, args: [SERVER], trustAnnotations: true },
        lost: { command: process.execPath, args: ['-e', CRASH], env: { KEY: SECRET } },
        off: { command: process.execPath, args: [SERVER], disabled: true },
      },
    }),
  )
  trustConfig(configPath)
  const settings = await loadTools({ configPath })
  if (!settings.ok) throw new Error(settings.problems.map(({ message }) => message).join('; '))
  const sources = await openConfiguredSources(settings)
  const crib = await loadCrib({ settings, outside: {}, sources })
  onTestFinished(async () => {
    await crib.close()
    await sources.close()
  })
  await sources.settled()
  const surface = await crib.surface()
  const health = () => sourceHealth(crib, sourceStatuses(crib, sources), 'default')
  expect(await health()).toMatchObject([
    { entry: 'notes', kind: 'mcpServers', state: 'ready', tools: 2, restarts: 0, calls: 0, errors: 0 },
    { entry: 'lost', kind: 'mcpServers', state: 'failed', tools: 0, problem: CRASHED },
    { entry: 'off', kind: 'mcpServers', state: 'disabled', tools: 0 },
  ])
  await crib.call(surface, { name: 'mcp.notes.read', input: {} })
  const failed = await crib.call(surface, { name: 'mcp.notes.write', input: { text: 7 } })
  expect(failed.is_error).toBe(true)
  const server = sources.of(mcpKind)!.mcp!.get('notes')!
  process.kill(server.health().pid!)
  expect(await eventually(() => server.health().state !== 'ready')).toBe(true)
  await crib.call(surface, { name: 'mcp.notes.read', input: {} })
  const [notes] = await health()
  expect(notes).toMatchObject({
    state: 'ready',
    restarts: 1,
    calls: 3,
    errors: 1,
    latency_ms: { p50: expect.any(Number), p95: expect.any(Number) },
    last_error: { invocation_id: failed.invocation_id, message: failed.error!.message },
  })
})
