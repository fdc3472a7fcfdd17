// The cost of `toolcrib serve --stdio` before any server answers: CPU seconds (user and system) of its process until
// the answer to initialize, and until the first list of tools. CPU seconds measure the program; wall time would measure
// how busy the machine is.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const odd = fileURLToPath(new URL('../../test/sources/mcp/servers/children/odd-server.mjs', import.meta.url))
const SERVERS = 8
const TOOLS = 5

/** Of the process alone, without its children. */
function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout)
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

/** Starts it, and resolves with the means to send requests and to stop it once it has answered `initialize`. */
async function startServe(bin, { folder, env }) {
  const child = spawn(process.execPath, [bin, 'serve', '--stdio', '--config', 'toolcrib.yaml'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (id, method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    for (;;) {
      const { value, done } = await replies.next()
      if (done) throw new Error(`serve --stdio ended before it answered ${method}.`)
      const reply = JSON.parse(value)
      if (reply.id === id) return reply.result
    }
  }
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'b', version: '1' } }
  await ask(1, 'initialize', client)
  return {
    ask,
    pid: child.pid,
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}

/** The CPU seconds until each of two answers. */
async function startOnce(bin, place) {
  const { ask, pid, stop } = await startServe(bin, place)
  const initialize = cpuSeconds(pid)
  const { tools } = await ask(2, 'tools/list', {})
  const list = cpuSeconds(pid)
  await stop()
  return { initialize, list, tools: tools.length }
}

/** Milliseconds on the clock until `initialize` is answered. */
export async function timeToInitialize(bin, place) {
  const start = performance.now()
  const { stop } = await startServe(bin, place)
  const took = performance.now() - start
  await stop()
  return took
}

/** A trusted folder with this config. */
function createFolder(bin, config) {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
  const env = {
    ...process.env,
    TOOLCRIB_HOME: join(folder, 'home'),
    XDG_CONFIG_HOME: join(folder, 'settings'),
  }
  const write = (given) => {
    writeFileSync(join(folder, 'toolcrib.yaml'), JSON.stringify(given))
    spawnSync(process.execPath, [bin, 'trust', '--yes'], { cwd: folder, env })
  }
  write(config)
  return { folder, env, write, remove: () => rmSync(folder, { recursive: true }) }
}

function serversOf(...more) {
  const names = Array.from({ length: TOOLS }, (_, at) => `tool${at}`).join(',')
  const entry = { command: process.execPath, args: [odd, '--names', names, ...more] }
  return Object.fromEntries(Array.from({ length: SERVERS }, (_, at) => [`server${at}`, entry]))
}

/** Medians in seconds, by upstream. */
export async function measureServe(bin, runs) {
  const bare = createFolder(bin, { tools: [] })
  const known = createFolder(bin, { mcpServers: serversOf() })
  // Their lists are stored from here on; then none of them answers any more.
  const { tools } = await startOnce(bin, known)
  known.write({ mcpServers: serversOf('--hang', 'initialize') })
  const places = [
    { name: 'serve --stdio', ...bare },
    { name: `serve --stdio, ${SERVERS} servers, ${tools} tools`, ...known },
  ]
  const seen = places.map(() => [])
  for (let run = 0; run < runs; run++)
    for (const [at, place] of places.entries()) seen[at].push(await startOnce(bin, place))
  for (const { remove } of places) remove()
  return places.map(({ name }, at) => ({
    name,
    initialize: median(seen[at].map(({ initialize }) => initialize)),
    list: median(seen[at].map(({ list }) => list)),
  }))
}

function median(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
}
