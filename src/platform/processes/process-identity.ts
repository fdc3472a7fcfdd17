import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Identifies one run of one process, so that a later process can tell whether it still runs. */
export interface ProcessIdentity {
  /** One boot of one machine, and the set of processes that can see each other on it. */
  host: string
  pid: number
  /** The machine's start time of the process: a process id alone may be reused. */
  started: string
}

export function identifyThisProcess(): ProcessIdentity {
  return { host: thisHost(), pid: process.pid, started: startOf(process.pid) ?? 'unknown' }
}

export function isThisProcess(identity: ProcessIdentity): boolean {
  const own = identifyThisProcess()
  return own.host === identity.host && own.pid === identity.pid && own.started === identity.started
}

/** `unknown` for a process of another host: only its lease can tell. */
export function livenessOf(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (identity.host !== thisHost()) return 'unknown'
  const started = startOf(identity.pid)
  if (started === undefined) return 'dead'
  return started === identity.started ? 'alive' : 'dead'
}

let host: string | undefined

/** One boot of one machine, and the set of processes that can see each other on it. */
export function thisHost(): string {
  host ??= [hostname(), readText('/proc/sys/kernel/random/boot_id'), readLink('/proc/self/ns/pid')].join('/')
  return host
}

/** `undefined` when there is no such process; a process that has ended but was not collected yet counts as none. */
function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid)
}

function startFromProc(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  // Hidden or absent: `kill` tells whether the process exists.
  if (stat === '') return processExists(pid) ? 'unknown' : undefined
  // The command's name is in brackets and may contain spaces and brackets: count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

/** Whether a process with this id exists, also one of another user. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function startFromPs(pid: number): string | undefined {
  if (!processExists(pid)) return undefined
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return 'unknown'
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
