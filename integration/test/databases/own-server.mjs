// Starts a database server for a test: in a temporary folder, on a free port, as a user who is not root.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Database servers refuse to run as root. */
export function unprivileged() {
  if (process.getuid() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'nobody']).stdout))
  return { uid, gid }
}

export async function freePort() {
  const server = createServer()
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address()
  await new Promise((closed) => server.close(closed))
  return port
}

/** A folder that belongs to the user of the server. */
export function serverFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `toolcrib-${name}-`))
  const { uid, gid } = unprivileged()
  if (uid !== undefined) chownSync(folder, uid, gid)
  chmodSync(folder, 0o700)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { ...unprivileged(), encoding: 'utf8', cwd: '/', ...options })
  if (done.status === 0) return done.stdout
  throw new Error(`${command} failed: ${done.error?.message ?? done.stderr.slice(-2000)}`)
}

/** Resolves once `isReady` does not fail any more; `stop` ends the server with a signal and waits for it. */
export async function startServer(command, args, { isReady, stopWith = 'SIGTERM' }) {
  const server = spawn(command, args, {
    ...unprivileged(),
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  server.stderr.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-4000)))
  const ended = new Promise((resolve) => server.once('close', resolve))
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  const onExit = () => server.kill('SIGKILL')
  process.once('exit', onExit)
  // The runner ends a file that takes too long.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1))
  for (
    const end = Date.now() + 60_000;
    !(await isReady().then(
      () => true,
      () => false,
    ));
  ) {
    if (hasEnded || Date.now() > end) {
      server.kill('SIGKILL')
      throw new Error(`${command} did not start: ${said}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    async stop() {
      process.removeListener('exit', onExit)
      server.kill(stopWith)
      const timer = setTimeout(() => server.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(timer)
    },
  }
}
