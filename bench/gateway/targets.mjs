import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { trustConfig } from '../../test/peers/trust-config.mjs'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const upstream = path('upstream.mjs')
const bins = path('../node_modules/.bin/')
const toolcrib = path('../../bin/toolcrib.js')
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-gateway-'))
const children = []

/** Starts everything that is compared, each as a separate process. */
export async function startTargets(isWanted) {
  const direct = await start('direct', process.execPath, [upstream])
  const stdio = { command: process.execPath, args: [upstream, '--stdio'] }
  const starters = {
    direct: () => direct,
    'toolcrib HTTP→HTTP': () => startToolcrib('http', { url: direct }),
    'toolcrib HTTP→stdio': () => startToolcrib('stdio', stdio),
    'mcp-proxy': () => startProxy(stdio),
    supergateway: () => startSupergateway(stdio),
    'mcp-hub': () => startHub('hub', stdio),
    'mcp-hub to HTTP': () => startHub('hub-http', { url: direct }),
  }
  const targets = []
  for (const [name, begin] of Object.entries(starters))
    if (isWanted(name)) {
      const url = await begin()
      targets.push({
        name,
        url,
        pid: name === 'direct' ? children[0].pid : children.at(-1).pid,
        ...waysOf(name),
      })
    }
  return targets
}

const both = { eras: ['modern', 'sessions'], toolName: (tool) => tool }

/**
 * Most gateways only support programs as upstreams, which answer faster than a server over HTTP does; the hub supports
 * both. It only supports the transport of 2024-11-05, and prefixes the tool's name with the server's. supergateway
 * starts a process for every request without a session: it is only measured with sessions.
 */
const waysOf = (name) => {
  if (name.startsWith('mcp-hub')) return { eras: ['events'], toolName: (tool) => `upstream__${tool}` }
  return name === 'supergateway' ? { ...both, eras: ['sessions'] } : both
}

async function startToolcrib(name, server) {
  const config = join(folder, `${name}.json`)
  writeFileSync(
    config,
    JSON.stringify({
      store: { kind: 'sqlite', path: join(folder, `${name}.db`) },
      mcpServers: { upstream: server },
      serve: { port: 0, names: 'bare', auth: { anonymous: true } },
    }),
  )
  mkdirSync(join(folder, 'settings', 'toolcrib'), { recursive: true })
  writeFileSync(join(folder, 'settings', 'toolcrib', 'rules.yaml'), 'mode: bypass\n')
  const env = { TOOLCRIB_HOME: join(folder, name), XDG_CONFIG_HOME: join(folder, 'settings') }
  trustConfig(config, env)
  return start(`toolcrib ${name}`, process.execPath, [toolcrib, 'serve', '--config', config], { env })
}

const addressAt = (port) => `http://127.0.0.1:${port}/mcp`

async function startProxy({ command, args }) {
  const port = await freePort()
  await start('mcp-proxy', join(bins, 'mcp-proxy'), ['--port', port, '--', command, ...args], { port })
  return addressAt(port)
}

async function startSupergateway({ command, args }) {
  const port = await freePort()
  const way = ['--outputTransport', 'streamableHttp', '--stateful', '--port', port]
  await start('supergateway', join(bins, 'supergateway'), ['--stdio', [command, ...args].join(' '), ...way], {
    port,
  })
  return addressAt(port)
}

async function startHub(name, server) {
  const port = await freePort()
  const config = join(folder, `${name}.json`)
  writeFileSync(config, JSON.stringify({ mcpServers: { upstream: server } }))
  await start('mcp-hub', join(bins, 'mcp-hub'), ['--port', port, '--config', config], { port })
  return addressAt(port)
}

/** Resolves with the address that the program prints, or when its port is open. */
function start(name, program, args, { port, env = {} } = {}) {
  const child = spawn(program, args.map(String), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  })
  children.push(child)
  return new Promise((resolve, reject) => {
    let printed = ''
    const hear = (chunk) => {
      printed = (printed + chunk).slice(-20_000)
      const address = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(printed)?.[0]
      const isReady = !name.startsWith('toolcrib') || /^upstream: ready/m.test(printed)
      if (port === undefined && address !== undefined && isReady) resolve(address)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${printed}`)))
    if (port !== undefined) waitForPort(port).then(resolve, () => reject(new Error(`${name}:\n${printed}`)))
  })
}

async function waitForPort(port) {
  for (let tries = 0; tries < 150; tries += 1) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('no port')
}

function freePort() {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

export async function stopTargets() {
  await Promise.all(children.map(stop))
  rmSync(folder, { recursive: true, force: true })
}

/** With all its children: gateways leave them behind. */
function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', resolve)
    process.kill(-child.pid, 'SIGTERM')
    setTimeout(() => {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // All of them have ended.
      }
    }, 3000).unref()
  })
}
