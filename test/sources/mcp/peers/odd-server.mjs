// A program that uses 2025-11-25 over its standard streams and misbehaves. Usage: node odd-server.mjs <way>
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const way = process.argv[2]
const answers = []
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

if (way === 'garbage') process.stdout.write('Welcome!\n{"half": \n[1,2]\n\n')
if (way === 'endless') setInterval(() => process.stdout.write('x'.repeat(65536)), 1)
if (way === 'stubborn') {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}
if (way === 'parent') {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
  process.stderr.write(`child ${child.pid}\n`)
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, ...rest } = JSON.parse(line)
  if (method === undefined) return answers.push({ id, ...rest })
  if (method === 'notifications/initialized' && way === 'asks') {
    say({ id: 'ping', method: 'ping' })
    say({ id: 'sample', method: 'sampling/createMessage', params: {} })
    return say({ id: 'roots', method: 'roots/list' })
  }
  if (method === 'server/discover') {
    if (way === 'ends-when-probed') process.exit(1)
    if (way === 'silent-when-probed' || way === 'silent') return
    return say({ id, error: { code: -32601, message: 'Method not found' } })
  }
  if (method === 'initialize' && way !== 'silent')
    return say({
      id,
      result: {
        protocolVersion: way === 'future' ? '2031-01-01' : params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'odd', version: '1' },
      },
    })
  if (method === 'tools/call') answer(id, params)
})

function answer(id, { name, arguments: given }) {
  if (name === 'hang') return
  if (name === 'answers')
    return say({ id, result: { content: [{ type: 'text', text: JSON.stringify(answers) }] } })
  if (name === 'die') return process.exit(7)
  if (name === 'large')
    return say({ id, result: { content: [{ type: 'text', text: 'x'.repeat(given.bytes) }] } })
  if (name === 'rows')
    return say({ result: { rows: Array.from({ length: given.rows }, (_, at) => ({ at, n: `${at}` })) }, id })
  if (name === 'ask-rows') {
    const rows = Array.from({ length: given.rows }, (_, at) => ({ at }))
    say({ id: 'big', method: 'sampling/createMessage', params: { rows } })
  }
  if (name === 'environment')
    return say({ id, result: { content: [{ type: 'text', text: JSON.stringify(process.env) }] } })
  if (name === 'twice') {
    say({ id, result: { content: [{ type: 'text', text: 'first' }] } })
    return say({ id, result: { content: [{ type: 'text', text: 'second' }] } })
  }
  say({ id, result: { content: [{ type: 'text', text: name }] } })
}
