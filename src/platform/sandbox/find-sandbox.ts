import { findProgram } from '../processes/find-program.js'
import { inheritedEnvironment } from '../processes/inherited-environment.js'
import { runCommand } from '../processes/run-command.js'
import { bubblewrapSandbox } from './bubblewrap/bubblewrap-sandbox.js'
import { hasCgroups } from './cgroup.js'
import { probe } from './probe.js'
import type { Sandbox, SandboxReport } from './sandbox.js'
import { seatbeltSandbox } from './seatbelt/seatbelt-sandbox.js'

let found: Promise<SandboxReport> | undefined

/** The sandbox of this machine, tried until it works once in this process. It must hold against all that was tried. */
export async function findSandbox(): Promise<SandboxReport> {
  found ??= find()
  const report = await found
  // Somebody may install one, or allow it.
  if (!report.sandbox) found = undefined
  return report
}

const NONE = { sandbox: undefined, checks: [], limits: 'none' } as const

async function find(): Promise<SandboxReport> {
  switch (process.platform) {
    case 'linux': {
      const path = findProgram('bwrap')
      if (path === undefined)
        return { ...NONE, problem: 'bubblewrap is not installed; install the package "bubblewrap".' }
      return reportOn(bubblewrapSandbox({ path, version: await versionOf(path) }), HOW_TO_ALLOW)
    }
    case 'darwin': {
      const path = findProgram('sandbox-exec')
      if (path === undefined)
        return { ...NONE, problem: 'sandbox-exec, which comes with macOS, was not found.' }
      return reportOn(seatbeltSandbox({ path }), '')
    }
    default:
      return { ...NONE, problem: `There is no sandbox for ${process.platform}; use Linux, macOS or WSL.` }
  }
}

const HOW_TO_ALLOW =
  ' The system may forbid user namespaces: allow them for bwrap, on Ubuntu with the package "apparmor-profiles", in a container with its security options.'

async function reportOn(sandbox: Sandbox, advice: string): Promise<SandboxReport> {
  const { checks, problem } = await probe(sandbox)
  const limits = findProgram('prlimit') === undefined ? 'none' : hasCgroups() ? 'cgroup' : 'prlimit'
  if (problem === undefined) return { sandbox, checks, limits, problem }
  const why = `${sandbox.kind} ${sandbox.version} does not work here: ${problem.replace(/[.\s]+$/, '')}.`
  return { sandbox: undefined, checks, limits, problem: checks.length > 0 ? why : why + advice }
}

async function versionOf(path: string): Promise<string> {
  const end = await runCommand({
    command: path,
    args: ['--version'],
    cwd: '/',
    env: inheritedEnvironment(),
    stdin: '',
    signal: AbortSignal.timeout(10_000),
    maxOutputBytes: 10_000,
  })
  const text = end.kind === 'exited' ? end.stdout.toString('utf8') : ''
  return /\d+\.\d+(?:\.\d+)?/.exec(text)?.[0] ?? '0.0'
}
