import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configFileNames } from '../config/find-config.js'
import { configHome } from '../config/config-home.js'

/** The config of the user's own settings folder, which applies where no parent folder has one. */
export function findOwnConfig(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return configFileNames.map((name) => join(configHome(env), name)).find((path) => existsSync(path))
}

/** Whether a file is in the user's own settings folder, which also contains the trust list. */
export function isOwnConfig(path: string, env: NodeJS.ProcessEnv = process.env): boolean {
  return dirname(path) === configHome(env)
}
