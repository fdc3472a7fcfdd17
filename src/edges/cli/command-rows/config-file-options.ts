import type { OptionRow } from '../program/command.js'

/** Options of commands that change the entries of a config file. */
export const configFileOptions: readonly OptionRow[] = [
  { flags: '--user', description: 'change the config in your settings folder' },
  { flags: '--yes', description: 'change the file without asking' },
]
