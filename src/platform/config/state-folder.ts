import { posix, win32 } from 'node:path'

export interface StateFolderOptions {
  configPath?: string | undefined
  env: Readonly<Record<string, string | undefined>>
  platform: string
  home: string
}

/**
 * Where state is stored: beside the config file, or in the user's data folder. Names the folder, does not create it.
 */
export function stateFolder({ configPath, env, platform, home }: StateFolderOptions): string {
  const { dirname, isAbsolute, join } = platform === 'win32' ? win32 : posix
  if (env.TOOLCRIB_HOME) return env.TOOLCRIB_HOME
  if (configPath !== undefined) return join(dirname(configPath), '.toolcrib')
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'toolcrib')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'toolcrib')
  // The XDG specification: a relative path is invalid and to be ignored.
  const xdg = env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : undefined
  return join(xdg ?? join(home, '.local', 'share'), 'toolcrib')
}
