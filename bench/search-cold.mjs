// The duration of the first search after a start: with an empty store, where every tool is analysed, and with the
// stored analyses of that run. In both, the store is open, the word vectors are loaded and the fingerprints of the
// tools are computed before. Taken in turns, so that other work on the machine affects both alike; the median, so that
// one outlier does not count.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJournal } from '../dist/storage/journal/journal.js'
import { createRedactor } from '../dist/redaction/redactor.js'
import { defineTool, sqliteStore } from '../dist/index.js'
import { storedAnalyses } from '../dist/crib/catalog/stored-analyses.js'
import { createCatalog } from '../dist/catalog/catalog.js'
import { createToolSearch } from '../dist/search/create-tool-search.js'
import { loadWordVectors } from '../dist/search/meaning/load-word-vectors.js'

const TOOLS = Number(process.env.TOOLS ?? 10_000)
const RUNS = Number(process.env.RUNS ?? 5)

const verbs = 'create list search update delete send fetch import export archive convert schedule'.split(' ')
const things =
  'invoice message calendar customer picture report folder ticket payment contract device track'.split(' ')
const places =
  'warehouse region account workspace project channel library market hospital school city team'.split(' ')

function draftOf(index) {
  const [verb, thing, place] = [
    verbs[index % 12],
    things[((index / 12) | 0) % 12],
    places[((index / 144) | 0) % 12],
  ]
  return defineTool({
    namespace: `service${index % 50}`,
    name: `${verb}_${thing}_${index}`,
    description: `Use this to ${verb} one ${thing} of a ${place}; it answers with the ${thing} and its history.`,
    input: {
      jsonSchema: {
        type: 'object',
        properties: {
          [`${thing}_id`]: { type: 'string', description: `The identifier of the ${thing}.` },
          [place]: { type: 'string', description: `The ${place} in which the ${thing} is kept.` },
          order: {
            type: 'string',
            enum: ['newest', 'oldest', 'relevance'],
            description: 'How results are sorted.',
          },
        },
      },
    },
    execute: () => 0,
  })
}

const drafts = Array.from({ length: TOOLS }, (_, index) => draftOf(index))
const redactor = createRedactor({ patterns: true })
const view = { key: {}, mayFind: () => true }

async function start(path) {
  const store = sqliteStore({ path })
  await store.open()
  const journal = createJournal({ store })
  const catalog = createCatalog()
  // A crib computes the fingerprints of its tools before any search.
  for (const { fingerprint } of catalog.add('bench', drafts).tools)
    if (fingerprint === '') throw new Error('empty')
  const search = createToolSearch({ catalog, kept: storedAnalyses({ journal, redactor, now: Date.now }) })
  const from = performance.now()
  const { hits } = await search.search('archive the contracts of a hospital', { view })
  const tookMs = performance.now() - from
  const closeFrom = performance.now()
  await search.close()
  const closeMs = performance.now() - closeFrom
  await journal.close()
  return { tookMs, closeMs, first: hits[0]?.tool.toolId, ...search.counts() }
}

await loadWordVectors()
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
const cold = []
const kept = []
let bytes = 0
for (let run = -1; run < RUNS; run++) {
  const path = join(folder, `run${run}.db`)
  const [one, two] = [await start(path), await start(path)]
  if (one.analysed !== TOOLS || two.restored !== TOOLS || one.first !== two.first)
    throw new Error('The two starts are not what they should be.')
  bytes = statSync(path).size
  // The first round only warms up.
  if (run < 0) continue
  cold.push(one)
  kept.push(two)
}
rmSync(folder, { recursive: true })

const median = (list, key) =>
  list.map((each) => each[key]).toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
const [coldMs, keptMs] = [median(cold, 'tookMs'), median(kept, 'tookMs')]
console.log(`${TOOLS} tools, median of ${RUNS} interleaved runs, Node ${process.versions.node}`)
console.log(`first search, every tool worked out   ${coldMs.toFixed(0).padStart(6)} ms`)
console.log(`first search, all taken from the store${keptMs.toFixed(0).padStart(6)} ms`)
console.log(`ratio                                 ${(coldMs / keptMs).toFixed(2).padStart(6)}`)
console.log(`writing it down, behind the search    ${median(cold, 'closeMs').toFixed(0).padStart(6)} ms`)
console.log(`size of the store                     ${(bytes / 1e6).toFixed(1).padStart(6)} MB`)
