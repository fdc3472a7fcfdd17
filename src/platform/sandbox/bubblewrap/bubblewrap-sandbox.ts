import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../processes/find-program.js'
import { createCgroup } from '../cgroup.js'
import { limitArguments } from '../limit-arguments.js'
import { createPlaceholders, removePlaceholders } from '../placeholders.js'
import { PROXY_VARIABLES, withRelay } from '../relay.js'
import type {
  Sandbox,
  SandboxLimits,
  SandboxedCommand,
  SandboxedProgram,
  SandboxProfile,
} from '../sandbox.js'
import { bubblewrapArguments, PROXY_SOCKET, SCRATCH, type BubblewrapVersion } from './bubblewrap-arguments.js'
import { hostSockets, isSocket } from './host-sockets.js'
import { planMounts } from './plan-mounts.js'

/** Joins control groups, then becomes the program: each word stays one argument. */
const JOIN = 'while [ "$1" != -- ]; do echo $$ >"$1" || exit 125; shift; done; shift; exec "$@"'

export interface BubblewrapOptions {
  /** The path of `bwrap`. */
  readonly path: string
  /** As `bwrap --version` prints it: `0.8.0`. */
  readonly version: string
}

/** Sandboxes of Linux: namespaces that bubblewrap sets up. */
export function bubblewrapSandbox({ path, version }: BubblewrapOptions): Sandbox {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const parsed: BubblewrapVersion = [major, minor]
  const prlimit = findProgram('prlimit')

  function prepare(program: SandboxedProgram, profile: SandboxProfile): SandboxedCommand {
    const sockets = hostSockets()
    const mounts = planMounts(profile, sockets)
    const missing = mounts.filter(({ isMissing }) => isMissing)
    createPlaceholders(missing)
    const emptyFolder = mkdtempSync(join(tmpdir(), 'toolcrib-empty-'))
    const limits = profile.limits ?? {}
    const cgroup = needsCgroup(limits) ? createCgroup(limits) : undefined
    // What the group limits for all processes is not limited for each.
    const { processes: _, memoryMb: __, ...each } = limits
    const options = prlimit ? limitArguments(cgroup ? each : limits) : []
    const relayed = profile.network === 'none' ? program : withRelay(program, PROXY_SOCKET)
    const inner = options.length > 0 ? [prlimit!, ...options, '--', relayed.command] : [relayed.command]
    const args = [
      ...bubblewrapArguments(profile, {
        mounts,
        version: parsed,
        emptyFolder,
      }),
      '--',
      ...inner,
      ...relayed.args,
    ]
    const started = cgroup
      ? { command: '/bin/sh', args: ['-c', JOIN, 'sh', ...cgroup.joinFiles, '--', path, ...args] }
      : { command: path, args }
    return {
      ...started,
      // Bubblewrap changes to the folder itself; it may not exist outside.
      cwd: existsSync(profile.cwd) ? profile.cwd : '/',
      env: environmentOf(profile),
      hasLostHost: ({ code, stderr }) => code === 1 && isAboutSocket(stderr, sockets),
      violations: () => cgroup?.violations() ?? [],
      async dispose() {
        rmdirSync(emptyFolder)
        removePlaceholders(missing.map((mount) => mount.path))
        cgroup?.remove()
      },
    }
  }

  return { kind: 'bubblewrap', version, prepare: async (program, profile) => prepare(program, profile) }
}

/**
 * Joining a group takes 10 ms. Memory of all processes together has no other limit, and the number of processes of root
 * has none.
 */
function needsCgroup({ memoryMb, processes }: SandboxLimits): boolean {
  return memoryMb !== undefined || (processes !== undefined && process.getuid?.() === 0)
}

/**
 * A socket that was to be masked has gone: bubblewrap has nothing to mount on, and says so in its only line. A program
 * can write that line too, but cannot remove the socket.
 */
function isAboutSocket(stderr: string, sockets: readonly string[]): boolean {
  const [, path] = /^bwrap: Can't [^\n]*?(\/[^\n]*): [^\n:]+\n?$/.exec(stderr) ?? []
  return path !== undefined && sockets.some((socket) => path.endsWith(socket) && !isSocket(socket))
}

function environmentOf({ env, tmp, network }: SandboxProfile): Record<string, string> {
  return {
    ...env,
    ...(network !== 'none' && PROXY_VARIABLES),
    ...(tmp?.isWritable ? env['TMPDIR'] !== undefined && { TMPDIR: '/tmp' } : { TMPDIR: SCRATCH }),
  }
}
