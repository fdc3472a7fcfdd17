import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { isLoopbackName } from '../../../platform/http-client/is-loopback.js'
import type { DraftReach } from '../../../catalog/tool-draft.js'
import type { McpServerSettings } from '../server-settings.js'

/** Which machine a server's arguments speak of. A program runs on this one, and so does what this machine's own address answers for. */
export function serverReach({ command, args = [], cwd, url, type }: McpServerSettings): DraftReach {
  const isProgram = type === 'stdio' || (type === undefined && command !== undefined)
  if (!isProgram) return { runs: url !== undefined && isRemote(url) ? 'elsewhere' : 'here' }
  const start = resolve(cwd ?? '.')
  // Servers of files are told their folders as arguments, and look for relative names in them.
  const told = args.flatMap((each) => [each, each.slice(each.indexOf('=') + 1)])
  const folders = told
    .filter((each) => isAbsolute(each) || each.startsWith('.'))
    .map((each) => resolve(start, each))
  return { runs: 'here', folders: [...new Set([start, ...folders.filter(isFolder)])] }
}

function isRemote(url: string): boolean {
  return URL.canParse(url) && !isLoopbackName(new URL(url).hostname)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}
