import { afterEach, describe, expect, it } from 'vitest'
import { defineTool, sqliteStore, type Store } from 'toolcrib'
import { createJournal } from '../../src/storage/journal/journal.js'
import { createRedactor } from '../../src/redaction/redactor.js'
import { memoryStore } from '../../src/storage/memory/memory-store.js'
import { SYSTEM_TENANT } from '../../src/storage/store.js'
import { storedAnalyses } from '../../src/crib/catalog/stored-analyses.js'
import type { ToolDraft } from '../../src/catalog/tool-draft.js'
import { analyseTool, ANALYSIS_VERSION } from '../../src/search/analyse-tool.js'
import { createCatalog } from '../../src/catalog/catalog.js'
import { groupOf } from '../../src/search/analysis-group.js'
import type { KeptAnalyses } from '../../src/search/kept-analyses.js'
import { openSearch } from '../../src/search/open-search.js'
import type { ToolSearchOptions } from '../../src/search/create-tool-search.js'
import type { SearchAnswer } from '../../src/search/tool-search.js'
import { openCrib, temporaryStorePath } from '../scenarios/open-crib.js'
import { catalogToolOf, searchAmong, tool, topicModel, type TestSearch } from './make-search.js'
import { documentsOf } from '../storage/make-records.js'

const KIND = 'tool_analysis'
const redactor = createRedactor({ patterns: true })

interface Opened {
  search: TestSearch
  store: Store
  end(): Promise<void>
}

const open: Opened[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.end()
})

/** Acts as a process: opens the store, searches, writes its analyses and closes. */
async function start(
  path: string,
  drafts: readonly ToolDraft[],
  options: Partial<ToolSearchOptions> = {},
): Promise<Opened> {
  const store = sqliteStore({ path })
  await store.open()
  const journal = createJournal({ store })
  const kept = storedAnalyses({ journal, redactor, now: Date.now })
  const search = searchAmong(drafts, { kept, ...options })
  let ended: Promise<void> | undefined
  const opened = {
    search,
    store,
    end: () => (ended ??= search.close().then(() => journal.close())),
  }
  open.push(opened)
  return opened
}

async function startAndEnd(...given: Parameters<typeof start>): Promise<TestSearch> {
  const opened = await start(...given)
  await opened.search.ready()
  await opened.end()
  return opened.search
}

async function keptTools(path: string): Promise<string[]> {
  const store = sqliteStore({ path })
  await store.open()
  const documents = await documentsOf(store, SYSTEM_TENANT, KIND)
  await store.close()
  return documents.flatMap(({ value }) => Object.keys((value as { tools: object }).tools)).sort()
}

interface KeptGroup {
  tools: Record<string, object>
}

/** Replaces the documents in the store. */
async function editKept(path: string, edit: (group: KeptGroup) => unknown): Promise<void> {
  const store = sqliteStore({ path })
  await store.open()
  for (const { tenant, kind, id, value } of await documentsOf(store, SYSTEM_TENANT, KIND)) {
    await store.write({ documents: [{ tenant, kind, id, updatedAt: 1, value: edit(value as KeptGroup) }] })
  }
  await store.close()
}

function withTool(group: KeptGroup, toolId: string, change: object): KeptGroup {
  return { ...group, tools: { ...group.tools, [toolId]: { ...group.tools[toolId], ...change } } }
}

const drafts = [
  tool('mail.send', 'Sends a message to somebody.', { searchHint: 'email' }),
  tool('files.read', 'Reads a file from the disk.', { aliases: ['cat'] }),
  tool('weather.forecast', 'What the weather will be like in a city.'),
  tool('pictures.wordcloud', 'Draws the words of a text as a picture.'),
]
const queries = ['send an email', 'what will the weather be', 'word cloud', 'read documnt', 'rain']

const said = (answers: readonly SearchAnswer[]): unknown =>
  answers.map(({ hits, nearMisses }) =>
    [...hits, ...nearMisses].map(({ tool, score, reason }) => [tool.toolId, score, reason]),
  )

async function ask(search: TestSearch): Promise<unknown> {
  const answers: SearchAnswer[] = []
  for (const query of queries) answers.push(await search.find(query))
  return said(answers)
}

/** Options of a search without a model and vectors. */
function forSearch(drafts: readonly ToolDraft[]) {
  const catalog = createCatalog()
  catalog.add('test', drafts)
  const parts = { related: true, spelling: true, steps: true, meaning: false, sentences: false }
  return { catalog, parts }
}

describe('an index that is stored', () => {
  it('is not computed again at the second start, and finds the same', async () => {
    const path = temporaryStorePath()
    const first = await start(path, drafts)
    const before = await ask(first.search)
    expect(first.search.counts()).toEqual({ analysed: 4, restored: 0, embedded: 0 })
    await first.end()
    const second = await start(path, drafts)
    expect(await ask(second.search)).toEqual(before)
    expect(second.search.counts()).toEqual({ analysed: 0, restored: 4, embedded: 0 })
  })

  it('analyses a changed tool again, and no other', async () => {
    const path = temporaryStorePath()
    await startAndEnd(path, drafts)
    const changed = tool('mail.send', 'Delivers parcels.', { searchHint: 'courier' })
    const { search } = await start(path, [changed, ...drafts.slice(1)])
    expect((await search.ids('courier'))[0]).toBe('mail.send')
    expect(search.counts()).toMatchObject({ analysed: 1, restored: 3 })
  })

  it('keeps a tool whose source is not there yet, or was removed during a search', async () => {
    const path = temporaryStorePath()
    await startAndEnd(path, drafts)
    const { search, end } = await start(path, [])
    const added = search.catalog.add('test', drafts.slice(0, 2))
    await search.ready()
    expect(search.counts()).toMatchObject({ analysed: 0, restored: 2 })
    search.catalog.retire('mail.send', 1)
    await search.ready()
    await end()
    expect(added.tools).toHaveLength(2)
    expect(await keptTools(path)).toEqual([
      'files.read',
      'mail.send',
      'pictures.wordcloud',
      'weather.forecast',
    ])
    expect((await startAndEnd(path, drafts)).counts()).toMatchObject({ analysed: 0, restored: 4 })
  })

  it('removes what was not used for a month, when its group is written', async () => {
    const path = temporaryStorePath()
    const names = Array.from({ length: 1_000 }, (_, index) => `a.tool${index}`)
    const [first, second] = names.filter((name) => groupOf(name) === groupOf(names[0]!)) as [string, string]
    await startAndEnd(path, [tool(first, 'One.')])
    await startAndEnd(path, [tool(second, 'Two.')])
    expect(await keptTools(path)).toEqual([first, second])
    await editKept(path, (group) => withTool(group, first, { seenOn: 0 }))
    await startAndEnd(path, [tool(second, 'Three.')])
    expect(await keptTools(path)).toEqual([second])
  })

  it.each<[string, unknown]>([
    ['no object', 'nonsense'],
    ['nothing in it', {}],
    ['another version', { stamp: '0', tools: { 'mail.send': {} } }],
  ])('ignores a document with %s, and writes it again', async (_what, broken) => {
    const path = temporaryStorePath()
    await startAndEnd(path, drafts)
    await editKept(path, () => broken)
    const search = await startAndEnd(path, drafts)
    expect(search.counts()).toMatchObject({ analysed: 4, restored: 0 })
    expect((await startAndEnd(path, drafts)).counts()).toMatchObject({ analysed: 0, restored: 4 })
  })

  it.each<[string, object]>([
    ['weights for other terms', { terms: 'one two three' }],
    ['a vector of another length', { meaning: 'AAAA' }],
    ['no numbers', { weights: '' }],
    ['a number where text should be', { terms: 7 }],
  ])('ignores a tool with %s', async (_what, broken) => {
    const path = temporaryStorePath()
    await startAndEnd(path, drafts.slice(0, 1))
    await editKept(path, (group) => withTool(group, 'mail.send', broken))
    const { search } = await start(path, drafts.slice(0, 1))
    expect((await search.ids('send email'))[0]).toBe('mail.send')
    expect(search.counts()).toMatchObject({ analysed: 1, restored: 0 })
  })

  it('is shared by processes with other tools', async () => {
    const path = temporaryStorePath()
    const one = await start(path, drafts.slice(0, 2))
    const other = await start(path, drafts.slice(2))
    await Promise.all([one.search.ready(), other.search.ready()])
    await one.end()
    await other.end()
    const { search } = await start(path, drafts)
    await search.ready()
    expect(search.counts()).toMatchObject({ analysed: 0, restored: 4 })
  })

  it('keeps the embeddings of sentences, as long as the model is the same', async () => {
    const path = temporaryStorePath()
    const parts = { sentences: true }
    const models = Array.from({ length: 3 }, () => topicModel([['message'], ['file'], ['weather']]))
    const [first, second, third] = models as [(typeof models)[0], (typeof models)[0], (typeof models)[0]]
    const { search, end } = await start(path, drafts, { parts, openModel: () => first })
    await search.ready()
    const before = await ask(search)
    await end()
    // A search without sentences does not remove them.
    await startAndEnd(path, [...drafts, tool('more.tools', 'Another tool.')])
    const again = await start(path, drafts, { parts, openModel: () => second })
    await again.search.ready()
    expect(second.asked).toEqual([])
    expect(await ask(again.search)).toEqual(before)
    await again.end()
    await startAndEnd(path, drafts, { parts, openModel: () => ({ ...third, id: 'topics@2' }) })
    expect(third.asked).toHaveLength(4)
  })

  it('holds nothing of a tool with a secret', async () => {
    const path = temporaryStorePath()
    const secret = ['ghp', 'x7Kq2mPv9LwZt4RbN8cJd5HsYf3GaUe6Tz1Q'].join('_')
    await startAndEnd(path, [...drafts, tool('git.push', `Pushes with ${secret}.`)])
    expect(await keptTools(path)).toEqual(drafts.map(({ namespace, name }) => `${namespace}.${name}`).sort())
  })

  it('a store that fails does not fail a search', async () => {
    const failing = {
      readAll: () => Promise.reject(new Error('no store')),
      read: () => Promise.reject(new Error('no store')),
      write: () => Promise.reject(new Error('no store')),
      mayKeep: () => true,
    }
    const search = searchAmong(drafts, { kept: failing })
    expect((await search.ids('send email'))[0]).toBe('mail.send')
    await search.close()
  })

  it('a store that never answers costs a moment, once, and is then not used', async () => {
    const never = (): Promise<never> => new Promise(() => {})
    const asked: string[] = []
    const kept: KeptAnalyses = {
      readAll: never,
      read: (id) => (asked.push(id), never()),
      write: (id) => (asked.push(id), never()),
      mayKeep: () => true,
    }
    const opened = await openSearch({ ...forSearch(drafts), kept, timeoutMs: 1 })
    await opened.ready()
    expect(opened.index.counts).toMatchObject({ analysed: 4 })
    await opened.close()
    expect(asked).toEqual([])
  })

  it('a store that stops answering blocks neither a search nor closing', async () => {
    let written = 0
    const kept: KeptAnalyses = {
      readAll: () => Promise.resolve(new Map()),
      read: () => Promise.resolve(undefined),
      write: () => (written++, new Promise(() => {})),
      mayKeep: () => true,
    }
    const opened = await openSearch({ ...forSearch(drafts), kept, timeoutMs: 1 })
    await opened.ready()
    await opened.close()
    expect(written).toBe(1)
  })

  it('is not stored where the store is not durable', () => {
    const journal = createJournal({ store: memoryStore() })
    expect(storedAnalyses({ journal, redactor, now: Date.now })).toBeUndefined()
  })

  it('is used by a crib', async () => {
    const path = temporaryStorePath()
    const crib = await openCrib({ store: sqliteStore({ path }), tools: drafts })
    const surface = await crib.surface({ scope: 'turn' })
    expect((await surface.search('send email')).matches[0]).toBe('mail.send')
    await crib.close()
    expect(await keptTools(path)).toEqual(expect.arrayContaining(['files.read', 'mail.send']))
  })
})

describe('the version of the analysis', () => {
  // Stored analyses were made by older code. Where this fails, raise ANALYSIS_VERSION by one, and update the terms
  // here.
  it('grows when the analysis of the same tool changes', () => {
    const sample = defineTool({
      namespace: 'issueTracker',
      name: 'searchIssues_v2',
      title: 'Search for issues',
      description: "Finds the repository's open issues, and orders them by relevance.",
      searchHint: 'bugs and tickets',
      aliases: ['wordcloud'],
      useGuidance: 'Use it before creating an issue.',
      input: {
        jsonSchema: {
          type: 'object',
          properties: { query: { type: 'string', description: 'What to look for.' } },
        },
      },
      execute: () => 0,
    })
    const { terms } = analyseTool(catalogToolOf(sample), undefined)
    const rounded = [...terms].map(([term, weight]) => `${term} ${weight.toFixed(2)}`)
    expect({ version: ANALYSIS_VERSION, terms: rounded }).toMatchInlineSnapshot(`
      {
        "terms": [
          "search 5.83",
          "issu 11.73",
          "v2 2.50",
          "wordcloud 4.29",
          "for 3.33",
          "bug 4.29",
          "ticket 4.29",
          "tracker 1.20",
          "find 1.84",
          "repositori 1.84",
          "open 1.84",
          "order 1.84",
          "relev 1.84",
          "creat 2.86",
          "queri 1.88",
          "look 1.88",
        ],
        "version": 2,
      }
    `)
  })
})
