import { dirname, resolve } from 'node:path'
import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import type { ConfigPath } from '../../platform/config/check-config.js'
import { commandHook } from '../../hooks/command-hook.js'
import type { HookDefinition } from '../../hooks/hook.js'
import { httpHook } from '../../hooks/http-hook.js'

export type HookEntry = NonNullable<CribConfig['hooks']>[number]

export interface HookFinding {
  path: ConfigPath
  message: string
}

/** The hooks that a config names, and the problems of hooks that cannot be made. */
export function loadHooks(
  entries: readonly HookEntry[],
  configPath: string,
): { hooks: HookDefinition[]; findings: HookFinding[] } {
  const hooks: HookDefinition[] = []
  const findings: HookFinding[] = []
  for (const [index, entry] of entries.entries()) {
    const first = entries.findIndex(({ id }) => id === entry.id)
    if (first < index)
      findings.push({
        path: ['hooks', index, 'id'],
        message: `the hook "${entry.id}" is already there; give each hook an id of its own`,
      })
    try {
      hooks.push(toHook(entry, dirname(configPath)))
    } catch (error) {
      // The message is a sentence; here it follows the name of a file.
      const sentence = (error as Error).message.replace(/\.$/, '')
      findings.push({
        path: ['hooks', index],
        message: `${sentence[0]!.toLowerCase()}${sentence.slice(1)}`,
      })
    }
  }
  return { hooks, findings }
}

function toHook(entry: HookEntry, folder: string): HookDefinition {
  const { command, args, env, url, headers, authoritative, ...rest } = entry
  const hook = { ...rest, ...(authoritative !== undefined && { isAuthoritative: authoritative }) }
  if ((command === undefined) === (url === undefined))
    throw new TypeError(`The hook "${entry.id}" needs either a "command" or a "url".`)
  if (url !== undefined) {
    const stray = args ? 'args' : env ? 'env' : undefined
    if (stray) throw new TypeError(`The hook "${entry.id}" has "${stray}", which only a "command" takes.`)
    return httpHook({ ...hook, url, ...(headers && { headers }) })
  }
  if (headers) throw new TypeError(`The hook "${entry.id}" has "headers", which only a "url" takes.`)
  return commandHook({
    ...hook,
    ...(args
      ? { command: fromFolder(command!, folder), args: args.map((each) => fromFolder(each, folder)) }
      : { command: command!, shell: true }),
    env: { CLAUDE_PROJECT_DIR: folder, ...env, TOOLCRIB_PROJECT: folder },
  })
}

/** Paths that begin with ./ or ../ start at the folder of the config, as all paths of a config do. */
function fromFolder(word: string, folder: string): string {
  return /^\.{1,2}[/\\]/.test(word) ? resolve(folder, word) : word
}
