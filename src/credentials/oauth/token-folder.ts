import { join } from 'node:path'
import { configHome } from '../../platform/config/config-home.js'

/** Where the tokens of logins are stored, in the settings folder of the user. */
export function tokenFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(configHome(env), 'tokens')
}
