import { checkOptions, type OptionKind } from '../validation/check-options.js'
import { inheritedEnvironment } from './inherited-environment.js'
import { runCommand, type CommandEnd } from './run-command.js'

export interface ProcessOptions {
  /** The signal of the execute context: when the call is canceled or out of time, the process and all it started end. */
  signal: AbortSignal
  cwd?: string
  /** Added to PATH, HOME, LANG, TERM and TMPDIR; nothing else is inherited. */
  env?: Readonly<Record<string, string>>
  stdin?: string
  /** Of each of stdout and stderr. A process that writes more is ended. */
  maxOutputBytes?: number
}

/** How a process ended by itself. */
export interface ProcessOutput {
  exit_code: number
  stdout: string
  stderr: string
}

const OPTIONS = {
  signal: 'object',
  cwd: 'text',
  env: 'object',
  stdin: 'text',
  maxOutputBytes: 'positive',
} as const satisfies Record<keyof ProcessOptions, OptionKind>

const MAX_OUTPUT_BYTES = 10_000_000

/**
 * Runs a program until it ends, whatever its exit code, for tools. When it resolves or rejects, no process of the group
 * is left. It rejects where there is no exit code, and with the signal's own reason where it was aborted, by which the
 * call knows that its cancellation took effect.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessOutput> {
  checkOptions('runProcess', options, OPTIONS)
  const { signal, cwd = process.cwd(), env, stdin = '', maxOutputBytes = MAX_OUTPUT_BYTES } = options
  if (!(signal instanceof AbortSignal))
    throw new TypeError('runProcess needs a "signal"; pass the one of the execute context.')
  const end = await runCommand({
    command,
    args,
    cwd,
    env: { ...inheritedEnvironment(), ...env },
    stdin,
    signal,
    maxOutputBytes,
  })
  if (end.kind === 'aborted') throw signal.reason
  if (end.kind !== 'exited') throw new Error(explain(end, { command, cwd, maxOutputBytes }))
  return { exit_code: end.code, stdout: end.stdout.toString('utf8'), stderr: end.stderr.toString('utf8') }
}

function explain(
  end: Exclude<CommandEnd, { kind: 'exited' | 'aborted' }>,
  { command, cwd, maxOutputBytes }: { command: string; cwd: string; maxOutputBytes: number },
): string {
  switch (end.kind) {
    case 'signaled':
      return `${command} was ended by ${end.signal}.`
    case 'flooded':
      return `${command} wrote more than ${maxOutputBytes} bytes and was ended.`
    case 'unstartable':
      // Node reports a missing program and a missing folder in the same way.
      return end.code === 'ENOENT'
        ? `${command} cannot be started: there is no such program, or no folder ${cwd}.`
        : `${command} cannot be started (${end.code}).`
  }
}
