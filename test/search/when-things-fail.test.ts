import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.js'
import type { ToolDraft } from '../../src/catalog/tool-draft.js'
import type { KeptAnalyses } from '../../src/search/kept-analyses.js'
import { openSearch } from '../../src/search/open-search.js'
import type { SearchView } from '../../src/search/tool-search.js'
import { searchAmong, tool } from './make-search.js'

const drafts = [
  tool('slack.send_message', 'Sends a message to a channel.'),
  tool('weather.forecast', 'What the weather will be like in a city.'),
  tool('files.read', 'Reads a file from the disk.'),
]

describe('an odd tool', () => {
  it('fails no search, and affects no other tool', async () => {
    const odd = { ...tool('odd.hint', 'Sends odd things.'), searchHint: 5 } as unknown as ToolDraft
    const odder = { ...tool('odd.guidance', 'Sends odder things.'), useGuidance: {} } as unknown as ToolDraft
    const oddest = { ...tool('odd.refs', 'Sends oddest things.'), capabilityRefs: 7 } as unknown as ToolDraft
    const search = searchAmong([])
    const added = search.catalog.add('source', [drafts[0]!, odd, odder, oddest, ...drafts.slice(1)])
    expect(added.problems).toEqual([])
    expect((await search.ids('weather forecast'))[0]).toBe('weather.forecast')
    expect(await search.ids('+slack send a message')).toEqual(['slack.send_message'])
    added.replace([...drafts, odd])
    await search.ready()
    expect((await search.ids('weather forecast'))[0]).toBe('weather.forecast')
    added.replace([...drafts, tool('odd.hint', 'Paints walls.')])
    expect((await search.ids('paint walls'))[0]).toBe('odd.hint')
  })
})

describe('a catalog that changes while it is searched', () => {
  it('never returns a tool that may not be found', async () => {
    const open = tool('desk.report', 'Reads the report.')
    const closed = tool('desk.report', 'Reads the report of the vault.', { useGuidance: 'hidden' })
    const view: SearchView = { key: {}, mayFind: ({ draft }) => draft.useGuidance !== 'hidden' }
    const search = searchAmong([])
    const added = search.catalog.add('source', [open])
    for (let turns = 0; turns < 10; turns++) {
      added.replace([open])
      expect(await search.ids('report', view)).toEqual(['desk.report'])
      const answer = search.find('report', view)
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      added.replace([closed])
      const { hits, nearMisses } = await answer
      for (const { tool: found } of [...hits, ...nearMisses]) expect(found.draft).toBe(open)
    }
  })
})

describe('a search that is closed', () => {
  it('indexes and writes nothing more, and says so', async () => {
    const crowd = Array.from({ length: 3_000 }, (_, index) =>
      tool(`crowd.t${index}`, `Sends letter ${index}.`),
    )
    let written = 0
    const kept: KeptAnalyses = {
      readAll: () => Promise.resolve(new Map()),
      read: () => Promise.resolve(undefined),
      write: () => Promise.resolve(void written++),
      mayKeep: () => true,
    }
    const search = searchAmong(crowd, { kept })
    const asked = expect(search.find('letter')).rejects.toThrow('This tool search is closed')
    while (search.counts().analysed === 0) await new Promise(setImmediate)
    await search.close()
    const { analysed } = search.counts()
    const before = written
    await asked
    expect(analysed).toBeLessThan(3_000)
    search.catalog.add('more', [tool('more.one', 'One more.')])
    await expect(search.find('letter')).rejects.toThrow('This tool search is closed')
    await expect(search.ready()).rejects.toThrow('This tool search is closed')
    expect([search.counts().analysed, written]).toEqual([analysed, before])
  })
})

describe('word vectors that cannot be read', () => {
  it('are reported, and words still find', async () => {
    const catalog = createCatalog()
    catalog.add('test', drafts)
    const warnings: string[] = []
    const opened = await openSearch({
      catalog,
      parts: { related: true, spelling: true, steps: true, meaning: true, sentences: false },
      loadVectors: () => Promise.reject(new Error('no such file')),
      warn: (message) => void warnings.push(message),
    })
    await opened.ready()
    expect(opened.index.terms.postings.has('weather')).toBe(true)
    expect(warnings).toEqual(['Search by meaning is off, its word vectors cannot be read: no such file'])
    await opened.close()
  })

  it('are one process warning without a handler', async () => {
    const warnings: string[] = []
    const listen = ({ message }: Error): void => void warnings.push(message)
    process.on('warning', listen)
    for (let time = 0; time < 2; time++) {
      const opened = await openSearch({
        catalog: createCatalog(),
        parts: { related: true, spelling: true, steps: true, meaning: true, sentences: false },
        loadVectors: () => Promise.reject(new Error('broken')),
      })
      await opened.close()
    }
    await new Promise(setImmediate)
    process.off('warning', listen)
    expect(warnings).toEqual(['Search by meaning is off, its word vectors cannot be read: broken'])
  })

  it('are included in the package', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'])
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
    expect(files.map(({ path }) => path)).toContain('data/word-vectors.bin')
  }, 60_000)
})
