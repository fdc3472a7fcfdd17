import { searchTools } from '../../dist/search.js'
import { CUTS, judgeRanking } from './judge-ranking.mjs'
import { judgeBar, noMatchCurve } from './no-match-curve.mjs'
import { percentilesOf } from './percentiles.mjs'

const LIMIT = 10
const WARM_UP = 100
const METRICS = [...CUTS.map((cut) => `recall@${cut}`), 'ndcg@10']

/** Asks every question once with its answers in the catalog and once without them. */
export async function measureSearch({ drafts, queries: given }, { parts, withCurve = true } = {}) {
  // A question without gold has no answer: it says nothing about the ranking.
  const queries = given.filter(({ gold }) => gold.length > 0)
  const unanswerable = given.filter(({ gold }) => gold.length === 0)
  const opened = await openSearch(drafts, parts)
  const { engine } = opened
  for (const { query } of queries.slice(0, WARM_UP)) await engine.search(query, { limit: LIMIT })
  const asked = []
  for (const { query, gold } of queries) asked.push(await ask(engine, { query, gold }))
  const figures = {
    tools: drafts.length,
    queries: queries.length,
    ...Object.fromEntries(METRICS.map((metric) => [metric, percent(meanOf(asked, metric))])),
    ...(withCurve && (await measureNoMatch(engine, { drafts, queries, unanswerable }, asked))),
    latencyMs: percentilesOf(asked.map(({ ms }) => ms)),
    indexMs: opened.indexMs,
    ...(opened.readyMs !== undefined && { readyMs: opened.readyMs }),
    indexMB: opened.indexMB,
    processMB: Math.round(process.memoryUsage().rss / 1e6),
  }
  engine.close()
  return { figures, asked }
}

/** The first search builds the index; background work is awaited separately. */
export async function openSearch(drafts, parts) {
  const before = usedBytes()
  const start = performance.now()
  const engine = searchTools(drafts, parts ? { parts } : {})
  await engine.search('warm up', { limit: 1 })
  const indexed = performance.now()
  await engine.ready?.()
  const ready = performance.now()
  return {
    engine,
    indexMs: round(indexed - start),
    readyMs: engine.ready && round(ready - indexed),
    indexMB: round((usedBytes() - before) / 1e6),
  }
}

async function ask(engine, { query, gold }) {
  const start = performance.now()
  const answer = await engine.search(query, { limit: LIMIT })
  const ms = performance.now() - start
  // Near misses are included: the confidence threshold must not hide the quality of the ranking.
  const ranked = [...answer.hits, ...answer.nearMisses].map(({ tool }) => tool.toolId)
  return { ...judgeRanking(ranked, gold), ranked, ms, score: topScore(answer), isNoMatch: isNoMatch(answer) }
}

async function measureNoMatch(engine, { drafts, queries, unanswerable }, asked) {
  const known = new Set(drafts.map(({ toolId }) => toolId))
  const removed = []
  for (const { query, gold } of [...queries, ...unanswerable]) {
    const answer = await engine.search(query, { limit: LIMIT, except: gold })
    removed.push({ score: topScore(answer), isNoMatch: isNoMatch(answer) })
  }
  // A question whose gold is in no catalog has no answer in either run.
  const present = asked.filter((_, index) => queries[index].gold.some((id) => known.has(id)))
  const { curve, auc } = noMatchCurve({
    correct: asked.filter(({ isCorrect }) => isCorrect).map(({ score }) => score),
    present: present.map(({ score }) => score),
    removed: removed.map(({ score }) => score),
  })
  const own = judgeBar({ present, removed }, (answer) => answer.isNoMatch)
  const refused = present.filter((answer) => answer.isNoMatch)
  return {
    noMatch: {
      /** Answered "no match" though the answer was there. */
      wrongly: refused.length,
      wronglyThoughRankedInFive: refused.filter(({ isCorrect }) => isCorrect).length,
      precision: percent(own.precision),
      withoutGold: percent(own.noMatch),
      auc: auc === null ? null : round(auc, 4),
      curve: curve.map(({ kept, threshold, noMatch, precision }) => ({
        kept,
        threshold: threshold === null ? null : round(threshold, 4),
        noMatch: percent(noMatch),
        precision: percent(precision),
      })),
    },
  }
}

const isNoMatch = ({ hits }) => hits.length === 0
const topScore = ({ hits, nearMisses }) => (hits[0] ?? nearMisses[0])?.score ?? 0
const meanOf = (all, key) => all.reduce((sum, each) => sum + each[key], 0) / all.length

function percent(share) {
  return share === null ? null : round(100 * share)
}

function round(value, digits = 2) {
  return Number(value.toFixed(digits))
}

function usedBytes() {
  // Twice: objects that the first run only releases are freed by the second.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
