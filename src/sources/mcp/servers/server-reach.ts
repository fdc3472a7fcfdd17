import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { isLoopbackName } from '../../../http-client/is-loopback.js'
import type { DraftReach } from '../../../catalog/tool-draft.js'
import type { McpServerSettings } from '../server-settings.js'

/**
 * Which machine a server's arguments speak of, and which hosts it talks to. A program runs on this machine, and so does what this
 * machine's own address answers for.
 */
export function serverReach({ command, args = [], env = {}, cwd, url, type }: McpServerSettings): DraftReach {
  const isProgram = type === 'stdio' || (type === undefined && command !== undefined)
  if (!isProgram)
    return { runs: url !== undefined && isRemote(url) ? 'elsewhere' : 'here', ...hostsIn([url]) }
  const start = resolve(cwd ?? '.')
  // Servers of files are told their folders as arguments, and look for relative names in them.
  const told = args.flatMap((each) => [each, each.slice(each.indexOf('=') + 1)])
  const folders = told
    .filter((each) => isAbsolute(each) || each.startsWith('.'))
    .map((each) => resolve(start, each))
  return {
    runs: 'here',
    folders: [...new Set([start, ...folders.filter(isFolder)])],
    // A program that is told an address talks to it: a bridge to another server, or the client of an API.
    ...hostsIn([...told, ...Object.values(env)]),
  }
}

/** The hosts of texts that are addresses of the network. */
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
