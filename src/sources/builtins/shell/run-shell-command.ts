import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ExecuteContext, ExecutionEnvironment } from '../../../catalog/execute-context.js'
import { openEgressProxy, type EgressProxy } from '../../../http-client/egress-proxy.js'
import { findProgram } from '../../../platform/processes/find-program.js'
import { findSandbox } from '../../../platform/sandbox/find-sandbox.js'
import type {
  Sandbox,
  SandboxedCommand,
  SandboxedProgram,
  SandboxViolation,
} from '../../../platform/sandbox/sandbox.js'
import { readOnce } from '../../../shell/read-once.js'
import type { ShellReading } from '../../../shell/shell-reading.js'
import { profileFor, READ_ONLY, WORKSPACE } from './shell-profiles.js'
import type { ShellSettings } from './shell-settings.js'

export interface PreparedProgram {
  readonly program: Pick<SandboxedCommand, 'command' | 'args' | 'cwd' | 'env'>
  readonly reading: ShellReading
  /** What it runs in; undefined: nothing. */
  readonly profile: string | undefined
  readonly environment: ExecutionEnvironment
  /** Whether it never started, and may be prepared again. */
  hasLostHost: SandboxedCommand['hasLostHost']
  /** What was refused so far. */
  violations(): readonly SandboxViolation[]
  dispose(): Promise<void>
}

/** The folders that commands of one set use. */
export interface ShellFolders {
  /** What commands see as `/tmp`: one folder for all of them, so that a command finds what an earlier one left. */
  tmp(): string
  close(): void
}

export function openFolders(): ShellFolders {
  let folder: string | undefined
  const made = (): string => (folder ??= mkdtempSync(join(tmpdir(), 'toolcrib-shell-')))
  return {
    tmp: made,
    close() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface PrepareOptions {
  /** What the person or model wrote: the text that was judged. */
  readonly text: string
  readonly program: (shell: ShellSettings['shell']) => SandboxedProgram
  readonly isOverridden: boolean
  readonly timeoutMs: number
  readonly keepsTerminal?: boolean
}

/** Chooses where a command runs, and prepares it there. Throws where the policy forbids that it runs at all. */
export async function prepareProgram(
  settings: ShellSettings,
  folders: ShellFolders,
  { text, program: toProgram, isOverridden, timeoutMs, keepsTerminal }: PrepareOptions,
  context: Pick<ExecuteContext, 'facts' | 'invocationId' | 'inBackground'>,
): Promise<PreparedProgram> {
  const { shell, cwd, env, policy, domains } = settings
  const { invocationId, inBackground } = context
  if (findProgram(shell, env['PATH']) === undefined)
    throw failure(
      'setup_required',
      `There is no ${shell} in PATH; install it, or set "shell" of the built-in set.`,
    )
  const program = toProgram(shell)
  const reading = readOnce(text, { cwd, home: homedir(), shell })
  const { sandbox, name, reason } = await chooseSandbox(settings, context.facts, isOverridden)
  const environment: ExecutionEnvironment = {
    mapping: mappingOf(settings, { invocationId, inBackground, timeoutMs, sandbox: sandbox ? name : 'none' }),
    sandbox: sandbox
      ? {
          profile: name,
          kind: sandbox.kind,
          version: sandbox.version,
          reason,
          network: domainsFor(name, context, domains),
        }
      : { profile: 'none', reason },
  }
  const mark = { TOOLCRIB_INVOCATION: invocationId }
  if (!sandbox)
    return {
      program: { ...program, cwd, env: { ...env, ...mark } },
      reading,
      profile: undefined,
      environment,
      hasLostHost: () => false,
      violations: () => [],
      async dispose() {},
    }
  const proxy = await openProxy(domainsFor(name, context, domains))
  const profile = profileFor(settings, {
    name,
    reading,
    tmpFolder: policy === 'off' ? undefined : folders.tmp(),
    proxySocket: proxy?.socketPath,
    ...(keepsTerminal && { keepsTerminal }),
  })
  try {
    const prepared = await sandbox.prepare(program, { ...profile, env: { ...env, ...mark } })
    return {
      program: prepared,
      reading,
      profile: name,
      environment,
      hasLostHost: (end) => prepared.hasLostHost(end),
      violations: () => [
        ...prepared.violations(),
        ...(proxy?.refusals() ?? []).map((message) => ({ kind: 'network' as const, message })),
      ],
      async dispose() {
        await Promise.all([prepared.dispose(), closeProxy(proxy)])
      },
    }
  } catch (error) {
    await closeProxy(proxy)
    throw error
  }
}

interface Choice {
  readonly sandbox: Sandbox | undefined
  readonly name: typeof READ_ONLY | typeof WORKSPACE
  readonly reason: string
}

/** Commands that only read this machine run where they can do nothing else, whatever the policy is. */
async function chooseSandbox(
  { policy }: ShellSettings,
  { is_read_only: isRead, is_open_world: isOpen }: ExecuteContext['facts'],
  isOverridden: boolean,
): Promise<Choice> {
  const name = isRead ? READ_ONLY : WORKSPACE
  const none = { sandbox: undefined, name } as const
  if (isOverridden) return { ...none, reason: 'a person let this call run outside its sandbox' }
  if (policy === 'off' && (!isRead || isOpen)) return { ...none, reason: 'the policy is "off"' }
  const { sandbox, problem } = await findSandbox()
  if (sandbox)
    return { sandbox, name, reason: isRead ? 'it is proven to only read' : `the policy is "${policy}"` }
  if (policy === 'required')
    throw failure('setup_required', `The command did not run, for it must run in a sandbox: ${problem}`)
  return { ...none, reason: `this machine has no sandbox: ${problem}` }
}

function domainsFor(
  name: string,
  { facts }: Pick<ExecuteContext, 'facts'>,
  domains: readonly string[],
): readonly string[] {
  return name === READ_ONLY && !facts.is_open_world ? [] : domains
}

async function openProxy(domains: readonly string[]): Promise<EgressProxy | undefined> {
  if (domains.length === 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-proxy-'))
  return openEgressProxy({ domains, socketPath: join(folder, 'proxy.sock') })
}

async function closeProxy(proxy: EgressProxy | undefined): Promise<void> {
  if (!proxy) return
  await proxy.close()
  rmSync(join(proxy.socketPath, '..'), { recursive: true, force: true })
}

/** The standard's mapping of a command line. */
function mappingOf(
  { cwd }: ShellSettings,
  about: { invocationId: string; inBackground: boolean; timeoutMs: number; sandbox: string },
): ExecutionEnvironment['mapping'] {
  const { invocationId, inBackground, timeoutMs, sandbox } = about
  return {
    source: 'cli',
    command_id: `command_${invocationId}`,
    // The record of the call has the words of the command.
    argv_ref: `toolcrib://invocations/${invocationId}`,
    cwd_ref: pathToFileURL(cwd).href,
    // The declaration of the tool has the environment that its commands get.
    env_policy_ref: 'tool:tool_shell_exec',
    sandbox_ref: sandbox,
    timeout_ms: timeoutMs,
    ...(inBackground && { background_task_id: invocationId }),
  }
}

/** A failure of which the class is known. Nothing has run. */
export function failure(errorClass: 'setup_required' | 'execution_failed', message: string): Error {
  return Object.assign(new Error(message), { errorClass, nothingHappened: true })
}
