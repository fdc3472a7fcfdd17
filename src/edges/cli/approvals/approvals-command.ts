import type { CribSettings } from '../../../host/crib-settings.js'
import type { GivenOptions } from '../program/command.js'
import { shellWord } from '../../../platform/text/own-command.js'
import { configOption } from '../program/config-option.js'

/** The command that lists what waits, from whatever folder it is run: each config has a record of its own. */
export function approvalsCommand(
  settings: Pick<CribSettings, 'configPath'>,
  { store }: GivenOptions,
): string {
  return `toolcrib approvals${configOption(settings)}${store === undefined ? '' : ` --store ${shellWord(store)}`}`
}
