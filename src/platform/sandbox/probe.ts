import { existsSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, type CommandEnd } from '../processes/run-command.js'
import { inheritedEnvironment } from '../processes/inherited-environment.js'
import { findProgram } from '../processes/find-program.js'
import type { Sandbox, SandboxCheck, SandboxedProgram } from './sandbox.js'

const TIMEOUT_MS = 10_000

/** Each attack writes its name where it worked, and `ready` first: without it, nothing was tried. */
const ATTACKS = `
echo ready
: 2>/dev/null >"$1" && echo write_outside
[ -S "$2" ] && echo host_socket
(: <>"/dev/tcp/127.0.0.1/$3") 2>/dev/null && echo tcp_connection
[ "$(readlink /proc/self/ns/pid)" = "$4" ] && echo see_processes
true
`

const HELD: Readonly<Record<SandboxCheck['name'], string>> = {
  write_outside: 'a program cannot write outside its folders',
  host_socket: 'Unix sockets of this machine are masked',
  tcp_connection: 'a program has no network',
  see_processes: 'a program does not see other processes',
}
const BROKEN: Readonly<Record<SandboxCheck['name'], string>> = {
  write_outside: 'a program can write outside its folders',
  host_socket: 'a program reaches Unix sockets of this machine',
  tcp_connection: 'a program reaches the network',
  see_processes: 'a program sees other processes',
}

/** Tries a sandbox with a program that attacks it. The problem is what the sandbox itself says where it cannot start. */
export async function probe(
  sandbox: Sandbox,
): Promise<{ checks: SandboxCheck[]; problem: string | undefined }> {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-probe-'))
  const servers: Server[] = []
  try {
    const outside = join(folder, 'outside')
    const socket = join(folder, 'host.sock')
    servers.push(await listen(socket), await listen())
    const { port } = servers[1]!.address() as { port: number }
    const bash = findProgram('bash')
    if (bash === undefined) return { checks: [], problem: 'bash is not installed' }
    const args = ['-c', ATTACKS, 'probe', outside, socket, String(port), ownNamespace()]
    const end = await attack(sandbox, { command: bash, args })
    const worked = end.kind === 'exited' ? end.stdout.toString('utf8').split('\n') : []
    if (!worked.includes('ready')) return { checks: [], problem: whyNotStarted(end) }
    const names = Object.keys(HELD) as SandboxCheck['name'][]
    const checks = names.map((name): SandboxCheck => {
      const holds = !worked.includes(name) && (name !== 'write_outside' || !existsSync(outside))
      return { name, holds, message: holds ? HELD[name] : BROKEN[name] }
    })
    const broken = checks.filter(({ holds }) => !holds)
    return {
      checks,
      problem: broken.length > 0 ? broken.map(({ message }) => message).join(', ') : undefined,
    }
  } finally {
    for (const server of servers) server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const TRIES = 5

async function attack(sandbox: Sandbox, program: SandboxedProgram): Promise<CommandEnd> {
  for (let tried = 1; ; tried++) {
    const prepared = await sandbox.prepare(program, {
      name: 'probe',
      cwd: '/',
      writable: [],
      readOnly: [],
      hidden: [],
      network: 'none',
      env: inheritedEnvironment(),
    })
    const end = await runCommand({
      ...prepared,
      stdin: '',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      maxOutputBytes: 100_000,
    }).finally(() => prepared.dispose())
    const isLost =
      end.kind === 'exited' && prepared.hasLostHost({ code: end.code, stderr: end.stderr.toString('utf8') })
    if (!isLost || tried === TRIES) return end
  }
}

/** Process ids are numbers of a namespace: a program in another one cannot name a process of this one. */
function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return 'unknown'
  }
}

async function listen(path?: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy())
  if (path === undefined) server.listen(0, '127.0.0.1')
  else server.listen(path)
  await once(server, 'listening')
  server.unref()
  return server
}

function whyNotStarted(end: CommandEnd): string {
  if (end.kind === 'exited')
    return end.stderr.toString('utf8').trim().split('\n').at(-1) || `it ended with exit code ${end.code}`
  return end.kind === 'unstartable' ? `it cannot be started (${end.code})` : 'it did not start in time'
}
