import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

// Host, process, when the process started, and something random.
const MARK = /^([0-9a-f]{16})-(\d+)-(\d+)-[0-9a-f]{24}\.part$/

/** A name for a temporary file that says which process writes it. */
export function markWriter(): string {
  return `${host()}-${process.pid}-${startOf(process.pid) ?? 0}-${randomBytes(12).toString('hex')}.part`
}

/** `unknown` for what another host or someone else left: only its age can tell. */
export function livenessOfWriter(name: string): 'alive' | 'dead' | 'unknown' {
  const [, markedHost, pid, started] = MARK.exec(name) ?? []
  if (markedHost !== host() || pid === undefined) return 'unknown'
  if (!isThere(Number(pid))) return 'dead'
  const now = startOf(Number(pid))
  if (now === undefined || started === '0') return 'unknown'
  // The system gives out the number of a dead process again.
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

/** When the process started, as the machine counts; nothing where the system has no such files. */
function startOf(pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The command's name stands in brackets and may hold spaces and brackets itself: count from the last one.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function attempt(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
