import type { ShellContext } from '../../src/shell/shell-reading.js'

/** A folder that satisfies every condition: its repository is clean and a person trusts it. */
export const cleanContext: ShellContext = {
  cwd: '/work/project',
  home: '/home/user',
  folders: { gitProblem: () => undefined, isTrusted: () => true },
}
