// Many listeners and many calls on one server: 200 clients follow the log (195 one session each, 5 everything) while 300 calls
// a second arrive over the HTTP API. Afterwards every listener must have every event of its filter, once and in order. Prints
// the latency of calls, the longest stall of the server's event loop, and its memory over the time.
//
//   SECONDS=60 RATE=300 node bench/http-events.mjs
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const SECONDS = Number(process.env.SECONDS ?? 60)
const RATE = Number(process.env.RATE ?? 300)
const SESSIONS = 195
const EVERYTHING = 5
const QUARTERS = 4
const CLI = fileURLToPath(new URL('../bin/toolcrib.js', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
writeFileSync(
  join(folder, 'tools.mjs'),
  `import { defineTool } from ${JSON.stringify(new URL('../lib/index.js', import.meta.url).href)}
export default defineTool({
  namespace: 'bench', name: 'echo', description: 'Give the text back.', isReadOnly: true, isOpenWorld: false,
  input: { jsonSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
  execute: async ({ text }) => ({ text }),
})
`,
)
writeFileSync(join(folder, 'toolcrib.yaml'), 'tools: [./tools.mjs]\n')
const env = {
  ...process.env,
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_DATA_HOME: join(folder, 'data'),
}
const cli = (...words) => promisify(execFile)(process.execPath, [CLI, ...words], { cwd: folder, env })

await cli('trust', '--yes')
const tokenOf = async (name, role) =>
  JSON.parse((await cli('tokens', 'create', name, '--role', role, '--json')).stdout).token
const [caller, auditor] = [await tokenOf('agent', 'caller'), await tokenOf('watcher', 'auditor')]
const server = spawn(process.execPath, [CLI, 'serve', '--json', '--port', '0'], {
  cwd: folder,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = await once(createInterface({ input: server.stdout }), 'line')
const { origin } = new URL(JSON.parse(line).url)

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

function send(path, { token, body, ...rest }) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const sent = request(
      `${origin}${path}`,
      { method: body ? 'POST' : 'GET', headers, agent, ...rest },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode, text }))
      },
    )
    sent.on('error', reject).end(body && JSON.stringify(body))
  })
}

/** A client that follows the log and notes which calls it saw end. */
function listen(path) {
  const seen = { ended: [], last: 0, isOrdered: true, events: 0 }
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${auditor}`, accept: 'text/event-stream' }
    request(`${origin}/api/v1${path}`, { headers }, (response) => {
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        const parts = (rest + chunk).split('\n\n')
        rest = parts.pop()
        for (const part of parts) {
          const cursor = /^id: p([0-9a-z]+)/.exec(part)
          if (!cursor) continue
          seen.events++
          const position = Number.parseInt(cursor[1], 36)
          if (position <= seen.last) seen.isOrdered = false
          seen.last = position
          if (part.includes('"event_type":"tool.result.created"'))
            seen.ended.push(/"invocation_id":"([^"]+)"/.exec(part)[1])
        }
      })
      response.on('error', () => {})
      resolve(seen)
    })
      .on('error', reject)
      .end()
  })
}

/** The memory of the server, and its longest stall since the last time that it was asked. */
async function measure() {
  const { text } = await send('/metrics', { token: auditor })
  const valueOf = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    memory: valueOf('process_resident_memory_bytes'),
    stall: valueOf('nodejs_eventloop_lag_max_seconds'),
  }
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`

const listeners = []
for (let at = 0; at < SESSIONS; at++)
  listeners.push({ session: `s${at}`, seen: await listen(`/events?session=s${at}`) })
for (let at = 0; at < EVERYTHING; at++) listeners.push({ session: undefined, seen: await listen('/events') })

const made = []
const took = []
const failures = new Map()
async function callOnce(at) {
  const session = `s${at % SESSIONS}`
  const start = performance.now()
  const { status, text } = await send('/api/v1/calls', {
    token: caller,
    body: { tool: 'bench.echo', input: { text: `call ${at}` }, session },
  })
  took.push(performance.now() - start)
  if (status !== 200) return failures.set(status, (failures.get(status) ?? 0) + 1)
  made.push({ session, id: JSON.parse(text).invocation_id })
}

// Every session opens its surface once before the clock starts.
for (let at = 0; at < SESSIONS; at++) await callOnce(at)
took.length = 0
const memory = [(await measure()).memory]
let stall = 0
async function note() {
  const now = await measure()
  memory.push(now.memory)
  stall = Math.max(stall, now.stall)
}
const start = performance.now()
const running = new Set()
let count = 0
while (performance.now() - start < SECONDS * 1000) {
  const due = Math.floor(((performance.now() - start) / 1000) * RATE)
  for (; count < due; count++) {
    const call = callOnce(SESSIONS + count).finally(() => running.delete(call))
    running.add(call)
  }
  if (performance.now() - start > (memory.length * SECONDS * 1000) / QUARTERS) await note()
  await new Promise((resolve) => setTimeout(resolve, 5))
}
await Promise.all(running)
const seconds = (performance.now() - start) / 1000
await note()

const isComplete = ({ session, seen }) => {
  const wanted = made.filter((call) => session === undefined || call.session === session)
  const got = new Set(seen.ended)
  return got.size === seen.ended.length && got.size === wanted.length && wanted.every(({ id }) => got.has(id))
}
const until = performance.now() + 30_000
while (performance.now() < until && !listeners.every(isComplete))
  await new Promise((resolve) => setTimeout(resolve, 200))

const incomplete = listeners.filter((each) => !isComplete(each)).length
const unordered = listeners.filter(({ seen }) => !seen.isOrdered).length
const delivered = listeners.reduce((sum, { seen }) => sum + seen.events, 0)
took.sort((a, b) => a - b)
const at = (share) => took[Math.floor(took.length * share)].toFixed(1)
console.log(
  `${listeners.length} listeners, ${made.length} calls, ${(count / seconds).toFixed(0)} a second for ${seconds.toFixed(0)} s`,
)
console.log(`calls p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, failures ${JSON.stringify([...failures])}`)
console.log(
  `${delivered} events delivered; ${incomplete} listeners miss an event, ${unordered} got them out of order`,
)
console.log(`longest stall of the server ${(stall * 1000).toFixed(0)} ms (aim: 50)`)
console.log(`memory at the start and after each quarter: ${memory.map(megabytes).join(', ')}`)
server.kill('SIGTERM')
agent.destroy()
await once(server, 'exit')
rmSync(folder, { recursive: true, force: true })
if (incomplete + unordered + failures.size > 0) process.exitCode = 1
process.exit(process.exitCode)
