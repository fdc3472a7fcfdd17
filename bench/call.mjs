// The cost of one governed call, compared with a bare call of other libraries. Rounds are interleaved, so that a noisy
// machine affects all; figures are medians over rounds. After timing, every event is read back and validated.
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool as langchainTool } from '@langchain/core/tools'
import { tool as agentsTool, RunContext } from '@openai/agents'
import { generateText, tool as aiTool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { createCrib, defineTool, memoryStore, sqliteStore } from 'toolcrib'
import { schemas, toEmitSchema } from 'toolcrib/contract'

const ROUNDS = Number(process.env.ROUNDS ?? 50)
const WARM_UP = 10
const CALLS = { bare: 2000, governed: 2000, slow: 100 }

const schema = z.object({ a: z.number(), b: z.number() })
const jsonSchema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
}
const run = async ({ a, b }) => ({ sum: a + b })
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))

const describe = {
  namespace: 'math',
  description: 'Add two numbers.',
  input: schema,
  isOpenWorld: false,
  execute: run,
}
/** About 1 KB as JSON: six search hits, as a look-up tool would return them. */
const lookUp = async ({ b }) => ({
  query: `query ${b}`,
  hits: Array.from({ length: 6 }, (_, index) => ({
    rank: index,
    title: `Result number ${index} for the query`,
    url: `https://example.com/articles/${b}/${index}`,
    snippet: 'A short text that tells what the page is about, in a few words.',
  })),
})
/** The same as one text. */
const page = JSON.stringify(await lookUp({ b: 1 }))
const readPage = async ({ b }) => `${page} ${b}`
const tools = [
  defineTool({ ...describe, name: 'add', isReadOnly: true, isConcurrencySafe: true }),
  defineTool({ ...describe, name: 'write', isReadOnly: false }),
  defineTool({ ...describe, name: 'look_up', isReadOnly: true, isConcurrencySafe: true, execute: lookUp }),
  defineTool({
    ...describe,
    name: 'read_page',
    isReadOnly: true,
    isConcurrencySafe: true,
    execute: readPage,
  }),
]
const allowAll = () => ({ behavior: 'allow' })

/** Opens a crib and counts the events of all calls made in it, by reading them back through the schema. */
async function openCrib(store, decider) {
  const crib = await createCrib({ tools, store, ...(decider && { decider }) })
  return { crib, surface: await crib.surface({ scope: 'session' }) }
}

const ajv = new Ajv2020({ strict: false })
const isEvent = ajv.compile(toEmitSchema(schemas.tool_event))
const isResult = ajv.compile(toEmitSchema(schemas.tool_result))
let validated = 0

async function validateAll({ crib }) {
  for await (const event of crib.events()) {
    if (!isEvent(event))
      throw new Error(`invalid event ${event.event_type}: ${ajv.errorsText(isEvent.errors)}`)
    const { result } = event.data
    if (result && !isResult(result)) throw new Error(`invalid result: ${ajv.errorsText(isResult.errors)}`)
    validated++
  }
}

/** Awaits each call and looks at its result, in the same way for everybody. */
async function repeat(count, work, check = () => {}) {
  const start = performance.now()
  for (let index = 0; index < count; index++) check(await work(index), index)
  return ((performance.now() - start) * 1000) / count
}

function isSum(result, index) {
  const { sum } = result.structured_content ?? result
  if (sum !== index + 1) throw new Error('wrong sum')
}

/** A result of about 1 KB: mapped, searched for secrets, stored. */
function isOneKb(result) {
  const text = typeof result === 'string' ? result : result.content?.[0].text
  if (text === undefined ? result.hits.length !== 6 : text.length < 900)
    throw new Error('the result is too small')
}

const call =
  ({ crib, surface }, name) =>
  (index) =>
    crib.call(surface, { name, input: { a: 1, b: index } })

const validate = new Ajv2020().compile(jsonSchema)
const langchain = langchainTool(run, { name: 'add', description: 'Add two numbers.', schema })
const langchainLookUp = langchainTool(lookUp, { name: 'look_up', description: 'Look up.', schema })
const langchainPage = langchainTool(readPage, { name: 'read_page', description: 'Read.', schema })
const agents = agentsTool({
  name: 'add',
  description: 'Add two numbers.',
  parameters: schema,
  execute: async (input) => JSON.stringify(await run(input)),
})
const context = new RunContext({})
const model = new MockLanguageModelV3({
  doGenerate: async () => ({
    finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
    usage: { inputTokens: {}, outputTokens: {} },
    content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'add', input: '{"a":1,"b":2}' }],
    warnings: [],
  }),
})
const ai = { add: aiTool({ description: 'Add two numbers.', inputSchema: schema, execute: run }) }

const sqliteRead = await openCrib(sqliteStore({ path: join(folder, 'read.db') }))
const sqliteWrite = await openCrib(sqliteStore({ path: join(folder, 'write.db') }), allowAll)

async function inMemory(name, check) {
  const fresh = await openCrib(memoryStore())
  const cost = await repeat(CALLS.governed, call(fresh, name), check)
  await validateAll(fresh)
  await fresh.crib.close()
  return cost
}

/** Calls of as many sessions at once, per call: each session's own calls come one after the other. */
async function repeatAtOnce(width, count, name) {
  const surfaces = await Promise.all(
    Array.from({ length: width }, (_, session) =>
      sqliteWrite.crib.surface({ scope: 'session', session: `s${session}` }),
    ),
  )
  const start = performance.now()
  await Promise.all(
    surfaces.map((surface) => repeat(count / width, call({ crib: sqliteWrite.crib, surface }, name), isSum)),
  )
  return ((performance.now() - start) * 1000) / count
}

/** What the disk itself takes: one page is appended to a file and synced. */
const journal = await open(join(folder, 'journal'), 'a')
const appendAndSync = async () => {
  await journal.write(Buffer.alloc(4096, 'x'))
  await journal.datasync()
}

const LANGCHAIN = '@langchain/core tool.invoke'
const FSYNC = 'a page appended and synced'
const AT_ONCE = 16
const contenders = {
  [FSYNC]: () => repeat(CALLS.slow, appendAndSync),
  [`toolcrib, SQLite, ${AT_ONCE} callers that write`]: () =>
    repeatAtOnce(AT_ONCE, CALLS.slow * AT_ONCE, 'math.write'),
  'bare function': () => repeat(CALLS.bare, (index) => run({ a: 1, b: index }), isSum),
  'Ajv and function': () =>
    repeat(
      CALLS.bare,
      (index) => {
        const input = { a: 1, b: index }
        if (!validate(input)) throw new Error('invalid')
        return run(input)
      },
      isSum,
    ),
  'toolcrib, in memory': () => inMemory('math.add', isSum),
  'toolcrib, in memory, 1 KB of text': () => inMemory('math.read_page', isOneKb),
  'toolcrib, in memory, 1 KB of JSON': () => inMemory('math.look_up', isOneKb),
  'toolcrib, SQLite, a tool that reads': () => repeat(CALLS.governed, call(sqliteRead, 'math.add'), isSum),
  'toolcrib, SQLite, a tool that writes': () => repeat(CALLS.slow, call(sqliteWrite, 'math.write'), isSum),
  [LANGCHAIN]: () => repeat(CALLS.governed, (index) => langchain.invoke({ a: 1, b: index }), isSum),
  '@langchain/core, 1 KB of text': () =>
    repeat(CALLS.governed, (index) => langchainPage.invoke({ a: 1, b: index }), isOneKb),
  '@langchain/core, 1 KB of JSON': () =>
    repeat(CALLS.governed, (index) => langchainLookUp.invoke({ a: 1, b: index }), isOneKb),
  '@openai/agents tool.invoke': () =>
    repeat(CALLS.governed, (index) => agents.invoke(context, `{"a":1,"b":${index}}`)),
  'ai generateText, one tool call': () =>
    repeat(CALLS.slow, () => generateText({ model, tools: ai, prompt: 'add' })),
}

const costs = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
for (let round = 0; round < ROUNDS + WARM_UP; round++) {
  for (const [name, measure] of Object.entries(contenders)) {
    const cost = await measure()
    if (round >= WARM_UP) costs[name].push(cost)
  }
}

await validateAll(sqliteRead)
await validateAll(sqliteWrite)
await sqliteRead.crib.close()
await sqliteWrite.crib.close()
rmSync(folder, { recursive: true, force: true })

const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]
const base = quantile(costs[LANGCHAIN], 0.5)
console.log(
  `one call, µs: median of ${ROUNDS} interleaved rounds (quartiles), and the ratio to ${LANGCHAIN}\n`,
)
for (const [name, values] of Object.entries(costs)) {
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(values, share))
  const spread = `(${low.toFixed(2)} to ${high.toFixed(2)})`
  console.log(
    `${name.padEnd(38)}${median.toFixed(2).padStart(9)}  ${spread.padEnd(20)}${(median / base).toFixed(3).padStart(8)}`,
  )
}
const medianOf = (name) => quantile(costs[name], 0.5)
const bounds = [
  ['in memory', medianOf('toolcrib, in memory') / base, 0.2],
  ['in memory, 1 KB of text', medianOf('toolcrib, in memory, 1 KB of text') / base, 0.25],
  ['SQLite, reads', medianOf('toolcrib, SQLite, a tool that reads') / base, 0.5],
  [
    'SQLite, writes, in syncs of the disk',
    medianOf('toolcrib, SQLite, a tool that writes') / medianOf(FSYNC),
    2.3,
  ],
  [
    `SQLite, ${AT_ONCE} callers that write, in syncs of the disk for each call`,
    medianOf(`toolcrib, SQLite, ${AT_ONCE} callers that write`) / medianOf(FSYNC),
    0.3,
  ],
]
console.log('')
for (const [name, value, most] of bounds)
  console.log(`${value <= most ? '✓' : '✗'} ${name}: ${value.toFixed(3)}, at most ${most}`)
console.log(`\n${validated} events were read back and are valid.`)
process.exit(0)
