import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface PortOwner {
  pid: number
  /** Its command line. */
  command: string
}

const LISTENS = '0A'

/**
 * The process that listens on a port of this machine, where the system reports it: on Linux, for the user's own
 * processes.
 */
export function portOwner(port: number): PortOwner | undefined {
  if (process.platform !== 'linux') return undefined
  const inodes = new Set(['tcp', 'tcp6'].flatMap((table) => listeningInodes(table, port)))
  if (inodes.size === 0) return undefined
  for (const pid of entriesOf('/proc').filter((name) => /^\d+$/.test(name))) {
    const isOwner = entriesOf(`/proc/${pid}/fd`).some((fd) => inodes.has(linkOf(`/proc/${pid}/fd/${fd}`)))
    if (isOwner)
      return { pid: Number(pid), command: textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }
  }
  return undefined
}

function listeningInodes(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return textOf(`/proc/net/${table}`)
    .split('\n')
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      return state === LISTENS && local.endsWith(`:${wanted}`) ? [`socket:[${inode}]`] : []
    })
}

// An unreadable entry belongs to another user, or its process has ended.
const entriesOf = (folder: string): string[] => orElse(() => readdirSync(folder), [])
const linkOf = (path: string): string => orElse(() => readlinkSync(path), '')
const textOf = (path: string): string => orElse(() => readFileSync(path, 'utf8'), '')

function orElse<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}
