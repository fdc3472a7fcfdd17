import { shellWord } from '../../../platform/text/own-command.js'
import type { CribSettings } from '../../../host/crib-settings.js'

/** The option that names this config, from whatever folder a command is run. */
export function configOption({ configPath }: Pick<CribSettings, 'configPath'>): string {
  return configPath === undefined ? '' : ` --config ${shellWord(configPath)}`
}
