// An MCP server in plain Node: one JSON message per line on standard input and output.
import { createInterface } from 'node:readline'

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26']
const SHELVES = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2', 'D1', 'D2', 'E1', 'E2']
const READS = { readOnlyHint: true, openWorldHint: false }

const whole = (minimum, maximum, description) => ({ type: 'integer', minimum, maximum, description })
const sku = { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$', description: 'The number of the product.' }

/** What a client sees of a tool, and what the tool does. */
const tools = [
  {
    name: 'count_shelves',
    description: 'Count the pieces on every shelf. It walks from shelf to shelf, which takes a while.',
    inputSchema: {
      type: 'object',
      properties: { seconds_per_shelf: whole(0, 10, 'How long one shelf takes. Default: 1.') },
    },
    annotations: { title: 'Count shelves', ...READS },
    async run({ seconds_per_shelf: seconds = 1 }, { report, signal }) {
      const pieces = {}
      for (const [at, shelf] of SHELVES.entries()) {
        report(at, SHELVES.length, `Counting shelf ${shelf}`)
        await pause(seconds * 1000, signal)
        pieces[shelf] = 20 + ((at * 37) % 80)
      }
      return { pieces, total: Object.values(pieces).reduce((sum, each) => sum + each, 0) }
    },
  },
  {
    name: 'forecast_demand',
    description: 'Forecast how many pieces of a product will be sold in the coming weeks.',
    inputSchema: {
      type: 'object',
      properties: { sku, weeks: whole(1, 12, 'How many weeks.') },
      required: ['sku', 'weeks'],
    },
    annotations: { title: 'Forecast demand', ...READS },
    run: ({ sku: id, weeks }) => ({ sku: id, weeks, pieces: weeks * (3 + (Number(id.slice(3)) % 9)) }),
  },
  {
    name: 'reserve_pieces',
    description: 'Set pieces of a product aside for an order.',
    inputSchema: {
      type: 'object',
      properties: { sku, pieces: whole(1, 500, 'How many.'), order: { type: 'string' } },
      required: ['sku', 'pieces', 'order'],
    },
    annotations: { title: 'Reserve pieces', destructiveHint: false, openWorldHint: false },
    run: ({ sku: id, pieces, order }) => ({ reserved: pieces, sku: id, order }),
  },
]

/** The calls under way, so that a client can cancel them. */
const running = new Map()

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

async function callTool(id, { name, arguments: input = {}, _meta: meta }) {
  const tool = tools.find((each) => each.name === name)
  if (!tool) return send({ id, error: { code: -32602, message: `There is no tool ${name}.` } })
  const canceler = new AbortController()
  running.set(id, canceler)
  const report = (progress, total, message) =>
    meta?.progressToken !== undefined &&
    send({
      method: 'notifications/progress',
      params: { progressToken: meta.progressToken, progress, total, message },
    })
  try {
    const found = await tool.run(input, { report, signal: canceler.signal })
    const content = [{ type: 'text', text: JSON.stringify(found) }]
    send({ id, result: { content, structuredContent: found } })
  } catch (error) {
    // A request that was cancelled gets no answer.
    if (canceler.signal.aborted) return
    send({ id, result: { isError: true, content: [{ type: 'text', text: String(error.message ?? error) }] } })
  } finally {
    running.delete(id)
  }
}

function answer({ id, method, params }) {
  switch (method) {
    case 'initialize': {
      const protocolVersion = VERSIONS.find((each) => each === params.protocolVersion) ?? VERSIONS[0]
      const serverInfo = { name: 'stock', version: '1.0.0' }
      return send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
    }
    case 'ping':
      return send({ id, result: {} })
    case 'tools/list':
      return send({ id, result: { tools: tools.map((tool) => ({ ...tool, run: undefined })) } })
    case 'tools/call':
      return void callTool(id, params)
    case 'notifications/cancelled':
      return running.get(params.requestId)?.abort()
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: `${method} is not served.` } })
  }
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new Error('The count was cancelled.'))
    })
  })
}

for await (const line of createInterface({ input: process.stdin }))
  if (line.trim() !== '') answer(JSON.parse(line))
// The client has closed its end: nobody waits for an answer any more.
process.exit(0)
