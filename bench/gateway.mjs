// What a gateway costs: one small tool, called over keep-alive sockets by a driver that speaks bare JSON-RPC, directly
// and through Toolcrib (full pipeline, SQLite record on) and other gateways. Rounds alternate, so that a noisy machine is
// noisy for all; figures are medians over rounds.
//
//   ROUNDS=3 SECONDS=2 CONNECTIONS=1,16,64 ERAS=modern,sessions TARGETS=direct,toolcrib node bench/gateway.mjs
import { openClient } from './gateway/speak.mjs'
import { openEventsClient } from './gateway/speak-over-events.mjs'
import { startTargets, stopTargets } from './gateway/targets.mjs'

const ROUNDS = Number(process.env.ROUNDS ?? 3)
const SECONDS = Number(process.env.SECONDS ?? 2)
const WARM_UP_SECONDS = Math.min(1, SECONDS)
const WIDTHS = (process.env.CONNECTIONS ?? '1,16,64').split(',').map(Number)
const TOOLS = ['echo', 'note']
const ERAS = (process.env.ERAS ?? 'modern,sessions').split(',')
const wanted = process.env.TARGETS?.split(',')

const open = ({ target, era, tool }) => {
  const options = { url: target.url, tool: target.toolName(tool), era }
  return era === 'events' ? openEventsClient(options) : openClient(options)
}

/** Calls on all connections for some seconds: calls in a second, and every call's milliseconds. */
async function drive(clients, seconds) {
  const took = []
  const start = performance.now()
  const end = start + seconds * 1000
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) took.push(await client.call())
    }),
  )
  took.sort((a, b) => a - b)
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))]
  return { perSecond: took.length / ((performance.now() - start) / 1000), p50: at(0.5), p99: at(0.99) }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

async function measure(targets, { era, tool, connections }) {
  const runs = []
  for (const target of targets.filter(({ eras }) => eras.includes(era) || eras.includes('events'))) {
    const own = target.eras.includes(era) ? era : 'events'
    try {
      const clients = []
      for (let n = 0; n < connections; n += 1) clients.push(await open({ target, era: own, tool }))
      await drive(clients, WARM_UP_SECONDS)
      runs.push({ target, clients, rounds: [] })
    } catch (error) {
      console.log(`  ${target.name} could not take part: ${error.message.split('\n')[0]}`)
    }
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const run of runs.filter(({ isOut }) => !isOut))
      try {
        run.rounds.push(await drive(run.clients, SECONDS))
      } catch (error) {
        run.isOut = true
        console.log(`  ${run.target.name} dropped out: ${error.message.split('\n')[0]}`)
      }
  for (const { clients } of runs) for (const client of clients) client.close()
  const finished = runs.filter(({ isOut }) => !isOut)
  return finished.map(({ target, rounds }) => ({
    name: target.name,
    perSecond: median(rounds.map((round) => round.perSecond)),
    p50: median(rounds.map((round) => round.p50)),
    p99: median(rounds.map((round) => round.p99)),
  }))
}

function print({ era, tool, connections }, rows) {
  const kind = tool === 'echo' ? 'reading tool' : 'writing tool'
  console.log(`\n${connections} connections, ${kind}, ${era === 'modern' ? '2026-07-28' : 'sessions'}`)
  const direct = rows.find((row) => row.name === 'direct')
  for (const { name, perSecond, p50, p99 } of rows) {
    const share = direct ? `${(perSecond / direct.perSecond).toFixed(2)} of direct` : ''
    const added = direct ? `added p50 ${(p50 - direct.p50).toFixed(2)} ms` : ''
    console.log(
      `  ${name.padEnd(20)} ${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50.toFixed(2).padStart(7)} ms` +
        `  p99 ${p99.toFixed(2).padStart(7)} ms  ${share.padStart(15)}  ${added}`,
    )
  }
}

/** What is promised, as sentences with yes or no. */
function judge(all) {
  const verdicts = []
  for (const { plan, rows } of all) {
    const of = (name) => rows.find((row) => row.name === name)
    const [direct, viaHttp, viaStdio] = ['direct', 'toolcrib HTTP→HTTP', 'toolcrib HTTP→stdio'].map(of)
    if (!direct || !viaHttp || !viaStdio) continue
    const say = (sentence, holds) =>
      verdicts.push({ sentence: `${sentence} (${plan.era}, ${plan.tool})`, holds })
    if (plan.connections === 1) {
      for (const own of [viaHttp, viaStdio])
        say(`1 connection: ${own.name} adds at most the direct p50`, own.p50 - direct.p50 <= direct.p50)
      continue
    }
    const at = `${plan.connections} connections:`
    say(`${at} HTTP→HTTP at least half of direct`, viaHttp.perSecond >= direct.perSecond / 2)
    say(`${at} HTTP→stdio at least as much as HTTP→HTTP`, viaStdio.perSecond >= viaHttp.perSecond)
    for (const other of rows.filter((row) => !/^(direct|toolcrib)/.test(row.name)))
      say(`${at} both above ${other.name}`, Math.min(viaHttp.perSecond, viaStdio.perSecond) > other.perSecond)
  }
  return verdicts
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void stopTargets().finally(() => process.exit(1)))

try {
  const targets = await startTargets(
    (name) => wanted === undefined || wanted.some((word) => name.startsWith(word)),
  )
  const all = []
  for (const era of ERAS)
    for (const tool of TOOLS)
      for (const connections of WIDTHS) {
        const plan = { era, tool, connections }
        const rows = await measure(targets, plan)
        print(plan, rows)
        all.push({ plan, rows })
      }
  console.log('')
  for (const { sentence, holds } of judge(all)) console.log(`${holds ? '✓' : '✗'} ${sentence}`)
} finally {
  await stopTargets()
}
