// A gateway as a process of its own, from the unbundled sources, with a profiler that starts and stops by a signal.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { trustConfig } from '../../test/peers/trust-config.mjs'
import { openClient } from '../gateway/speak.mjs'
import { attributeCpu, attributeMemory } from './attribute.mjs'
import { perCall } from './per-call.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const UPSTREAM = path('../gateway/upstream.mjs')
const MAIN = path('../../dist/edges/cli/main.js')
const PRELOAD = path('on-signal.mjs')
const SECONDS = Number(process.env.SECONDS ?? 3)
const CONNECTIONS = 16

/** One request through the gateway, to an upstream over HTTP and over standard input and output. */
export async function profileGateway() {
  const direct = await start([UPSTREAM])
  try {
    return {
      'gateway, HTTP': await profile({ url: direct.url }),
      'gateway, stdio': await profile({ command: process.execPath, args: [UPSTREAM, '--stdio'] }),
    }
  } finally {
    direct.child.kill()
  }
}

async function profile(server) {
  const { profile: cpu, requests, cpuPerRequest } = await record(server, 'cpu')
  const { profile: memory, requests: more } = await record(server, 'memory')
  const measured = {
    cpu: perCall(attributeCpu(cpu), requests),
    memory: perCall(attributeMemory(memory), more),
  }
  return { ...measured, processCpu: cpuPerRequest }
}

async function record(server, kind) {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-profile-gateway-'))
  const target = join(folder, 'profile.json')
  const gateway = await startGateway(server, { folder, PROFILE_TO: target, PROFILE_KIND: kind })
  try {
    const clients = []
    for (let count = 0; count < CONNECTIONS; count++)
      clients.push(await openClient({ url: gateway.url, tool: 'echo', era: 'modern' }))
    await drive(clients)
    const before = cpuOf(gateway.child.pid)
    const cpuPerRequest = await drive(clients).then((count) => (cpuOf(gateway.child.pid) - before) / count)
    gateway.child.kill('SIGUSR2')
    await appears(`${target}.started`)
    const requests = await drive(clients)
    gateway.child.kill('SIGUSR2')
    await appears(`${target}.ended`)
    for (const client of clients) client.close()
    return { profile: JSON.parse(readFileSync(target, 'utf8')), requests, cpuPerRequest }
  } finally {
    gateway.child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function drive(clients) {
  let count = 0
  const end = performance.now() + SECONDS * 1000
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() < end; count++) await client.call()
    }),
  )
  return count
}

/** The CPU time of a process so far, in microseconds. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

async function appears(file) {
  while (!existsSync(file)) await sleep(50)
}

function startGateway(server, { folder, ...env }) {
  const config = join(folder, 'config.json')
  const settings = {
    store: { kind: 'sqlite', path: join(folder, 'crib.db') },
    mcpServers: { upstream: server },
    serve: { port: 0, names: 'bare', auth: { anonymous: true } },
  }
  writeFileSync(config, JSON.stringify(settings))
  mkdirSync(join(folder, 'settings', 'toolcrib'), { recursive: true })
  writeFileSync(join(folder, 'settings', 'toolcrib', 'rules.yaml'), 'mode: bypass\n')
  const own = { ...env, TOOLCRIB_HOME: join(folder, 'home'), XDG_CONFIG_HOME: join(folder, 'settings') }
  trustConfig(config, own)
  return start(['--import', PRELOAD, MAIN, 'serve', '--config', config], own, /^upstream: ready/m)
}

/** Resolves with the address that the program prints. */
function start(args, env = {}, ready = /./) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  return new Promise((resolve, reject) => {
    let printed = ''
    const hear = (chunk) => {
      if (printed.length < 20_000) printed += chunk
      const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(printed)?.[0]
      if (url !== undefined && ready.test(printed)) resolve({ url, child })
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => reject(new Error(`${args.at(-1)} ended with ${code}:\n${printed}`)))
  })
}
