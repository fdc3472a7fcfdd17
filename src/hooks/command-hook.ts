import { toJson } from '../platform/json/to-json.js'
import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'
import { checkHook } from './check-hook.js'
import type { HookDefinition } from './hook.js'
import type { CommandHookOptions } from './command-hook-options.js'

const COMMAND_OPTIONS = {
  command: 'text',
  args: 'texts',
  shell: 'boolean',
  env: 'object',
  cwd: 'text',
} as const satisfies Partial<Record<keyof CommandHookOptions, OptionKind>>

/** A hook that is a separate program: the call as JSON on stdin, the answer as JSON on stdout. */
export function commandHook({ command, args, shell, env, cwd, ...hook }: CommandHookOptions): HookDefinition {
  const own = { command, args, shell, env, cwd }
  checkOptions(`The command hook "${hook.id}"`, own, COMMAND_OPTIONS)
  if (!command) throw new TypeError(`The command hook "${hook.id}" needs a "command": the program to run.`)
  if (shell && args)
    throw new TypeError(
      `The command hook "${hook.id}" has "args", which a shell does not take; leave out one.`,
    )
  if (Object.values(env ?? {}).some((value) => typeof value !== 'string'))
    throw new TypeError(`The command hook "${hook.id}" has an "env" with a value that is no text; quote it.`)
  const definition: HookDefinition = {
    ...hook,
    transport: 'command',
    // Variables may hold secrets: only their names are recorded.
    asks: toJson({ command, args, shell, cwd, env: env && Object.keys(env) }) as Record<string, unknown>,
    run: async (call) => {
      // Loaded on first use: most cribs have no such hook.
      const { askCommand } = await import('./ask-command.js')
      return askCommand({ ...hook, ...own, command }, call)
    },
  }
  checkHook(definition)
  return definition
}
