/**
 * An MCP server on standard input and output that tries to block its reader. Written on the bare protocol, so that no
 * library restricts it. HOSTILE_SEED decides names and sizes.
 */
import { createInterface } from 'node:readline'
import { createRandom } from './random.mjs'
import { hostileSchemas } from './hostile-schemas.mjs'

const random = createRandom(Number(process.env['HOSTILE_SEED'] ?? 1))
const write = (text) => process.stdout.write(`${text}\n`)
const send = (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message }))
const notify = (method, params = {}) => send({ method, params })
const repeat = (count, work) => {
  for (let at = 0; at < count; at++) work(at)
}
const list = (count, make) => Array.from({ length: count }, (_, at) => make(at))
const text = (words) => ({ content: [{ type: 'text', text: words }] })
const any = { type: 'object' }
let listed = 'calm'

/** The answer of each tool; undefined where it has written its answer itself. */
const answers = {
  deep_result: (id) => raw(id, nested(100_000)),
  deep_meta: (id) => raw(id, '1', `,"_meta":${nested(100_000)}`),
  large_text: () => text('0123456789abcdef'.repeat(500_000 + random.below(100_000))),
  larger_text: () => text('é\u202e<'.repeat(6_000_000)),
  many_blocks: () => ({ content: list(100_000, (at) => ({ type: 'text', text: `block ${at}` })) }),
  many_numbers: () => ({
    content: [],
    structuredContent: { rows: list(300_000, (at) => ({ at, name: `n${at}` })) },
  }),
  many_keys: () => ({
    content: [],
    structuredContent: { rows: [Object.fromEntries(list(200_000, (at) => [`key ${at}`, at]))] },
  }),
  large_meta: () => ({
    ...text('x'),
    _meta: Object.fromEntries(list(100_000, (at) => [`m/${at}`, 'y'.repeat(20)])),
  }),
  large_error: (id) =>
    void send({
      id,
      error: { code: -32000, message: '\u001b[2J'.repeat(500_000), data: list(50_000, (at) => ({ at })) },
    }),
  progress_flood: (_, { _meta }) => {
    const progressToken = _meta?.progressToken
    repeat(30_000, (progress) =>
      notify('notifications/progress', { progressToken, progress, message: `step ${progress}` }),
    )
    return text('done')
  },
  log_flood: () => {
    repeat(30_000, (at) =>
      notify('notifications/message', { level: 'error', data: `line ${at} ${'z'.repeat(100)}` }),
    )
    return text('done')
  },
  change_flood: () => {
    repeat(5_000, () => notify('notifications/tools/list_changed'))
    repeat(5_000, () => notify('notifications/resources/list_changed'))
    repeat(5_000, () => notify('notifications/prompts/list_changed'))
    return text('done')
  },
  update_flood: () => {
    repeat(20_000, (at) => notify('notifications/resources/updated', { uri: `x://${at}` }))
    return text('done')
  },
  unknown_flood: () => {
    repeat(50_000, (at) => send({ id: `stray ${at}`, result: {} }))
    return text('done')
  },
  question_flood: () => {
    repeat(2_000, (at) =>
      send({
        id: `q${at}`,
        method: 'elicitation/create',
        params: { message: 'm'.repeat(1000), requestedSchema: any },
      }),
    )
    return text('done')
  },
  large_question: () => {
    const properties = Object.fromEntries(
      list(50_000, (at) => [`p${at}`, { type: 'string', description: '\u202e' }]),
    )
    send({
      id: 'large',
      method: 'elicitation/create',
      params: { message: 'm', requestedSchema: { ...any, properties } },
    })
    return text('done')
  },
  noise: () => {
    repeat(100_000, () => write('this is no message'))
    return text('done')
  },
  stderr_flood: () => {
    repeat(200, () => process.stderr.write('e'.repeat(100_000)))
    repeat(200, () => process.stderr.write('e\n'.repeat(50_000)))
    return text('done')
  },
  // Changes the next list, and notifies the gateway.
  list_many: () => relist('many'),
  list_long: () => relist('long'),
  list_endless: () => relist('endless'),
  list_schemas: () => relist('schemas'),
  list_calm: () => relist('calm'),
}

function relist(kind) {
  listed = kind
  notify('notifications/tools/list_changed')
  return text(kind)
}

function nested(levels) {
  return '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
}

function raw(id, structured, more = '') {
  write(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${structured}${more}}}`,
  )
}

const rows = {
  type: 'object',
  properties: { rows: { type: 'array', uniqueItems: true, items: { type: 'object' } } },
}
const own = Object.keys(answers).map((name) => ({
  name,
  description: `Does: ${name}`,
  inputSchema: any,
  ...(name.startsWith('many_') && { outputSchema: rows }),
}))
const checked = hostileSchemas(random).map(({ kind, schema }) => ({
  name: kind,
  description: kind,
  inputSchema: schema,
}))
const calm = [...own, ...checked, { name: 'echo', description: 'Says it again.', inputSchema: any }]

function pageOf({ cursor }) {
  const words = (at) => `tool ${at} ${random.pick(['reads', 'writes', 'sends'])} ${random.below(1e9)}`
  switch (listed) {
    case 'many':
      return {
        tools: [
          ...calm,
          ...list(12_000, (at) => ({ name: `t${at}`, description: words(at), inputSchema: any })),
        ],
      }
    case 'long':
      return {
        tools: [
          ...calm,
          ...list(100, (at) => ({
            name: `t${at}`,
            description: `${words(at)} `.repeat(6_000),
            inputSchema: any,
          })),
        ],
      }
    case 'schemas':
      return {
        tools: [
          ...calm,
          ...list(300, (at) => ({ name: `t${at}`, description: words(at), inputSchema: largeSchema(at) })),
        ],
      }
    case 'endless':
      return {
        tools: [...calm, { name: `e${cursor ?? 0}`, description: 'x', inputSchema: any }],
        nextCursor: String(Number(cursor ?? 0) + 1),
      }
    default:
      return { tools: calm }
  }
}

function largeSchema(seed) {
  const properties = Object.fromEntries(
    list(1_000, (at) => [`p${seed}_${at}`, { type: 'string', description: `about ${at}` }]),
  )
  return { type: 'object', properties }
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true },
      prompts: { listChanged: true },
    },
    serverInfo: { name: 'hostile', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': (params) => pageOf(params),
  'resources/list': () => ({ resources: list(20_000, (at) => ({ uri: `x://${at}`, name: `r${at}` })) }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'prompts/list': () => ({ prompts: list(20_000, (at) => ({ name: `p${at}` })) }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  if (method === 'tools/call') {
    const result = (answers[params.name] ?? (() => text('ok')))(id, params)
    if (result !== undefined) send({ id, result })
    return
  }
  const answer = methods[method]
  if (answer) send({ id, result: answer(params) })
  else send({ id, error: { code: -32601, message: 'Method not found' } })
})
