import type { McpServerSettings } from '../server-settings.js'

/** Whether a login is how one comes in: programs need none, and who has a header of their own has come in already. */
export function takesLogin({ url, headers = {} }: Pick<McpServerSettings, 'url' | 'headers'>): boolean {
  return url !== undefined && !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}
