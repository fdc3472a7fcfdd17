// What a gateway costs: one small tool, called over keep-alive sockets by a driver that speaks bare JSON-RPC, directly
// and through Toolcrib (full pipeline, SQLite record on) and other gateways. Rounds alternate, so that a noisy machine is
// noisy for all; figures are medians over rounds.
//
//   ROUNDS=3 SECONDS=2 CONNECTIONS=1,16,64 ERAS=modern,sessions TARGETS=direct,toolcrib node bench/gateway.mjs
import { readFileSync } from 'node:fs'
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

/** The CPU time of a process so far, in microseconds; its children do not count. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Calls on all connections for some seconds: calls in a second, every call's milliseconds, and the CPU of one. */
async function drive(clients, seconds, pid) {
  const took = []
  const cpuBefore = cpuOf(pid)
  const start = performance.now()
  const end = start + seconds * 1000
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) took.push(await client.call())
    }),
  )
  took.sort((a, b) => a - b)
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))]
  return {
    perSecond: took.length / ((performance.now() - start) / 1000),
    p50: at(0.5),
    p99: at(0.99),
    cpu: (cpuOf(pid) - cpuBefore) / took.length,
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

async function measure(targets, { era, tool, connections }) {
  const runs = []
  for (const target of targets.filter(({ eras }) => eras.includes(era) || eras.includes('events'))) {
    const own = target.eras.includes(era) ? era : 'events'
    try {
      const clients = []
      for (let n = 0; n < connections; n += 1) clients.push(await open({ target, era: own, tool }))
      await drive(clients, WARM_UP_SECONDS, target.pid)
      runs.push({ target, clients, rounds: [] })
    } catch (error) {
      console.log(`  ${target.name} could not take part: ${error.message.split('\n')[0]}`)
    }
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const run of runs.filter(({ isOut }) => !isOut))
      try {
        run.rounds.push(await drive(run.clients, SECONDS, run.target.pid))
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
    cpu: median(rounds.map((round) => round.cpu)),
  }))
}

function print({ era, tool, connections }, rows) {
  const kind = tool === 'echo' ? 'reading tool' : 'writing tool'
  console.log(`\n${connections} connections, ${kind}, ${era === 'modern' ? '2026-07-28' : 'sessions'}`)
  const direct = rows.find((row) => row.name === 'direct')
  for (const { name, perSecond, p50, p99, cpu } of rows) {
    const share = direct ? `${(perSecond / direct.perSecond).toFixed(2)} of direct` : ''
    const added = direct ? `added p50 ${(p50 - direct.p50).toFixed(2)} ms` : ''
    console.log(
      `  ${name.padEnd(20)} ${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50.toFixed(2).padStart(7)} ms` +
        `  p99 ${p99.toFixed(2).padStart(7)} ms  ${share.padStart(15)}  ${added.padEnd(20)}  CPU ${cpu.toFixed(0).padStart(5)} µs`,
    )
  }
}

const MOST_CPU_MICROS = 350

/** What is promised, as sentences with yes or no. */
function judge(all) {
  const verdicts = []
  for (const { plan, rows } of all) {
    const own = rows.filter(({ name }) => name.startsWith('toolcrib'))
    // Like with like: an upstream over HTTP costs a gateway more than one over standard input and output.
    const othersOf = (name) =>
      rows.filter(
        (row) =>
          !/^(direct|toolcrib)/.test(row.name) && row.name.endsWith('to HTTP') === name.endsWith('→HTTP'),
      )
    const about = `(${plan.era}, ${plan.tool}, ${plan.connections} connections)`
    const times = plan.connections === 1 ? 1 : 2
    for (const { name, perSecond, cpu } of own) {
      for (const other of othersOf(name))
        verdicts.push({
          sentence: `${name} makes ${(perSecond / other.perSecond).toFixed(1)} times the calls of ${other.name}, at least ${times} ${about}`,
          holds: perSecond >= times * other.perSecond,
        })
      if (plan.connections === 16)
        verdicts.push({
          sentence: `${name} takes ${cpu.toFixed(0)} µs of CPU for a call, at most ${MOST_CPU_MICROS} ${about}`,
          holds: cpu <= MOST_CPU_MICROS,
        })
    }
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
