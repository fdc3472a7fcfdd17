import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isOwnSetting, isWithin, keyPaths, obeyedPaths } from '../../../policy/protected-paths.js'
import type { SandboxProfile } from '../../../platform/sandbox/sandbox.js'
import type { ShellReading } from '../../../shell/shell-reading.js'
import type { ShellSettings } from './shell-settings.js'

/** The profile of commands that were proven to only read: they can do nothing else. */
export const READ_ONLY = 'read_only_shell_sandbox'
/** The profile of other commands. */
export const WORKSPACE = 'workspace_shell_sandbox'

export interface ProfileOptions {
  readonly name: typeof READ_ONLY | typeof WORKSPACE
  readonly reading: Pick<ShellReading, 'reads' | 'writes'>
  /** The folder that commands see as `/tmp`; undefined where other commands run without a sandbox and see the real one. */
  readonly tmpFolder: string | undefined
  readonly proxySocket: string | undefined
  readonly keepsTerminal?: boolean
}

/**
 * What a command may do. Keys of the user are hidden, and files that other programs obey are read-only, except those that
 * the command names: the permission was decided with them in view. Toolcrib's own files have no such exception.
 */
export function profileFor(settings: ShellSettings, options: ProfileOptions): SandboxProfile {
  const { cwd, writable, env, limits, protectedPaths } = settings
  const { name, reading, tmpFolder, proxySocket, keepsTerminal } = options
  const isReadOnly = name === READ_ONLY
  const { own, secret = [], home } = protectedPaths
  // Hidden as a whole: files that appear in it while the command runs are records too. It may not exist yet.
  const records = writable.map((folder) => join(folder, '.toolcrib'))
  // A folder above a key, such as "/", does not name it: nobody who decided about `ls /` had keys in view.
  const isKeyNamed = (path: string): boolean =>
    [...reading.reads, ...reading.writes].some((each) => isWithin(each, path))
  // Nor does the writable folder name what is in it; `.git` names its hooks.
  const isObeyedNamed = (path: string): boolean =>
    reading.writes.some(
      (each) =>
        isWithin(each, path) || (isWithin(path, each) && !writable.some((folder) => isWithin(folder, each))),
    )
  const keys = home === undefined ? [] : keyPaths(home)
  const obeyed = writable.flatMap(obeyedPaths).filter((path) => existsSync(path))
  return {
    name,
    cwd,
    writable: isReadOnly ? [] : writable,
    readOnly: isReadOnly
      ? writable
      : [...own.filter(isOwnSetting), ...obeyed.filter((path) => !isObeyedNamed(path))],
    hidden: [
      ...own.filter((path) => !isOwnSetting(path)),
      ...records,
      ...secret,
      ...keys.filter((path) => !isKeyNamed(path)),
    ],
    tmp: tmpFolder === undefined ? undefined : { folder: tmpFolder, isWritable: !isReadOnly },
    network: proxySocket === undefined ? 'none' : { proxySocket },
    env,
    limits,
    keepsTerminal,
  }
}
