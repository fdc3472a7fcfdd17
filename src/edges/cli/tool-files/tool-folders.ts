import { dirname, resolve } from 'node:path'
import type { GivenOptions } from '../program/command.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'

/** The folders that a command is about: the given one, those of the config, or the current one. */
export async function toolFolders(given: string | undefined, options: GivenOptions): Promise<string[]> {
  if (given !== undefined) return [resolve(given)]
  const { configPath, config } = await loadSettingsOrStop(options)
  const entries = Object.values(config.toolFiles ?? {})
  if (configPath === undefined || entries.length === 0) return [process.cwd()]
  return [...new Set(entries.map(({ folder = '.' }) => resolve(dirname(configPath), folder)))]
}
