import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { trustConfig } from '../../test/peers/trust-config.mjs'

const bin = fileURLToPath(new URL('../../bin/toolcrib.js', import.meta.url))
const servers = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol', import.meta.url))
const slow = fileURLToPath(new URL('slow-server.mjs', import.meta.url))
const OPEN_MS = 60_000
const COMMAND_MS = 120_000
const LARGE_BYTES = 100 * 1024
const REVIEWER = 'ann'

/**
 * A throwaway folder with a home, files to read, and a trusted config of Toolcrib in front of several servers.
 * Nothing is remembered in a new workspace: neither lists of tools nor answers.
 */
export function createWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-clients-'))
  const home = join(folder, 'home')
  const files = join(folder, 'files')
  for (const made of [home, files, join(folder, 'settings')]) mkdirSync(made)
  const small = join(files, 'small.txt')
  const large = join(files, 'large.txt')
  writeFileSync(small, 'A small file.\n')
  writeFileSync(large, largeText())
  const mcpServers = serversOf({ folder, files })
  const config = join(folder, 'toolcrib.json')
  // A script answers as a reviewer with a secret: without one, only a person at a terminal can.
  const secret = randomBytes(16).toString('hex')
  const token_sha256 = createHash('sha256').update(secret).digest('hex')
  const approvals = { reviewers: [{ name: REVIEWER, token_sha256 }] }
  writeFileSync(config, JSON.stringify({ mcpServers, approvals, serve: { port: 0 } }, undefined, 2))
  // Nothing of the machine's own settings or keys enters.
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    TOOLCRIB_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'settings'),
    TOOLCRIB_POLICY: join(folder, 'no-policy.yaml'),
  }
  trustConfig(config, env)
  return {
    folder,
    home,
    files,
    small,
    large,
    env,
    mcpServers,
    stdio: {
      command: process.execPath,
      args: [bin, 'serve', '--stdio', '--config', config],
      env,
      cwd: folder,
    },
    serve: () => serve({ config, env, folder }),
    run: (args) => runToolcrib(['--config', config, ...args], { env, folder }),
    approve: (id) =>
      runToolcrib(['--config', config, 'approvals', 'approve', id, '--as', REVIEWER], {
        env: { ...env, TOOLCRIB_REVIEWER_TOKEN: secret },
        folder,
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function serversOf({ folder, files }) {
  const program = (name) => join(servers, name, 'dist/index.js')
  const node = (...args) => ({ command: process.execPath, args })
  return {
    everything: node(program('server-everything')),
    files: node(program('server-filesystem'), files),
    memory: { ...node(program('server-memory')), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
    thinking: node(program('server-sequential-thinking')),
    slow: node(slow),
  }
}

/** Numbered lines, so that a part that is missing or doubled is seen. */
function largeText() {
  let text = ''
  for (let line = 1; text.length < LARGE_BYTES; line += 1)
    text += `${String(line).padStart(6, '0')} The quick brown fox jumps over the lazy dog.\n`
  return text
}

/** `toolcrib serve` over HTTP. Resolves as soon as it listens: its servers may still be starting. */
function serve({ config, env, folder }) {
  const child = spawn(process.execPath, [bin, 'serve', '--json', '--config', config], { cwd: folder, env })
  let printed = ''
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`toolcrib serve ${why}: ${printed}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('did not listen in time')
    }, OPEN_MS)
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`ended with ${code}`)
    })
    child.stderr.on('data', (chunk) => (printed += chunk))
    child.stdout.on('data', (chunk) => {
      printed += chunk
      const opened = printed
        .split('\n')
        .slice(0, -1)
        .map(parseLine)
        .find((line) => line?.url !== undefined)
      if (opened === undefined) return
      clearTimeout(timer)
      const headers = { Authorization: `Bearer ${opened.token}` }
      resolve({ http: { url: opened.url, token: opened.token, headers }, stop: () => stop(child) })
    })
  })
}

function parseLine(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGTERM')
  })
}

/** A command of `toolcrib`, as a person types it in another terminal. */
function runToolcrib(args, { env, folder }) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [bin, ...args],
      { env, cwd: folder, timeout: COMMAND_MS },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : (error.code ?? 1), stdout, stderr }),
    )
  })
}
