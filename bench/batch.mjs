// The cost of scheduling: a call in a batch compared with a single call, many calls in flight at once, and a batch of
// waits compared with a bare pool of promises of the same width. Rounds are interleaved; figures are medians.
import { createCrib, defineTool, memoryStore } from 'toolcrib'

const ROUNDS = Number(process.env.ROUNDS ?? 60)
const WARM_UP = 10
const CALLS = 1000
const TURNS = 5

const input = {
  jsonSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
}
const safe = { input, isReadOnly: true, isConcurrencySafe: true, isOpenWorld: false }
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
let release
const tools = [
  defineTool({ ...safe, name: 'add', description: 'Add.', execute: async ({ a, b }) => ({ sum: a + b }) }),
  defineTool({
    ...safe,
    name: 'wait',
    description: 'Wait 10 ms.',
    execute: async ({ a }) => {
      await sleep(10)
      return { a }
    },
  }),
  defineTool({ ...safe, name: 'hold', description: 'Wait to be let go.', execute: () => release }),
]

const open = async () => {
  const crib = await createCrib({ tools, store: memoryStore(), decider: () => ({ behavior: 'allow' }) })
  return { crib, surface: await crib.surface({ scope: 'session', session: 's1' }) }
}
const list = (name, count) => Array.from({ length: count }, (_, a) => ({ name, input: { a, b: 1 } }))
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

function check(results) {
  const wrong = results.find(({ status }) => status !== 'succeeded')
  if (wrong) throw new Error(JSON.stringify(wrong))
  return results
}

async function time(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The same calls, one by one and as a batch: none of them waits. */
async function scheduledCost() {
  const calls = list('add', CALLS)
  const apart = []
  const together = []
  const works = [
    [apart, ({ crib, surface }) => Promise.all(calls.map((call) => crib.call(surface, call)))],
    [together, ({ crib, surface }) => crib.batch(surface, calls, { max_parallel: CALLS })],
  ]
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const [times, work] of round % 2 === 0 ? works : works.toReversed()) {
      // A separate crib, and several times the calls: each pays for its own garbage.
      const opened = await open()
      const ms = await time(async () => {
        for (let turn = 0; turn < TURNS; turn++) check(await work(opened))
      })
      if (round >= WARM_UP) times.push((ms * 1000) / CALLS / TURNS)
      await opened.crib.close()
    }
  }
  const quartiles = (values) => {
    const sorted = values.toSorted((a, b) => a - b)
    return `${sorted[Math.floor(sorted.length / 4)].toFixed(2)} to ${sorted[Math.floor((sorted.length * 3) / 4)].toFixed(2)}`
  }
  const [alone, batch] = [median(apart), median(together)]
  console.log(`one call on its own ${alone.toFixed(2)} µs (${quartiles(apart)})`)
  console.log(`one call of a batch ${batch.toFixed(2)} µs (${quartiles(together)})`)
  console.log(`a scheduled call costs ${(batch / alone).toFixed(2)} times an unscheduled one (bound 1.5)`)
}

/** A bare pool: as many workers as its width, each taking the next item when it is done. */
async function pool(width, count, work) {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

async function poolRatio(width) {
  const { crib, surface } = await open()
  const calls = list('wait', CALLS)
  const ratios = []
  for (let round = 0; round < 5; round++) {
    const bare = await time(() => pool(width, CALLS, () => sleep(10)))
    const batch = await time(async () => check(await crib.batch(surface, calls, { max_parallel: width })))
    ratios.push(batch / bare)
  }
  await crib.close()
  console.log(
    `${CALLS} reads of 10 ms, ${width} at a time: ${median(ratios).toFixed(3)} times a bare pool (bound 1.3)`,
  )
}

async function inFlight(count) {
  const { crib, surface } = await open()
  let letGo
  release = new Promise((resolve) => (letGo = resolve))
  const before = process.memoryUsage().rss
  const batch = crib.batch(surface, list('hold', count), { max_parallel: count })
  await sleep(50)
  const during = process.memoryUsage().rss
  letGo({ done: true })
  check(await batch)
  console.log(
    `${count} calls in flight: ${(during / 2 ** 20).toFixed(0)} MB in all, ${((during - before) / 2 ** 20).toFixed(0)} MB more than before (bound 500 MB)`,
  )
  await crib.close()
}

await inFlight(10_000)
await scheduledCost()
await poolRatio(10)
await poolRatio(50)
