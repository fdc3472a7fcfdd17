import type { ShellContext } from '../../src/shell/shell-reading.js'

/** A folder in which nothing can be said against any command: its repository is clean and a person trusts it. */
export const cleanPlace: ShellContext = {
  cwd: '/work/project',
  home: '/home/user',
  folders: { gitProblem: () => undefined, isTrusted: () => true },
}
