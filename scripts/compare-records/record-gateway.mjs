import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { withoutCursor } from './open-world.mjs'

const upstream = fileURLToPath(new URL('upstream.mjs', import.meta.url))
const NAMES = [
  'echo',
  'note',
  'write',
  'forbidden',
  'measure',
  'blocks',
  'leak',
  'fail',
  'refuse',
  'report',
  'large',
  'none',
]
const AT_ONCE = 16
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'compare', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Calls tools of an upstream server through `toolcrib serve` in both eras, and reads the records from its store. */
export async function recordGateway({ lib, build, folder, put }) {
  for (const era of ['modern', 'legacy']) {
    const path = join(folder, `gateway-${era}.db`)
    const gateway = await startGateway({ build, folder, path })
    const note = (section, label, value) =>
      put(`gateway, ${era}, ${section}`, label, withoutChance(value, session))
    let session
    try {
      const client = await (era === 'modern' ? modernClient(gateway.url) : legacyClient(gateway.url))
      ;({ session } = client)
      await callThrough(client.request, note)
    } finally {
      await gateway.stop()
    }
    await readRecords({ lib, path, note })
  }
}

/** A gateway has the clock of the machine, and gives its sessions names by chance. */
function withoutChance(value, session) {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value))
  const known = session === undefined ? text : text.replaceAll(session, '<session>')
  return known.replace(/("(?:duration|elapsed)_ms":)\d+/g, '$1<ms>')
}

async function callThrough(request, note) {
  note('tools', 'list', await request('tools/list', {}))
  for (const name of NAMES)
    note(
      `tool ${name}`,
      'answer',
      await request('tools/call', { name: `up__${name}`, arguments: { text: `hello ${name}` } }),
    )
  note(
    'tool report',
    'with progress',
    await request('tools/call', {
      name: 'up__report',
      arguments: { text: 'half' },
      _meta: { progressToken: 'p-1' },
    }),
  )
  note('tool echo', 'wrong input', await request('tools/call', { name: 'up__echo', arguments: { text: 7 } }))
  note(
    'tool echo',
    'a kilobyte',
    await request('tools/call', { name: 'up__echo', arguments: { text: 'word '.repeat(205) } }),
  )
  const texts = Array.from({ length: AT_ONCE }, (_, at) => `at once ${at}`)
  const answers = await Promise.all(
    texts.map((text) => request('tools/call', { name: 'up__echo', arguments: { text } })),
  )
  for (const [at, answer] of answers.entries()) note(texts[at], 'answer', answer)
}

/** Every record of the store; calls that were made at once are named by their input. */
async function readRecords({ lib, path, note }) {
  const crib = await lib.createCrib({ store: lib.sqliteStore({ path }), sealKey: Buffer.alloc(32, 7) })
  const counts = new Map()
  for await (const { invocation_id: id } of crib.invocations()) {
    const story = await crib.story(id)
    const said = JSON.stringify(story.inputs[0])
    const count = (counts.get(said) ?? 0) + 1
    counts.set(said, count)
    const section = `record of ${story.invocation.toolcrib.requested_name} ${said.slice(0, 60)} ${count}`
    for (const [part, value] of Object.entries(story)) note(section, part, value)
    for await (const event of crib.events({ invocation: id })) note(section, 'event', withoutCursor(event))
  }
  for await (const surface of crib.surfaces()) note('surfaces', 'surface', surface)
  await crib.close()
}

async function startGateway({ build, folder, path }) {
  const config = join(folder, 'toolcrib.json')
  const settings = join(folder, 'settings')
  mkdirSync(join(settings, 'toolcrib'), { recursive: true })
  const mcpServers = { up: { command: process.execPath, args: [upstream] } }
  const permission = { allow: ['mcp.up.note'], deny: ['mcp.up.forbidden'] }
  const serve = { port: 0, auth: { anonymous: true }, budgetTokens: 0 }
  writeFileSync(
    config,
    JSON.stringify({
      store: { kind: 'sqlite', path },
      mcpServers,
      permission,
      serve,
      approvals: { reviewers: ['ann'] },
    }),
  )
  await trustConfig(build, config)
  const bin = join(build, 'bin/toolcrib.js')
  const child = spawn(process.execPath, [bin, 'serve', '--config', config], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const url = await addressOf(child)
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { url, stop }
}

async function trustConfig(build, path) {
  const { filesOf, trustAsRead } = await import(
    pathToFileURL(join(build, 'dist/platform/trust/config-trust.js')).href
  )
  const text = readFileSync(path, 'utf8')
  const read = { path, text, config: JSON.parse(text) }
  trustAsRead(read, filesOf(read).files, process.env)
}

/** Resolves once the gateway listens and its server is connected. */
function addressOf(child) {
  let printed = ''
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`toolcrib serve ended:\n${printed}`)))
    const hear = (chunk) => {
      printed += chunk
      const address = /Open at (http:\/\/\S+:\d+\/mcp)/.exec(printed)?.[1]
      if (address !== undefined && /^up: ready/m.test(printed)) resolve(address)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
  })
}

function modernClient(url) {
  let id = 0
  const request = (method, params) => {
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name && { 'mcp-name': params.name }),
    }
    id += 1
    const all = { ...params, _meta: { ...META, ...params._meta } }
    return post(url, { jsonrpc: '2.0', id, method, params: all }, headers)
  }
  return { request }
}

async function legacyClient(url) {
  const clientInfo = { name: 'compare', version: '1.0.0' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const response = await send(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, {})
  const session = response.headers.get('mcp-session-id')
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
  await response.text()
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
  let id = 0
  const request = (method, given) => {
    id += 1
    return post(url, { jsonrpc: '2.0', id, method, params: given }, headers)
  }
  return { request, session }
}

const send = (url, message, headers) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
  })

async function post(url, message, headers) {
  const response = await send(url, message, headers)
  return `${response.status} ${response.headers.get('content-type')} ${await response.text()}`
}
