import type { SandboxProfile } from '../sandbox.js'
import type { Mount } from './plan-mounts.js'

/** Where programs that may write nowhere else keep temporary files: a here-document of the shell needs one. */
export const SCRATCH = '/run/toolcrib'
const SCRATCH_BYTES = 256 * 1024 * 1024

/** Programs of some systems are below a folder that is replaced. */
const RUN_FOLDERS_WITH_PROGRAMS = ['/run/current-system', '/run/wrappers']

/** The major and minor number of a version. */
export type BubblewrapVersion = readonly [number, number]

export interface ArgumentOptions {
  readonly mounts: readonly Mount[]
  readonly version: BubblewrapVersion
  /** What a hidden folder shows. Mounting one folder many times is cheaper than as many new file systems. */
  readonly emptyFolder: string
}

/** The arguments of bubblewrap for a profile, up to the program. */
export function bubblewrapArguments(
  { cwd, tmp, network, keepsTerminal }: SandboxProfile,
  { mounts, version, emptyFolder }: ArgumentOptions,
): string[] {
  const has = (minor: number): boolean => version[0] > 0 || version[1] >= minor
  return [
    ...'--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try'.split(
      ' ',
    ),
    ...(has(8) ? ['--disable-userns'] : []),
    ...'--die-with-parent --cap-drop ALL'.split(' '),
    // Without a terminal nothing can be typed into the terminal of the user.
    ...(keepsTerminal ? [] : ['--new-session']),
    ...'--ro-bind / / --dev /dev --proc /proc --tmpfs /run'.split(' '),
    ...RUN_FOLDERS_WITH_PROGRAMS.flatMap((folder) => ['--ro-bind-try', folder, folder]),
    ...(has(7) ? ['--size', String(SCRATCH_BYTES)] : []),
    '--tmpfs',
    SCRATCH,
    ...(tmp ? ['--bind', tmp.folder, '/tmp'] : []),
    ...(network === 'none' ? [] : ['--bind', network.proxySocket, PROXY_SOCKET]),
    ...mounts.flatMap((mount) => argumentsOf(mount, emptyFolder)),
    // Only now: mount points had to be made in it.
    ...(tmp && !tmp.isWritable ? ['--remount-ro', '/tmp'] : []),
    '--remount-ro',
    '/run',
    '--chdir',
    cwd,
  ]
}

/** Where the socket of the proxy is inside. */
export const PROXY_SOCKET = '/run/toolcrib-proxy.sock'

function argumentsOf({ path, kind, isFolder }: Mount, emptyFolder: string): string[] {
  switch (kind) {
    case 'writable':
    case 'anchor':
      return ['--bind', path, path]
    case 'readOnly':
      return ['--ro-bind', path, path]
    case 'hidden':
      // Also where there is nothing to hide yet: the host may put something there while the program runs.
      return ['--ro-bind', isFolder ? emptyFolder : '/dev/null', path]
  }
}
