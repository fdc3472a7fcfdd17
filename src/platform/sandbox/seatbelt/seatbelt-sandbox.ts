import { release } from 'node:os'
import { followLinks } from '../../files/follow-links.js'
import type { Sandbox, SandboxProfile } from '../sandbox.js'

/**
 * Sandboxes of macOS: a profile for `sandbox-exec`. Processes of other users cannot be signaled, and there is no network:
 * the loopback of a sandbox is the one of the machine, so no proxy can be reached either. Limits do not apply.
 */
export function seatbeltSandbox({ path }: { readonly path: string }): Sandbox {
  return {
    kind: 'seatbelt',
    version: release(),
    async prepare(program, profile) {
      return {
        command: path,
        args: ['-p', seatbeltProfile(profile), program.command, ...program.args],
        cwd: profile.cwd,
        env: profile.env,
        hasLostHost: () => false,
        violations: () => [],
        async dispose() {},
      }
    },
  }
}

/** The last rule that matches counts. A rule for a path also covers what does not exist yet. */
export function seatbeltProfile({ writable, readOnly, hidden, tmp }: SandboxProfile): string {
  const folders = [...writable, ...(tmp?.isWritable ? [tmp.folder] : [])]
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork sysctl-read mach-lookup ipc-posix-shm)',
    '(allow signal process-info* (target same-sandbox))',
    '(allow file-read* file-ioctl)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/tty") (regex #"^/dev/(ttys|fd/)[0-9]+$"))',
    ...folders.map((path) => `(allow file-write* ${subpath(path)})`),
    ...readOnly.map((path) => `(deny file-write* ${subpath(path)})`),
    ...hidden.map((path) => `(deny file-read* file-write* ${subpath(path)})`),
    // Also to Unix sockets of this machine.
    '(deny network*)',
  ].join('\n')
}

function subpath(path: string): string {
  return `(subpath ${JSON.stringify(followLinks(path))})`
}
