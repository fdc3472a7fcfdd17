import { spawn, type ChildProcess } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { createDraft } from '../../../catalog/create-draft.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import { beforeExit } from '../../../platform/processes/before-exit.js'
import { findProgram } from '../../../platform/processes/find-program.js'
import { signalGroup } from '../../../platform/processes/signal-group.js'
import { signalMarked } from '../../../platform/processes/signal-marked.js'
import { wasStarted } from '../../../platform/processes/started-processes.js'
import type { ShellParts } from './exec-tool.js'
import { failure, prepareProgram, type PreparedProgram } from './run-shell-command.js'
import { WORKSPACE } from './shell-profiles.js'

interface SessionInput {
  readonly action: 'open' | 'write' | 'read' | 'close'
  readonly terminal_id?: string
  readonly input?: string
  readonly wait_ms?: number
}

/** A program in a terminal of its own. */
interface ShellSession {
  readonly id: string
  /** Only the caller that opened it may use it. */
  readonly owner: string
  readonly child: ChildProcess
  readonly prepared: PreparedProgram
  readonly invocationId: string
  /** What it wrote since the last read. */
  unread: string
  exitCode: number | undefined
  onChange: (() => void) | undefined
}

export interface ShellSessions {
  readonly all: Map<string, ShellSession>
  close(): Promise<void>
}

export function openSessions(): ShellSessions {
  const all = new Map<string, ShellSession>()
  return {
    all,
    async close() {
      await Promise.all([...all.values()].map((session) => endSession(all, session)))
    },
  }
}

/** Numbers, because a random text would be taken for a secret; only its opener may use one. */
let count = 0

const WAIT_MS = 1_000
/** A program that goes on writing is read in parts. */
const QUIET_MS = 100
const MAX_UNREAD_CHARS = 200_000
const MAX_SESSIONS = 16

/** Programs that want a terminal: opened, written to, read and closed. */
export function sessionTool(parts: ShellParts & { readonly sessions: ShellSessions }): ToolDraft {
  const { settings, doubts } = parts
  const { shell, cwd, policy } = settings
  return createDraft({
    toolId: 'tool_shell_session',
    namespace: 'local.shell',
    name: 'shell.session',
    searchHint: 'interactive terminal program, REPL, prompt',
    description:
      'Runs a program in a terminal, for programs that ask questions or draw a screen. "open" starts the command in "input" and returns a terminal id; "write" types "input" (end a line with \\n); "read" returns what was written since the last read; "close" ends the program.',
    kind: 'shell_command',
    externalMappings: [{ source: 'cli', command_id: 'shell.session' }],
    input: {
      modelSchema: {
        type: 'object',
        properties: {
          action: { enum: ['open', 'write', 'read', 'close'] },
          terminal_id: { type: 'string', description: 'From "open"; needed by all other actions.' },
          input: { type: 'string', description: 'The command to start, or the text to type.' },
          wait_ms: {
            type: 'integer',
            minimum: 0,
            maximum: 60_000,
            description: 'How long to wait for output; 1000 by default.',
          },
        },
        required: ['action'],
        additionalProperties: false,
      },
      strict: true,
      // What is typed is judged like a command: in a shell it is one.
      commandField: { field: 'input', shell, folder: cwd, doubts },
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          terminal_id: { type: 'string' },
          output: { type: 'string' },
          is_open: { type: 'boolean' },
          exit_code: { type: 'integer' },
        },
        required: ['terminal_id', 'output', 'is_open'],
      },
      maxInlineChars: 30_000,
    },
    facts: {
      is_read_only: ({ action }: SessionInput) => action === 'read',
      is_destructive: ({ action }: SessionInput) => action === 'open' || action === 'write',
      is_open_world: true,
      is_concurrency_safe: ({ action }: SessionInput) => action === 'read',
    },
    permission: {
      risk_level: 'high',
      access_kinds: ['file_read', 'file_write', 'network', 'code_execution'],
      write_effects: ['local_persistent', 'remote_mutation'],
      approval_required: true,
      sandbox_profile: WORKSPACE,
    },
    permissionMatcher: 'shell_pattern',
    reach: { runs: 'here', folders: [cwd] },
    availability: { setupProblem: whyNoTerminal },
    execution: {
      kind: 'shell',
      timeoutMs: settings.timeoutMs,
      interruptBehavior: 'cancel',
      sandboxProfile: WORKSPACE,
      supports: ['cancel', ...(policy === 'off' ? [] : (['sandboxing'] as const))],
    },
    validateValues: whyInvalid,
    execute: (input: SessionInput, context) => act(parts, input, context),
  })
}

function whyNoTerminal(): string | undefined {
  if (process.platform === 'win32') return 'There are no terminals for programs on Windows.'
  return findProgram('script') === undefined
    ? 'The program "script" is not installed; install the package "util-linux" or "bsdutils".'
    : undefined
}

function whyInvalid({ action, terminal_id: id, input }: SessionInput): string | undefined {
  if (action === 'open') return input === undefined ? 'Say in "input" which command to start.' : undefined
  if (id === undefined) return `"${action}" needs the "terminal_id" that "open" returned.`
  return action === 'write' && input === undefined ? 'Say in "input" what to type.' : undefined
}

type SessionParts = ShellParts & { readonly sessions: ShellSessions }

async function act(parts: SessionParts, input: SessionInput, context: ExecuteContext): Promise<unknown> {
  const { all } = parts.sessions
  const session =
    input.action === 'open'
      ? await openSession(parts, input.input!, context)
      : findSession(all, input, context)
  if (input.action === 'write') session.child.stdin!.write(input.input!)
  if (input.action === 'close') await endSession(all, session)
  else await settle(session, input.wait_ms ?? WAIT_MS, context.signal)
  const output = stripVTControlCharacters(session.unread).replaceAll('\r\n', '\n')
  session.unread = ''
  const { exitCode } = session
  if (exitCode !== undefined) await endSession(all, session)
  return {
    terminal_id: session.id,
    output,
    is_open: exitCode === undefined && input.action !== 'close',
    ...(exitCode !== undefined && { exit_code: exitCode }),
  }
}

async function openSession(
  { settings, folders, sessions: { all } }: SessionParts,
  command: string,
  context: ExecuteContext,
): Promise<ShellSession> {
  if (all.size >= MAX_SESSIONS)
    throw failure('execution_failed', `There are ${MAX_SESSIONS} open sessions; close one first.`)
  const script = findProgram('script')!
  const prepared = await prepareProgram(
    settings,
    folders,
    {
      text: command,
      // The terminal starts the command with the shell in SHELL.
      program: (shell) => ({
        command: findProgram('env') ?? 'env',
        args: [`SHELL=${shell}`, script, ...terminalArguments(shell, command)],
      }),
      isOverridden: false,
      timeoutMs: settings.timeoutMs,
    },
    // What is typed later is not known now.
    { ...contextOf(context), facts: { is_read_only: false, is_open_world: true } },
  )
  context.recordEnvironment(prepared.environment)
  const { command: program, args, cwd, env } = prepared.program
  const child = spawn(program, args, { cwd, env, detached: true, stdio: 'pipe' })
  const session: ShellSession = {
    id: `terminal_${++count}`,
    owner: ownerOf(context),
    child,
    prepared,
    invocationId: context.invocationId,
    unread: '',
    exitCode: undefined,
    onChange: undefined,
  }
  wasStarted(child.pid)
  follow(session)
  all.set(session.id, session)
  return session
}

function contextOf({
  invocationId,
  inBackground,
}: ExecuteContext): Pick<ExecuteContext, 'invocationId' | 'inBackground'> {
  return { invocationId, inBackground }
}

/** Linux takes the command as one text and passes it to the shell; macOS takes words. */
function terminalArguments(shell: string, command: string): string[] {
  if (process.platform === 'darwin') return ['-q', '/dev/null', shell, '-c', command]
  return ['--quiet', '--flush', '--return', '--command', command, '/dev/null']
}

function follow(session: ShellSession): void {
  const { child } = session
  const forget = beforeExit(() => signalGroup(child, 'SIGKILL'))
  const add = (text: string): void => {
    session.unread = (session.unread + text).slice(-MAX_UNREAD_CHARS)
    session.onChange?.()
  }
  const end = (code: number): void => {
    forget()
    session.exitCode ??= code
    session.onChange?.()
  }
  child.stdin!.on('error', () => {})
  child.stdout!.setEncoding('utf8').on('data', add)
  child.stderr!.setEncoding('utf8').on('data', add)
  child.once('error', () => end(127))
  child.once('close', (code) => end(code ?? 137))
}

function ownerOf({ tenant, actor, session }: ExecuteContext): string {
  return JSON.stringify([tenant, actor, session])
}

function findSession(
  all: ReadonlyMap<string, ShellSession>,
  { terminal_id: id }: SessionInput,
  context: ExecuteContext,
): ShellSession {
  const session = all.get(id!)
  if (session?.owner === ownerOf(context)) return session
  throw failure(
    'execution_failed',
    'There is no such session here. It may have ended; each process has its own, so that sessions need a running gateway or one program.',
  )
}

/** Waits until the program has written something and is quiet, has ended, or the time is over. */
function settle(session: ShellSession, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let quiet: NodeJS.Timeout | undefined
    const done = (): void => {
      clearTimeout(quiet)
      clearTimeout(limit)
      session.onChange = undefined
      signal.removeEventListener('abort', onAbort)
      resolve()
    }
    const onAbort = (): void => {
      done()
      reject(signal.reason)
    }
    const limit = setTimeout(done, waitMs)
    const look = (): void => {
      clearTimeout(quiet)
      if (session.exitCode !== undefined) done()
      else if (session.unread !== '') quiet = setTimeout(done, QUIET_MS)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    session.onChange = look
    look()
  })
}

async function endSession(all: Map<string, ShellSession>, session: ShellSession): Promise<void> {
  if (!all.delete(session.id)) return
  const { child, prepared, invocationId } = session
  if (session.exitCode === undefined) {
    const ended = new Promise((resolve) => child.once('close', resolve))
    signalGroup(child, 'SIGKILL')
    signalMarked(['TOOLCRIB_INVOCATION', invocationId], 'SIGKILL')
    await ended
  }
  await prepared.dispose()
}
