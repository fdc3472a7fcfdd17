import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { processExists } from '../../../platform/processes/process-identity.js'

// Host, process, start time of the process, and a random part.
const MARK = /^([0-9a-f]{16})-(\d+)-(\d+)-[0-9a-f]{24}\.part$/

/** A name for a temporary file that says which process writes it. */
export function markWriter(): string {
  return `${host()}-${process.pid}-${startOf(process.pid) ?? 0}-${randomBytes(12).toString('hex')}.part`
}

/** `unknown` for files of another host or user: only their age decides. */
export function livenessOfWriter(name: string): 'alive' | 'dead' | 'unknown' {
  const [, markedHost, pid, started] = MARK.exec(name) ?? []
  if (markedHost !== host() || pid === undefined) return 'unknown'
  if (!processExists(Number(pid))) return 'dead'
  const now = startOf(Number(pid))
  if (now === undefined || started === '0') return 'unknown'
  // The system reuses the id of a dead process.
  return now === started ? 'alive' : 'dead'
}

let knownHost: string | undefined

/** One boot of one machine, and the set of processes that can see each other on it: containers may share a volume. */
function host(): string {
  const parts = (): string[] => [
    hostname(),
    attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? '',
    attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '',
  ]
  knownHost ??= createHash('sha256').update(parts().join('/')).digest('hex').slice(0, 16)
  return knownHost
}

/** The machine's start time of the process; undefined where the system has no such files. */
function startOf(pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The command's name is in brackets and may contain spaces and brackets: count from the last one.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function attempt(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
