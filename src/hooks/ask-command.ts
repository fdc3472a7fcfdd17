import { inheritedEnvironment } from '../platform/processes/inherited-environment.js'
import { runCommand, type CommandEnd } from '../platform/processes/run-command.js'
import type { CommandHookOptions } from './command-hook-options.js'
import type { HookAnswer, HookCall } from './hook.js'
import { toProtocolInput } from './protocol-input.js'
import { blockedAt, fromProtocolOutput } from './protocol-output.js'
import { resolveVariables } from './resolve-variables.js'

const MAX_OUTPUT_BYTES = 1_000_000
/** The exit code that blocks; its stderr is the reason. */
const BLOCKS = 2

/** Runs the program of a hook. A failure is thrown as the rest of a sentence. */
export async function askCommand(hook: CommandHookOptions, call: HookCall): Promise<HookAnswer> {
  const { texts, secrets } = resolveVariables(hook.env ?? {}, process.env)
  secrets.forEach(call.hide)
  const cwd = hook.cwd ?? call.workspace
  const end = await runCommand({
    ...(hook.shell
      ? { command: 'sh', args: ['-c', hook.command] }
      : { command: hook.command, args: hook.args ?? [] }),
    cwd,
    env: { ...inheritedEnvironment(), ...texts, TOOLCRIB_INVOCATION: call.invocationId },
    stdin: toProtocolInput(call),
    signal: call.signal,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  })
  if (end.kind !== 'exited') throw new Error(explain(end, hook, cwd))
  call.report({ exit_code: end.code })
  const stderr = end.stderr.toString('utf8').trim()
  if (end.code === BLOCKS) return blockedAt(hook.event, stderr || undefined)
  if (end.code !== 0) throw new Error(`it ended with exit code ${end.code}${stderr && `: ${stderr}`}`)
  const { answer, ignored } = fromProtocolOutput(end.stdout, hook.event)
  if (ignored.length > 0) call.report({ ignored })
  return answer
}

function explain(
  end: Exclude<CommandEnd, { kind: 'exited' }>,
  hook: CommandHookOptions,
  cwd: string,
): string {
  switch (end.kind) {
    case 'signaled':
      return `it was ended by ${end.signal}`
    case 'flooded':
      return `it printed more than ${MAX_OUTPUT_BYTES} bytes`
    case 'aborted':
      return 'it was stopped before it had answered'
    case 'unstartable':
      // Node reports a missing program and a missing folder with the same error.
      return end.code === 'ENOENT'
        ? `it cannot be started: there is no program "${hook.command}", or no folder ${cwd}`
        : `it cannot be started (${end.code})`
  }
}
