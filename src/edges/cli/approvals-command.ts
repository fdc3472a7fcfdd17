import { shellWord } from '../../foundation/text/own-command.js'
import type { CribSettings } from '../../runtime/load-tools.js'
import type { GivenOptions } from './command.js'

/** The command that lists what waits, from whatever folder it is run: each config has a record of its own. */
export function approvalsCommand(
  { configPath }: Pick<CribSettings, 'configPath'>,
  { store }: GivenOptions,
): string {
  return [
    'toolcrib approvals',
    ...(configPath === undefined ? [] : [`--config ${shellWord(configPath)}`]),
    ...(store === undefined ? [] : [`--store ${shellWord(store)}`]),
  ].join(' ')
}
