import type { CribSettings } from '../../runtime/load-tools.js'

/** The option that names this config, from whatever folder a command is run. */
export function configOption({ configPath }: Pick<CribSettings, 'configPath'>): string {
  return configPath === undefined ? '' : ` --config ${inShell(configPath)}`
}

export function inShell(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
