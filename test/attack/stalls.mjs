/** Whether anything from a server or an input blocks the gateway for other clients. */
import { readFileSync } from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startGateway } from '../peers/start-gateway.mjs'
import { hostileSchemas } from './hostile-schemas.mjs'
import { createRandom } from './random.mjs'

export const name = 'stalls'

export function whyNot() {
  return process.platform === 'win32' ? 'there are no signals to ask a process with' : undefined
}

/** The longest time that other clients may be blocked. */
const MAX_STALL_MS = 50
/** Other work on the machine delays a process too: a value above the limit is measured again. */
const TRIES = 3
const CALL_MS = 20_000
const AFTERMATH_MS = 150
const MAX_GROWTH_BYTES = 1_500_000_000

/** What the server does when it is called, beside what its schemas do. */
const DEEDS = [
  'deep_result',
  'deep_meta',
  'large_text',
  'larger_text',
  'many_blocks',
  'many_numbers',
  'many_keys',
  'large_meta',
  'large_error',
  'progress_flood',
  'log_flood',
  'change_flood',
  'update_flood',
  'unknown_flood',
  'question_flood',
  'large_question',
  'noise',
  'stderr_flood',
  'list_many',
  'list_long',
  'list_schemas',
  'list_endless',
]
/** About what a kind takes, and the time of a round for each attempt. */
const KIND_MS = 400
const LIST_MS = 4_000
const MS_PER_ATTEMPT = 250
/** These take effect after their answer: the gateway loads the list again. */
const AFTERWARDS = 3_000

export async function round({ seed, size, only }) {
  const random = createRandom(seed)
  const inputs = hostileSchemas(random)
  const all = [...DEEDS.map((kind) => ({ kind, input: () => ({}) })), ...inputs]
  const kinds = only ? all.filter(({ kind }) => only.includes(kind)) : sampled(all, { seed, size })
  const house = await openHouse(seed)
  const broken = []
  const longest = new Map()
  let attempts = 0
  try {
    for (const { kind, input } of kinds) {
      attempts++
      const seen = await tryKind(house, kind, input())
      longest.set(kind, Math.max(longest.get(kind) ?? 0, seen.stallMs))
      if (seen.stallMs > MAX_STALL_MS)
        broken.push({ kind, text: `held up for ${seen.stallMs.toFixed(0)} ms` })
      if (seen.growth > MAX_GROWTH_BYTES) broken.push({ kind, text: `grew by ${seen.growth} bytes` })
      if (!seen.lives) broken.push({ kind, text: 'the gateway answers no more' })
      if (!seen.lives) break
    }
  } finally {
    await house.close()
  }
  const [worst = ['none', 0]] = [...longest].sort(([, a], [, b]) => b - a)
  return {
    attempts,
    broken,
    notes: {
      'longest stall, ms': Math.round(worst[1]),
      ...(only && Object.fromEntries([...longest].map(([kind, ms]) => [`${kind}, ms`, Math.round(ms)]))),
    },
  }
}

/** As many kinds as a round has time for, different ones for each seed: several rounds cover all. */
function sampled(kinds, { seed, size }) {
  const order = createRandom(seed * 7919 + 13)
  const shuffled = kinds.map((kind) => ({ kind, at: order.next() })).sort((a, b) => a.at - b.at)
  let left = size * MS_PER_ATTEMPT
  return shuffled
    .map(({ kind }) => kind)
    .filter(({ kind }) => {
      const cost = kind.startsWith('list_') ? LIST_MS : KIND_MS
      if (cost > left) return false
      left -= cost
      return true
    })
}

/** The minimum of several tries: a stall of the kind itself recurs. */
async function tryKind(house, kind, input) {
  let stallMs = Infinity
  let growth = 0
  for (let attempt = 0; attempt < TRIES && stallMs > MAX_STALL_MS; attempt++) {
    const before = await house.report()
    await house.call(kind, input)
    await sleep(kind.startsWith('list_') ? AFTERWARDS : AFTERMATH_MS)
    if (!(await house.lives())) return { stallMs, growth, lives: false }
    const after = await house.report()
    stallMs = Math.min(stallMs, after.longestMs)
    growth = after.memory - before.memory
    if (kind.startsWith('list_')) await house.call('list_calm', {})
  }
  return { stallMs, growth, lives: true }
}

async function openHouse(seed) {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-stalls-'))
  const file = join(folder, 'stalls.json')
  const preload = new URL('measure-stalls.mjs', import.meta.url).href
  const hostile = fileURLToPath(new URL('hostile-server.mjs', import.meta.url))
  const server = { command: process.execPath, args: [hostile], env: { HOSTILE_SEED: String(seed) } }
  const gateway = await startGateway({
    mcpServers: { hostile: server },
    env: { NODE_OPTIONS: `--import ${preload}`, STALLS_FILE: file },
  })
  const attacker = await openSession(gateway.url)
  const bystander = await openSession(gateway.url)
  const pings = setInterval(() => void bystander.request('ping', {}).catch(() => {}), 20)
  let reports = 0
  return {
    call: (kind, input) =>
      attacker
        .request('tools/call', { name: `hostile__${kind}`, arguments: input, _meta: { progressToken: 1 } })
        .catch(() => undefined),
    lives: () =>
      bystander.request('ping', {}).then(
        () => true,
        () => false,
      ),
    async report() {
      process.kill(gateway.pid, 'SIGUSR2')
      const wanted = ++reports
      for (let wait = 0; wait < 500; wait++) {
        await sleep(10)
        const found = parsed(file)
        if (found?.report === wanted) return found
      }
      throw new Error('The gateway does not report.')
    },
    async close() {
      clearInterval(pings)
      await gateway.stop('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function parsed(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** A minimal client: a response is read to its end and dropped. */
async function openSession(url) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  let session
  let ids = 0
  const request = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++ids, method, params })
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, ...(session && { 'mcp-session-id': session }) },
      body,
      signal: AbortSignal.timeout(CALL_MS),
    })
    session ??= response.headers.get('mcp-session-id') ?? undefined
    for await (const _ of response.body ?? []);
    return response.status
  }
  const capabilities = { elicitation: {}, sampling: {} }
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities,
    clientInfo: { name: 'attack', version: '1.0.0' },
  })
  return { request }
}
