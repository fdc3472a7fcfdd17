import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { trustConfig } from './trust-config.mjs'

const bin = fileURLToPath(new URL('../../bin/toolcrib.js', import.meta.url))
const READY_MS = 60_000

/**
 * `toolcrib serve` as a process of its own, on a free port, in front of the given servers. Everybody may call, every
 * call is allowed, and nothing of the machine's own settings enters.
 */
export async function startGateway({ mcpServers, serve = {}, more = {}, env = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-gateway-'))
  const config = join(folder, 'toolcrib.json')
  writeFileSync(
    config,
    JSON.stringify({
      store: 'memory',
      ...more,
      mcpServers,
      serve: { port: 0, auth: { anonymous: true }, budgetTokens: 0, ...serve },
    }),
  )
  const settings = join(folder, 'settings')
  mkdirSync(join(settings, 'toolcrib'), { recursive: true })
  writeFileSync(join(settings, 'toolcrib', 'rules.yaml'), 'mode: bypass\n')
  trustConfig(config, { XDG_CONFIG_HOME: settings })
  const child = spawn(process.execPath, [bin, 'serve', '--config', config], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      TOOLCRIB_HOME: join(folder, 'home'),
      XDG_CONFIG_HOME: settings,
      TOOLCRIB_POLICY: join(folder, 'no-policy.yaml'),
      ...env,
    },
  })
  const printed = { text: '' }
  const url = await addressOf(child, printed, Object.keys(mcpServers))
  return {
    url,
    folder,
    pid: child.pid,
    printed: () => printed.text,
    stop: async (signal = 'SIGTERM') => {
      await ended(child, signal)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves once it listens and every server behind has been connected to, or has failed. */
function addressOf(child, printed, servers) {
  return new Promise((resolve, reject) => {
    const fail = (why) => {
      child.kill('SIGKILL')
      reject(new Error(`toolcrib serve ${why}:\n${printed.text}`))
    }
    const timer = setTimeout(() => fail('was not ready in time'), READY_MS)
    const isSettled = (name) => new RegExp(`^${name}: (?:ready|degraded|failed)`, 'm').test(printed.text)
    const hear = (chunk) => {
      printed.text += chunk
      const address = /Open at (http:\/\/\S+:\d+\/mcp)/.exec(printed.text)?.[1]
      if (address === undefined || !servers.every(isSettled)) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`ended with ${code}`)
    })
  })
}

function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill(signal)
  })
}
