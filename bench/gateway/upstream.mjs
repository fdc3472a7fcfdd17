// The server behind every gateway: two small tools in plain code, so that the upstream costs next to nothing and the
// difference to a direct call is the gateway. It answers over HTTP in both eras, or over standard input and output.
import { createServer } from 'node:http'

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const hints = (readOnlyHint) => ({ readOnlyHint, destructiveHint: false, openWorldHint: false })
const tools = [
  { name: 'echo', description: 'Says what it was told.', inputSchema, annotations: hints(true) },
  { name: 'note', description: 'Writes down what it was told.', inputSchema, annotations: hints(false) },
]
const about = { serverInfo: { name: 'upstream', version: '1.0.0' }, capabilities: { tools: {} } }
const methods = {
  initialize: ({ protocolVersion }) => ({ ...about, protocolVersion }),
  'server/discover': () => ({ ...about, resultType: 'complete', supportedVersions: ['2026-07-28'] }),
  ping: () => ({}),
  'tools/list': () => ({ tools, resultType: 'complete', ttlMs: 0, cacheScope: 'private' }),
  'tools/call': ({ arguments: { text } }) => ({
    content: [{ type: 'text', text }],
    resultType: 'complete',
  }),
}

/** The answer as text; undefined for a notification. */
function answer(text) {
  const { id, method, params } = JSON.parse(text)
  if (id === undefined) return undefined
  const result = methods[method]?.(params ?? {})
  const error = { code: -32601, message: 'Method not found' }
  return JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })
}

if (process.argv[2] === '--stdio') {
  let rest = ''
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    const answers = lines.flatMap((line) => answer(line) ?? [])
    if (answers.length > 0) process.stdout.write(`${answers.join('\n')}\n`)
  })
} else {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const text = request.method === 'POST' ? answer(body) : undefined
      if (text === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end()
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    })
  })
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`))
}
