import { constants } from 'node:os'
import { createDraft } from '../../../catalog/create-draft.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import { toolOutput } from '../../../catalog/tool-output.js'
import { runCommand, type CommandEnd } from '../../../platform/processes/run-command.js'
import type { SandboxViolation } from '../../../platform/sandbox/sandbox.js'
import { collectOutput, type OutputCollector } from './command-output.js'
import {
  execDeclaration,
  execInput,
  execOutput,
  timeoutFor,
  type ExecInput,
  type ExecOutput,
} from './exec-contract.js'
import { createViolationFinder, suspectsOf, type ViolationFinder } from './find-violations.js'
import type { ProofDoubts } from './proof-doubts.js'
import { failure, prepareProgram, type PreparedProgram, type ShellFolders } from './run-shell-command.js'
import { READ_ONLY } from './shell-profiles.js'
import type { ShellSettings } from './shell-settings.js'

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024
const PROGRESS_EVERY_MS = 500
/** Bash runs a start-up file of the user where it believes that it was started over a network. */
const WITHOUT_START_UP = { bash: ['--norc'], sh: [] } as const

export interface ShellParts {
  readonly settings: ShellSettings
  readonly folders: ShellFolders
  readonly doubts: ProofDoubts
}

/** Runs a command in a shell. */
export function execTool(parts: ShellParts): ToolDraft {
  const { settings, doubts } = parts
  const { cwd, shell, policy, environmentPolicy } = settings
  return createDraft({
    ...execDeclaration(settings),
    annotations: {
      shell,
      cwd,
      sandbox_policy: policy,
      environment_policy: { inherited: [...environmentPolicy.inherited], set: [...environmentPolicy.set] },
    },
    input: {
      ...execInput,
      commandField: { field: 'command', shell, folder: cwd, doubts },
    },
    output: execOutput,
    reach: { runs: 'here', folders: [cwd] },
    validateValues: (input: ExecInput) => whyInvalid(input, policy),
    execute: (input: ExecInput, context) => runExec(parts, input, context),
  })
}

function whyInvalid(input: ExecInput, policy: ShellSettings['policy']) {
  if (input.command.includes('\0')) return 'A command cannot contain a NUL character.'
  if (input.simulated_edit_ref !== undefined) return 'This tool runs commands and simulates no edits.'
  if (input.sandbox_override_ref !== undefined && policy === 'required')
    return {
      errorClass: 'sandbox_violation' as const,
      message: 'Commands must run in the sandbox; the config requires it.',
    }
  return undefined
}

/** Nothing has run in a sandbox that could not be set up: it is set up again. */
const MAX_TRIES = 3

async function runExec(parts: ShellParts, input: ExecInput, context: ExecuteContext): Promise<unknown> {
  for (let tried = 1; ; tried++) {
    const output = await tryExec(parts, input, { context, tried })
    if (output !== 'again') return output
  }
}

async function tryExec(
  parts: ShellParts,
  input: ExecInput,
  { context, tried }: { context: ExecuteContext; tried: number },
): Promise<unknown> {
  const { settings, folders } = parts
  const timeoutMs = timeoutFor(input, settings.timeoutMs)
  const prepared = await prepareProgram(
    settings,
    folders,
    {
      text: input.command,
      // The command is one argument of the shell, as it was written.
      program: (shell) => ({ command: shell, args: [...WITHOUT_START_UP[shell], '-c', input.command] }),
      isOverridden: input.sandbox_override_ref !== undefined,
      timeoutMs,
    },
    context,
  )
  const output = collectOutput()
  const finder = createViolationFinder()
  try {
    if (tried === 1) context.recordEnvironment(prepared.environment)
    const end = await run(prepared, { context, output, finder, timeoutMs })
    const isLost =
      end.kind === 'exited' && prepared.hasLostHost({ code: end.code, stderr: output.stderrTail() })
    if (isLost && tried < MAX_TRIES) return 'again'
    const violations = await noteViolations(parts, prepared, { context, end, finder })
    return toOutput(end, { output, prepared, violations, context })
  } catch (error) {
    output.discard()
    throw error
  } finally {
    await prepared.dispose()
  }
}

interface Running {
  readonly context: ExecuteContext
  readonly output: OutputCollector
  readonly finder: ViolationFinder
  readonly timeoutMs: number
}

async function run(
  { program, profile }: PreparedProgram,
  { context, output, finder, timeoutMs }: Running,
): Promise<CommandEnd> {
  let pid: number | undefined
  const report = (more: { exit_code?: number } = {}): void =>
    context.progress({
      ...output.counts(),
      timeout_ms: timeoutMs,
      ...(pid !== undefined && { pid }),
      ...(context.inBackground && { task_id: context.invocationId }),
      ...more,
    })
  const timer = setInterval(report, PROGRESS_EVERY_MS)
  try {
    const end = await runCommand({
      ...program,
      stdin: '',
      signal: context.signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      // A sandbox has processes of its own, which end with it.
      ...(profile === undefined && { mark: ['TOOLCRIB_INVOCATION', context.invocationId] as const }),
      onStart(started) {
        pid = started
        report()
      },
      onOutput(name, chunk) {
        output.add(name, chunk)
        if (name === 'stderr') finder.add(chunk)
      },
    })
    report(end.kind === 'exited' ? { exit_code: end.code } : {})
    return end
  } finally {
    clearInterval(timer)
  }
}

/** Records what was prevented. A program that did more than read although it was proven is not trusted again. */
async function noteViolations(
  { doubts }: ShellParts,
  { profile, reading, violations: refused }: PreparedProgram,
  { context, end, finder }: { context: ExecuteContext; end: CommandEnd; finder: ViolationFinder },
): Promise<SandboxViolation[]> {
  if (profile === undefined) return []
  const violations = [
    ...refused(),
    ...finder.found(),
    ...(end.kind === 'flooded'
      ? [{ kind: 'limit' as const, message: `It wrote more than ${MAX_OUTPUT_BYTES} bytes.` }]
      : []),
  ]
  for (const violation of violations) context.recordViolation(violation)
  const broken = violations.filter(({ kind }) => kind === 'write' || kind === 'network')
  if (profile === READ_ONLY && context.facts.is_read_only && broken.length > 0) {
    const about = {
      message: broken[0]!.message,
      invocation_id: context.invocationId,
      seen_at: new Date().toISOString(),
    }
    await doubts.add(suspectsOf(reading.commands, broken).map((program) => ({ program, ...about })))
  }
  return violations
}

interface Ended {
  readonly output: OutputCollector
  readonly prepared: PreparedProgram
  readonly violations: readonly SandboxViolation[]
  readonly context: ExecuteContext
}

function toOutput(end: CommandEnd, { output, prepared, violations, context }: Ended): unknown {
  switch (end.kind) {
    case 'aborted':
      throw context.signal.reason
    case 'unstartable':
      throw failure(
        'execution_failed',
        `The command cannot be started (${end.code}); is there a folder ${prepared.program.cwd}?`,
      )
    case 'flooded':
      throw Object.assign(
        new Error(
          `The command wrote more than ${MAX_OUTPUT_BYTES} bytes and was ended. The last it wrote:\n${output.tail(1000)}`,
        ),
        { errorClass: 'execution_failed' },
      )
    case 'exited':
    case 'signaled': {
      const { stdout, stderr, whole } = output.finish()
      const signal = end.kind === 'signaled' ? end.signal : undefined
      const exit_code = end.kind === 'exited' ? end.code : exitCodeOf(end.signal)
      const ref = `toolcrib://invocations/${context.invocationId}/output`
      return toolOutput({
        structured: {
          exit_code,
          stdout,
          stderr,
          ...(signal !== undefined && { signal }),
          ...(violations.length > 0 && { violations }),
        } satisfies ExecOutput,
        // People see the output as the command wrote it.
        ...(!whole && stdout + stderr !== '' && { content: [{ type: 'text', text: stdout + stderr }] }),
        ...(whole && { stream: whole, mediaType: 'text/plain', name: 'output.txt' }),
        native: {
          ...prepared.environment.mapping,
          exit_code,
          signal: signal ?? null,
          stdout_ref: ref,
          stderr_ref: ref,
        },
      })
    }
  }
}

/** The code that a shell gives for a program that a signal ended. */
function exitCodeOf(signal: string): number {
  return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
}
