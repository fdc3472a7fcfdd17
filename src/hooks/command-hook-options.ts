import type { HookDefinition } from './hook.js'

export interface CommandHookOptions extends Omit<HookDefinition, 'run' | 'transport' | 'asks'> {
  command: string
  args?: readonly string[]
  /** Passes `command` to `sh -c` as one line. */
  shell?: boolean
  /** Added to the few variables that a command gets. `${NAME}` is replaced by a variable of this process. */
  env?: Readonly<Record<string, string>>
  /** By default, the workspace of the call. */
  cwd?: string
}
