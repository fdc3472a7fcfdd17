import { shellWord } from '../platform/text/own-command.js'
import type { CribSettings } from './crib-settings.js'

/** The command-line option that names this config: with it, a command works in any folder. */
export function configOption({ configPath }: Pick<CribSettings, 'configPath'>): string {
  return configPath === undefined ? '' : ` --config ${shellWord(configPath)}`
}
