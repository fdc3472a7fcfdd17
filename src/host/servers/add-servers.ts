import { changeServers } from './change-servers.js'

/** Adds servers to a config file; comments and everything else in it stay as they were. */
export function addServers(
  configPath: string,
  servers: Readonly<Record<string, object>>,
  { isPerson }: { isPerson: boolean },
): Promise<void> {
  return changeServers(configPath, { put: servers }, { isPerson })
}
