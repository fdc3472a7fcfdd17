// Runs inside the throwaway host: each attempt first without the sandbox, where it must succeed, then with it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { ATTEMPTS } from './escape-attempts.mjs'
import { bubblewrapSandbox } from '/repository/dist/platform/sandbox/bubblewrap/bubblewrap-sandbox.js'
import { openEgressProxy } from '/repository/dist/http-client/egress-proxy.js'
import { runCommand } from '/repository/dist/platform/processes/run-command.js'

const HOME = '/home/user'
const WORKSPACE = join(HOME, 'project')
const version = /\d+\.\d+\.\d+/.exec(spawnSync('bwrap', ['--version']).stdout.toString())[0]
const sandbox = bubblewrapSandbox({ path: '/usr/bin/bwrap', version })

/** Files that must not change, must not be read, and must not appear. */
function layOut() {
  rmSync(WORKSPACE, { recursive: true, force: true })
  rmSync(join(HOME, 'outside'), { recursive: true, force: true })
  rmSync(join(HOME, '.ssh'), { recursive: true, force: true })
  const put = (path, text) => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
  }
  put(join(WORKSPACE, 'a.txt'), 'a\n')
  put(join(WORKSPACE, 'toolcrib.yaml'), 'rules\n')
  put(join(WORKSPACE, 'deep/er/settings.yaml'), 'deep\n')
  put(join(WORKSPACE, '.toolcrib/crib.db'), 'RECORDS\n')
  put(join(WORKSPACE, '.git/config'), 'config\n')
  mkdirSync(join(WORKSPACE, '.git/hooks'))
  put(join(HOME, 'outside/victim'), 'untouched\n')
  put(join(HOME, 'outside/secret'), 'OUTSIDE-SECRET\n')
  put(join(HOME, '.ssh/id_ed25519'), 'PRIVATE-KEY\n')
  mkdirSync(join(HOME, 'outside/folder'))
  symlinkSync(join(HOME, 'outside'), join(WORKSPACE, 'link-out'))
  symlinkSync(join(HOME, 'outside/victim'), join(WORKSPACE, 'link-victim'))
  rmSync('/tmp/leak', { recursive: true, force: true })
  rmSync(join(HOME, '.bashrc'), { force: true })
  rmSync('/run/leak', { recursive: true, force: true })
  rmSync('/dev/shm/leak', { recursive: true, force: true })
}

const hits = []
const listen = async (target) => {
  const server = createServer((socket) => {
    hits.push(String(target))
    socket.on('error', () => {})
    socket.end('host\n')
  })
  if (typeof target === 'object') server.listen(target.port, target.host)
  else server.listen(target)
  await once(server, 'listening')
  return server
}

const profile = (attempt) => ({
  name: 'workspace_shell_sandbox',
  cwd: WORKSPACE,
  writable: attempt.isReadOnly ? [] : [WORKSPACE],
  readOnly: attempt.isReadOnly
    ? [WORKSPACE]
    : [
        'toolcrib.yaml',
        'toolcrib.local.yaml',
        'deep/er/settings.yaml',
        'deep/new/settings.yaml',
        '.git/hooks',
        '.git/config',
        '.claude',
      ].map((name) => join(WORKSPACE, name)),
  hidden: [join(WORKSPACE, '.toolcrib'), join(HOME, '.ssh'), join(HOME, '.aws')],
  tmp: { folder: '/home/user/private-tmp', isWritable: !attempt.isReadOnly },
  network: 'none',
  env: { PATH: process.env.PATH, HOME, TMPDIR: '/tmp', LANG: 'C.UTF-8' },
  limits: { processes: 64, fileSizeMb: 8, cpuSeconds: 2, memoryMb: 2048 },
})

async function runAttempt(attempt, isSandboxed, values) {
  layOut()
  rmSync('/home/user/private-tmp', { recursive: true, force: true })
  mkdirSync('/home/user/private-tmp')
  hits.length = 0
  const script = attempt.script.replaceAll(/@(\w+)@/g, (_, name) => values[name])
  const program = { command: 'bash', args: ['-c', script] }
  let proxy
  let plan = profile(attempt)
  if (attempt.domains) {
    rmSync('/home/user/proxy.sock', { force: true })
    proxy = await openEgressProxy({
      domains: attempt.domains,
      socketPath: '/home/user/proxy.sock',
      resolveName: (name, _, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    plan = { ...plan, network: { proxySocket: proxy.socketPath } }
  }
  const prepared = isSandboxed ? await sandbox.prepare(program, plan) : undefined
  const racing =
    attempt.host && spawn('bash', ['-c', attempt.host], { cwd: WORKSPACE, detached: true, stdio: 'ignore' })
  const started = prepared ?? { ...program, cwd: WORKSPACE, env: { ...process.env } }
  const end = await runCommand({
    ...started,
    stdin: '',
    signal: AbortSignal.timeout(attempt.timeoutMs ?? 10_000),
    maxOutputBytes: 1_000_000,
  })
  const output = end.kind === 'exited' ? end.stdout.toString('utf8') : ''
  const world = {
    output,
    end: end.kind,
    code: end.kind === 'exited' ? end.code : undefined,
    hits: [...hits],
    exists: (path) => existsSync(path),
    read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    stat: (path) => statSync(path, { throwIfNoEntry: false }),
    workspace: WORKSPACE,
    home: HOME,
    isVictimAlive: values.isVictimAlive,
  }
  const succeeded = await attempt.succeeded(world)
  if (racing) {
    try {
      process.kill(-racing.pid, 'SIGKILL')
    } catch {}
  }
  await prepared?.dispose()
  await proxy?.close()
  return succeeded
}

/** Nothing of the sandbox is left on the host. */
function leftovers() {
  return ['toolcrib.local.yaml', 'deep/new', '.claude'].filter((name) => existsSync(join(WORKSPACE, name)))
}

const servers = [
  await listen('/run/docker.sock'),
  await listen('/home/user/agent.sock'),
  await listen('/tmp/ssh-agent.sock'),
  await listen({ host: '127.0.0.1', port: 4100 }),
  await listen('\0abstract-host'),
]
process.chdir('/home/user')
servers.push(await listen('relative.sock'))
process.env.HOST_SECRET = 'ENVIRONMENT-SECRET'
const results = []
for (const attempt of ATTEMPTS) {
  let victim = spawn('sleep', ['600'], { stdio: 'ignore' })
  const values = {
    pid: String(process.pid),
    victim: String(victim.pid),
    isVictimAlive: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return victim.exitCode === null && victim.signalCode === null
    },
  }
  const free = await runAttempt(attempt, false, values)
  if (victim.exitCode !== null || victim.signalCode !== null) {
    victim = spawn('sleep', ['600'], { stdio: 'ignore' })
    values.victim = String(victim.pid)
  }
  const boxed = await runAttempt(attempt, true, values)
  victim.kill('SIGKILL')
  results.push({ name: attempt.name, free, boxed, left: leftovers() })
}
for (const server of servers) server.close()
process.stdout.write(`\nRESULTS ${JSON.stringify(results)}\n`)
process.exit(0)
