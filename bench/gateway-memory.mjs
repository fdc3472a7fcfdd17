// The memory of a gateway: with 1,000 idle sessions above an empty one, and over minutes of load.
//
//   SESSIONS=1000 MINUTES=5 node bench/gateway-memory.mjs
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClient } from './gateway/speak.mjs'
import { startTargets, stopTargets } from './gateway/targets.mjs'

const SESSIONS = Number(process.env.SESSIONS ?? 1000)
const MINUTES = Number(process.env.MINUTES ?? 5)
const CONNECTIONS = 16
const MOST_PER_SESSIONS = 100

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
  const end = performance.now() + seconds * 1000
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() < end; calls++) await client.call()
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
  const verdict = added < MOST_PER_SESSIONS ? 'met' : 'missed'
  console.log(
    `${SESSIONS} idle sessions: ${empty.toFixed(0)} MB before, ${full.toFixed(0)} MB with them, ${added.toFixed(0)} MB more (bound ${MOST_PER_SESSIONS}: ${verdict})`,
  )

  const clients = []
  for (let count = 0; count < CONNECTIONS; count++)
    clients.push(await openClient({ url, era: 'modern', tool: 'echo' }))
  for (let minute = 0; minute < MINUTES; minute++) {
    const calls = await load(target, clients, 60)
    console.log(`minute ${minute + 1}: ${calls} calls, ${memoryOf(pid).toFixed(0)} MB`)
  }
  console.log(`after the load: ${(await settled(pid)).toFixed(0)} MB`)
} finally {
  await stopTargets()
}
