// What ten thousand rules add to a call: two thousand of them about the called tool, of every kind. Rounds are
// interleaved with the bare call of another library, so that a noisy machine affects both; figures are medians.
import { tool as langchainTool } from '@langchain/core/tools'
import { z } from 'zod'
import { createCrib, defineTool, memoryStore } from 'toolcrib'

const ROUNDS = Number(process.env.ROUNDS ?? 50)
const WARM_UP = 10
const CALLS = 1000
const SETTLE = 3000
const BOUND = 0.3
const RULES = 10_000
const ABOUT_THE_TOOL = 2_000

/** One rule of each kind in turn; none of them matches the calls that are made. */
const kinds = [
  (tool, n) => `${tool}(path:./secret-${n}/**)`,
  (tool, n) => `${tool}(path:~/notes-${n}/*.md)`,
  (tool, n) => `${tool}(path:*.kind${n})`,
  (tool, n) => `${tool}(path://etc/service-${n})`,
  (tool, n) => `${tool}(domain:host-${n}.example)`,
  (tool, n) => `${tool}(domain:*.zone-${n}.example)`,
  (tool, n) => `${tool}(url:https://site-${n}.example/*)`,
  (tool, n) => `${tool}(operation:operation-${n})`,
  (tool, n) => `${tool}(arg:a = ${1_000_000 + n})`,
  (tool, n) => `${tool}(arg:b > ${1e9 + n})`,
  (tool, n) => `${tool}(arg:to in [person-${n}, other-${n}])`,
  (tool, n) => `${tool}(arg:to ~ *@host-${n}.example)`,
  (tool, n) => `${tool}(arg:a = ${2_000_000 + n} and b < ${n})`,
  (tool, n) => `${tool}(arg:to sha256 ${n.toString(16).padStart(64, '0')})`,
  (tool, n) => ({ rule: tool, when: { actor: `agent-${n}` } }),
  (tool, n) => ({ rule: tool, when: { session: `session-${n}`, risk: 'critical' } }),
  (tool, n) => ({ rule: tool, when: { role: `role-${n}` } }),
]

const commandKinds = [
  (tool, n) => `${tool}(program-${n} --run)`,
  (tool, n) => `${tool}(program-${n}:*)`,
  (tool, n) => `${tool}(program-${n} * main)`,
]

function rulesFor(called, extraKinds = []) {
  const all = [...kinds, ...extraKinds]
  const rules = { deny: [], ask: [], allow: [called] }
  const lists = [rules.deny, rules.ask, rules.allow]
  for (let n = 0; n < RULES - 1; n++) {
    const tool = n < ABOUT_THE_TOOL - 1 ? called : `other.tool-${n}`
    lists[n % 3].push(all[n % all.length](tool, n))
  }
  return rules
}

const plain = z.object({ a: z.number(), b: z.number(), to: z.string() })
const run = async ({ a, b }) => ({ sum: a + b })
const common = { isReadOnly: true, isOpenWorld: false, isConcurrencySafe: true }
const tools = [
  defineTool({ ...common, namespace: 'math', name: 'add', description: 'Add.', input: plain, execute: run }),
  defineTool({
    ...common,
    namespace: 'notes',
    name: 'look',
    description: 'Look at a file and a page.',
    input: z.object({ a: z.number(), b: z.number(), to: z.string(), path: z.string(), url: z.string() }),
    paths: { path: 'read' },
    urls: ['url'],
    execute: run,
  }),
  defineTool({
    namespace: 'shell',
    name: 'exec',
    description: 'Run a command.',
    kind: 'shell_command',
    input: z.object({ command: z.string() }),
    command: 'command',
    execute: async () => ({ sum: 0 }),
  }),
]

async function open(permission) {
  const crib = await createCrib({ store: memoryStore(), tools, ...(permission && { permission }) })
  return {
    crib,
    surface: await crib.surface({ scope: 'session', actor: 'agent', session: 'here', role: 'worker' }),
  }
}

async function repeat(work) {
  const start = performance.now()
  for (let index = 0; index < CALLS; index++) await work(index)
  return ((performance.now() - start) * 1000) / CALLS
}

/** A fresh crib each time: its record would otherwise grow with every round. */
const calls = (permission, name, inputOf) => async () => {
  const { crib, surface } = await open(permission)
  const once = async (index) => {
    const result = await crib.call(surface, { name, input: inputOf(index) })
    if (result.is_error) throw new Error(result.error.message)
  }
  // The rules of a tool are compiled at its first call, and parsing ten thousand of them leaves garbage behind: timing
  // starts after both.
  for (let index = 0; index < SETTLE; index++) await once(index)
  const cost = await repeat(once)
  await crib.close()
  return cost
}

const add = (index) => ({ a: 1, b: index, to: `somebody ${index}` })
const look = (index) => ({
  ...add(index),
  path: `${process.cwd()}/package.json`,
  url: 'https://docs.example.org/x',
})
const exec = (index) => ({ command: `git log --oneline -n ${index} src/index.ts | head -20` })
const langchain = langchainTool(run, { name: 'add', description: 'Add.', schema: plain })

const LANGCHAIN = '@langchain/core tool.invoke'
const BOUNDED = 'call, 10,000 rules'
const contenders = {
  [LANGCHAIN]: () => repeat((index) => langchain.invoke(add(index))),
  'call, no rules': calls(undefined, 'math.add', add),
  [BOUNDED]: calls(rulesFor('math.add'), 'math.add', add),
  'call with a path and a URL, no rules': calls({ allow: ['notes.look'] }, 'notes.look', look),
  'call with a path and a URL, 10,000 rules': calls(rulesFor('notes.look'), 'notes.look', look),
  'call of a shell command, no rules': calls(undefined, 'shell.exec', exec),
  'call of a shell command, 10,000 rules': calls(rulesFor('shell.exec', commandKinds), 'shell.exec', exec),
}

const costs = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
for (let round = 0; round < ROUNDS + WARM_UP; round++) {
  for (const [name, measure] of Object.entries(contenders)) {
    const cost = await measure()
    if (round >= WARM_UP) costs[name].push(cost)
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]
const base = median(costs[LANGCHAIN])
console.log(`one call, µs: median of ${ROUNDS} interleaved rounds, and the ratio to ${LANGCHAIN}\n`)
for (const [name, values] of Object.entries(costs)) {
  const ratio = median(values) / base
  const verdict = name === BOUNDED ? (ratio <= BOUND ? `  within ${BOUND}` : `  over ${BOUND}`) : ''
  console.log(
    `${name.padEnd(44)}${median(values).toFixed(2).padStart(9)}${ratio.toFixed(3).padStart(9)}${verdict}`,
  )
}
process.exit(0)
