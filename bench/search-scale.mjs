// The cost of search over 10,000 and 100,000 tools: building the index, storing it, a query, and a hundred tools that
// are added and removed. Each size runs without meaning and with it. TOOLS=10000 measures that size only.
import { availableParallelism, loadavg } from 'node:os'
import { makeQueries, makeSubjects, makeTools } from './search/make-tools.mjs'
import { openSearch } from './search/measure-search.mjs'
import { percentilesOf } from './search/percentiles.mjs'

const SIZES = process.env.TOOLS ? process.env.TOOLS.split(',').map(Number) : [10_000, 100_000]
const QUERIES = 300
// A busy machine interrupts some queries, seldom the same one each time.
const ROUNDS = 3
const CHANGED = 100
const BOUNDS = { 10_000: { p99Ms: 5, indexMs: 2000 }, 100_000: { p99Ms: 30 } }
const WAYS = {
  'without meaning': { meaning: false, sentences: false },
  'with meaning': undefined,
}

let isGood = true
function bound(value, most) {
  if (most === undefined) return ''
  if (value < most) return `  (bound ${most} ms: met)`
  isGood = false
  return `  << misses the bound of ${most} ms`
}

async function timeQueries(engine, queries) {
  const times = []
  for (const query of queries) {
    const before = process.cpuUsage()
    const start = performance.now()
    await engine.search(query, { limit: 5 })
    const wall = performance.now() - start
    const { user, system } = process.cpuUsage(before)
    times.push({ wall, processor: (user + system) / 1000 })
  }
  return times
}

/** All measured times; the shortest of each query; and its CPU time. */
async function timeRounds(engine, queries) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timeQueries(engine, queries))
  const bestOf = (kind) => queries.map((_, index) => Math.min(...rounds.map((times) => times[index][kind])))
  return {
    best: percentilesOf(bestOf('wall')),
    all: percentilesOf(rounds.flat().map(({ wall }) => wall)),
    processor: percentilesOf(bestOf('processor')),
  }
}

/**
 * A hundred tools are added, searched for, and removed: the first search after each change pays for the deferred work.
 */
async function timeChanges(engine, drafts, query) {
  const timed = async (change) => {
    const start = performance.now()
    const outcome = change()
    const changed = performance.now()
    await engine.search(query, { limit: 5 })
    return { outcome, changeMs: changed - start, searchMs: performance.now() - changed }
  }
  const coming = await timed(() => engine.add(drafts))
  await engine.ready?.()
  const going = await timed(() => coming.outcome.dispose())
  return { coming, going }
}

async function measure(size, [way, parts], { drafts, more, queries, warmUp }) {
  const bounds = BOUNDS[size] ?? {}
  const { engine, indexMs, readyMs, indexMB } = await openSearch(drafts, parts)
  // Twice: what is rare in the first round is compiled by the second.
  for (let round = 0; round < 2; round++) await timeQueries(engine, warmUp)
  const { best, all, processor } = await timeRounds(engine, queries)
  const isLexical = parts !== undefined
  console.log(`\n${size} tools, ${way}`)
  console.log(
    `  index       ${Math.round(indexMs)} ms${bound(indexMs, isLexical ? bounds.indexMs : undefined)}`,
  )
  if (readyMs !== undefined) console.log(`  filled in   ${Math.round(readyMs)} ms more, in the background`)
  console.log(`  memory      ${Math.round(indexMB)} MB`)
  const told = ({ p50, p95, p99, max }) =>
    [p50, p95, p99, max].map((ms) => ms.toFixed(2).padStart(7)).join(' ')
  console.log(`              ${['p50', 'p95', 'p99', 'max'].map((name) => name.padStart(7)).join(' ')}  ms`)
  console.log(`  query       ${told(best)}  best of ${ROUNDS}${bound(best.p99, bounds.p99Ms)}`)
  console.log(`              ${told(all)}  every time`)
  console.log(`              ${told(processor)}  of a processor, best of ${ROUNDS}`)
  const { coming, going } = await timeChanges(engine, more, queries[0])
  const toldChange = ({ changeMs, searchMs }) =>
    `${changeMs.toFixed(1)} ms, the first search after it ${searchMs.toFixed(1)} ms`
  console.log(`  ${CHANGED} come    ${toldChange(coming)}`)
  console.log(`  ${CHANGED} go      ${toldChange(going)}`)
  engine.close()
}

console.log(
  `${availableParallelism()} cores, ${loadavg()[0].toFixed(1)} of them wanted by what runs already: more than there are makes every figure worse`,
)
for (const size of SIZES) {
  const subjects = makeSubjects(size + CHANGED, 7)
  const drafts = makeTools(subjects, 11)
  const set = {
    drafts: drafts.slice(0, size),
    more: drafts.slice(size),
    queries: makeQueries(subjects, { count: QUERIES, seed: 13 }),
    warmUp: makeQueries(subjects, { count: QUERIES, seed: 17 }),
  }
  for (const way of Object.entries(WAYS)) await measure(size, way, set)
}
if (!isGood) process.exitCode = 1
