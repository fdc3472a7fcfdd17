// A small MCP server over standard input and output: one tool that reads, one that writes. NOTES_SAYS changes what the
// second describes, NOTES_SLOW keeps it from ever answering, NOTES_TOKEN is part of its output. A note
// that says "never" is never written.
import { createInterface } from 'node:readline'

const tools = [
  {
    name: 'read',
    description: 'Read all notes.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'write',
    description: process.env.NOTES_SAYS ?? 'Write one note.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
]
const notes = [`token ${process.env.NOTES_TOKEN ?? 'none'}`]
console.error(`notes runs with ${process.env.NOTES_TOKEN ?? 'no token'}`)

function answer(method, params) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'notes', version: '1.0.0' },
      }
    case 'tools/list':
      return { tools }
    case 'tools/call':
      if (params.name === 'write') notes.push(params.arguments.text)
      return { content: [{ type: 'text', text: params.name === 'write' ? 'Written.' : notes.join('\n') }] }
    default:
      return undefined
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || process.env.NOTES_SLOW || params?.arguments?.text === 'never') return
  const result = answer(method, params)
  const reply = result ? { result } : { error: { code: -32601, message: `There is no ${method}.` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`)
})
process.stdin.on('end', () => process.exit(0))
