import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { isLoopbackName } from '../../../http-client/is-loopback.js'
import type { DraftReach } from '../../../catalog/tool-draft.js'
import type { McpServerSettings } from '../server-settings.js'

/**
 * Which machine a server's arguments refer to, and which hosts it contacts. A program runs on this machine, and so does
 * a server on a loopback address.
 */
export function serverReach({ command, args = [], env = {}, cwd, url, type }: McpServerSettings): DraftReach {
  const isProgram = type === 'stdio' || (type === undefined && command !== undefined)
  if (!isProgram)
    return { runs: url !== undefined && isRemote(url) ? 'elsewhere' : 'here', ...hostsIn([url]) }
  const start = resolve(cwd ?? '.')
  // File servers take their folders as arguments, and resolve relative names against them.
  const given = args.flatMap((each) => [each, each.slice(each.indexOf('=') + 1)])
  const folders = given
    .filter((each) => isAbsolute(each) || each.startsWith('.'))
    .map((each) => resolve(start, each))
  return {
    runs: 'here',
    folders: [...new Set([start, ...folders.filter(isFolder)])],
    // A program with an address in its arguments or variables contacts it: a bridge to another server, or an API
    // client.
    ...hostsIn([...given, ...Object.values(env)]),
  }
}

/** The hosts of those texts that are network addresses. */
function hostsIn(texts: readonly (string | undefined)[]): Pick<DraftReach, 'hosts'> {
  const hosts = texts.flatMap((text) =>
    text !== undefined && /^(?:https?|wss?):\/\//i.test(text) && URL.canParse(text)
      ? [new URL(text).hostname]
      : [],
  )
  return hosts.length === 0 ? {} : { hosts: [...new Set(hosts)] }
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
