import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The user's own settings folder. */
export function configHome(env: NodeJS.ProcessEnv = process.env): string {
  const given = env['XDG_CONFIG_HOME']
  return join(given && isAbsolute(given) ? given : join(homedir(), '.config'), 'toolcrib')
}
