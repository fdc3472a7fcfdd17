import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadCrib } from '../../../src/host/load-crib.js'
import { loadSettings } from '../../../src/host/load-settings.js'
import { openConfiguredSources } from '../../../src/host/sources/open-configured-sources.js'
import { collect } from '../../edges/cli/run-cli.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { until } from '../../until.js'
import { at, configure } from './configure-api.js'
import { bare, documentOf, openTools, writeDocument } from './open-tools.js'
import { startApi } from './start-api.js'

const DOCUMENT = documentOf({
  '/pet': { get: bare('getPet') },
  '/slow': { get: bare('slow'), post: bare('slowPost') },
})

describe('after its crib is closed, an API', () => {
  it('has no connection, no timer and no process', async () => {
    let hangs = false
    const api = await startApi(({ url }) => {
      if (url !== '/openapi.json') return { url }
      return hangs ? undefined : DOCUMENT
    })
    const script = fileURLToPath(new URL('children/open-and-close.mjs', import.meta.url))
    const cacheFolder = temporaryFolder()
    // The second time the document comes from the cache, and its server does not answer.
    for (const _ of ['first', 'second']) {
      const child = spawn(process.execPath, [script, `${api.url}/openapi.json`, cacheFolder], {
        cwd: fileURLToPath(new URL('../../../', import.meta.url)),
      })
      expect(await collect(child)).toEqual({ code: 0, stdout: 'succeeded\n', stderr: '' })
      hangs = true
    }
    await until(async () => (await api.openConnections()) === 0, 'all connections are closed')
  })

  it('has no request under way', async () => {
    let closed = 0
    const api = await startApi((_, response) => void response.on('close', () => closed++))
    const { crib, call } = await openTools({ document: writeDocument(DOCUMENT), server: api.url })
    const calls = [call('slow'), call('slowPost')]
    await until(() => api.requests.length === 2, 'the requests arrive')
    await crib.close({ graceMs: 10 })
    const [read, wrote] = await Promise.all(calls)
    expect(read!.status).toBe('canceled')
    expect(wrote!.error?.message).toMatch(/may still have an effect/)
    await until(() => closed === 2, 'both connections are closed')
    await until(async () => (await api.openConnections()) === 0, 'all connections are closed')
  })
})

describe('a changed config', () => {
  const settingsOf = async () => {
    const settings = await loadSettings({ configPath: at('toolcrib.json') })
    if (!settings.ok) throw new Error('the config is wrong')
    return settings
  }

  it('closes the APIs that it no longer has or that it changes, and leaves the others as they are', async () => {
    let answer = (): void => {}
    const [kept, edited, removed] = await Promise.all(
      [1, 2, 3].map(() =>
        startApi(({ url }) =>
          url === '/pet' ? { url } : new Promise((resolve) => (answer = () => resolve({ url }))),
        ),
      ),
    )
    writeDocument(DOCUMENT, at('shop.json'))
    const entry = (api: typeof kept, more: object = {}) => ({
      document: 'shop.json',
      server: api!.url,
      ...more,
    })
    configure({ kept: entry(kept), edited: entry(edited), removed: entry(removed) })
    const settings = await settingsOf()
    const sources = await openConfiguredSources(settings)
    const more = { permission: { mode: 'bypass' as const } }
    const crib = await loadCrib({ settings, sources, outside: {}, store: 'memory', more })
    const surface = await crib.surface()
    for (const name of ['kept', 'edited', 'removed'])
      expect(await crib.call(surface, { name: `api.${name}.getPet`, input: {} })).toMatchObject({
        is_error: false,
      })
    const running = crib.call(surface, { name: 'api.kept.slow', input: {} })
    await until(() => kept!.requests.length === 2, 'the request arrives')

    configure({ kept: entry(kept), edited: entry(edited, { exclude: ['slow'] }), added: entry(kept) })
    const { change } = await sources.renew(await settingsOf())
    expect(change).toEqual({ added: ['added'], edited: ['edited'], removed: ['removed'] })
    await crib.replaceSources(sources.sources)
    await until(
      async () => (await removed!.openConnections()) === 0,
      'the connections of "removed" are closed',
    )
    await until(async () => (await edited!.openConnections()) === 0, 'the connections of "edited" are closed')
    expect(crib.tool('api.removed.getPet')).toBeUndefined()
    expect(crib.tool('api.edited.slow')).toBeUndefined()
    expect(crib.tool('api.added.getPet')).toBeDefined()
    answer()
    expect(await running).toMatchObject({ status: 'succeeded' })
    await crib.close()
    await until(async () => (await kept!.openConnections()) === 0, 'all connections are closed')
  })
})
