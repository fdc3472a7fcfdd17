// The memory of a gateway: with 1,000 idle sessions above an empty one, and over minutes of load.
//
//   SESSIONS=1000 MINUTES=60 RATE=500 node bench/gateway-memory.mjs
//
// RATE is the number of calls a second; without it, as many as the machine does.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClient } from './gateway/speak.mjs'
import { startTargets, stopTargets } from './gateway/targets.mjs'

const SESSIONS = Number(process.env.SESSIONS ?? 1000)
const MINUTES = Number(process.env.MINUTES ?? 5)
const RATE = Number(process.env.RATE ?? Number.POSITIVE_INFINITY)
const CONNECTIONS = 16
const MOST_PER_SESSIONS = 100
/** Of the memory after the load, above that after its first fifth. */
const MOST_GROWTH = 1.1

/** The resident memory of a process in megabytes. */
function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000
}

/** The least of some seconds: a collection of garbage may be due. */
async function settled(pid) {
  let least = Number.POSITIVE_INFINITY
  for (let second = 0; second < 8; second++) {
    await sleep(1000)
    least = Math.min(least, memoryOf(pid))
  }
  return least
}

async function load(target, clients, seconds) {
  let calls = 0
  const start = performance.now()
  const end = start + seconds * 1000
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() < end; calls++) {
        const early = start + (calls / RATE) * 1000 - performance.now()
        if (early > 1) await sleep(early)
        await client.call()
      }
    }),
  )
  return calls
}

try {
  const [target] = await startTargets((name) => name === 'toolcrib HTTP→stdio')
  const { pid, url } = target
  const warm = await openClient({ url, era: 'sessions', tool: 'echo' })
  for (let count = 0; count < 200; count++) await warm.call()
  const empty = await settled(pid)
  for (let count = 0; count < SESSIONS; count++) {
    const client = await openClient({ url, era: 'sessions', tool: 'echo' })
    await client.call()
    client.close()
  }
  const full = await settled(pid)
  const added = full - empty
  console.log(`an empty server: ${empty.toFixed(0)} MB, with ${SESSIONS} idle sessions ${full.toFixed(0)} MB`)

  const clients = []
  for (let count = 0; count < CONNECTIONS; count++)
    clients.push(await openClient({ url, era: 'modern', tool: 'echo' }))
  let calls = 0
  let early = 0
  for (let minute = 0; minute < MINUTES; minute++) {
    calls += await load(target, clients, 60)
    const memory = memoryOf(pid)
    if (minute < Math.max(1, MINUTES / 5)) early = Math.max(early, memory)
    console.log(`minute ${minute + 1}: ${calls} calls, ${memory.toFixed(0)} MB`)
  }
  const late = await settled(pid)
  const promises = [
    [`${SESSIONS} idle sessions, MB above an empty server`, added, MOST_PER_SESSIONS],
    [`memory after ${calls} calls in ${MINUTES} minutes, of the first fifth`, late / early, MOST_GROWTH],
  ]
  console.log('')
  for (const [name, value, most] of promises)
    console.log(`${value <= most ? '✓' : '✗'} ${name}: ${value.toFixed(2)}, at most ${most}`)
} finally {
  await stopTargets()
}
