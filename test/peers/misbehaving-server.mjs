/**
 * A program on standard input and output that does what servers should not: it hangs, dies, answers without end.
 * Written on the bare protocol, so that nothing of a library makes up for it.
 *
 *   MISBEHAVING_MARK   a file that gets a line for every call that starts or is cancelled
 *   MISBEHAVING_STAYS  it does not end when its input does, nor when it is asked to
 *   MISBEHAVING_LIST   `fails`: tools/list answers with an error; `hangs`: it never answers
 */
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const { MISBEHAVING_MARK: mark, MISBEHAVING_LIST: list } = process.env
const none = { type: 'object', properties: {} }
const say = (text) => ({ content: [{ type: 'text', text }] })
const note = (line) => mark !== undefined && appendFileSync(mark, `${line}\n`)

const tools = {
  echo: {
    schema: { type: 'object', properties: { text: { type: 'string' } } },
    run: ({ text }) => say(text),
  },
  who: { schema: none, run: () => say(String(process.pid)) },
  hang: { schema: none, run: () => undefined },
  die: { schema: none, run: () => process.exit(7) },
  big: {
    schema: { type: 'object', properties: { bytes: { type: 'integer' } } },
    run: ({ bytes }) => say('0123456789'.repeat(Math.ceil(bytes / 10))),
  },
  babble: { schema: none, run: babble },
}

/** Writes one line that never ends. */
function babble() {
  const more = () => {
    while (process.stdout.write('x'.repeat(65_536)));
    process.stdout.once('drain', more)
  }
  more()
}

const annotations = { readOnlyHint: true, openWorldHint: false }
const methods = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'misbehaving', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => {
    if (list === 'hangs') return undefined
    if (list === 'fails') throw new Error('The list is broken.')
    return {
      tools: Object.entries(tools).map(([name, { schema }]) => ({
        name,
        description: `Does: ${name}`,
        inputSchema: schema,
        annotations,
      })),
    }
  },
  'tools/call': ({ name, arguments: input = {} }) => {
    note(`started ${name}`)
    return tools[name].run(input)
  },
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

function answer({ id, method, params = {} }) {
  if (method === 'notifications/cancelled') note('cancelled')
  if (id === undefined || method === undefined) return
  if (!Object.hasOwn(methods, method)) {
    send({ id, error: { code: -32601, message: `There is no method ${method}.` } })
    return
  }
  try {
    const result = methods[method](params)
    if (result !== undefined) send({ id, result })
  } catch (error) {
    send({ id, error: { code: -32603, message: error.message } })
  }
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => answer(JSON.parse(line)))
if (process.env.MISBEHAVING_STAYS === undefined) lines.on('close', () => process.exit(0))
else {
  process.on('SIGTERM', () => {})
  // Not for ever: whoever tests for children that stay should not leave one.
  setTimeout(() => process.exit(0), 60_000)
}
