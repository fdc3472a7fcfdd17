import type { CribSettings } from '../../runtime/load-tools.js'
import type { GivenOptions } from './command.js'

/** The command that lists what waits, from whatever folder it is run: each config has a record of its own. */
export function approvalsCommand(
  { configPath }: Pick<CribSettings, 'configPath'>,
  { store }: GivenOptions,
): string {
  return [
    'toolcrib approvals',
    ...(configPath === undefined ? [] : [`--config ${inShell(configPath)}`]),
    ...(store === undefined ? [] : [`--store ${inShell(store)}`]),
  ].join(' ')
}

function inShell(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
