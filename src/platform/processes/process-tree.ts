import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** One process as the system reports it. */
export interface SeenProcess {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** The same as the group where the system does not report it. */
  readonly session: number
  /** The number of its terminal; 0 where it has none, or the system does not report it. */
  readonly terminal: number
  /** The machine's start time of the process: a process id alone may be reused. */
  readonly started: string
}

/** Looks up processes. Processes that are not visible count as absent. */
export type LookUp = (pid: number) => SeenProcess | undefined

export function lookAtProcesses(): LookUp {
  if (process.platform === 'linux') return seeInProc
  const table = process.platform === 'win32' ? new Map<number, SeenProcess>() : tableFromPs()
  return (pid) => table.get(pid)
}

/** A process and those above it, the nearest first. */
export function ancestryOf(pid: number, lookUp: LookUp): SeenProcess[] {
  const line: SeenProcess[] = []
  const known = new Set<number>()
  for (let at = pid; at > 0 && !known.has(at);) {
    const seen = lookUp(at)
    if (!seen) break
    known.add(at)
    line.push(seen)
    at = seen.parent
  }
  return line
}

/** All visible processes. */
export function allProcesses(): SeenProcess[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (seeInProc(Number(name)) ?? []) : []))
  }
  return process.platform === 'win32' ? [] : [...tableFromPs().values()]
}

function seeInProc(pid: number): SeenProcess | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // The command's name is in brackets and may contain spaces and brackets: count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [parent = 0, group = 0, session = 0, terminal = 0] = fields.slice(1, 5).map(Number)
  return { pid, parent, group, session, terminal, started: fields[19]! }
}

function tableFromPs(): Map<number, SeenProcess> {
  try {
    const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,lstart='], { encoding: 'utf8' })
    const rows = text.split('\n').flatMap((line): [number, SeenProcess][] => {
      const [, pid, parent, group, started] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*\S)\s*$/.exec(line) ?? []
      if (started === undefined) return []
      const seen = {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number(group),
        terminal: 0,
        started,
      }
      return [[seen.pid, seen]]
    })
    return new Map(rows)
  } catch {
    return new Map()
  }
}
