import type { CribSettings } from '../../runtime/load-tools.js'
import type { GivenOptions } from './command.js'
import { shellWord } from '../../foundation/text/own-command.js'
import { configOption } from './config-option.js'

/** The command that lists what waits, from whatever folder it is run: each config has a record of its own. */
export function approvalsCommand(
  settings: Pick<CribSettings, 'configPath'>,
  { store }: GivenOptions,
): string {
  return `toolcrib approvals${configOption(settings)}${store === undefined ? '' : ` --store ${shellWord(store)}`}`
}
