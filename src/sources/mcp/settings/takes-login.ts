import type { McpServerSettings } from '../server-settings.js'

/**
 * Whether the server uses a login: programs need none, and neither does a server with a configured authorization
 * header.
 */
export function takesLogin({ url, headers = {} }: Pick<McpServerSettings, 'url' | 'headers'>): boolean {
  return url !== undefined && !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
