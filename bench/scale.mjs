// 100,000 registered tools with schemas of 1 KB: memory, and surfaces with new filters.
import { createCrib, defineTool, memoryStore } from 'toolcrib'

const COUNT = Number(process.env.TOOLS ?? 100_000)
const MOST_MEGABYTES = 600
const megabytes = () => Math.round(process.memoryUsage().rss / 1e6)

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
    isReadOnly: index % 2 === 0,
    isOpenWorld: false,
    ...(index % 7 === 0 && { roles: ['admin'] }),
    ...(index % 11 === 0 && { featureGates: ['beta'] }),
    execute: async () => ({ done: true }),
  })
}

const tools = Array.from({ length: COUNT }, (_, index) => makeTool(index))
const schemaBytes = JSON.stringify(tools[0].input.modelSchema).length
let start = performance.now()
const crib = await createCrib({ tools, store: memoryStore() })
console.log(`${COUNT} tools with schemas of ${schemaBytes} bytes`)
console.log(
  `registered in ${((performance.now() - start) / 1000).toFixed(1)} s, memory of the process ${megabytes()} MB\n`,
)

const requests = [
  { role: 'admin' },
  { include: ['space5.*'] },
  { features: ['beta'], exclude: ['*_77*'] },
  { mode: 'plan' },
  { include: ['space7.tool_107', 'tool_9'] },
  { role: 'reader', include: ['space1*', 'space2*'], exclude: ['*5'], mode: 'plan' },
]
for (const request of requests) {
  start = performance.now()
  const surface = await crib.surface({ scope: 'session', ...request })
  const ms = (performance.now() - start).toFixed(1)
  const bytes = JSON.stringify(surface.record).length
  console.log(
    `${ms.padStart(7)} ms  ${String(surface.tools().length).padStart(6)} loaded  ${bytes} bytes  ${JSON.stringify(request)}`,
  )
}
const end = megabytes()
const isMet = end < (MOST_MEGABYTES * COUNT) / 100_000
console.log(
  `\n${isMet ? '✓' : '✗'} memory of the process with ${COUNT} tools: ${end} MB, under ${MOST_MEGABYTES}`,
)
await crib.close()
