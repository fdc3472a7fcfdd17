// An MCP server on standard input and output for the gateway part of the session.
import { createInterface } from 'node:readline'

const KEY = 'AKIA7QXGRZ4TX5WVN2LK'
const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const toolOf = (name, readOnlyHint, more = {}) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema,
  annotations: { readOnlyHint, destructiveHint: false, openWorldHint: false },
  ...more,
})
const outputSchema = { type: 'object', properties: { length: { type: 'number' } }, required: ['length'] }
const tools = [
  toolOf('echo', true),
  toolOf('note', false),
  toolOf('write', false),
  toolOf('forbidden', true),
  toolOf('measure', true, { outputSchema }),
  toolOf('blocks', true),
  toolOf('leak', true),
  toolOf('fail', true),
  toolOf('refuse', true),
  toolOf('report', true),
  toolOf('large', true),
]
const about = { serverInfo: { name: 'upstream', version: '1.0.0' }, capabilities: { tools: {} } }
const textOf = (text) => ({ content: [{ type: 'text', text }] })

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const answers = {
  echo: textOf,
  note: (text) => textOf(`noted ${text}`),
  write: (text) => textOf(`wrote ${text}`),
  forbidden: textOf,
  measure: (text) => ({ ...textOf(`{"length":${text.length}}`), structuredContent: { length: text.length } }),
  blocks: (text) => ({
    content: [
      { type: 'text', text, annotations: { audience: ['user'] } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'https://example.com/a', name: 'a' },
      { type: 'resource', resource: { uri: 'note://1', mimeType: 'text/plain', text: 'a note' } },
    ],
    _meta: { 'example/trace': 'm-1' },
  }),
  leak: (text) => textOf(`${text} with ${KEY}`),
  fail: (text) => ({ ...textOf(`no: ${text}`), isError: true }),
  report(text, progressToken) {
    if (progressToken !== undefined)
      for (const progress of [1, 2])
        send({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 2, message: text },
        })
    return textOf('reported')
  },
  large: () => textOf(Array.from({ length: 6000 }, (_, at) => `line ${at}`).join('\n')),
}

const methods = {
  initialize: ({ protocolVersion }) => ({ ...about, protocolVersion }),
  'server/discover': () => ({ ...about, resultType: 'complete', supportedVersions: ['2026-07-28'] }),
  ping: () => ({}),
  'tools/list': () => ({ tools, resultType: 'complete', ttlMs: 0, cacheScope: 'private' }),
  'tools/call': ({ name, arguments: { text }, _meta }) => ({
    ...answers[name](text, _meta?.progressToken),
    resultType: 'complete',
  }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'tools/call' && params.name === 'refuse')
    send({ id, error: { code: -32050, message: 'Not now.', data: { why: params.arguments.text } } })
  else if (methods[method]) send({ id, result: methods[method](params) })
  else send({ id, error: { code: -32601, message: 'Method not found' } })
})
