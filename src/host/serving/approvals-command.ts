import { shellWord } from '../../platform/text/own-command.js'
import { configOption } from '../config-option.js'
import type { CribSettings } from '../crib-settings.js'

/** The command that lists the pending approvals of this config, and of this store where one was given. */
export function approvalsCommand(
  settings: Pick<CribSettings, 'configPath'>,
  { store }: { store?: string | undefined },
): string {
  return `toolcrib approvals${configOption(settings)}${store === undefined ? '' : ` --store ${shellWord(store)}`}`
}
