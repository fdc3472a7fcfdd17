// The cost of a token budget: counting a large catalog once, surfaces after that, loading, and the savings.
import { createCrib, defineTool, memoryStore } from 'toolcrib'

const COUNT = Number(process.env.TOOLS ?? 10_000)

function makeTool(index) {
  const properties = {}
  for (let field = 0; field < 9; field++) {
    properties[`field_${field}`] = {
      type: field % 2 ? 'string' : 'number',
      description: `The field ${field} of tool number ${index}, used for something in particular there.`,
    }
  }
  return defineTool({
    namespace: `space${index % 100}`,
    name: `tool_${index}`,
    description: `Does thing number ${index} for whoever asks.`,
    input: { jsonSchema: { type: 'object', properties, required: ['field_0'] } },
    isReadOnly: true,
    isOpenWorld: false,
    execute: async () => ({ done: true }),
  })
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 5))

/** The duration, and the longest time in which nothing else got a turn. */
async function timed(title, work) {
  let held = 0
  let last = performance.now()
  const ticks = setInterval(() => {
    held = Math.max(held, performance.now() - last)
    last = performance.now()
  }, 1)
  await pause()
  const start = performance.now()
  const value = await work()
  const ms = performance.now() - start
  await pause()
  clearInterval(ticks)
  console.log(
    `${ms.toFixed(1).padStart(9)} ms, of which ${held.toFixed(0).padStart(4)} ms at a stretch: ${title}`,
  )
  return value
}

const tools = Array.from({ length: COUNT }, (_, index) => makeTool(index))
const crib = await createCrib({ tools, store: memoryStore() })
const request = {
  scope: 'session',
  actor: 'bench',
  deferral: { budgetTokens: 4000, always: ['space1.tool_1'] },
}
console.log(`${COUNT} tools`)
await timed('a surface without a budget', () => crib.surface({ scope: 'session', actor: 'bench' }))
const surface = await timed('the first surface with a budget: vocabulary and count', () =>
  crib.surface(request),
)
await timed('another one: all are counted', () => crib.surface({ ...request, session: 'two' }))
await timed('load one tool', () => surface.load([`space7.tool_${7}`]))
await timed('add 1,000 tools', () =>
  crib.add(tools.slice(0, 1000).map((_, index) => makeTool(COUNT + index))),
)
await timed('the surface after that', async () => surface.tools())
const { total_tokens: total, loaded_tokens: loaded, saved_tokens: saved } = surface.record.toolcrib.deferral
console.log(`${total} tokens in all, ${loaded} up front, ${((100 * saved) / total).toFixed(2)} % saved`)
await crib.close()
